package calc

import (
	"fmt"
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"
)

// Finding is a warning or a caveat: a fixed code for policies to test, and a
// message for people that names the figures of the case at hand.
type Finding struct{ Code, Message string }

// Code describes a code for the docs.
type Code struct{ Name, When string }

// HighBurstMultiplier is the burst multiplier above which a limit is warned of.
const HighBurstMultiplier = 10

// SmallBucket is the burst ceiling below which a limit is warned of: one browser
// opens six connections at once.
const SmallBucket = 6

// LongLockoutSeconds is the lockout from which on a limit is warned of.
const LongLockoutSeconds = 3600

// The codes of warnings: what is risky about a configuration.
const (
	WarnDisabledStillEnforces      = "disabled-still-enforces"
	WarnBurstMultiplierHigh        = "burst-multiplier-high"
	WarnSmallBucket                = "small-bucket"
	WarnBlockWithoutBurstHeadroom  = "block-without-burst-headroom"
	WarnLockoutShorterThanDrain    = "lockout-shorter-than-drain"
	WarnLongLockout                = "long-lockout"
	WarnOvershootExceedsHardCeil   = "overshoot-exceeds-hard-ceiling"
	WarnClientRateExceedsLimit     = "client-rate-exceeds-limit"
	WarnTokenBucketModelledAsLeaky = "token-bucket-modelled-as-leaky"
)

// The codes of caveats: what is true of every such limit.
const (
	CaveatOverflowReturns429  = "overflow-returns-429"
	CaveatNoFixedWindow       = "no-fixed-window"
	CaveatDistributedCounting = "distributed-counting"
	CaveatLockoutSticks       = "lockout-sticks"
)

// WarningCodes lists the warnings, sorted by name.
var WarningCodes = []Code{
	{WarnBlockWithoutBurstHeadroom, "Block and burst multiplier 1"},
	{WarnBurstMultiplierHigh, fmt.Sprintf("burst multiplier above %d", HighBurstMultiplier)},
	{WarnClientRateExceedsLimit, "the given client is limited"},
	{WarnDisabledStillEnforces, "`mitigation_action` is written and is Disabled"},
	{WarnLockoutShorterThanDrain, "Block and `burst_after_lockout` is 0"},
	{WarnLongLockout, "lockout of an hour or more"},
	{WarnOvershootExceedsHardCeil, "`overshoot_ceiling` above `hard_ceiling`"},
	{WarnSmallBucket, fmt.Sprintf("burst ceiling below %d: one browser opens six connections at once", SmallBucket)},
	{WarnTokenBucketModelledAsLeaky, "token bucket"},
}

// CaveatCodes lists the caveats, sorted by name.
var CaveatCodes = []Code{
	{CaveatDistributedCounting, "always"},
	{CaveatLockoutSticks, "Block"},
	{CaveatNoFixedWindow, "always"},
	{CaveatOverflowReturns429, "always"},
}

// SortFindings sorts findings by code.
func SortFindings(findings []Finding) []Finding {
	slices.SortStableFunc(findings, func(a, b Finding) int { return strings.Compare(a.Code, b.Code) })
	return findings
}

