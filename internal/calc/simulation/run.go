// Package simulation runs traffic against a limit: phases of even arrivals at
// one or several enforcement points, Disabled or Block, with or without points
// that converge.
//
// No float decides anything. Every time of a run is a whole number of ticks of a
// length chosen for that run, and a bucket is one such time: when it will be
// empty. Where points never converge, whole stretches of requests are computed
// at once, so that the cost grows with phases, lockouts and timeline steps and
// not with requests. Where they do, requests are played one by one.
package simulation

import (
	"fmt"
	"math"
	"math/big"

	"github.com/xcrl/terraform-provider-xcrl/internal/calc"
)

// What bounds a run [model]. Within these, every count and every time of a
// result is one that a float64 can hold.
const (
	// MaxRequests is how many requests a run may offer.
	MaxRequests = 1_000_000_000_000_000
	// MaxSeconds is how long a run may last.
	MaxSeconds = 1_000_000_000_000_000
	// MaxPlayed is how many requests a run may offer that must be played one by
	// one: several points that converge.
	MaxPlayed = 20_000_000
	// MaxLockouts is how many lockouts a run may have.
	MaxLockouts = 10_000
	// MaxSteps is how many steps a timeline may have.
	MaxSteps = 10_000
)

// The arguments of a run by name, as configurations write them.
const (
	ArgTraffic           = "traffic"
	ArgSeconds           = "seconds"
	ArgRequestsPerSecond = "requests_per_second"
	ArgEnforcementPoints = calc.ArgEnforcementPoints
	ArgSyncSeconds       = "sync_seconds"
	ArgStepSeconds       = "step_seconds"
)

// Phase is a stretch of even traffic: request k, counted from 0, goes at
// k / RequestsPerSecond seconds from the phase's start while that is before its
// end.
type Phase struct {
	// Seconds is how long the phase lasts, above 0.
	Seconds *big.Rat
	// RequestsPerSecond is 0 for silence.
	RequestsPerSecond *big.Rat
}

// Run is traffic and the limit it meets. [Input.Resolve] makes valid ones.
type Run struct {
	Limit calc.Limit
	// Traffic holds the phases in order.
	Traffic []Phase
	// EnforcementPoints is how many points count separately; request i of the run,
	// counted from 0, goes to point i mod EnforcementPoints.
	EnforcementPoints int64
	// SyncSeconds is the time between two moments at which all points take over
	// the merged count; nil if they never converge. F5 publishes no such time.
	SyncSeconds *big.Rat
	// StepSeconds is the timeline's step; nil for no timeline.
	StepSeconds *big.Rat
}

// Input holds a run's arguments as a configuration holds them; the limit has an
// input of its own, [calc.Tuple].
type Input struct {
	Traffic           calc.Value[[]PhaseInput]
	EnforcementPoints calc.Value[*big.Float]
	SyncSeconds       calc.Value[*big.Float]
	StepSeconds       calc.Value[*big.Float]
}

// PhaseInput holds one phase as a configuration holds it.
type PhaseInput struct {
	Seconds           calc.Value[*big.Float]
	RequestsPerSecond calc.Value[*big.Float]
}

// Resolve checks all that is known and returns the run, but for its limit. The
// run means something only when everything is known and there is no problem;
// what is unknown is left unchecked.
func (in Input) Resolve() (run Run, known bool, problems []calc.Problem) {
	r := resolver{known: true}
	run.Traffic = r.traffic(in.Traffic)
	trafficRead := r.known && r.problems == nil
	run.EnforcementPoints = r.points(in.EnforcementPoints)
	run.SyncSeconds = r.number(in.SyncSeconds, syncRule, ArgSyncSeconds)
	run.StepSeconds = r.number(in.StepSeconds, stepRule, ArgStepSeconds)
	if trafficRead {
		r.sizes(run)
	}
	return run, r.known, r.problems
}

// resolver gathers problems while arguments are read.
type resolver struct {
	known    bool
	problems []calc.Problem
}

func (r *resolver) refuse(path calc.Path, summary, format string, args ...any) {
	r.problems = append(r.problems, calc.Problem{Path: path, Summary: summary, Detail: fmt.Sprintf(format, args...)})
}

func (r *resolver) traffic(v calc.Value[[]PhaseInput]) []Phase {
	inputs, known := v.Get()
	if v.IsUnknown() {
		r.known = false
		return nil
	}
	if !known || len(inputs) == 0 {
		r.refuse(calc.Path{ArgTraffic}, "No traffic",
			"traffic has no phases, so there is nothing to run. Write at least one, such as { seconds = 60, requests_per_second = 20 }.")
		return nil
	}
	phases := make([]Phase, len(inputs))
	for i, in := range inputs {
		phases[i] = Phase{
			Seconds:           r.number(in.Seconds, secondsRule, ArgTraffic, i, ArgSeconds),
			RequestsPerSecond: r.number(in.RequestsPerSecond, rateRule, ArgTraffic, i, ArgRequestsPerSecond),
		}
	}
	return phases
}

