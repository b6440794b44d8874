// Package recommend finds the tuple of an XC rate limit for a rate that is
// wanted.
package recommend

import (
	"fmt"
	"math/big"
	"strings"

	"github.com/xcrl/terraform-provider-xcrl/internal/calc"
)

// Target is what a limit shall come close to and never exceed.
type Target struct {
	// RequestsPerSecond is the rate that is wanted, above 0.
	RequestsPerSecond *big.Rat
	// Burst is the largest burst ceiling allowed, in requests; 0 if not given.
	Burst int64
	// HardCeiling is the most requests that all enforcement points together may
	// let through at once; 0 if not given.
	HardCeiling int64
	// EnforcementPoints is how many points count separately, at least 1. It
	// matters only to HardCeiling.
	EnforcementPoints int64
	// Tolerance is the share, from 0 to below 1, by which the rate may stay below
	// the one that is wanted.
	Tolerance *big.Rat
}

// Recommendation is a limit for a target: Disabled, leaky bucket, its window as
// [calc.CanonicalWindow] writes it.
type Recommendation struct {
	Limit calc.Limit
	// Exact reports whether the rate is the one that is wanted, exactly.
	Exact bool
}

// Recommend returns the best limit for the target. It never exceeds it: rate,
// burst ceiling and, for all enforcement points, hard ceiling. Of all limits
// within XC's bounds whose rate is within the tolerance it is the one with the
// largest burst ceiling (the smallest, where no ceiling is given), of those the
// one with the shortest window, and of those the one with the smallest number.
//
// Where there is none, the problem says what stands in the way and names the
// closest limit: the one with the highest rate that does not exceed the target.
func Recommend(t Target) (Recommendation, *calc.Problem) {
	if t.RequestsPerSecond.Cmp(lowestRate) < 0 {
		return Recommendation{}, refuse(ArgRequestsPerSecond, "Rate below every limit",
			"requests_per_second is %s, but the lowest rate that XC can write, 1 request per 4294967295 hours, is above it. Raise it to at least 6.5e-14; to let nothing through, use a service policy instead of a rate limit.",
			calc.ExactText(t.RequestsPerSecond))
	}
	ceiling, name := t.ceiling()
	if name != "" && ceiling == 0 {
		_, _, needed := t.search(1)
		return Recommendation{}, refuse(name, "No room for a single request",
			"hard_ceiling is %d, and %d enforcement points may each let one request through before they know of each other. Raise %s, or plan with fewer enforcement_points.",
			t.HardCeiling, t.EnforcementPoints, t.raised(max(1, needed)))
	}
	if t.lowest().Cmp(highestRate) > 0 {
		number := calc.NumberBounds.Max
		if name != "" {
			number = min(number, ceiling)
		}
		return Recommendation{}, refuse(ArgRequestsPerSecond, "Rate above every limit",
			"%s, but the highest rate that XC can write is %d requests per second. %s. Lower requests_per_second to at most %d.",
			t.wanted(), calc.NumberBounds.Max, candidate{number, multiplier(number, ceiling), 1}.describe(), number)
	}
	best, closest, needed := t.search(ceiling)
	if best.number == 0 {
		return Recommendation{}, t.explain(ceiling, name, closest, needed)
	}
	l := best.limit()
	return Recommendation{l, l.DrainRate().Rat().Cmp(t.RequestsPerSecond) == 0}, nil
}

// ceiling returns the largest burst ceiling that one point may have, and the
// argument that sets it; "" where none does.
func (t Target) ceiling() (ceiling int64, name string) {
	if t.Burst > 0 {
		ceiling, name = t.Burst, ArgBurst
	}
	if t.HardCeiling > 0 {
		if share := t.HardCeiling / t.EnforcementPoints; name == "" || share < ceiling {
			ceiling, name = share, calc.ArgHardCeiling
		}
	}
	return ceiling, name
}

// lowest returns the lowest rate within the tolerance, in requests per second.
func (t Target) lowest() *big.Rat {
	share := new(big.Rat).Sub(big.NewRat(1, 1), t.Tolerance)
	return share.Mul(share, t.RequestsPerSecond)
}

// candidate is a number, a burst multiplier and a window in seconds.
type candidate struct{ number, multiplier, window int64 }

func (c candidate) burst() int64 { return c.number * c.multiplier }

