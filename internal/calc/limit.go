package calc

import (
	"math/big"
	"strings"
)

// Bounds is an inclusive range of whole numbers.
type Bounds struct{ Min, Max int64 }

// Contains reports whether n lies within the bounds.
func (b Bounds) Contains(n int64) bool { return b.Min <= n && n <= b.Max }

// The bounds of a limit's figures.
var (
	// NumberBounds are those of total_number, in requests [spec].
	NumberBounds = Bounds{1, 8192}
	// PeriodsBounds are those of period_multiplier, a uint32 of which 0 means
	// unset [spec].
	PeriodsBounds = Bounds{1, 4294967295}
	// BurstMultiplierBounds are those of burst_multiplier [spec].
	BurstMultiplierBounds = Bounds{1, 100}
	// EnforcementPointsBounds are this project's own [model].
	EnforcementPointsBounds = Bounds{1, 1000000}
)

// Unit is a unit of time in which XC writes periods and lockouts.
type Unit uint8

// The units of XC; there is no day [spec].
const (
	Second Unit = iota
	Minute
	Hour
)

// Units lists the units from the shortest to the longest.
var Units = []Unit{Second, Minute, Hour}

var units = [...]struct {
	console, api, word string
	seconds            int64
	lockout            Bounds
}{
	Second: {"Seconds", "SECOND", "second", 1, Bounds{1, 300}},
	Minute: {"Minutes", "MINUTE", "minute", 60, Bounds{1, 60}},
	Hour:   {"Hours", "HOUR", "hour", 3600, Bounds{1, 48}},
}

// Console returns the unit as XC's console spells it: Seconds, Minutes, Hours.
func (u Unit) Console() string { return units[u].console }

// API returns the unit as XC's API spells it: SECOND, MINUTE, HOUR.
func (u Unit) API() string { return units[u].api }

// Seconds returns the unit's length in seconds.
func (u Unit) Seconds() int64 { return units[u].seconds }

// LockoutBounds returns how many of the unit a lockout may last: 300 seconds,
// 60 minutes or 48 hours at most [spec]. 90 minutes cannot be written.
func (u Unit) LockoutBounds() Bounds { return units[u].lockout }

// ParseUnit reads a unit in the console's spelling, in the singular, in any
// letter case, which includes the API's spelling. It reports false for anything
// else.
func ParseUnit(s string) (Unit, bool) {
	for _, u := range Units {
		if equalFoldASCII(s, units[u].word) || equalFoldASCII(s, units[u].console) {
			return u, true
		}
	}
	return 0, false
}

// equalFoldASCII compares without regard to the case of ASCII letters only:
// Unicode folding would take the Kelvin sign for a k.
func equalFoldASCII(a, b string) bool {
	return len(a) == len(b) && strings.EqualFold(a, b)
}

// Algorithm is the way in which XC counts.
type Algorithm uint8

// The algorithms. Leaky bucket is F5's default; of token bucket F5 says only
// that it is stricter [spec], so it is modelled as a leaky bucket [model].
const (
	LeakyBucket Algorithm = iota
	TokenBucket
)

// Algorithms lists the algorithms, the default first.
var Algorithms = []Algorithm{LeakyBucket, TokenBucket}

// String returns the API's name of the algorithm.
func (a Algorithm) String() string {
	if a == TokenBucket {
		return "token_bucket"
	}
	return "leaky_bucket"
}

// ParseAlgorithm reads an algorithm by its API name and reports whether it is one.
func ParseAlgorithm(s string) (Algorithm, bool) {
	for _, a := range Algorithms {
		if s == a.String() {
			return a, true
		}
	}
	return 0, false
}

// The mitigation actions in the console's spelling.
const (
	Disabled = "Disabled"
	Block    = "Block"
)

// Limit is a valid XC rate limit: the tuple (Number, Per Period, Periods, Burst
// Multiplier, Mitigation Action) [article] and the algorithm [spec]. Its fields
// keep to the bounds of [NumberBounds] and its neighbours, so no method
// overflows: the longest window is 4294967295 hours, about 1.5e13 seconds.
type Limit struct {
	Number          int64
	PerPeriod       Unit
	Periods         int64
	BurstMultiplier int64
	Algorithm       Algorithm
	// BlockDuration is the lockout's length in BlockUnit; 0 when the mitigation
	// action is Disabled.
	BlockDuration int64
	BlockUnit     Unit
}

