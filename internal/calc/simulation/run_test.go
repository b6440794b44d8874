package simulation

import (
	"math/big"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/xcrl/terraform-provider-xcrl/internal/calc"
)

type value = calc.Value[*big.Float]

// num is a number as an engine hands it over.
func num(text string) value {
	f, ok := calc.ParseNumber(text)
	if !ok {
		panic(text)
	}
	return calc.Known(f)
}

// phases alternates seconds and requests_per_second.
func phases(numbers ...string) calc.Value[[]PhaseInput] {
	var out []PhaseInput
	for i := 0; i < len(numbers); i += 2 {
		out = append(out, PhaseInput{num(numbers[i]), num(numbers[i+1])})
	}
	return calc.Known(out)
}

func TestResolve(t *testing.T) {
	run, known, problems := Input{
		Traffic:           phases("0.1", "3", "2", "0"),
		EnforcementPoints: num("4"), SyncSeconds: num("0.3"), StepSeconds: num("1"),
	}.Resolve()
	if !known || problems != nil {
		t.Fatal(known, problems)
	}
	if len(run.Traffic) != 2 || run.Traffic[0].Seconds.Cmp(big.NewRat(1, 10)) != 0 || run.Traffic[1].RequestsPerSecond.Sign() != 0 ||
		run.EnforcementPoints != 4 || run.SyncSeconds.Cmp(big.NewRat(3, 10)) != 0 || run.StepSeconds.Cmp(ratOne) != 0 {
		t.Errorf("%+v", run)
	}
	run, known, problems = Input{Traffic: phases("1", "1")}.Resolve()
	if !known || problems != nil || run.EnforcementPoints != 1 || run.SyncSeconds != nil || run.StepSeconds != nil {
		t.Error(run, known, problems)
	}
}

