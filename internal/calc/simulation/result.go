package simulation

import (
	"fmt"
	"math/big"
	"slices"

	"github.com/xcrl/terraform-provider-xcrl/internal/calc"
)

// Result is what a run's requests met.
type Result struct {
	// Seconds is the run's duration.
	Seconds *big.Rat
	// Offered requests are Accepted, Rejected429 or Blocked. The request that starts
	// a lockout counts as 429, those refused during it as blocked.
	Offered, Accepted, Rejected429, Blocked int64
	// First429Seconds is when the first request is answered 429; nil if none is.
	First429Seconds *big.Rat
	// Lockouts are in order of start.
	Lockouts []Lockout
	// Overshoot is how many more requests were accepted than one point alone would
	// have accepted. It can be negative: a lockout may hit a client that one point
	// alone would have let through.
	Overshoot int64
	// Timeline has one step for each StepSeconds begun; it is empty without one.
	Timeline []Step
}

// Lockout is one point's refusal of everything for the whole block duration.
type Lockout struct {
	// StartSeconds and EndSeconds are the float64 nearest to the lockout's start and
	// end; that end may lie after the run's. A request at the end is judged again
	// [model].
	StartSeconds, EndSeconds float64
	// EnforcementPoint is counted from 0.
	EnforcementPoint int64
	request          int64 // the one that started it
	run              *clock
}

// Start returns when the lockout starts, in seconds.
func (l Lockout) Start() *big.Rat { return l.run.at(l.request) }

// End returns when the lockout ends, in seconds.
func (l Lockout) End() *big.Rat {
	end := l.Start()
	return end.Add(end, l.run.block)
}

// Step is one step of a timeline: what was sent from its start on and before the
// next one's, or the end of the run.
type Step struct {
	// StartSeconds is the float64 nearest to the step's start.
	StartSeconds                            float64
	Offered, Accepted, Rejected429, Blocked int64
}

// AcceptedShare returns the share of requests that were accepted, as the nearest
// float64, or nil where none were offered [model]. Counts stay below 2^53, so
// that one IEEE division rounds correctly.
func (r *Result) AcceptedShare() *float64 {
	if r.Offered == 0 {
		return nil
	}
	share := float64(r.Accepted) / float64(r.Offered)
	return &share
}

// Simulate runs a run that [Input.Resolve] found valid. Its only problems are
// runs that have too many lockouts or cost too much.
func Simulate(run Run) (*Result, []calc.Problem) {
	c, problem := newClock(run)
	if problem == nil {
		problem = c.tooMuchWork(run)
	}
	if problem != nil {
		return nil, []calc.Problem{*problem}
	}
	var t *tally
	var overshoot int64
	if c.fits() {
		t, overshoot, problem = compute(run, newModel(c, newWord))
	} else {
		t, overshoot, problem = compute(run, newModel(c, bigTicks))
	}
	if problem != nil {
		return nil, []calc.Problem{*problem}
	}
	return c.result(run, t, overshoot), nil
}

// tooMuchWork refuses runs whose cost is known beforehand to be too high.
func (c *clock) tooMuchWork(run Run) *calc.Problem {
	points := min(run.EnforcementPoints, c.offered)
	if run.converges() {
		if work := (c.offered + pointWork*points) * c.weight(); work > maxPlayedWork {
			return tooMuch(ArgTraffic, "%s at %s, played one by one, with times that take %d digits. Round seconds and requests_per_second to fewer digits, or write shorter phases",
				calc.Count(c.offered, "request"), calc.Count(points, "enforcement point"), c.digits())
		}
		return nil
	}
	pieces := int64(0)
	for i := range c.streams {
		pieces += int64(len(c.streams[i].ends))
	}
	if work := pieces * points * c.weight(); work > maxWork {
		return tooMuch(ArgEnforcementPoints, "%s are computed one by one, each over %s of timeline and phases, with times that take %d digits. Write fewer points, phases or steps, or round seconds and requests_per_second to fewer digits",
			calc.Count(points, "enforcement point"), calc.Count(pieces, "piece"), c.digits())
	}
	return nil
}