// Blocks reports whether the mitigation action is Block.
func (l Limit) Blocks() bool { return l.BlockDuration > 0 }

// WindowSeconds returns periods × the unit, in seconds [article].
func (l Limit) WindowSeconds() int64 { return l.Periods * l.PerPeriod.Seconds() }

// Rate is a rate as a fraction of whole requests and whole seconds.
type Rate struct{ Requests, Seconds int64 }

// Rat returns the rate in requests per second.
func (r Rate) Rat() *big.Rat { return big.NewRat(r.Requests, r.Seconds) }

// PerSeconds returns the float64 nearest to the requests in n seconds. Both
// sides of the division stay below 2^53 for n up to an hour, so that one IEEE
// division rounds correctly.
func (r Rate) PerSeconds(n int64) float64 {
	return float64(r.Requests*n) / float64(r.Seconds)
}

// DrainRate returns number / window in lowest terms: the rate at which the
// bucket drains and which a steady client may keep up [article].
func (l Limit) DrainRate() Rate {
	w := l.WindowSeconds()
	g := gcd(l.Number, w)
	return Rate{l.Number / g, w / g}
}

// Canonical returns the limit with its window written in the largest unit that
// divides it; number, burst and mitigation stay as they are.
func (l Limit) Canonical() Limit {
	l.PerPeriod, l.Periods = CanonicalWindow(l.WindowSeconds())
	return l
}

// CanonicalWindow writes a window of so many seconds in the largest unit that
// divides it.
func CanonicalWindow(seconds int64) (Unit, int64) {
	u := Second
	for _, larger := range Units {
		if seconds%larger.Seconds() == 0 {
			u = larger
		}
	}
	return u, seconds / u.Seconds()
}

// BurstCeiling returns B = number × burst multiplier: how many requests an empty
// bucket, that of one enforcement point, lets through at once [article].
func (l Limit) BurstCeiling() int64 { return l.Number * l.BurstMultiplier }

// FirstRejectedRequest returns the number, counted from 1, of the request that
// an instant burst from empty sees refused: B + 1.
func (l Limit) FirstRejectedRequest() int64 { return l.BurstCeiling() + 1 }

// MaxRequestsPerWindow returns the most requests that can pass at one enforcement
// point in any closed interval of one window: a full bucket at its start and one
// request for each slot that frees, number × (burst multiplier + 1).
func (l Limit) MaxRequestsPerWindow() int64 { return l.Number * (l.BurstMultiplier + 1) }

// DrainSeconds returns how long a full bucket takes to drain, in seconds:
// window × burst multiplier.
func (l Limit) DrainSeconds() int64 { return l.WindowSeconds() * l.BurstMultiplier }

// LockoutSeconds returns how long an overflow locks the client out, in seconds:
// the configured duration under Block, 0 when Disabled [article].
func (l Limit) LockoutSeconds() int64 { return l.BlockDuration * l.BlockUnit.Seconds() }

// BurstAfterLockout returns how many requests at least pass at once when a
// lockout ends: the bucket drains on meanwhile, so min(B, ⌊number × D / window⌋).
// Where that is 0 a bucket that was full to the brim overflows again at the next
// request. It means nothing without Block.
func (l Limit) BurstAfterLockout() int64 {
	return min(l.BurstCeiling(), l.Number*l.LockoutSeconds()/l.WindowSeconds())
}

// OvershootCeiling returns how many requests can pass before the counters of that
// many points converge, each keeping its own view [article]: points × B.
func (l Limit) OvershootCeiling(points int64) int64 { return points * l.BurstCeiling() }

// EquivalenceKey holds what makes two limits the same: drain rate, burst
// ceiling, algorithm and lockout. The rate alone does not: 60 per minute and 1
// per second drain alike, but let 60 and 1 requests through at once.
type EquivalenceKey struct {
	Rate           Rate
	BurstCeiling   int64
	Algorithm      Algorithm
	LockoutSeconds int64
}

// EquivalenceKey returns the key; two limits are equivalent exactly when their
// keys are equal.
func (l Limit) EquivalenceKey() EquivalenceKey {
	return EquivalenceKey{l.DrainRate(), l.BurstCeiling(), l.Algorithm, l.LockoutSeconds()}
}

// Equivalent reports whether two limits treat every client alike.
func Equivalent(a, b Limit) bool { return a.EquivalenceKey() == b.EquivalenceKey() }

func gcd(a, b int64) int64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}