// numberRule is what one number must keep to.
type numberRule struct {
	required    bool
	zeroAllowed bool
	unit        string
	why         string // why the model cares
	instead     string // what to write instead
}

var (
	secondsRule = numberRule{
		required: true, unit: "seconds",
		why:     "A phase lasts for some time, a fraction of a second at least.",
		instead: "Write a number above 0, such as 60, or leave the phase out.",
	}
	rateRule = numberRule{
		required: true, zeroAllowed: true, unit: "requests per second",
		why:     "It is how many requests a client sends each second of the phase.",
		instead: "Write a number of at least 0, such as 0.5 for one request every two seconds, or 0 for silence.",
	}
	syncRule = numberRule{
		unit:    "seconds",
		why:     "It is the time between two moments at which all points take over the merged count.",
		instead: "Write a number above 0, or leave it out for points that never converge.",
	}
	stepRule = numberRule{
		unit:    "seconds",
		why:     "It is the length of one step of the timeline.",
		instead: "Write a number above 0, or leave it out for no timeline.",
	}
)

// number reads a number; it returns nil for one that is absent, unknown or
// refused. The last step of the path is the argument's name.
func (r *resolver) number(v calc.Value[*big.Float], rule numberRule, path ...any) *big.Rat {
	name := path[len(path)-1]
	f, known := v.Get()
	switch {
	case v.IsUnknown():
		r.known = false
		return nil
	case !known && rule.required:
		r.refuse(path, fmt.Sprintf("Missing %s", name), "%s is required. %s %s", name, rule.why, rule.instead)
		return nil
	case !known:
		return nil
	case f.Sign() < 0 || f.Sign() == 0 && !rule.zeroAllowed:
		r.refuse(path, fmt.Sprintf("Out of bounds: %s", name), "%s is %s. %s %s", name, calc.Text(f), rule.why, rule.instead)
		return nil
	}
	exact, err := calc.Exact(f)
	if err != nil {
		r.refuse(path, fmt.Sprintf("Out of bounds: %s", name),
			"%s is %s, but runs are computed exactly, with numbers from 1e-1000 to 1e1000 %s. Write a figure that real traffic can have.",
			name, calc.Text(f), rule.unit)
		return nil
	}
	return exact
}

func (r *resolver) points(v calc.Value[*big.Float]) int64 {
	f, known := v.Get()
	if !known {
		r.known = r.known && !v.IsUnknown()
		return calc.DefaultEnforcementPoints
	}
	n, accuracy := f.Int64()
	bounds := calc.EnforcementPointsBounds
	if accuracy != big.Exact || !bounds.Contains(n) {
		r.refuse(calc.Path{ArgEnforcementPoints}, "Out of bounds: "+ArgEnforcementPoints,
			"%s is %s, but it takes a whole number from %d to %d: each Regional Edge or proxy that counts separately is one point. Leave it out for a single point.",
			ArgEnforcementPoints, calc.Text(f), bounds.Min, bounds.Max)
	}
	return n
}

// sizes refuses runs that are larger than can be computed. All traffic is valid;
// the other arguments may not be.
func (r *resolver) sizes(run Run) {
	seconds, offered := new(big.Rat), new(big.Int)
	for _, p := range run.Traffic {
		seconds.Add(seconds, p.Seconds)
		offered.Add(offered, p.requests())
	}
	traffic := calc.Path{ArgTraffic}
	if most := new(big.Rat).SetInt64(MaxSeconds); seconds.Cmp(most) > 0 {
		r.refuse(traffic, "Run too long", "The phases last %s s in all, but a run may last %s s. Write fewer or shorter phases.",
			above(seconds, most), large(MaxSeconds))
	}
	if offered.Cmp(big.NewInt(MaxRequests)) > 0 {
		r.refuse(traffic, "Too many requests", "The phases send %s requests in all, but a run may send %s, so that every count is exact. Lower requests_per_second, or write shorter phases.",
			above(new(big.Rat).SetInt(offered), new(big.Rat).SetInt64(MaxRequests)), large(MaxRequests))
	} else if n := offered.Int64(); run.converges() && n > MaxPlayed {
		r.refuse(traffic, "Too many requests to play", "The phases send %d requests in all, and where enforcement points converge each is played one by one, %d at most. Write shorter phases or a lower rate, or leave out %s: points that never converge are computed at once, however long the run.",
			n, MaxPlayed, ArgSyncSeconds)
	}
	if run.StepSeconds == nil {
		return
	}
	switch n := ceil(new(big.Rat).Quo(seconds, run.StepSeconds)); {
	case n.Cmp(big.NewInt(MaxSteps)) > 0:
		shortest := new(big.Rat).Quo(seconds, new(big.Rat).SetInt64(MaxSteps))
		// What one step less would reach over.
		most := new(big.Rat).SetInt(new(big.Int).Sub(n, intOne))
		most.Mul(most, run.StepSeconds)
		r.refuse(calc.Path{ArgStepSeconds}, "Too many timeline steps", "The phases last %s s, which makes %s steps of %s s; a timeline has %d at most. Write %s = %s or more, or a shorter run.",
			above(seconds, most), calc.Decimal(new(big.Rat).SetInt(n)), calc.Decimal(run.StepSeconds), MaxSteps, ArgStepSeconds, roundedUp(shortest))
	case n.Cmp(intOne) > 0 && run.StepSeconds.Cmp(leastStart) < 0:
		// Multiples of a step that is no shorter are floats that differ.
		r.refuse(calc.Path{ArgStepSeconds}, "Timeline steps too short", "%s is %s, but a step's start is told as a float64, and none lies between 0 and %.0e: several steps would start at the same time. Write a longer step, or leave it out for no timeline.",
			ArgStepSeconds, calc.ExactText(run.StepSeconds), math.SmallestNonzeroFloat64)
	}
}