// digits returns how many decimal digits the run's times take, about.
func (c *clock) digits() int { return c.longest.BitLen()*3/10 + 1 }

// compute runs the traffic and, where there are several points, compares it with
// one point alone.
func compute[N any, I integer[N]](run Run, m *model[N, I]) (t *tally, overshoot int64, problem *calc.Problem) {
	play := m.closed
	if run.converges() {
		play = m.played
	}
	t = play(run.EnforcementPoints, MaxLockouts)
	if t.stopped() {
		return nil, 0, m.tooManyLockouts(run, t)
	}
	if run.EnforcementPoints == 1 {
		return t, 0, nil
	}
	maxAlone := m.maxAlone()
	alone := m.closed(1, maxAlone)
	if alone.stopped() {
		return nil, 0, tooMuch(ArgTraffic, "overshoot compares it with one point alone, which would start more than %d lockouts. Write shorter phases, or fewer", maxAlone)
	}
	return t, t.total(calc.Accepted) - alone.total(calc.Accepted), nil
}

// maxAlone returns how many lockouts the one point may have that a run at several
// is compared with.
func (c *clock) maxAlone() int64 { return maxLockoutsAlone / c.weight() }

func (c *clock) tooManyLockouts(run Run, t *tally) *calc.Problem {
	instead, seconds := "write shorter phases, or fewer", calc.Decimal(c.seconds)
	// Points that never converge are run one after the other, so that the last
	// lockout of the tally need not be the latest.
	if run.converges() || run.EnforcementPoints == 1 {
		// A run that ends at the first lockout too many does without it, and so does
		// any shorter one.
		most := roundedDown(c.at(t.lockouts[MaxLockouts]))
		instead = fmt.Sprintf("the first %s s have no more", calc.ExactText(most))
		seconds = above(c.seconds, most)
	}
	return &calc.Problem{Path: calc.Path{ArgTraffic}, Summary: "Too many lockouts", Detail: fmt.Sprintf(
		"This run of %s s has more than %d lockouts, the most that a result lists. Run a shorter time: %s. What Block does shows within a few lockouts.",
		seconds, MaxLockouts, instead)}
}

// result puts a tally into the units of a result.
func (c *clock) result(run Run, t *tally, overshoot int64) *Result {
	r := &Result{
		Seconds:     c.seconds,
		Offered:     c.offered,
		Accepted:    t.total(calc.Accepted),
		Rejected429: t.total(calc.Rejected429),
		Blocked:     t.total(calc.Blocked),
		Lockouts:    make([]Lockout, len(t.lockouts)),
		Overshoot:   overshoot,
	}
	if t.first429 != none {
		r.First429Seconds = c.at(t.first429)
	}
	// Requests are numbered in order of time.
	slices.Sort(t.lockouts)
	for i, request := range t.lockouts {
		r.Lockouts[i] = Lockout{
			StartSeconds:     c.after(request, 0),
			EndSeconds:       c.after(request, run.Limit.LockoutSeconds()),
			EnforcementPoint: request % run.EnforcementPoints,
			request:          request,
			run:              c,
		}
	}
	if run.StepSeconds == nil {
		return r
	}
	r.Timeline = make([]Step, c.steps)
	start := new(big.Rat)
	for i, n := range t.steps {
		r.Timeline[i] = Step{
			StartSeconds: calc.Float64(start),
			Accepted:     n[calc.Accepted], Rejected429: n[calc.Rejected429], Blocked: n[calc.Blocked],
		}
		start.Add(start, run.StepSeconds)
	}
	for i := range c.streams {
		before := int64(0)
		for j, end := range c.streams[i].ends {
			r.Timeline[c.streams[i].step+j].Offered += end - before
			before = end
		}
	}
	return r
}
