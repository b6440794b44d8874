package simulation

import (
	"encoding/json"
	"math/big"
	"os"
	"reflect"
	"strings"
	"testing"
	"time"

	"golang.org/x/time/rate"
	"pgregory.net/rapid"

	"github.com/xcrl/terraform-provider-xcrl/internal/calc"
)

// goldenArguments is a run as the golden file writes it.
type goldenArguments struct {
	Limit struct {
		Number           json.Number `json:"number"`
		PerPeriod        string      `json:"per_period"`
		Periods          json.Number `json:"periods"`
		BurstMultiplier  json.Number `json:"burst_multiplier"`
		MitigationAction string      `json:"mitigation_action"`
		BlockDuration    json.Number `json:"block_duration"`
		BlockUnit        string      `json:"block_unit"`
	} `json:"limit"`
	Traffic []struct {
		Seconds           json.Number `json:"seconds"`
		RequestsPerSecond json.Number `json:"requests_per_second"`
	} `json:"traffic"`
	EnforcementPoints json.Number `json:"enforcement_points"`
	SyncSeconds       json.Number `json:"sync_seconds"`
	StepSeconds       json.Number `json:"step_seconds"`
}

type goldenLockout struct {
	Start float64 `json:"start_seconds"`
	End   float64 `json:"end_seconds"`
	Point int64   `json:"enforcement_point"`
}

type goldenStep struct {
	StartSeconds float64 `json:"start_seconds"`
	Offered      int64   `json:"offered"`
	Accepted     int64   `json:"accepted"`
	Rejected429  int64   `json:"rejected_429"`
	Blocked      int64   `json:"blocked"`
}

type goldenResult struct {
	Offered         int64           `json:"offered"`
	Accepted        int64           `json:"accepted"`
	Rejected429     int64           `json:"rejected_429"`
	Blocked         int64           `json:"blocked"`
	First429Seconds *float64        `json:"first_429_seconds"`
	Lockouts        []goldenLockout `json:"lockouts"`
	DurationSeconds float64         `json:"duration_seconds"`
	Overshoot       int64           `json:"overshoot"`
	Timeline        []goldenStep    `json:"timeline"`
}

func TestGolden(t *testing.T) {
	data, err := os.ReadFile("testdata/simulation.json")
	if err != nil {
		t.Fatal(err)
	}
	var cases []struct {
		Name  string          `json:"name"`
		Input goldenArguments `json:"input"`
		Want  goldenResult    `json:"want"`
	}
	decoder := json.NewDecoder(strings.NewReader(string(data)))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&cases); err != nil {
		t.Fatal(err)
	}
	if len(cases) != 33 {
		t.Errorf("%d cases, want 33", len(cases))
	}
	for _, c := range cases {
		t.Run(c.Name, func(t *testing.T) {
			if got := c.Input.simulate(t); !reflect.DeepEqual(got, c.Want) {
				t.Errorf("got  %+v\nwant %+v", got, c.Want)
			}
		})
	}
}

