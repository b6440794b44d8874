package recommend_test

import (
	"fmt"
	"math/big"
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/xcrl/terraform-provider-xcrl/internal/calc"
	"github.com/xcrl/terraform-provider-xcrl/internal/calc/recommend"
)

func rat(text string) *big.Rat {
	r, ok := new(big.Rat).SetString(text)
	if !ok {
		panic(text)
	}
	return r
}

// target has one enforcement point; ceilings of 0 are none.
func target(rate, tolerance string, burst, hard int64) recommend.Target {
	return recommend.Target{RequestsPerSecond: rat(rate), Burst: burst, HardCeiling: hard, EnforcementPoints: 1, Tolerance: rat(tolerance)}
}

func spread(t recommend.Target, points int64) recommend.Target {
	t.EnforcementPoints = points
	return t
}

func TestRecommend(t *testing.T) {
	limit := func(number int64, unit calc.Unit, periods, burst int64) calc.Limit {
		return calc.Limit{Number: number, PerPeriod: unit, Periods: periods, BurstMultiplier: burst}
	}
	for name, c := range map[string]struct {
		target recommend.Target
		want   calc.Limit
		exact  bool
	}{
		"smallest ceiling without one":    {target("10", "0.01", 0, 0), limit(10, calc.Second, 1, 1), true},
		"shortest window":                 {target("1/60", "0", 0, 0), limit(1, calc.Minute, 1, 1), true},
		"fraction":                        {target("1.5", "0.01", 0, 0), limit(3, calc.Second, 2, 1), true},
		"larger burst before closer rate": {target("10", "0.15", 43, 0), limit(43, calc.Second, 5, 1), false},
		"shorter window first":            {target("10", "0", 40, 0), limit(10, calc.Second, 1, 4), true},
		"burst used by the multiplier":    {target("15", "0", 45, 0), limit(15, calc.Second, 1, 3), true},
		"burst beyond reach":              {target("8192", "0", 1<<62, 0), limit(8192, calc.Second, 1, 100), true},
		"hard ceiling":                    {spread(target("10", "0", 1000, 100), 4), limit(10, calc.Second, 1, 2), true},
		"tolerance of nearly all":         {target("1000", "0.9999", 1, 0), limit(1, calc.Second, 1, 1), false},
		"above 8192 by less":              {target("8200", "0.01", 0, 0), limit(8118, calc.Second, 1, 1), false},
		"lowest rate":                     {target("1/15461882262000", "0", 0, 0), limit(1, calc.Hour, 4294967295, 1), true},
		"lowest rate, tolerant":           {target("1/15461882261000", "0.5", 0, 0), limit(1, calc.Hour, 4294967295, 1), false},
		"window in minutes":               {target("1/4294967296", "0.01", 0, 0), limit(1, calc.Minute, 71582789, 1), false},
	} {
		t.Run(name, func(t *testing.T) {
			got, problem := recommend.Recommend(c.target)
			if problem != nil {
				t.Fatal(problem.Detail)
			}
			if got.Limit != c.want || got.Exact != c.exact {
				t.Errorf("got %+v, want %+v, exact %t", got, c.want, c.exact)
			}
		})
	}
}

// isWindow says what a window is in the words of XC: so many seconds, minutes or
// hours, up to 4294967295 of them.
func isWindow(seconds int64) bool {
	for _, unit := range []int64{1, 60, 3600} {
		if seconds%unit == 0 && seconds/unit <= 4294967295 {
			return true
		}
	}
	return false
}

// exhaustive finds the best limit by trying every number up to last with every
// multiplier and every window between the rate and the tolerance below it.
func exhaustive(t recommend.Target, last int64) (number, multiplier, window int64) {
	lowest := new(big.Rat).Sub(big.NewRat(1, 1), t.Tolerance)
	lowest.Mul(lowest, t.RequestsPerSecond)
	capped := t.Burst > 0 || t.HardCeiling > 0
	for n := int64(1); n <= last; n++ {
		over := new(big.Rat).Quo(big.NewRat(n, 1), t.RequestsPerSecond)
		first := new(big.Int).Quo(over.Num(), over.Denom()).Int64()
		for w := max(1, first); new(big.Rat).Mul(lowest, big.NewRat(w, 1)).Cmp(big.NewRat(n, 1)) <= 0; w++ {
			if !isWindow(w) || big.NewRat(n, w).Cmp(t.RequestsPerSecond) > 0 {
				continue
			}
			for m := int64(1); m <= 100; m++ {
				b := n * m
				if t.Burst > 0 && b > t.Burst || t.HardCeiling > 0 && b*t.EnforcementPoints > t.HardCeiling {
					continue
				}
				had := number * multiplier
				better := number == 0 || capped && b > had || !capped && b < had
				if better || b == had && (w < window || w == window && n < number) {
					number, multiplier, window = n, m, w
				}
			}
		}
	}
	return number, multiplier, window
}

