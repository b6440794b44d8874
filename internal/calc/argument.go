package calc

import (
	"fmt"
	"math/big"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// The arguments of a limit by name, as configurations write them.
const (
	ArgNumber            = "number"
	ArgPerPeriod         = "per_period"
	ArgPeriods           = "periods"
	ArgBurstMultiplier   = "burst_multiplier"
	ArgMitigationAction  = "mitigation_action"
	ArgBlockDuration     = "block_duration"
	ArgBlockUnit         = "block_unit"
	ArgAlgorithm         = "algorithm"
	ArgOverflowAt        = "overflow_at"
	ArgClientRate        = "client_requests_per_second"
	ArgEnforcementPoints = "enforcement_points"
	ArgHardCeiling       = "hard_ceiling"
)

// TupleNames lists the arguments that make up a limit.
var TupleNames = []string{
	ArgNumber, ArgPerPeriod, ArgPeriods, ArgBurstMultiplier,
	ArgMitigationAction, ArgBlockDuration, ArgBlockUnit, ArgAlgorithm,
}

// ArgumentNames lists every argument of an evaluation.
var ArgumentNames = append(slices.Clip(TupleNames),
	ArgOverflowAt, ArgClientRate, ArgEnforcementPoints, ArgHardCeiling)

// The values of arguments that are not written: those of XC [spec], and one
// enforcement point [model].
const (
	DefaultPeriods           = 1
	DefaultBurstMultiplier   = 1
	DefaultMitigationAction  = Disabled
	DefaultAlgorithm         = LeakyBucket
	DefaultEnforcementPoints = 1
)

// Tuple holds the arguments that make up a limit, as a configuration holds them.
type Tuple struct {
	Number           Value[*big.Float]
	PerPeriod        Value[string]
	Periods          Value[*big.Float]
	BurstMultiplier  Value[*big.Float]
	MitigationAction Value[string]
	BlockDuration    Value[*big.Float]
	BlockUnit        Value[string]
	Algorithm        Value[string]
}

// Arguments holds what is asked about a limit, as a configuration holds it.
type Arguments struct {
	Tuple
	OverflowAt        Value[string]
	ClientRate        Value[*big.Float]
	EnforcementPoints Value[*big.Float]
	HardCeiling       Value[*big.Float]
}

// Scenario is a valid limit together with what is asked about it.
type Scenario struct {
	Limit Limit
	// ActionWritten reports whether the configuration names the mitigation
	// action rather than leaving it to its default.
	ActionWritten bool
	// OverflowAt is the RFC 3339 time at which a client overflows; "" if not given.
	OverflowAt string
	// ClientRate is what an evenly sending client sends, in requests per second;
	// nil if not given.
	ClientRate *big.Rat
	// EnforcementPoints is how many Regional Edges and proxies count separately.
	EnforcementPoints int64
	// HardCeiling is the largest burst the origin can take, in requests; 0 if not
	// given.
	HardCeiling int64
}

// Resolve checks all that is known and returns the limit. The limit means
// something only when everything is known and there is no problem; what is
// unknown is left unchecked.
func (t Tuple) Resolve() (l Limit, known bool, problems []Problem) {
	r := resolver{known: true}
	l = r.limit(t)
	return l, r.known, r.problems
}

// Resolve checks all that is known and returns the scenario. The scenario means
// something only when everything is known and there is no problem; what is
// unknown is left unchecked.
func (a Arguments) Resolve() (s Scenario, known bool, problems []Problem) {
	r := resolver{known: true}
	s.Limit = r.limit(a.Tuple)
	s.ActionWritten = !a.MitigationAction.IsNull()
	s.OverflowAt = r.time(a.OverflowAt, s.Limit)
	s.ClientRate = r.clientRate(a.ClientRate)
	s.EnforcementPoints = r.whole(a.EnforcementPoints, enforcementPointsRule)
	s.HardCeiling = r.whole(a.HardCeiling, hardCeilingRule)
	return s, r.known, r.problems
}

// wholeRule is what one whole-number argument must keep to.
type wholeRule struct {
	name     string
	bounds   Bounds
	fallback int64 // the value when not written
	required bool
	why      string // why XC or the model cares
	instead  string // what to write instead
}

var (
	numberRule = wholeRule{
		name: ArgNumber, bounds: NumberBounds, required: true,
		why:     "It is total_number in XC's API, which refuses a limiter outside these bounds.",
		instead: "A higher rate takes a shorter window (per_period and periods), as far as 8192 per second, a lower rate a longer window, and a larger burst alone a higher burst_multiplier.",
	}
	periodsRule = wholeRule{
		name: ArgPeriods, bounds: PeriodsBounds, fallback: DefaultPeriods,
		why:     "It is period_multiplier in XC's API, an unsigned 32-bit integer in which 0 means unset.",
		instead: "For a longer window write a larger per_period, of which Hours is the largest; leave periods out for a window of one period.",
	}
	burstMultiplierRule = wholeRule{
		name: ArgBurstMultiplier, bounds: BurstMultiplierBounds, fallback: DefaultBurstMultiplier,
		why:     "It is burst_multiplier in XC's API, which refuses a limiter outside these bounds.",
		instead: "Leave it out for 1; for larger bursts at the same rate multiply number and periods by the same factor.",
	}
	enforcementPointsRule = wholeRule{
		name: ArgEnforcementPoints, bounds: EnforcementPointsBounds, fallback: DefaultEnforcementPoints,
		why:     "Each Regional Edge or proxy that counts separately is one point.",
		instead: "Leave it out to judge a single point.",
	}
	hardCeilingRule = wholeRule{
		name: ArgHardCeiling, bounds: Bounds{1, maxInt64},
		why:     "It is the largest burst, in requests, that the origin can take.",
		instead: "Leave it out when no such ceiling is known.",
	}
)

const maxInt64 = 1<<63 - 1

// resolver gathers problems while arguments are read.
type resolver struct {
	known    bool
	problems []Problem
}

func (r *resolver) refuse(name, summary, format string, args ...any) {
	r.problems = append(r.problems, Problem{Path{name}, summary, fmt.Sprintf(format, args...)})
}

func (r *resolver) limit(t Tuple) Limit {
	l := Limit{
		Number:          r.whole(t.Number, numberRule),
		Periods:         r.whole(t.Periods, periodsRule),
		BurstMultiplier: r.whole(t.BurstMultiplier, burstMultiplierRule),
		Algorithm:       r.algorithm(t.Algorithm),
	}
	if t.PerPeriod.IsNull() {
		r.refuse(ArgPerPeriod, "Missing per_period",
			"A limit counts requests per Seconds, Minutes or Hours: write per_period. %s", unitsNote)
	} else {
		l.PerPeriod, _ = r.unit(ArgPerPeriod, t.PerPeriod, t.Periods)
	}
	l.BlockDuration, l.BlockUnit = r.lockout(t)
	return l
}

// whole reads a whole-number argument.
func (r *resolver) whole(v Value[*big.Float], rule wholeRule) int64 {
	f, known := v.Get()
	switch {
	case v.IsNull() && rule.required:
		r.refuse(rule.name, "Missing "+rule.name, "%s is required: %s. %s",
			rule.name, rule.allowed(new(big.Float)), rule.why)
		return 0
	case v.IsNull():
		return rule.fallback
	case !known:
		r.known = false
		return 0
	}
	if !f.IsInt() && !f.IsInf() {
		r.refuse(rule.name, "Fraction in "+rule.name, "%s is %s, but it takes %s. %s Round it yourself: nothing is rounded for you.",
			rule.name, notWhole(f), rule.allowed(f), rule.why)
		return 0
	}
	n, accuracy := f.Int64()
	if accuracy != big.Exact || !rule.bounds.Contains(n) {
		r.refuse(rule.name, "Out of bounds: "+rule.name, "%s is %s, but it takes %s. %s %s",
			rule.name, Text(f), rule.allowed(f), rule.why, rule.instead)
		return 0
	}
	return n
}

// notWhole writes a number that is not whole so that it does not look whole.
func notWhole(f *big.Float) string {
	text := Text(f)
	if _, err := strconv.ParseInt(text, 10, 64); err == nil {
		return "a fraction next to " + text
	}
	return text
}

// allowed says what the argument takes. A bound that only an int64 sets is named
// to nobody but who exceeds it.
func (rule wholeRule) allowed(given *big.Float) string {
	switch n, _ := given.Int64(); {
	case rule.bounds.Max < maxInt64:
		return fmt.Sprintf("a whole number from %d to %d", rule.bounds.Min, rule.bounds.Max)
	case n == maxInt64:
		return fmt.Sprintf("a whole number of at most %d", rule.bounds.Max)
	}
	return fmt.Sprintf("a whole number of at least %d", rule.bounds.Min)
}

const unitsNote = "XC counts in Seconds, Minutes and Hours only (SECOND, MINUTE and HOUR in its API)."

// unitHints says what to write for words that people try, in lower case.
var unitHints = map[string]string{
	"s": "Seconds", "sec": "Seconds", "secs": "Seconds",
	"m": "Minutes", "min": "Minutes", "mins": "Minutes",
	"h": "Hours", "hr": "Hours", "hrs": "Hours",
}

// longUnit is a unit that people try and XC lacks.
type longUnit struct {
	name  string
	hours int64
}

// instead says how many hours to write for so many of the unit.
func (u longUnit) instead(count Value[*big.Float], counted string, longest int64) string {
	times, known := count.Get()
	if !known {
		times = big.NewFloat(1)
	}
	is := fmt.Sprintf("A %s is %d hours.", u.name, u.hours)
	switch n, accuracy := times.Int64(); {
	case accuracy != big.Exact || n < 1: // which is refused as well
		return is + " Use Hours."
	case n > longest/u.hours:
		return fmt.Sprintf("%s Use Hours, with %s %d at most.", is, counted, longest)
	default:
		return fmt.Sprintf("%s Use Hours with %s %d.", is, counted, n*u.hours)
	}
}

// longUnits has the units that XC lacks under the words for them, in lower case.
var longUnits = map[string]longUnit{
	"d": {"day", 24}, "day": {"day", 24}, "days": {"day", 24}, "daily": {"day", 24},
	"w": {"week", 168}, "week": {"week", 168}, "weeks": {"week", 168}, "weekly": {"week", 168},
}

// unit reads an argument that names a unit of time, of which there are count.
func (r *resolver) unit(name string, v Value[string], count Value[*big.Float]) (u Unit, ok bool) {
	s, known := v.Get()
	if !known {
		r.known = r.known && !v.IsUnknown()
		return 0, false
	}
	if u, ok = ParseUnit(s); ok {
		return u, true
	}
	lower := asciiLower(s)
	instead := "Write Seconds, Minutes or Hours."
	if hint, found := unitHints[lower]; found {
		instead = fmt.Sprintf("Write %s.", hint)
	}
	if long, found := longUnits[lower]; found {
		counted, longest := ArgPeriods, PeriodsBounds.Max
		if name == ArgBlockUnit {
			counted, longest = ArgBlockDuration, Hour.LockoutBounds().Max
		}
		instead = long.instead(count, counted, longest)
	}
	r.refuse(name, "Unknown unit of time", "%s is %q. %s %s", name, s, unitsNote, instead)
	return 0, false
}

func asciiLower(s string) string {
	b := []byte(s)
	for i, c := range b {
		if c >= 'A' && c <= 'Z' {
			b[i] = c + ('a' - 'A')
		}
	}
	return string(b)
}

func (r *resolver) algorithm(v Value[string]) Algorithm {
	s, known := v.Get()
	if !known {
		r.known = r.known && !v.IsUnknown()
		return DefaultAlgorithm
	}
	a, ok := ParseAlgorithm(s)
	if !ok {
		r.refuse(ArgAlgorithm, "Unknown algorithm", "algorithm is %q, but XC knows %q, its default, and %q, written just so. Leave it out for the default.",
			s, LeakyBucket, TokenBucket)
	}
	return a
}

// lockout reads the mitigation action with the duration that belongs to Block.
func (r *resolver) lockout(t Tuple) (duration int64, unit Unit) {
	action := DefaultMitigationAction
	if s, known := t.MitigationAction.Get(); known {
		action = s
	} else if t.MitigationAction.IsUnknown() {
		r.known = false
		action = ""
	}
	unit, unitOK := r.unit(ArgBlockUnit, t.BlockUnit, t.BlockDuration)
	_, durationKnown := t.BlockDuration.Get()
	_, unitKnown := t.BlockUnit.Get()
	// An unknown value may still turn out to be null, so it is neither missing
	// nor superfluous yet.
	parts := []struct {
		name             string
		missing, written bool
	}{
		{ArgBlockDuration, t.BlockDuration.IsNull(), durationKnown},
		{ArgBlockUnit, t.BlockUnit.IsNull(), unitKnown},
	}
	switch {
	case equalFoldASCII(action, Block):
		for _, p := range parts {
			if p.missing {
				r.refuse(p.name, "Missing "+p.name,
					"mitigation_action is Block, which locks a client out for a time that has no default: write block_duration and block_unit, %s.", lockoutsNote)
			}
		}
	case equalFoldASCII(action, Disabled):
		for _, p := range parts {
			if p.written {
				r.refuse(p.name, "No lockout without Block",
					"%s is written, but mitigation_action is %s, and XC has no lockout without Block. Write mitigation_action = %q, or remove block_duration and block_unit.", p.name, Disabled, Block)
			}
		}
	case action != "" || !t.MitigationAction.IsUnknown():
		r.refuse(ArgMitigationAction, "Unknown mitigation action",
			"mitigation_action is %q, but XC knows %s (429 without a lockout) and %s (429 and a lockout). Disabled does not switch the limit off: for that, remove or bypass the limiter.", action, Disabled, Block)
	}
	f, known := t.BlockDuration.Get()
	if !known {
		r.known = r.known && !t.BlockDuration.IsUnknown()
		return 0, unit
	}
	return r.blockDuration(f, unit, unitOK), unit
}

// LockoutRange says how long a lockout may last, in each unit.
var LockoutRange = func() string {
	bounds := make([]string, len(Units))
	for i, u := range Units {
		bounds[i] = fmt.Sprintf("%d to %d %s", u.LockoutBounds().Min, u.LockoutBounds().Max, u.Console())
	}
	last := len(bounds) - 1
	return strings.Join(bounds[:last], ", ") + " or " + bounds[last]
}()

var lockoutsNote = "from " + LockoutRange

// blockDuration checks a duration; where its unit is unknown or wrong, only
// what holds in every unit.
func (r *resolver) blockDuration(f *big.Float, unit Unit, unitOK bool) int64 {
	if !f.IsInt() && !f.IsInf() {
		r.refuse(ArgBlockDuration, "Fraction in block_duration",
			"block_duration is %s, but it takes a whole number, %s. Round it yourself, or write a smaller unit where its bounds allow: 30 Minutes for 0.5 Hours.", notWhole(f), lockoutsNote)
		return 0
	}
	n, accuracy := f.Int64()
	bounds := Bounds{1, Second.LockoutBounds().Max}
	if unitOK {
		bounds = unit.LockoutBounds()
	}
	if accuracy == big.Exact && bounds.Contains(n) {
		return n
	}
	given := Text(f)
	instead := "To lock nobody out, write mitigation_action = \"Disabled\" without a duration."
	if f.Sign() > 0 {
		instead = "The longest lockout is 48 Hours."
		if unitOK {
			given += " " + unit.Console()
			if accuracy == big.Exact && n <= Hour.LockoutBounds().Max*Hour.Seconds() {
				instead = lockoutInstead(n*unit.Seconds(), unit, instead)
			}
		}
	}
	r.refuse(ArgBlockDuration, "Out of bounds: block_duration",
		"block_duration is %s, but XC takes whole numbers %s. %s", given, lockoutsNote, instead)
	return 0
}

// lockoutInstead names the durations next to one that is too long for its unit:
// for 90 Minutes, 1 or 2 Hours.
func lockoutInstead(seconds int64, unit Unit, otherwise string) string {
	for _, u := range Units[unit+1:] {
		lower, upper := seconds/u.Seconds(), (seconds+u.Seconds()-1)/u.Seconds()
		bounds := u.LockoutBounds()
		stop := fmt.Sprintf("XC's %s stop at %d, so write", asciiLower(unit.Console()), unit.LockoutBounds().Max)
		switch {
		case lower == upper && bounds.Contains(lower):
			return fmt.Sprintf("%s %d %s.", stop, lower, u.Console())
		case bounds.Contains(lower) && bounds.Contains(upper):
			return fmt.Sprintf("%s %d or %d %s.", stop, lower, upper, u.Console())
		}
	}
	return otherwise
}

func (r *resolver) time(v Value[string], l Limit) string {
	s, known := v.Get()
	if !known {
		r.known = r.known && !v.IsUnknown()
		return ""
	}
	if problem := CheckTime(ArgOverflowAt, s); problem != nil {
		r.problems = append(r.problems, *problem)
		return ""
	}
	if _, ok := addSeconds(s, l.LockoutSeconds()); !ok {
		r.refuse(ArgOverflowAt, "Too late to add a lockout",
			"overflow_at is %q, and the lockout would end after the year 9999, which RFC 3339 cannot write. Write an earlier time.", s)
		return ""
	}
	return s
}

// rfc3339 is a date-time as RFC 3339 spells it. [time.Parse] knows the calendar,
// but takes 1:00 for 01:00, a comma before the fraction and offsets of a day too
// (https://go.dev/issue/54580).
var rfc3339 = regexp.MustCompile(`^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]+)?(Z|[+-]([01][0-9]|2[0-3]):[0-5][0-9])$`)

// CheckTime returns what is wrong with an argument that should be an RFC 3339
// time, or nil.
func CheckTime(name, s string) *Problem {
	if _, err := time.Parse(time.RFC3339, s); err == nil && rfc3339.MatchString(s) {
		return nil
	}
	return &Problem{Path{name}, "Not an RFC 3339 time", fmt.Sprintf(
		"%s is %q, but it takes a date, a time and an offset as RFC 3339 writes them, such as 2026-03-01T10:00:00Z or 2026-03-01T15:30:00.5+05:30. Without an offset the moment is not certain.", name, s)}
}

func (r *resolver) clientRate(v Value[*big.Float]) *big.Rat {
	f, known := v.Get()
	if !known {
		r.known = r.known && !v.IsUnknown()
		return nil
	}
	if f.Sign() <= 0 {
		r.refuse(ArgClientRate, "Out of bounds: client_requests_per_second",
			"client_requests_per_second is %s, but a client is judged by the requests it sends: write a number above 0, such as 0.5 for one request every two seconds, or leave it out.", Text(f))
		return nil
	}
	rate, err := Exact(f)
	if err != nil {
		r.refuse(ArgClientRate, "Out of bounds: client_requests_per_second",
			"client_requests_per_second is %s, but a rate is computed exactly only from 1e-1000 to 1e1000 requests per second. Write the rate of a client that can exist.", Text(f))
		return nil
	}
	return rate
}

// Text writes a configured number as a person would, in up to
// [SignificantDigits] digits. Of a number far beyond [MaxExponent] it writes the
// magnitude: the digits would take minutes.
func Text(f *big.Float) string {
	if f.IsInf() {
		return "infinite"
	}
	if !magnitudeWithin(f, maxPrintedExponent) {
		sign := ""
		if f.Signbit() {
			sign = "-"
		}
		// log10(2) is 0.30103.
		return fmt.Sprintf("about %s1e%+d", sign, int64(f.MantExp(nil))*30103/100000)
	}
	return f.Text('g', SignificantDigits)
}