func (a goldenArguments) simulate(t *testing.T) goldenResult {
	t.Helper()
	number := func(n json.Number) calc.Value[*big.Float] {
		f, ok := calc.ParseNumber(n.String())
		if !ok {
			return calc.Value[*big.Float]{}
		}
		return calc.Known(f)
	}
	text := func(s string) calc.Value[string] {
		if s == "" {
			return calc.Value[string]{}
		}
		return calc.Known(s)
	}
	limit, known, problems := calc.Tuple{
		Number:           number(a.Limit.Number),
		PerPeriod:        text(a.Limit.PerPeriod),
		Periods:          number(a.Limit.Periods),
		BurstMultiplier:  number(a.Limit.BurstMultiplier),
		MitigationAction: text(a.Limit.MitigationAction),
		BlockDuration:    number(a.Limit.BlockDuration),
		BlockUnit:        text(a.Limit.BlockUnit),
	}.Resolve()
	if !known || problems != nil {
		t.Fatal(problems)
	}
	phases := make([]PhaseInput, len(a.Traffic))
	for i, p := range a.Traffic {
		phases[i] = PhaseInput{number(p.Seconds), number(p.RequestsPerSecond)}
	}
	run, known, problems := Input{
		Traffic:           calc.Known(phases),
		EnforcementPoints: number(a.EnforcementPoints),
		SyncSeconds:       number(a.SyncSeconds),
		StepSeconds:       number(a.StepSeconds),
	}.Resolve()
	if !known || problems != nil {
		t.Fatal(problems)
	}
	run.Limit = limit
	r, problems := Simulate(run)
	if problems != nil {
		t.Fatal(problems)
	}
	got := goldenResult{
		Offered: r.Offered, Accepted: r.Accepted, Rejected429: r.Rejected429, Blocked: r.Blocked,
		Lockouts: []goldenLockout{}, DurationSeconds: calc.Float64(r.Seconds), Overshoot: r.Overshoot,
	}
	if r.First429Seconds != nil {
		first := calc.Float64(r.First429Seconds)
		got.First429Seconds = &first
	}
	for _, l := range r.Lockouts {
		got.Lockouts = append(got.Lockouts, goldenLockout{l.StartSeconds, l.EndSeconds, l.EnforcementPoint})
	}
	for _, s := range r.Timeline {
		got.Timeline = append(got.Timeline, goldenStep(s))
	}
	return got
}

// meter is a point that converges, by the definition in big rationals.
type meter struct{ level, at, lockedUntil *big.Rat }

func newMeter() *meter { return &meter{new(big.Rat), new(big.Rat), new(big.Rat)} }

func (m *meter) drain(l calc.Limit, to *big.Rat) {
	elapsed := new(big.Rat).Sub(to, m.at)
	m.level.Sub(m.level, elapsed.Mul(elapsed, l.DrainRate().Rat()))
	if m.level.Sign() < 0 {
		m.level.SetInt64(0)
	}
	m.at.Set(to)
}