// leastStart is the least float64 above 0.
var leastStart = new(big.Rat).SetFloat64(math.SmallestNonzeroFloat64)

// above writes a figure that exceeds a bound, with all its digits where fewer
// would read as the bound does.
func above(figure, bound *big.Rat) string {
	if text := calc.Decimal(figure); text != calc.Decimal(bound) {
		return text
	}
	if text := calc.ExactText(figure); text != calc.ExactText(bound) {
		return text
	}
	return "a little more than " + calc.Decimal(bound)
}

// large writes a power of ten as a person would.
func large(n int64) string { return fmt.Sprintf("at most %.0e", float64(n)) }

// roundedUp writes a time in seconds so that it is no shorter: up to the next
// whole second, or where it is below one to two significant digits.
func roundedUp(seconds *big.Rat) string {
	if seconds.Cmp(ratOne) >= 0 {
		return ceil(seconds).String()
	}
	unit := finer(ratOne, seconds, ratTen)
	n := ceil(new(big.Rat).Quo(seconds, unit))
	f := new(big.Float).SetPrec(128).SetRat(unit.Mul(unit, new(big.Rat).SetInt(n)))
	return f.Text('g', 3)
}

// roundedDown returns a time in seconds that is no longer and takes few digits:
// down to the millisecond, or where that is coarse to four significant digits.
func roundedDown(seconds *big.Rat) *big.Rat {
	unit := finer(big.NewRat(1, 1000), seconds, ratThousand)
	return unit.Mul(unit, new(big.Rat).SetInt(floor(new(big.Rat).Quo(seconds, unit))))
}

// finer returns a unit, or the largest tenth, hundredth and so on of it of which a
// time has at least so many.
func finer(unit, seconds, least *big.Rat) *big.Rat {
	unit = new(big.Rat).Set(unit)
	for scaled := new(big.Rat).Quo(seconds, unit); scaled.Cmp(least) < 0; scaled.Mul(scaled, ratTen) {
		unit.Quo(unit, ratTen)
	}
	return unit
}

var (
	ratOne      = big.NewRat(1, 1)
	ratTen      = big.NewRat(10, 1)
	ratThousand = big.NewRat(1000, 1)
)

// requests returns how many requests the phase sends: those k with k / rate
// before its end.
func (p Phase) requests() *big.Int {
	return ceil(new(big.Rat).Mul(p.Seconds, p.RequestsPerSecond))
}

// converges reports whether points take over anything from each other. A single
// point has nobody to take over from: its own count is the merged one.
func (run Run) converges() bool { return run.SyncSeconds != nil && run.EnforcementPoints > 1 }

// CaveatModelAssumption is the code of the caveat that a figure of a run is the
// user's own.
const CaveatModelAssumption = "model-assumption"

// CaveatCodes lists the caveats that runs add to those of their limit.
var CaveatCodes = []calc.Code{
	{Name: CaveatModelAssumption, When: "`sync_seconds` is written, or `enforcement_points` is above 1"},
}

// Caveats lists what is assumed in a run [model]: how traffic spreads over
// several points, and when they converge.
func (run Run) Caveats() []calc.Finding {
	var spread, sync string
	if run.EnforcementPoints > 1 {
		spread = fmt.Sprintf("Requests are dealt out in turn to %d enforcement points; XC may spread them in any way. ", run.EnforcementPoints)
	}
	switch {
	case run.SyncSeconds != nil:
		sync = fmt.Sprintf("F5 publishes no convergence time: that counts are merged every %s s is your own figure.", calc.Decimal(run.SyncSeconds))
	case spread != "" && run.Limit.Blocks():
		sync = "F5 publishes no convergence time: here the points never converge. Converging moves lockouts, so that a little more could pass than here."
	case spread != "":
		sync = "F5 publishes no convergence time: here the points never converge, the most that distributed counting can let through."
	default:
		return nil
	}
	return []calc.Finding{{Code: CaveatModelAssumption, Message: spread + sync}}
}