// compareRate is negative, 0 or positive as the rate of c is below, at or above
// that of d. Nothing overflows: a number has 14 bits, a window 44.
func (c candidate) compareRate(d candidate) int64 { return c.number*d.window - d.number*c.window }

func (c candidate) rate() *big.Rat { return big.NewRat(c.number, c.window) }

func (c candidate) limit() calc.Limit {
	l := calc.Limit{Number: c.number, BurstMultiplier: c.multiplier}
	l.PerPeriod, l.Periods = calc.CanonicalWindow(c.window)
	return l
}

// search goes through every number. Best is the candidate for the target, with
// number 0 where none is within the tolerance; closest is then the one with the
// highest rate, by the same order where several have it, and needed the lowest
// ceiling under which there is one within the tolerance, or 0. A ceiling of 0 is
// none.
//
// Two facts make it short. The shortest window that keeps the rate of a number
// at or below the target is that number's best: it has the highest rate, and the
// burst ceiling does not depend on it. And that window grows with the number, so
// of equal burst ceilings the smallest number has the shortest window.
func (t Target) search(ceiling int64) (best, closest candidate, needed int64) {
	shortest := multiplesOf(t.RequestsPerSecond)
	reach := newThreshold(t.lowest())
	closest.window = 1 // a rate of 0
	for n := calc.NumberBounds.Min; n <= calc.NumberBounds.Max; n++ {
		above := ceiling > 0 && n > ceiling
		if above && best.number > 0 {
			break
		}
		shortest.next()
		window, ok := windowFrom(shortest.ceil())
		if !ok {
			break
		}
		c := candidate{n, multiplier(n, ceiling), window}
		if above {
			if reach.reachedBy(c) {
				return best, closest, n
			}
			continue
		}
		if c.burst() > best.burst() && reach.reachedBy(c) {
			best = c
			if ceiling == 0 {
				break
			}
		}
		higher := c.compareRate(closest)
		if higher > 0 || higher == 0 && ceiling > 0 && c.burst() > closest.burst() {
			closest = c
		}
	}
	return best, closest, 0
}

// multiplier returns the burst multiplier that takes the number closest to the
// ceiling, 0 where the number alone is above it; the smallest without a ceiling.
func multiplier(number, ceiling int64) int64 {
	if ceiling == 0 {
		return calc.BurstMultiplierBounds.Min
	}
	return min(calc.BurstMultiplierBounds.Max, ceiling/number)
}

// threshold tells which candidates reach a rate. It is exact, and compares long
// integers only where the rates known to be on either side leave it open.
type threshold struct {
	num, den      *big.Int
	below, within candidate // the highest rate known to be below, the lowest known not to be
	left, right   big.Int
}

func newThreshold(rate *big.Rat) *threshold {
	return &threshold{
		num: rate.Num(), den: rate.Denom(),
		below:  candidate{number: 0, window: 1},
		within: candidate{number: 1, window: 0}, // an infinite rate
	}
}

func (t *threshold) reachedBy(c candidate) bool {
	switch {
	case c.compareRate(t.below) <= 0:
		return false
	case c.compareRate(t.within) >= 0:
		return true
	}
	t.left.Mul(t.left.SetInt64(c.window), t.num)
	t.right.Mul(t.right.SetInt64(c.number), t.den)
	if t.left.Cmp(&t.right) > 0 {
		t.below = c
		return false
	}
	t.within = c
	return true
}

// windowFrom returns the shortest window of at least so many seconds that XC can
// write: any number of seconds, minutes or hours within the bounds of periods.
// It reports false beyond the longest window.
func windowFrom(seconds int64) (int64, bool) {
	for _, u := range calc.Units {
		if periods := (seconds + u.Seconds() - 1) / u.Seconds(); periods <= calc.PeriodsBounds.Max {
			return periods * u.Seconds(), true
		}
	}
	return 0, false
}

// multiples counts n/rate seconds for n = 1, 2, 3, … exactly, as whole seconds
// and a remainder. Adding is several times as fast as dividing for each n when
// the rate has 34 digits.
type multiples struct {
	floor, whole         int64
	remainder, part, den *big.Int
}

// multiplesOf starts before n = 1. The rate is at least [lowestRate], which
// keeps 8192 multiples within an int64.
func multiplesOf(rate *big.Rat) multiples {
	whole, part := new(big.Int).QuoRem(rate.Denom(), rate.Num(), new(big.Int))
	return multiples{whole: whole.Int64(), remainder: new(big.Int), part: part, den: rate.Num()}
}