// naive plays every request of a run by definition: on buckets where points
// never converge, else on meters that a loop merges at every sync.
func naive(t interface{ Fatal(...any) }, run Run) *Result {
	r := &Result{Seconds: new(big.Rat)}
	one, ceiling := big.NewRat(1, 1), new(big.Rat).SetInt64(run.Limit.BurstCeiling())
	lockout := new(big.Rat).SetInt64(run.Limit.LockoutSeconds())
	var buckets []*calc.Bucket
	var meters []*meter
	merged := newMeter()
	for range run.EnforcementPoints {
		buckets = append(buckets, calc.NewBucket(run.Limit))
		meters = append(meters, newMeter())
	}
	judge := func(point int64, at *big.Rat) calc.Verdict {
		if run.SyncSeconds == nil {
			v, err := buckets[point].Take(at)
			if err != nil {
				t.Fatal(err)
			}
			return v
		}
		m := meters[point]
		m.drain(run.Limit, at)
		if at.Cmp(m.lockedUntil) < 0 {
			return calc.Blocked
		}
		if new(big.Rat).Add(m.level, one).Cmp(ceiling) > 0 {
			if run.Limit.Blocks() {
				m.lockedUntil.Add(at, lockout)
			}
			return calc.Rejected429
		}
		m.level.Add(m.level, one)
		merged.drain(run.Limit, at)
		merged.level.Add(merged.level, one)
		return calc.Accepted
	}
	nextSync := new(big.Rat)
	sync := func(at *big.Rat) {
		for run.SyncSeconds != nil && nextSync.Cmp(at) <= 0 {
			merged.drain(run.Limit, nextSync)
			for _, m := range meters {
				if merged.lockedUntil.Cmp(m.lockedUntil) < 0 {
					merged.lockedUntil.Set(m.lockedUntil)
				}
			}
			for _, m := range meters {
				m.drain(run.Limit, nextSync)
				m.level.Set(merged.level)
				if merged.lockedUntil.Cmp(nextSync) > 0 {
					m.lockedUntil.Set(merged.lockedUntil)
				}
			}
			nextSync.Add(nextSync, run.SyncSeconds)
		}
	}
	if run.StepSeconds != nil {
		total := new(big.Rat)
		for _, p := range run.Traffic {
			total.Add(total, p.Seconds)
		}
		for start := new(big.Rat); start.Cmp(total) < 0; start.Add(start, run.StepSeconds) {
			r.Timeline = append(r.Timeline, Step{StartSeconds: calc.Float64(start)})
		}
	}
	for _, p := range run.Traffic {
		for k := int64(0); p.RequestsPerSecond.Sign() > 0; k++ {
			offset := new(big.Rat).Quo(new(big.Rat).SetInt64(k), p.RequestsPerSecond)
			if offset.Cmp(p.Seconds) >= 0 {
				break
			}
			at := offset.Add(offset, r.Seconds)
			sync(at)
			var step Step
			point := r.Offered % run.EnforcementPoints
			r.Offered++
			step.Offered++
			switch judge(point, at) {
			case calc.Accepted:
				step.Accepted++
			case calc.Rejected429:
				step.Rejected429++
				if r.First429Seconds == nil {
					r.First429Seconds = at
				}
				if run.Limit.Blocks() {
					r.Lockouts = append(r.Lockouts, Lockout{EnforcementPoint: point, request: r.Offered - 1})
				}
			case calc.Blocked:
				step.Blocked++
			}
			r.Accepted += step.Accepted
			r.Rejected429 += step.Rejected429
			r.Blocked += step.Blocked
			if run.StepSeconds != nil {
				s := &r.Timeline[floor(new(big.Rat).Quo(at, run.StepSeconds)).Int64()]
				s.Offered += step.Offered
				s.Accepted += step.Accepted
				s.Rejected429 += step.Rejected429
				s.Blocked += step.Blocked
			}
		}
		r.Seconds.Add(r.Seconds, p.Seconds)
	}
	if run.EnforcementPoints > 1 {
		alone := run
		alone.EnforcementPoints, alone.SyncSeconds, alone.StepSeconds = 1, nil, nil
		r.Overshoot = r.Accepted - naive(t, alone).Accepted
	}
	return r
}

// third returns n / 3 as the decimal of 34 digits that engines hand over.
func third(n int64) *big.Rat {
	f := new(big.Float).SetPrec(512).SetInt64(n)
	r, err := calc.Exact(f.Quo(f, big.NewFloat(3)))
	if err != nil {
		panic(err)
	}
	return r
}

// drawRat draws a fraction from 1/12 up, of the kind that lines up with others.
func drawRat(most int64) *rapid.Generator[*big.Rat] {
	return rapid.Custom(func(t *rapid.T) *big.Rat {
		denominator := rapid.SampledFrom([]int64{1, 1, 2, 3, 4, 7, 10, 12}).Draw(t, "denominator")
		return big.NewRat(rapid.Int64Range(1, most*denominator).Draw(t, "numerator"), denominator)
	})
}

func drawRun(t *rapid.T) Run {
	run := Run{
		Limit: calc.Limit{
			Number:          rapid.SampledFrom([]int64{1, 1, 2, 3, 5, 12}).Draw(t, "number"),
			PerPeriod:       rapid.SampledFrom([]calc.Unit{calc.Second, calc.Second, calc.Minute}).Draw(t, "unit"),
			Periods:         rapid.Int64Range(1, 3).Draw(t, "periods"),
			BurstMultiplier: rapid.SampledFrom([]int64{1, 1, 2, 3}).Draw(t, "burst multiplier"),
		},
		EnforcementPoints: rapid.SampledFrom([]int64{1, 1, 2, 3, 5}).Draw(t, "points"),
	}
	if rapid.Bool().Draw(t, "block") {
		run.Limit.BlockDuration = rapid.Int64Range(1, 5).Draw(t, "block duration")
	}
	for range rapid.IntRange(1, 4).Draw(t, "phases") {
		phase := Phase{drawRat(8).Draw(t, "seconds"), new(big.Rat)}
		if rapid.IntRange(0, 5).Draw(t, "silence") > 0 {
			phase.RequestsPerSecond = drawRat(25).Draw(t, "rate")
		}
		run.Traffic = append(run.Traffic, phase)
	}
	if rapid.Bool().Draw(t, "steps") {
		run.StepSeconds = drawRat(3).Draw(t, "step")
	}
	return run
}