func TestProblems(t *testing.T) {
	null, unknown := value{}, calc.Unknown[*big.Float]()
	one := phases("1", "1")
	type problem struct{ path, detail string }
	tests := map[string]struct {
		in      Input
		unknown bool
		want    []problem
	}{
		"no traffic":   {Input{}, false, []problem{{"traffic", "traffic has no phases"}}},
		"no phases":    {Input{Traffic: phases()}, false, []problem{{"traffic", "Write at least one, such as { seconds = 60"}}},
		"zero seconds": {Input{Traffic: phases("1", "1", "0", "1")}, false, []problem{{"traffic[1].seconds", "seconds is 0. "}}},
		"negative seconds": {
			Input{Traffic: phases("-2.5", "1")},
			false,
			[]problem{{"traffic[0].seconds", "seconds is -2.5. A phase lasts for some time, a fraction of a second at least. Write a number above 0"}},
		},
		"negative rate": {
			Input{Traffic: phases("1", "-1")},
			false,
			[]problem{{"traffic[0].requests_per_second", "requests_per_second is -1. It is how many"}},
		},
		"missing": {Input{Traffic: calc.Known([]PhaseInput{{null, null}})}, false, []problem{
			{"traffic[0].seconds", "seconds is required"}, {"traffic[0].requests_per_second", "requests_per_second is required"},
		}},
		"beyond exact": {Input{Traffic: phases("1e-1200", "1e1200")}, false, []problem{
			{"traffic[0].seconds", "seconds is 1e-1200, but runs are computed exactly, with numbers from 1e-1000 to 1e1000 seconds"},
			{"traffic[0].requests_per_second", "1e1000 requests per second"},
		}},
		"zero sync":         {Input{Traffic: one, SyncSeconds: num("0")}, false, []problem{{"sync_seconds", "leave it out for points that never converge"}}},
		"negative step":     {Input{Traffic: one, StepSeconds: num("-1")}, false, []problem{{"step_seconds", "leave it out for no timeline"}}},
		"no points":         {Input{Traffic: one, EnforcementPoints: num("0")}, false, []problem{{"enforcement_points", "is 0, but it takes a whole number from 1 to 1000000"}}},
		"too many points":   {Input{Traffic: one, EnforcementPoints: num("1000001")}, false, []problem{{"enforcement_points", "is 1000001"}}},
		"a fraction of one": {Input{Traffic: one, EnforcementPoints: num("2.5")}, false, []problem{{"enforcement_points", "is 2.5"}}},
		"too long":          {Input{Traffic: phases("1e15", "0", "1", "0")}, false, []problem{{"traffic", "The phases last 1000000000000001 s in all, but a run may last at most 1e+15 s"}}},
		"too long by next to nothing": {
			Input{Traffic: phases("1e15", "0", "1e-100", "0")},
			false,
			[]problem{{"traffic", "The phases last a little more than 1e+15 s in all"}},
		},
		"a request too many": {
			Input{Traffic: phases("1", "1e15", "1", "1")},
			false,
			[]problem{{"traffic", "send 1000000000000001 requests in all, but a run may send at most 1e+15"}},
		},
		"too many requests": {Input{Traffic: phases("1", "1e300")}, false, []problem{{"traffic", "send 1e+300 requests in all, but a run may send at most 1e+15"}}},
		"too many to play": {
			Input{Traffic: phases("20000000.5", "1"), EnforcementPoints: num("2"), SyncSeconds: num("1")},
			false,
			[]problem{{"traffic", "send 20000001 requests in all, and where enforcement points converge each is played one by one, 20000000 at most"}},
		},
		"too many steps": {
			Input{Traffic: phases("10000.5", "1"), StepSeconds: num("1")},
			false,
			[]problem{{"step_seconds", "makes 10001 steps of 1 s; a timeline has 10000 at most. Write step_seconds = 2 or more"}},
		},
		"too many steps by a hair": {
			Input{Traffic: phases("10000.0001", "1"), StepSeconds: num("1")},
			false,
			[]problem{{"step_seconds", "The phases last 10000.0001 s, which makes 10001 steps of 1 s"}},
		},
		"steps that all start at 0": {
			Input{Traffic: phases("1e-400", "1e401"), StepSeconds: num("1e-401")},
			false,
			[]problem{{"step_seconds", "step_seconds is 1e-401, but a step's start is told as a float64, and none lies between 0 and 5e-324: several steps would start at the same time. Write a longer step"}},
		},
		"a single step that short": {Input{Traffic: phases("1e-401", "1e401"), StepSeconds: num("1e-400")}, false, nil},
		"the shortest steps":       {Input{Traffic: phases("1e-322", "1"), StepSeconds: num("5e-324")}, false, nil},
		"far too many steps": {
			Input{Traffic: phases("0.25", "1"), StepSeconds: num("1e-1000")},
			false,
			[]problem{{"step_seconds", "Write step_seconds = 2.5e-05 or more"}},
		},
		"the longest run":   {Input{Traffic: phases("1e15", "0")}, false, nil},
		"the most requests": {Input{Traffic: phases("1", "1e15")}, false, nil},
		"the most played":   {Input{Traffic: phases("20000000", "1"), EnforcementPoints: num("2"), SyncSeconds: num("1")}, false, nil},
		"the most steps":    {Input{Traffic: phases("10000", "1"), StepSeconds: num("1")}, false, nil},

		"a single point converges with nobody": {Input{Traffic: phases("1e9", "1"), SyncSeconds: num("1")}, false, nil},
		"unknown traffic":                      {Input{Traffic: calc.Unknown[[]PhaseInput](), StepSeconds: num("0")}, true, []problem{{"step_seconds", "step_seconds is 0"}}},
		"unknown in a phase": {
			Input{Traffic: calc.Known([]PhaseInput{{unknown, num("-1")}, {num("1e300"), num("1e300")}})},
			true,
			[]problem{{"traffic[0].requests_per_second", "is -1"}},
		},
		"unknown others": {
			Input{Traffic: phases("1e16", "0"), EnforcementPoints: unknown, SyncSeconds: unknown, StepSeconds: unknown},
			true,
			[]problem{{"traffic", "a run may last"}},
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			_, known, got := tt.in.Resolve()
			if known == tt.unknown {
				t.Errorf("known: %t", known)
			}
			if len(got) != len(tt.want) {
				t.Fatalf("got %v, want %d problems", got, len(tt.want))
			}
			for i, want := range tt.want {
				if got[i].Path.String() != want.path || !strings.Contains(got[i].Detail, want.detail) || got[i].Summary == "" {
					t.Errorf("got %+v\nwant %+v", got[i], want)
				}
			}
		})
	}
}

