package recommend

import (
	"math"
	"math/big"

	"github.com/xcrl/terraform-provider-xcrl/internal/calc"
)

// The arguments of a target that no limit has.
const (
	ArgRequestsPerSecond = "requests_per_second"
	ArgBurst             = "burst"
	ArgTolerance         = "tolerance"
)

// ArgumentNames lists the arguments of a target.
var ArgumentNames = []string{ArgRequestsPerSecond, ArgBurst, calc.ArgHardCeiling, calc.ArgEnforcementPoints, ArgTolerance}

// DefaultTolerance is the tolerance where none is written [model].
const DefaultTolerance = "0.01"

// Arguments holds a target as a configuration holds it.
type Arguments struct {
	RequestsPerSecond, Burst, HardCeiling, EnforcementPoints, Tolerance calc.Value[*big.Float]
}

// Resolve checks all that is known and returns the target. The target means
// something only when everything is known and there is no problem.
func (a Arguments) Resolve() (t Target, known bool, problems []calc.Problem) {
	r := resolver{known: true}
	if a.RequestsPerSecond.IsNull() {
		r.refuse(ArgRequestsPerSecond, "Missing requests_per_second",
			"requests_per_second is required: the rate that the limit shall keep to, in requests per second, a number above 0.")
	}
	t.RequestsPerSecond = r.exact(ArgRequestsPerSecond, a.RequestsPerSecond, new(big.Rat), func(f *big.Float) bool { return f.Sign() > 0 },
		"a number above 0: a limit has to let something through. Write 0.5 for one request every two seconds")
	atLeastOne := calc.Bounds{Min: 1, Max: math.MaxInt64}
	t.Burst = r.whole(ArgBurst, a.Burst, atLeastOne, 0)
	t.HardCeiling = r.whole(calc.ArgHardCeiling, a.HardCeiling, atLeastOne, 0)
	t.EnforcementPoints = r.whole(calc.ArgEnforcementPoints, a.EnforcementPoints, calc.EnforcementPointsBounds, calc.DefaultEnforcementPoints)
	fallback, _ := new(big.Rat).SetString(DefaultTolerance)
	t.Tolerance = r.exact(ArgTolerance, a.Tolerance, fallback, func(f *big.Float) bool { return f.Sign() >= 0 && f.Cmp(floatOne) < 0 },
		"a share from 0 to below 1: how far the rate may stay below the one that is wanted. Write 0.01 for one per cent, which is also the default")
	return t, r.known, r.problems
}

var floatOne = big.NewFloat(1)

// resolver gathers problems while arguments are read.
type resolver struct {
	known    bool
	problems []calc.Problem
}

func (r *resolver) refuse(name, summary, format string, args ...any) {
	r.problems = append(r.problems, *refuse(name, summary, format, args...))
}

// get returns a number that is known, and keeps in mind that one is not.
func (r *resolver) get(v calc.Value[*big.Float]) (*big.Float, bool) {
	r.known = r.known && !v.IsUnknown()
	return v.Get()
}

// exact reads a number as the decimal that was written.
func (r *resolver) exact(name string, v calc.Value[*big.Float], fallback *big.Rat, allowed func(*big.Float) bool, rule string) *big.Rat {
	f, ok := r.get(v)
	if !ok {
		return fallback
	}
	if !allowed(f) {
		r.refuse(name, "Out of bounds: "+name, "%s is %s, but it takes %s.", name, calc.Text(f), rule)
		return fallback
	}
	exact, err := calc.Exact(f)
	if err != nil {
		r.refuse(name, "Out of bounds: "+name, "%s is %s, but numbers are read exactly only from 1e-1000 to 1e1000. Write one in that range.", name, calc.Text(f))
		return fallback
	}
	return exact
}

// whole reads a whole number within bounds.
func (r *resolver) whole(name string, v calc.Value[*big.Float], b calc.Bounds, fallback int64) int64 {
	f, ok := r.get(v)
	if !ok {
		return fallback
	}
	n, accuracy := f.Int64()
	if accuracy == big.Exact && b.Contains(n) {
		return n
	}
	r.refuse(name, "Out of bounds: "+name, "%s is %s, but it takes a whole number from %d to %d, counted in %s. Nothing is rounded for you; leave it out where it does not matter.",
		name, calc.Text(f), b.Min, b.Max, counted[name])
	return fallback
}

// counted is what the whole-number arguments count.
var counted = map[string]string{
	ArgBurst:                  "requests let through at once",
	calc.ArgHardCeiling:       "requests that the origin can take at once",
	calc.ArgEnforcementPoints: "Regional Edges and proxies that count separately",
}