func (m *multiples) next() {
	m.floor += m.whole
	if m.remainder.Add(m.remainder, m.part).Cmp(m.den) >= 0 {
		m.remainder.Sub(m.remainder, m.den)
		m.floor++
	}
}

func (m *multiples) ceil() int64 {
	if m.remainder.Sign() > 0 {
		return m.floor + 1
	}
	return m.floor
}

// explain says why no limit is within the tolerance.
func (t Target) explain(ceiling int64, name string, closest candidate, needed int64) *calc.Problem {
	options := fmt.Sprintf("%s. Write tolerance = %s to accept so low a rate", closest.describe(), t.toleranceFor(closest))
	if needed > 0 {
		return refuse(name, "Ceiling too low for the rate",
			"%s, but the ceilings let one enforcement point pass at most %d at once, and no limit with so small a burst has such a rate. %s, or raise %s.",
			t.wanted(), ceiling, options, t.raised(needed))
	}
	// Of most rates only a rounded figure can be written, which is another rate.
	if rate := closest.rate(); rate.Cmp(decimal(calc.Float64(rate))) == 0 {
		options += ", or the rate of that limit as requests_per_second"
	}
	return refuse(ArgTolerance, "No limit within the tolerance",
		"%s, but XC's numbers and windows are whole, and no quotient of two of them is that close below. %s.", t.wanted(), options)
}

// raised says how far the ceilings that are lower must be raised for one
// enforcement point to let so many requests pass at once.
func (t Target) raised(needed int64) string {
	var raise []string
	if t.Burst > 0 && t.Burst < needed {
		raise = append(raise, fmt.Sprintf("burst to at least %d", needed))
	}
	if all := needed * t.EnforcementPoints; t.HardCeiling > 0 && t.HardCeiling < all {
		raise = append(raise, fmt.Sprintf("hard_ceiling to at least %d", all))
	}
	return strings.Join(raise, " and ")
}

// decimal returns the value of a float as it is written for people.
func decimal(f float64) *big.Rat {
	r, _ := new(big.Rat).SetString(fmt.Sprintf("%g", f)) // of a finite float always a number
	return r
}

func (t Target) wanted() string {
	return fmt.Sprintf("requests_per_second is %s with a tolerance of %s", calc.ExactText(t.RequestsPerSecond), calc.ExactText(t.Tolerance))
}

func (c candidate) describe() string {
	l := c.limit()
	return fmt.Sprintf("The closest limit that exceeds nothing is number %d, per_period %s, periods %d, burst_multiplier %d: a rate of %g per second with a burst ceiling of %d",
		l.Number, l.PerPeriod.Console(), l.Periods, l.BurstMultiplier, calc.Float64(c.rate()), l.BurstCeiling())
}

// toleranceFor returns a short decimal below 1 with which the candidate is within
// the tolerance: at least 1 − rate/wanted, and at most a tenth more.
func (t Target) toleranceFor(c candidate) string {
	short := c.rate()
	short.Sub(big.NewRat(1, 1), short.Quo(short, t.RequestsPerSecond))
	// With short = a/b, the decimal up/scale is short rounded up.
	a, b, scale := short.Num(), short.Denom(), big.NewInt(1)
	up, left, right := new(big.Int), new(big.Int), new(big.Int)
	for digits := 1; ; digits++ {
		scale.Mul(scale, big.NewInt(10))
		up.Mul(a, scale).Add(up, b).Sub(up, big.NewInt(1)).Quo(up, b)
		// up/scale ≤ 1.1 × a/b, in whole numbers.
		left.Mul(up, b).Mul(left, big.NewInt(10))
		right.Mul(a, scale).Mul(right, big.NewInt(11))
		if up.Cmp(scale) < 0 && left.Cmp(right) <= 0 {
			return new(big.Rat).SetFrac(up, scale).FloatString(digits)
		}
	}
}

// The highest and the lowest rate that XC can write, in requests per second.
var (
	highestRate = big.NewRat(calc.NumberBounds.Max, 1)
	lowestRate  = big.NewRat(1, calc.PeriodsBounds.Max*calc.Hour.Seconds())
)

func refuse(name, summary, format string, args ...any) *calc.Problem {
	return &calc.Problem{Path: calc.Path{name}, Summary: summary, Detail: fmt.Sprintf(format, args...)}
}