func TestCaveats(t *testing.T) {
	for _, tt := range []struct {
		run  Run
		want string
	}{
		{Run{EnforcementPoints: 1}, ""},
		{Run{EnforcementPoints: 3}, "Requests are dealt out in turn to 3 enforcement points; XC may spread them in any way. F5 publishes no convergence time: here the points never converge, the most that distributed counting can let through."},
		{Run{EnforcementPoints: 3, Limit: blocking(small, calc.Second)}, "Requests are dealt out in turn to 3 enforcement points; XC may spread them in any way. F5 publishes no convergence time: here the points never converge. Converging moves lockouts, so that a little more could pass than here."},
		{Run{EnforcementPoints: 1, SyncSeconds: big.NewRat(1, 2)}, "F5 publishes no convergence time: that counts are merged every 0.5 s is your own figure."},
		{Run{EnforcementPoints: 3, SyncSeconds: ratOne}, "Requests are dealt out in turn to 3 enforcement points; XC may spread them in any way. F5 publishes no convergence time: that counts are merged every 1 s is your own figure."},
	} {
		got := tt.run.Caveats()
		if tt.want == "" {
			if got != nil {
				t.Error(got)
			}
			continue
		}
		if len(got) != 1 || got[0] != (calc.Finding{Code: CaveatModelAssumption, Message: tt.want}) {
			t.Errorf("got %v, want %q", got, tt.want)
		}
	}
}

var small = calc.Limit{Number: 10, PerPeriod: calc.Second, Periods: 1, BurstMultiplier: 1}

// blocking is the limit with a lockout of one unit.
func blocking(l calc.Limit, unit calc.Unit) calc.Limit {
	l.BlockDuration, l.BlockUnit = 1, unit
	return l
}

// fractions is phases of a second, with rates of 34 digits that have nothing in
// common.
func fractions(n int) (phases []Phase) {
	for i := range int64(n) {
		phases = append(phases, Phase{ratOne, third(1000*i + 2000)})
	}
	return phases
}

func TestRunsThatCostTooMuch(t *testing.T) {
	tests := map[string]struct {
		run  Run
		path string
		want string
	}{
		"lockouts of one point": {
			Run{Limit: blocking(small, calc.Second), Traffic: []Phase{{big.NewRat(1_000_000, 1), big.NewRat(100, 1)}}, EnforcementPoints: 1},
			"traffic", "more than 10000 lockouts, the most that a result lists. Run a shorter time: the first 11100.11 s have no more",
		},
		"lockouts of several": {
			Run{Limit: blocking(small, calc.Second), Traffic: []Phase{{big.NewRat(1_000_000, 1), big.NewRat(100, 1)}}, EnforcementPoints: 5},
			"traffic", "Run a shorter time: write shorter phases, or fewer",
		},
		"lockouts of points that converge": {
			Run{Limit: blocking(small, calc.Second), Traffic: []Phase{{big.NewRat(10_000, 1), big.NewRat(100, 1)}}, EnforcementPoints: 5, SyncSeconds: big.NewRat(100, 1)},
			"traffic", "Run a shorter time: the first ",
		},
		"lockouts of the one point compared with": {
			Run{Limit: blocking(small, calc.Second), Traffic: []Phase{{big.NewRat(10_000_000_000, 1), big.NewRat(15, 1)}}, EnforcementPoints: 2},
			"traffic", "overshoot compares it with one point alone, which would start more than 5000000 lockouts",
		},
		"points": {
			Run{Limit: small, Traffic: []Phase{{big.NewRat(1_000_000, 1), big.NewRat(1_000_000, 1)}}, EnforcementPoints: 1_000_000, StepSeconds: big.NewRat(100, 1)},
			"enforcement_points", "1000000 enforcement points are computed one by one, each over 10000 pieces of timeline and phases",
		},
		"digits": {
			Run{Limit: small, Traffic: fractions(3000), EnforcementPoints: 1},
			"traffic", "Round these to fewer digits, or write fewer phases",
		},
		"digits of played requests": {
			Run{Limit: small, Traffic: append(fractions(400), Phase{big.NewRat(19_000, 1), big.NewRat(1000, 1)}), EnforcementPoints: 2, SyncSeconds: ratOne},
			"traffic", "played one by one, with times that take",
		},
		"the memory of points that converge": {
			Run{Limit: small, Traffic: append(fractions(60), Phase{big.NewRat(1000, 1), big.NewRat(1000, 1)}), EnforcementPoints: 1_000_000, SyncSeconds: ratOne},
			"traffic", "at 1000000 enforcement points, played one by one",
		},
		"points with times of many digits": {
			Run{Limit: small, Traffic: append(fractions(25), Phase{big.NewRat(1000, 1), big.NewRat(1000, 1)}), EnforcementPoints: 1_000_000},
			"enforcement_points", "each over 26 pieces of timeline and phases",
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			r, problems := Simulate(tt.run)
			if r != nil || len(problems) != 1 {
				t.Fatalf("got %+v, %v, want one problem", r, problems)
			}
			if p := problems[0]; p.Path.String() != tt.path || !strings.Contains(p.Detail, tt.want) {
				t.Errorf("got %+v, want %q", p, tt.want)
			}
		})
	}
}