// checkTarget holds what is recommended to the exhaustive search and to the
// target itself.
func checkTarget(t *rapid.T, target recommend.Target, last int64) {
	number, multiplier, window := exhaustive(target, last)
	got, problem := recommend.Recommend(target)
	if number == 0 {
		if problem == nil {
			t.Fatalf("recommends %+v where there is nothing", got)
		}
		return
	}
	if problem != nil {
		t.Fatalf("%s; want %d × %d in %d s", problem.Detail, number, multiplier, window)
	}
	l := got.Limit
	if l.Number != number || l.BurstMultiplier != multiplier || l.WindowSeconds() != window || l != l.Canonical() {
		t.Fatalf("recommends %+v, want %d × %d in %d s", l, number, multiplier, window)
	}
	checkKept(t, target, got)
}

func checkKept(t *rapid.T, target recommend.Target, got recommend.Recommendation) {
	l := got.Limit
	order := l.DrainRate().Rat().Cmp(target.RequestsPerSecond)
	if order > 0 || got.Exact != (order == 0) {
		t.Fatalf("%+v is at %v, the target at %v", got, l.DrainRate(), target.RequestsPerSecond)
	}
	if target.Burst > 0 && l.BurstCeiling() > target.Burst || target.HardCeiling > 0 && l.OvershootCeiling(target.EnforcementPoints) > target.HardCeiling {
		t.Fatalf("%+v breaks a ceiling of %+v", got, target)
	}
	if !calc.NumberBounds.Contains(l.Number) || !calc.PeriodsBounds.Contains(l.Periods) || !calc.BurstMultiplierBounds.Contains(l.BurstMultiplier) {
		t.Fatalf("%+v is out of bounds", got)
	}
}

func TestRecommendAgainstExhaustiveSearch(t *testing.T) {
	tolerance := func(t *rapid.T) *big.Rat {
		return big.NewRat(rapid.Int64Range(0, 30).Draw(t, "tolerance in 1/100"), 100)
	}
	t.Run("ceilings", rapid.MakeCheck(func(t *rapid.T) {
		target := recommend.Target{
			RequestsPerSecond: big.NewRat(rapid.Int64Range(1, 4000).Draw(t, "requests"), rapid.Int64Range(1, 20).Draw(t, "seconds")),
			Tolerance:         tolerance(t),
			EnforcementPoints: rapid.Int64Range(1, 5).Draw(t, "points"),
			Burst:             rapid.Int64Range(0, 40).Draw(t, "burst"),
			HardCeiling:       rapid.Int64Range(0, 99).Draw(t, "hard ceiling"),
		}
		if target.Burst == 0 {
			target.HardCeiling++
		}
		checkTarget(t, target, 100)
	}))
	t.Run("no ceiling", rapid.MakeCheck(func(t *rapid.T) {
		// The smallest ceiling is the smallest number, so the search may stop there.
		target := recommend.Target{
			RequestsPerSecond: big.NewRat(rapid.Int64Range(1, 400).Draw(t, "requests"), rapid.Int64Range(1, 40).Draw(t, "seconds")),
			Tolerance:         tolerance(t),
			EnforcementPoints: 1,
		}
		checkTarget(t, target, target.RequestsPerSecond.Num().Int64())
	}))
	t.Run("long windows", rapid.MakeCheck(func(t *rapid.T) {
		number := rapid.Int64Range(1, 12).Draw(t, "number")
		window := rapid.OneOf(
			rapid.Int64Range(4294967000, 4294968000),
			rapid.Int64Range(60*4294967295-9000, 60*4294967295+9000),
			rapid.Int64Range(4294967295, 3600*4294967295),
		).Draw(t, "window")
		target := recommend.Target{
			RequestsPerSecond: big.NewRat(number, window),
			Tolerance:         big.NewRat(rapid.Int64Range(0, 200).Draw(t, "slack"), window),
			EnforcementPoints: 1,
			Burst:             rapid.Int64Range(1, 12).Draw(t, "burst"),
		}
		checkTarget(t, target, 12)
	}))
}