// compare checks a run on words and on big integers against playing it by
// definition.
func compare(t *rapid.T, run Run) {
	want := naive(t, run)
	c, problem := newClock(run)
	if problem != nil {
		t.Fatal(problem)
	}
	if !c.fits() {
		t.Fatal("a small run does not fit words")
	}
	words, overshoot, problem := compute(run, newModel(c, newWord))
	if problem != nil {
		t.Fatal(problem)
	}
	compareResults(t, "words", run, c.result(run, words, overshoot), want)
	large, overshoot, problem := compute(run, newModel(c, bigTicks))
	if problem != nil {
		t.Fatal(problem)
	}
	compareResults(t, "big integers", run, c.result(run, large, overshoot), want)
}

func compareResults(t *rapid.T, on string, run Run, got, want *Result) {
	if len(got.Lockouts) != len(want.Lockouts) {
		t.Fatalf("on %s: %d lockouts, want %d", on, len(got.Lockouts), len(want.Lockouts))
	}
	for i, l := range got.Lockouts {
		if w := want.Lockouts[i]; l.request != w.request || l.EnforcementPoint != w.EnforcementPoint {
			t.Fatalf("on %s: lockout %d is %+v, want %+v", on, i, l, w)
		}
		length := new(big.Rat).Sub(l.End(), l.Start())
		if length.Cmp(new(big.Rat).SetInt64(run.Limit.LockoutSeconds())) != 0 {
			t.Fatalf("on %s: lockout %d lasts %s s", on, i, length)
		}
		if l.StartSeconds != calc.Float64(l.Start()) || l.EndSeconds != calc.Float64(l.End()) {
			t.Fatalf("on %s: lockout %d from %v to %v, not nearest to %s and %s", on, i, l.StartSeconds, l.EndSeconds, l.Start(), l.End())
		}
	}
	if (got.First429Seconds == nil) != (want.First429Seconds == nil) ||
		got.First429Seconds != nil && got.First429Seconds.Cmp(want.First429Seconds) != 0 {
		t.Fatalf("on %s: first 429 at %v, want %v", on, got.First429Seconds, want.First429Seconds)
	}
	if got.Seconds.Cmp(want.Seconds) != 0 {
		t.Fatalf("on %s: %s seconds, want %s", on, got.Seconds, want.Seconds)
	}
	g, w := *got, *want
	for _, r := range []*Result{&g, &w} {
		r.Lockouts, r.First429Seconds, r.Seconds = nil, nil, nil
	}
	if !reflect.DeepEqual(g, w) {
		t.Fatalf("on %s: got\n%+v\nwant\n%+v", on, g, w)
	}
}

// A phase in which nothing passes leaves a bucket of one slot as it was.
func TestSingleSlotThatStaysTaken(t *testing.T) {
	r, problems := Simulate(Run{
		Limit:             calc.Limit{Number: 1, PerPeriod: calc.Second, Periods: 10, BurstMultiplier: 1},
		Traffic:           []Phase{{ratOne, ratOne}, {ratOne, big.NewRat(3, 1)}, {big.NewRat(20, 1), big.NewRat(1, 2)}},
		EnforcementPoints: 1,
	})
	if problems != nil {
		t.Fatal(problems)
	}
	// At 0, when it frees at 10 with the request at 10, and at 20.
	if r.Offered != 14 || r.Accepted != 3 {
		t.Errorf("%d of %d pass", r.Accepted, r.Offered)
	}
}

