package simulation

import (
	"fmt"
	"math/big"
	"sort"

	"github.com/xcrl/terraform-provider-xcrl/internal/calc"
)

// What bounds the cost of a run, each to a few seconds and a few hundred MB.
const (
	// maxTimes bounds the machine words that the times of all phases take.
	maxTimes = 4_000_000
	// maxWork bounds what a run in closed form may cost, in evaluations on single
	// machine words.
	maxWork = 100_000_000
	// maxLockoutsAlone bounds the lockouts of the one point that a run at several is
	// compared with, on single machine words.
	maxLockoutsAlone = 5_000_000
	// maxPlayedWork bounds what a played run may cost, in requests on single
	// machine words.
	maxPlayedWork = 300_000_000
	// pointWork is what the memory of one enforcement point counts for in
	// maxPlayedWork.
	pointWork = 40
)

// clock holds the times of a run as whole ticks. A second has as many ticks as
// make the start of each phase, the time between its requests, the time in which
// one slot frees and the time between syncs whole.
type clock struct {
	perSecond *big.Int
	streams   []stream
	offered   int64
	seconds   *big.Rat // the run's duration
	block     *big.Rat // how long a lockout lasts, in seconds; 0 when Disabled
	steps     int      // of the timeline; 1 without one

	slot    *big.Int // how long one slot takes to free: 1 / drain rate
	room    *big.Int // how far off an empty bucket may be for a request to pass: B − 1 slots
	lockout *big.Int // 0 when Disabled
	sync    *big.Int // 0 where points do not converge
	longest *big.Int // no sum or product in the run exceeds it
}

// stream is a phase that sends requests: request k goes at start + k × interval.
type stream struct {
	first, count    int64    // of the run's requests, counted from 0
	start, interval *big.Rat // in seconds
	startTicks      *big.Int
	intervalTicks   *big.Int
	step            int     // the timeline's step that holds its start
	ends            []int64 // how many of its requests lie before the end of that step, and of each one after it
}

// newClock chooses the ticks of a run, and refuses phases whose figures have too
// many digits between them.
func newClock(run Run) (*clock, *calc.Problem) {
	rate := run.Limit.DrainRate()
	slot := big.NewRat(rate.Seconds, rate.Requests)
	c := &clock{
		perSecond: new(big.Int).Set(slot.Denom()),
		seconds:   new(big.Rat),
		block:     new(big.Rat).SetInt64(run.Limit.LockoutSeconds()),
		steps:     1,
	}
	sync := new(big.Rat)
	if run.converges() {
		sync = run.SyncSeconds
		c.include(sync)
	}
	for _, p := range run.Traffic {
		start := new(big.Rat).Set(c.seconds)
		c.seconds.Add(c.seconds, p.Seconds)
		count := p.requests().Int64()
		if count == 0 {
			continue
		}
		// For a single request any interval does: that of the phase adds no digits.
		interval := p.Seconds
		if count > 1 {
			interval = new(big.Rat).Inv(p.RequestsPerSecond)
		}
		c.include(start)
		c.include(interval)
		if words(c.perSecond)*int64(len(run.Traffic)) > maxTimes {
			return nil, tooMuch(ArgTraffic, "the times of its %s share no fraction of a second coarse enough to compute with, as their seconds and requests_per_second have so many digits between them. Round these to fewer digits, or write fewer phases",
				calc.Count(int64(len(run.Traffic)), "phase"))
		}
		c.streams = append(c.streams, stream{first: c.offered, count: count, start: start, interval: interval})
		c.offered += count
	}
	c.slot = c.ticks(slot)
	c.room = new(big.Int).Mul(c.slot, big.NewInt(run.Limit.BurstCeiling()-1))
	c.lockout = c.ticks(c.block)
	c.sync = c.ticks(sync)
	interval := new(big.Int)
	for i := range c.streams {
		s := &c.streams[i]
		s.startTicks, s.intervalTicks = c.ticks(s.start), c.ticks(s.interval)
		if s.intervalTicks.Cmp(interval) > 0 {
			interval = s.intervalTicks
		}
	}
	c.bound(run, interval)
	c.cut(run.StepSeconds)
	return c, nil
}

// include makes a time whole.
func (c *clock) include(t *big.Rat) {
	common := new(big.Int).GCD(nil, nil, c.perSecond, t.Denom())
	c.perSecond.Mul(c.perSecond, common.Quo(t.Denom(), common))
}

// ticks converts a time, rounding up one that is not whole.
func (c *clock) ticks(t *big.Rat) *big.Int {
	n := new(big.Int).Mul(t.Num(), c.perSecond)
	return ceilQuo(n, t.Denom())
}