// suggested finds what a problem says to write instead.
var suggested = regexp.MustCompile(`Write tolerance = (0\.[0-9]+) to accept so low a rate`)

func TestRecommendKeepsToTheTarget(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		digits := rapid.StringMatching(`[1-9][0-9]{0,33}`).Draw(t, "digits")
		target := recommend.Target{
			RequestsPerSecond: rat(fmt.Sprintf("%se%d", digits, rapid.IntRange(-12, 3).Draw(t, "exponent")-len(digits))),
			Tolerance:         rat(rapid.SampledFrom([]string{"0", "1e-1000", "1e-20", "1e-6", "0.01", "0.5"}).Draw(t, "tolerance")),
			EnforcementPoints: rapid.Int64Range(1, 1000).Draw(t, "points"),
			Burst:             rapid.Int64Range(0, 900000).Draw(t, "burst"),
			HardCeiling:       rapid.SampledFrom([]int64{0, 1000, 5000000}).Draw(t, "hard ceiling"),
		}
		got, problem := recommend.Recommend(target)
		if problem != nil {
			write := suggested.FindStringSubmatch(problem.Detail)
			if write == nil {
				t.Fatal(problem.Detail)
			}
			target.Tolerance = rat(write[1])
			if got, problem = recommend.Recommend(target); problem != nil {
				t.Fatalf("what was suggested fails: %s", problem.Detail)
			}
		}
		checkKept(t, target, got)
	})
}

// advised finds each thing that a problem says to write, with how it changes the
// target.
var advised = []struct {
	pattern *regexp.Regexp
	write   func(t *recommend.Target, figure *big.Rat)
}{
	{suggested, func(t *recommend.Target, figure *big.Rat) { t.Tolerance = figure }},
	{regexp.MustCompile(`Lower requests_per_second to at most ([0-9]+)\.`), func(t *recommend.Target, figure *big.Rat) { t.RequestsPerSecond = figure }},
	{regexp.MustCompile(`a rate of (\S+) per second with .* or the rate of that limit as requests_per_second`), func(t *recommend.Target, figure *big.Rat) { t.RequestsPerSecond = figure }},
}

var (
	raisedBurst = regexp.MustCompile(`burst to at least ([0-9]+)`)
	raisedHard  = regexp.MustCompile(`hard_ceiling to at least ([0-9]+)`)
)

// Whatever a problem says to write instead is not refused in its turn.
func TestRecommendAdviceWorks(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		target := recommend.Target{
			RequestsPerSecond: rapid.OneOf(
				rapid.Map(rapid.Int64Range(1, 100), func(n int64) *big.Rat { return big.NewRat(n, 1) }),
				rapid.Map(rapid.Int64Range(1, 3_000_000), func(n int64) *big.Rat { return big.NewRat(n, 1_000_000) }),
				rapid.Map(rapid.Int64Range(8100, 20_000), func(n int64) *big.Rat { return big.NewRat(n, 1) }),
			).Draw(t, "rate"),
			Tolerance:         rat(rapid.SampledFrom([]string{"0", "0.001", "0.2"}).Draw(t, "tolerance")),
			EnforcementPoints: rapid.Int64Range(1, 12).Draw(t, "points"),
			Burst:             rapid.SampledFrom([]int64{0, 1, 5, 900}).Draw(t, "burst"),
			HardCeiling:       rapid.SampledFrom([]int64{0, 1, 5, 50, 9000}).Draw(t, "hard ceiling"),
		}
		free := target
		free.Burst, free.HardCeiling = 0, 0
		if _, problem := recommend.Recommend(free); problem != nil && target.HardCeiling > 0 && target.HardCeiling < target.EnforcementPoints {
			return // no room and no such rate: two faults, of which one is told
		}
		_, problem := recommend.Recommend(target)
		if problem == nil {
			return
		}
		var found bool
		follow := func(how string, changed recommend.Target) {
			found = true
			if _, again := recommend.Recommend(changed); again != nil {
				t.Fatalf("%s\nleads, by its %s, to\n%s", problem.Detail, how, again.Detail)
			}
		}
		for _, a := range advised {
			if figure := a.pattern.FindStringSubmatch(problem.Detail); figure != nil {
				changed := target
				a.write(&changed, rat(figure[1]))
				follow(a.pattern.String(), changed)
			}
		}
		changed := target
		if figure := raisedBurst.FindStringSubmatch(problem.Detail); figure != nil {
			changed.Burst = rat(figure[1]).Num().Int64()
		}
		if figure := raisedHard.FindStringSubmatch(problem.Detail); figure != nil {
			changed.HardCeiling = rat(figure[1]).Num().Int64()
		}
		if changed != target {
			follow("ceilings", changed)
		}
		if !found {
			t.Fatalf("no advice: %s", problem.Detail)
		}
	})
}