func TestClosedFormIsPlayingEachRequest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) { compare(t, drawRun(t)) })
}

// Whatever the limit, no stretch of time lets more pass than a full bucket and
// what drains meanwhile, at each point.
func TestLawOfTheBucket(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		run := drawRun(t)
		run.StepSeconds = drawRat(2).Draw(t, "step")
		r, problems := Simulate(run)
		if problems != nil {
			t.Fatal(problems)
		}
		var sum Step
		for i, s := range r.Timeline {
			sum = Step{0, sum.Offered + s.Offered, sum.Accepted + s.Accepted, sum.Rejected429 + s.Rejected429, sum.Blocked + s.Blocked}
			if s.Offered != s.Accepted+s.Rejected429+s.Blocked {
				t.Fatalf("step %d does not add up: %+v", i, s)
			}
			passed := int64(0)
			for j, s := range r.Timeline[i:] {
				passed += s.Accepted
				drained := new(big.Rat).Mul(run.Limit.DrainRate().Rat(), run.StepSeconds)
				drained.Mul(drained, big.NewRat(int64(j)+1, 1))
				most := drained.Add(drained, new(big.Rat).SetInt64(run.Limit.BurstCeiling()))
				most.Mul(most, new(big.Rat).SetInt64(run.EnforcementPoints))
				if most.Cmp(new(big.Rat).SetInt64(passed)) < 0 {
					t.Fatalf("%d pass from step %d to %d, where %s may", passed, i, i+j, most)
				}
			}
		}
		if want := (Step{0, r.Offered, r.Accepted, r.Rejected429, r.Blocked}); sum != want {
			t.Fatalf("steps add up to %+v, not %+v", sum, want)
		}
	})
}

// golang.org/x/time/rate counts what is left of a bucket where this package
// counts what is in it. It does so in floats, which are exact here: rates and
// times are whole multiples of powers of two, and of nanoseconds too.
func TestOnePointIsAnXTimeRateLimiter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		dyadic := func(most int64, name string) *big.Rat {
			return big.NewRat(rapid.Int64Range(1, most*8).Draw(t, name), 8)
		}
		run := Run{
			Limit: calc.Limit{
				Number:          rapid.Int64Range(1, 40).Draw(t, "number"),
				PerPeriod:       calc.Second,
				Periods:         rapid.SampledFrom([]int64{1, 2, 4}).Draw(t, "periods"),
				BurstMultiplier: rapid.Int64Range(1, 3).Draw(t, "burst multiplier"),
			},
			EnforcementPoints: 1,
			StepSeconds:       big.NewRat(1, 256), // shorter than any interval
		}
		for range rapid.IntRange(1, 3).Draw(t, "phases") {
			interval := big.NewRat(rapid.Int64Range(2, 100).Draw(t, "interval"), 256)
			run.Traffic = append(run.Traffic, Phase{dyadic(8, "seconds"), interval.Inv(interval)})
		}
		r, problems := Simulate(run)
		if problems != nil {
			t.Fatal(problems)
		}
		l := rate.NewLimiter(rate.Limit(calc.Float64(run.Limit.DrainRate().Rat())), int(run.Limit.BurstCeiling()))
		midnight := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
		for i, s := range r.Timeline {
			if s.Offered == 0 {
				continue
			}
			if s.Offered != 1 || s.Blocked != 0 {
				t.Fatalf("step %d: %+v", i, s)
			}
			at := midnight.Add(time.Duration(i) * time.Second / 256)
			if allowed := l.AllowN(at, 1); allowed != (s.Accepted == 1) {
				t.Fatalf("the limiter allows %t at %s, but %+v", allowed, at, s)
			}
		}
	})
}

func TestPlayedIsTheDefinition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		run := drawRun(t)
		run.EnforcementPoints = rapid.Int64Range(2, 6).Draw(t, "converging points")
		run.SyncSeconds = drawRat(4).Draw(t, "sync")
		compare(t, run)
	})
}