// bound finds more ticks than any sum or product in the run reaches: twice its
// duration and a full bucket, one interval of a point, a lockout, and where
// points converge a sync and the merged count, which has no ceiling.
func (c *clock) bound(run Run, interval *big.Int) {
	slots := 2 * run.Limit.BurstCeiling()
	if run.converges() {
		slots += c.offered
	}
	duration := c.ticks(c.seconds)
	b := new(big.Int).Mul(c.slot, big.NewInt(slots))
	b.Add(b, duration).Add(b, duration).Add(b, c.lockout).Add(b, c.sync)
	c.longest = b.Add(b, new(big.Int).Mul(interval, big.NewInt(run.EnforcementPoints)))
}

// fits reports whether every time of the run fits a [word].
func (c *clock) fits() bool { return c.longest.BitLen() < 63 }

// weight says how many times as much as on words an operation costs on the run's
// times, about.
func (c *clock) weight() int64 {
	if c.fits() {
		return 1
	}
	return 4 + words(c.longest)/10
}

// words returns how many machine words an integer takes, or one more.
func words(n *big.Int) int64 { return int64(n.BitLen()/64) + 1 }

// cut finds where the timeline's steps cut each stream. A step holds what is
// sent from its start on and before its end.
func (c *clock) cut(stepSeconds *big.Rat) {
	if stepSeconds == nil {
		for i := range c.streams {
			c.streams[i].ends = []int64{c.streams[i].count}
		}
		return
	}
	c.steps = int(ceil(new(big.Rat).Quo(c.seconds, stepSeconds)).Int64())
	ends, end, remainder := make([]int64, 0, c.steps+len(c.streams)), new(big.Int), new(big.Int)
	for i := range c.streams {
		s := &c.streams[i]
		s.step = int(floor(new(big.Rat).Quo(s.start, stepSeconds)).Int64())
		// As many of the stream's requests lie before the end of a step as there are
		// intervals from the stream's start to that end, rounded up. From step to
		// step that grows by the same fraction.
		growth := new(big.Rat).Quo(stepSeconds, s.interval)
		intervals := big.NewRat(int64(s.step)+1, 1)
		intervals.Mul(intervals, stepSeconds).Sub(intervals, s.start).Quo(intervals, s.interval)
		denominator := new(big.Int).Mul(intervals.Denom(), growth.Denom())
		numerator := new(big.Int).Mul(intervals.Num(), growth.Denom())
		added := new(big.Int).Mul(growth.Num(), intervals.Denom())
		numerator.Add(numerator, denominator).Sub(numerator, intOne)
		from, count := len(ends), big.NewInt(s.count)
		for {
			end.QuoRem(numerator, denominator, remainder)
			if end.Cmp(count) >= 0 {
				break
			}
			ends = append(ends, end.Int64())
			numerator.Add(numerator, added)
		}
		ends = append(ends, s.count)
		s.ends = ends[from:len(ends):len(ends)]
	}
}

// stream returns the stream that a request of the run belongs to.
func (c *clock) stream(request int64) *stream {
	return &c.streams[sort.Search(len(c.streams), func(i int) bool { return c.streams[i].first > request })-1]
}

// at returns when a request of the run goes, in seconds.
func (c *clock) at(request int64) *big.Rat {
	s := c.stream(request)
	t := new(big.Rat).SetInt64(request - s.first)
	return t.Mul(t, s.interval).Add(t, s.start)
}

// after returns the time so many seconds after a request, as the nearest float64.
func (c *clock) after(request, seconds int64) float64 {
	if c.fits() {
		s, perSecond := c.stream(request), c.perSecond.Int64()
		ticks := s.startTicks.Int64() + (request-s.first)*s.intervalTicks.Int64() + seconds*perSecond
		// One IEEE division rounds correctly where both sides are exact.
		if max(ticks, perSecond) <= 1<<53 {
			return float64(ticks) / float64(perSecond)
		}
	}
	t := c.at(request)
	return calc.Float64(t.Add(t, new(big.Rat).SetInt64(seconds)))
}

// tooMuch refuses a run that is valid but costs too much; the reason ends with
// what to write instead.
func tooMuch(arg, reason string, args ...any) *calc.Problem {
	return &calc.Problem{
		Path: calc.Path{arg}, Summary: "Too much to compute",
		Detail: "This run would take too long: " + fmt.Sprintf(reason, args...) + ".",
	}
}

func floor(r *big.Rat) *big.Int { return new(big.Int).Div(r.Num(), r.Denom()) }

func ceil(r *big.Rat) *big.Int { return ceilQuo(r.Num(), r.Denom()) }

// ceilQuo returns ⌈a / b⌉ for b above 0.
func ceilQuo(a, b *big.Int) *big.Int {
	n := new(big.Int).Neg(a)
	return n.Neg(n.Div(n, b))
}

var intOne = big.NewInt(1)