// Runs that take seconds, and so are told here to be allowed without running them.
func TestRunsThatCostEnough(t *testing.T) {
	for name, run := range map[string]Run{
		"requests of 34 digits, played": {
			Limit: small, Traffic: []Phase{{ratTen, third(1_000_000)}, {ratTen, third(2_000_000)}}, EnforcementPoints: 100_000, SyncSeconds: ratOne,
		},
		"all points": {Limit: small, Traffic: []Phase{{big.NewRat(100, 1), big.NewRat(1_000_000, 1)}}, EnforcementPoints: 1_000_000, StepSeconds: ratOne},
		"all requests that may be played, at all points": {
			Limit: small, Traffic: []Phase{{ratTen, big.NewRat(MaxPlayed/10, 1)}}, EnforcementPoints: 1_000_000, SyncSeconds: ratOne,
		},
	} {
		c, problem := newClock(run)
		if problem == nil {
			problem = c.tooMuchWork(run)
		}
		if problem != nil {
			t.Errorf("%s: %v", name, problem)
		}
	}
}

// A run cut to what the refusal of too many lockouts says has no more than it may
// have.
func TestTooManyLockoutsAdvice(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		run := Run{
			Limit:             blocking(small, calc.Second),
			Traffic:           []Phase{{big.NewRat(1, rapid.Int64Range(1, 7).Draw(t, "first phase")), ratOne}, {big.NewRat(1_000_000, 1), nil}},
			EnforcementPoints: 1,
		}
		run.Limit.Number = rapid.Int64Range(1, 3).Draw(t, "number")
		run.Traffic[1].RequestsPerSecond = big.NewRat(rapid.Int64Range(40, 400).Draw(t, "rate"), rapid.Int64Range(1, 10).Draw(t, "rate's denominator"))
		if rapid.IntRange(0, 9).Draw(t, "converge") == 0 {
			run.EnforcementPoints, run.SyncSeconds = 4, ratOne
			run.Traffic[1].Seconds = big.NewRat(50_000, 1)
		}
		r, problems := Simulate(run)
		if problems == nil {
			if n := len(r.Lockouts); n > MaxLockouts {
				t.Fatalf("%d lockouts", n)
			}
			return
		}
		_, advice, _ := strings.Cut(problems[0].Detail, "Run a shorter time: the first ")
		text, _, found := strings.Cut(advice, " s have no more")
		seconds, ok := new(big.Rat).SetString(text)
		if !found || !ok {
			t.Fatal(problems)
		}
		run.Traffic[1].Seconds = seconds.Sub(seconds, run.Traffic[0].Seconds)
		if r, problems = Simulate(run); problems != nil {
			t.Fatal(problems)
		}
		// To the millisecond, the advice is as long as it can be.
		if run.EnforcementPoints == 1 && len(r.Lockouts) != MaxLockouts {
			t.Fatalf("%d lockouts in %s s", len(r.Lockouts), text)
		}
	})
}

// Rates at which the first lockout too many starts between milliseconds.
func TestTooManyLockoutsIsRoundedDown(t *testing.T) {
	for _, rate := range []*big.Rat{big.NewRat(91, 10), big.NewRat(11, 1), big.NewRat(13, 1)} {
		limit := small
		limit.Number = 1
		_, problems := Simulate(Run{Limit: blocking(limit, calc.Second), Traffic: []Phase{{big.NewRat(100_000, 1), rate}}, EnforcementPoints: 1})
		if len(problems) != 1 {
			t.Fatal(problems)
		}
		_, advice, _ := strings.Cut(problems[0].Detail, "the first ")
		text, _, _ := strings.Cut(advice, " s ")
		seconds, _ := new(big.Rat).SetString(text)
		if r, problems := Simulate(Run{Limit: blocking(limit, calc.Second), Traffic: []Phase{{seconds, rate}}, EnforcementPoints: 1}); problems != nil || len(r.Lockouts) != MaxLockouts {
			t.Errorf("at %s/s the advice %q leads to %v", rate, text, problems)
		}
		// A run barely longer is not said to be as long as the advice.
		barely := new(big.Rat).Add(seconds, big.NewRat(1, 1000))
		_, problems = Simulate(Run{Limit: blocking(limit, calc.Second), Traffic: []Phase{{barely, rate}}, EnforcementPoints: 1})
		if len(problems) != 1 || strings.Contains(problems[0].Detail, "run of "+text+" s") {
			t.Errorf("at %s/s: %v", rate, problems)
		}
	}
}