// warnings lists what is risky about the scenario, sorted by code.
func (s Scenario) warnings(client *ClientOutcome) []Finding {
	l := s.Limit
	b := l.BurstCeiling()
	out := make([]Finding, 0, 4)
	warn := func(code, format string, args ...any) {
		out = append(out, Finding{code, fmt.Sprintf(format, args...)})
	}
	if l.Blocks() && l.BurstMultiplier == 1 {
		warn(WarnBlockWithoutBurstHeadroom, "Block with burst multiplier 1: the %s request of a burst locks a client out for %s. Raise burst_multiplier to leave room for ordinary bursts.",
			nth(b+1), Duration(l.LockoutSeconds()))
	}
	if l.BurstMultiplier > HighBurstMultiplier {
		warn(WarnBurstMultiplierHigh, "Burst multiplier %d lets %s through at once, %d times the %d that the limit allows per %s. The origin must be able to take them.",
			l.BurstMultiplier, Count(b, "request"), l.BurstMultiplier, l.Number, l.window())
	}
	if client != nil && client.Limited {
		out = append(out, Finding{WarnClientRateExceedsLimit, s.tooFast(client)})
	}
	if s.ActionWritten && !l.Blocks() {
		warn(WarnDisabledStillEnforces, "Mitigation action Disabled does not switch the limit off: the %s request of a burst is answered 429 all the same. It only means that no lockout follows; to stop limiting, remove or bypass the limiter.",
			nth(b+1))
	}
	if l.Blocks() && l.BurstAfterLockout() == 0 {
		remedy := "Block for longer, or raise the rate."
		if longest := Hour.LockoutBounds().Max * Hour.Seconds(); l.WindowSeconds() > longest*l.Number {
			remedy = "No lockout is that long: raise the rate."
		}
		warn(WarnLockoutShorterThanDrain, "The lockout of %s is shorter than the %s that one slot takes to free: a client that comes back at its end may be locked out again by its first request. %s",
			Duration(l.LockoutSeconds()), plural(Decimal(l.SecondsPerRequest()), "second"), remedy)
	}
	if l.LockoutSeconds() >= LongLockoutSeconds {
		warn(WarnLongLockout, "One overflow locks a client out for %s, and everyone who shares its identifier, such as an office behind one address.",
			Duration(l.LockoutSeconds()))
	}
	if over := l.OvershootCeiling(s.EnforcementPoints); s.HardCeiling > 0 && over > s.HardCeiling {
		who := "An empty bucket lets"
		if s.EnforcementPoints > 1 {
			who = fmt.Sprintf("Before their counters converge, %d enforcement points with a burst ceiling of %d each let", s.EnforcementPoints, b)
		}
		remedy := "Lower number or burst_multiplier, or protect the origin elsewhere."
		if s.EnforcementPoints > s.HardCeiling {
			remedy = "No limit lets less than one request through at each point: protect the origin elsewhere."
		}
		warn(WarnOvershootExceedsHardCeil, "%s up to %s through at once, above the hard ceiling of %d. %s",
			who, Count(over, "request"), s.HardCeiling, remedy)
	}
	if b < SmallBucket {
		warn(WarnSmallBucket, "The bucket takes only %s at once, and one browser opens six connections at once: ordinary page loads will meet 429. Raise burst_multiplier, or write the same rate with a larger number over a longer window.",
			Count(b, "request"))
	}
	if l.Algorithm == TokenBucket {
		warn(WarnTokenBucketModelledAsLeaky, "F5 says only that token bucket is stricter than leaky bucket, so it is modelled as a leaky bucket: a burst from empty meets 429 after %s at the latest, perhaps sooner.",
			Count(b, "request"))
	}
	return SortFindings(out)
}

// percentage writes a share below 1, which must not be rounded to all.
func percentage(share *big.Rat) string {
	text := rounded(100 * Float64(share))
	if text == "100" {
		return "more than 99.999%"
	}
	return text + "%"
}

// tooFast says what a limited client meets and when.
func (s Scenario) tooFast(client *ClientOutcome) string {
	l := s.Limit
	var then string
	if l.Blocks() {
		end := rounded(Float64(client.First429) + float64(l.LockoutSeconds()))
		then = "That starts a lockout of " + Duration(l.LockoutSeconds()) + ", which ends after " + plural(end, "second") + "."
	} else {
		then = "From then on " + percentage(client.RejectedShare) + " of its requests are refused."
	}
	return "A client that sends " + plural(ExactText(s.ClientRate), "request") + " per second evenly is faster than the limit of " +
		Count(l.Number, "request") + " per " + l.window() + ": 429s begin with request " + client.First429Request.String() +
		", after " + plural(Decimal(client.First429), "second") + ". " + then
}

const overflowReturns429 = "An overflowing request is answered 429 whatever the mitigation action. To stop limiting, remove or bypass the limiter."