func TestRecommendProblems(t *testing.T) {
	for name, c := range map[string]struct {
		target recommend.Target
		path   string
		texts  []string
	}{
		"above 8192":                       {target("9000", "0.01", 0, 0), "requests_per_second", []string{"is 9000", "a rate of 8192 per second with a burst ceiling of 8192", "at most 8192."}},
		"above 8192, ceiling":              {target("1e900", "0.5", 250, 0), "requests_per_second", []string{"number 250, per_period Seconds, periods 1, burst_multiplier 1"}},
		"below one in all hours":           {target("1/15461882262001", "0.9", 0, 0), "requests_per_second", []string{"1 request per 4294967295 hours"}},
		"points without room":              {spread(target("1", "0.01", 0, 3), 5), "hard_ceiling", []string{"hard_ceiling is 3", "5 enforcement points", "at least 5"}},
		"burst too low":                    {target("10", "0.01", 3, 0), "burst", []string{"at most 3 at once", "number 3, per_period Seconds, periods 1, burst_multiplier 1: a rate of 3 per second", "tolerance = 0.7 ", "raise burst to at least 10."}},
		"hard ceiling too low":             {spread(target("10", "0.01", 20, 16), 4), "hard_ceiling", []string{"at most 4 at once", "raise hard_ceiling to at least 40."}},
		"both ceilings too low":            {spread(target("10", "0", 5, 16), 4), "hard_ceiling", []string{"burst to at least 10 and hard_ceiling to at least 40"}},
		"hard ceiling just enough":         {target("10", "0", 5, 10), "burst", []string{"raise burst to at least 10."}},
		"burst just enough":                {spread(target("10", "0", 10, 16), 4), "hard_ceiling", []string{"raise hard_ceiling to at least 40."}},
		"hard ceiling alone":               {target("11", "0.01", 0, 10), "hard_ceiling", []string{"tolerance = 0.1 ", "raise hard_ceiling to at least 11."}},
		"ceilings equally low":             {target("10", "0", 5, 5), "burst", []string{"burst to at least 10 and hard_ceiling to at least 10"}},
		"tolerance":                        {target("0.30000000000001", "0", 0, 0), "tolerance", []string{"is 0.30000000000001 with a tolerance of 0,", "number 3, per_period Seconds, periods 10, burst_multiplier 1: a rate of 0.3 ", "tolerance = 0.000000000000034 "}},
		"tolerance, rounded rate":          {target("0.1234567", "0", 100, 0), "tolerance", []string{"a rate of 0.12344139650872818 per second", " to accept so low a rate."}},
		"tolerance, exact rate":            {target("0.30000000000001", "0", 3, 0), "tolerance", []string{"a rate of 0.3 per second", " to accept so low a rate, or the rate of that limit as requests_per_second."}},
		"above 8192, small burst":          {target("10000", "0.01", 1, 0), "requests_per_second", []string{"Lower requests_per_second to at most 1."}},
		"points without room for the rate": {spread(target("10", "0", 3, 5), 10), "hard_ceiling", []string{"Raise burst to at least 10 and hard_ceiling to at least 100, or plan"}},
		"tolerance under ceiling":          {target("0.30000000000001", "0", 20, 0), "tolerance", []string{"burst ceiling of 18"}},
		"tolerance, high ceiling":          {target("0.30000000000001", "0", 9000, 0), "tolerance", []string{"number 90, per_period Minutes, periods 5, burst_multiplier 100"}},
	} {
		t.Run(name, func(t *testing.T) {
			got, problem := recommend.Recommend(c.target)
			if problem == nil {
				t.Fatalf("recommends %+v", got)
			}
			if problem.Path.String() != c.path || problem.Summary == "" {
				t.Errorf("problem %q at %q, want it at %q", problem.Summary, problem.Path, c.path)
			}
			for _, text := range c.texts {
				if !strings.Contains(problem.Detail, text) {
					t.Errorf("detail %q lacks %q", problem.Detail, text)
				}
			}
		})
	}
}