func TestRoundedDown(t *testing.T) {
	for in, want := range map[string]string{
		"12088.02199": "12088.021", "11100.11": "11100.11", "1": "1", "0.99996": "0.9999", "1.23456e-7": "1.234e-07", "999999999999999.9999": "999999999999999.999",
	} {
		r, _ := new(big.Rat).SetString(in)
		if got := calc.ExactText(roundedDown(r)); got != want {
			t.Errorf("%s is rounded down to %s, want %s", in, got, want)
		}
	}
}

// Figures at every bound give an exact answer.
func TestExtremes(t *testing.T) {
	largest := calc.Limit{Number: 8192, PerPeriod: calc.Hour, Periods: 4294967295, BurstMultiplier: 100, BlockDuration: 48, BlockUnit: calc.Hour}
	tiny, huge := new(big.Rat), new(big.Rat)
	tiny.SetString("1e-1000")
	huge.SetString("1e1000")
	year := big.NewRat(31_536_000, 1)
	type totals struct{ offered, accepted, rejected429, blocked, overshoot int64 }
	tests := map[string]struct {
		run  Run
		want totals
	}{
		"the largest bucket": {
			Run{Limit: largest, Traffic: []Phase{{ratOne, big.NewRat(900_000, 1)}}, EnforcementPoints: 1, StepSeconds: ratOne},
			totals{900_000, 819_200, 1, 80_799, 0},
		},
		"the largest bucket at every point": {
			Run{Limit: largest, Traffic: []Phase{{ratOne, big.NewRat(900_000, 1)}}, EnforcementPoints: 1_000_000},
			totals{900_000, 900_000, 0, 0, 80_800},
		},
		"the largest bucket, converging": {
			Run{Limit: largest, Traffic: []Phase{{ratOne, big.NewRat(900_000, 1)}}, EnforcementPoints: 1_000, SyncSeconds: big.NewRat(1, 10)},
			totals{900_000, 900_000, 0, 0, 80_800},
		},
		"the most requests": {
			Run{Limit: small, Traffic: []Phase{{ratOne, big.NewRat(MaxRequests, 1)}}, EnforcementPoints: 1, StepSeconds: big.NewRat(1, 10_000)},
			totals{MaxRequests, 19, MaxRequests - 19, 0, 0},
		},
		"the longest run": {
			Run{Limit: small, Traffic: []Phase{{big.NewRat(MaxSeconds, 1), ratOne}}, EnforcementPoints: 1, StepSeconds: big.NewRat(MaxSeconds/MaxSteps, 1)},
			totals{MaxRequests, MaxRequests, 0, 0, 0},
		},
		"a moment at a great rate": {
			Run{Limit: small, Traffic: []Phase{{tiny, huge}, {tiny, tiny}}, EnforcementPoints: 1, StepSeconds: tiny},
			totals{2, 2, 0, 0, 0},
		},
		"a request in an age": {
			Run{Limit: small, Traffic: []Phase{{year, tiny}, {year, tiny}}, EnforcementPoints: 3, SyncSeconds: tiny, StepSeconds: year},
			totals{2, 2, 0, 0, 0},
		},
		"syncs an age apart": {
			Run{Limit: small, Traffic: []Phase{{ratOne, big.NewRat(100, 1)}}, EnforcementPoints: 2, SyncSeconds: huge},
			totals{100, 38, 62, 0, 19},
		},
		"34 digits": {
			Run{Limit: small, Traffic: []Phase{{year, third(100)}, {year, third(200)}}, EnforcementPoints: 2, StepSeconds: third(100_000)},
			// The rates are 33.3…3 and 66.6…67: in its last instant the second phase gets
			// one request more than two thirds would.
			totals{1_051_200_000 + 2_102_400_001, 2 * 630_720_009, 1_892_159_983, 0, 630_720_009},
		},
		"34 digits, each phase others": {
			Run{Limit: small, Traffic: fractions(100), EnforcementPoints: 1, StepSeconds: third(1)},
			totals{1_716_700, 1_009, 1_715_691, 0, 0},
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			r, problems := Simulate(tt.run)
			if problems != nil {
				t.Fatal(problems)
			}
			if got := (totals{r.Offered, r.Accepted, r.Rejected429, r.Blocked, r.Overshoot}); got != tt.want {
				t.Errorf("got %+v, want %+v", got, tt.want)
			}
		})
	}
}

func TestAcceptedShare(t *testing.T) {
	if share := (&Result{}).AcceptedShare(); share != nil {
		t.Errorf("%v of nothing", *share)
	}
	if share := (&Result{Offered: 3, Accepted: 2}).AcceptedShare(); share == nil || *share != 2.0/3 {
		t.Errorf("%v of 2 in 3", share)
	}
}