// caveats lists what is true of every limit like this one, sorted by code.
func (s Scenario) caveats() []Finding {
	l := s.Limit
	out := make([]Finding, 0, 4)
	add := func(code, format string, args ...any) {
		out = append(out, Finding{code, fmt.Sprintf(format, args...)})
	}
	if s.EnforcementPoints > 1 {
		add(CaveatDistributedCounting, "Every Regional Edge and proxy keeps its own count: spread over %d enforcement points, one client can get %d requests through before the counters converge. F5 publishes no convergence time.",
			s.EnforcementPoints, l.OvershootCeiling(s.EnforcementPoints))
	} else {
		add(CaveatDistributedCounting, "Every Regional Edge and proxy keeps its own count: a client spread over several of them can get a burst of %d through at each before the counters converge. F5 publishes no convergence time.",
			l.BurstCeiling())
	}
	if l.Blocks() {
		add(CaveatLockoutSticks, "A lockout always lasts %s, however long the bucket has been empty by then.", Duration(l.LockoutSeconds()))
	}
	add(CaveatNoFixedWindow, "No window resets: the bucket drains continuously, and at one enforcement point up to %s can pass within %s, a full bucket and every slot that frees meanwhile.",
		Count(l.MaxRequestsPerWindow(), "request"), Duration(l.WindowSeconds()))
	return append(out, Finding{CaveatOverflowReturns429, overflowReturns429})
}

// summary says in one sentence what the limit does.
func (l Limit) summary() string {
	per := rounded(float64(l.WindowSeconds()) / float64(l.Number))
	then := "overflow is answered 429 without a lockout"
	if l.Blocks() {
		then = "overflow is answered 429 and locks the client out for " + Duration(l.LockoutSeconds())
	}
	how := ""
	if l.Algorithm == TokenBucket {
		how = ", counted by token bucket"
	}
	return fmt.Sprintf("%s per %s (one slot every %s s), up to %d at once%s; %s.",
		Count(l.Number, "request"), l.window(), per, l.BurstCeiling(), how, then)
}

// window writes the window after "per": minute, 5 minutes.
func (l Limit) window() string {
	unit, n := CanonicalWindow(l.WindowSeconds())
	if n == 1 {
		return units[unit].word
	}
	return Count(n, units[unit].word)
}

// Count writes a number of things: 1 request, 2 requests.
func Count(n int64, thing string) string { return plural(strconv.FormatInt(n, 10), thing) }

// plural writes a thing after its number: 1 second, 1.5 seconds.
func plural(number, thing string) string {
	if number == "1" {
		return "1 " + thing
	}
	return number + " " + thing + "s"
}

// Duration writes whole seconds in the largest unit that divides them.
func Duration(seconds int64) string {
	unit, n := CanonicalWindow(seconds)
	return Count(n, units[unit].word)
}

// nth writes an ordinal: 1st, 22nd, 113th.
func nth(n int64) string {
	suffix := "th"
	if n%100/10 != 1 {
		switch n % 10 {
		case 1:
			suffix = "st"
		case 2:
			suffix = "nd"
		case 3:
			suffix = "rd"
		}
	}
	return strconv.FormatInt(n, 10) + suffix
}

// Decimal writes an exact value for people, rounded to at most three decimals,
// or to four significant digits where it is very large or small.
func Decimal(r *big.Rat) string {
	f := Float64(r)
	if math.IsInf(f, 0) || f == 0 && r.Sign() != 0 {
		// A client's rate reaches far beyond what a float64 holds.
		return new(big.Float).SetRat(r).Text('g', 4)
	}
	return rounded(f)
}

// rounded is [Decimal] of a value that is a float64 already.
func rounded(f float64) string {
	if f != 0 && (f < 0.001 || f >= 1e15) {
		return strconv.FormatFloat(f, 'g', 4, 64)
	}
	return strings.TrimSuffix(strings.TrimRight(strconv.FormatFloat(f, 'f', 3, 64), "0"), ".")
}

// ExactText writes a configured number with all its digits: a rate that exceeds
// a limit by a hair must not be rounded to the limit. 34 digits take 113 bits.
func ExactText(r *big.Rat) string { return Text(new(big.Float).SetPrec(128).SetRat(r)) }
