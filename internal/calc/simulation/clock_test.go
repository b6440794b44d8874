package simulation

import (
	"math/big"
	"testing"

	"pgregory.net/rapid"

	"github.com/xcrl/terraform-provider-xcrl/internal/calc"
)

// drawLarge draws a run whose times take about as many bits as fit a word.
func drawLarge(t *rapid.T) Run {
	run := Run{
		Limit: calc.Limit{
			Number:          rapid.Int64Range(1, 8192).Draw(t, "number"),
			PerPeriod:       calc.Second,
			Periods:         rapid.Int64Range(1, 1000).Draw(t, "periods"),
			BurstMultiplier: rapid.Int64Range(1, 100).Draw(t, "burst multiplier"),
			BlockDuration:   rapid.Int64Range(0, 48).Draw(t, "block duration"),
			BlockUnit:       calc.Hour,
		},
		EnforcementPoints: rapid.Int64Range(1, 1_000_000).Draw(t, "points"),
	}
	for range rapid.IntRange(1, 3).Draw(t, "phases") {
		run.Traffic = append(run.Traffic, Phase{
			big.NewRat(rapid.Int64Range(1, 1_000_000).Draw(t, "seconds"), rapid.Int64Range(1, 30).Draw(t, "fraction of seconds")),
			big.NewRat(rapid.Int64Range(1, 1_000_000).Draw(t, "requests"), rapid.Int64Range(1, 1_000_000).Draw(t, "in seconds")),
		})
	}
	return run
}

// What decides whether a run fits words is above every time in it.
func TestClockBound(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		run := drawLarge(t)
		if run.EnforcementPoints > 1 && rapid.Bool().Draw(t, "converge") {
			run.SyncSeconds = big.NewRat(rapid.Int64Range(1, 1_000_000).Draw(t, "sync"), 7)
		}
		c, problem := newClock(run)
		if problem != nil {
			t.Fatal(problem)
		}
		below := func(what string, n *big.Int) {
			if n.Cmp(c.longest) > 0 {
				t.Fatalf("%s is %s ticks, above the bound of %s", what, n, c.longest)
			}
		}
		// All that passed since the last sync may be merged into one count; otherwise a
		// bucket holds its ceiling at most.
		level := run.Limit.BurstCeiling()
		if run.converges() {
			level += c.offered
		}
		full := new(big.Int).Mul(c.slot, big.NewInt(level))
		for i, s := range c.streams {
			below("the gap between requests of a point", new(big.Int).Mul(s.intervalTicks, big.NewInt(run.EnforcementPoints)))
			last := new(big.Int).Mul(s.intervalTicks, big.NewInt(s.count-1))
			last.Add(last, s.startTicks)
			below("the end of a lockout", new(big.Int).Add(last, c.lockout))
			below("the end of a full bucket", new(big.Int).Add(last, full))
			below("the next sync", new(big.Int).Add(last, c.sync))
			at := new(big.Rat).SetFrac(last, c.perSecond)
			if got := c.at(s.first + s.count - 1); got.Cmp(at) != 0 {
				t.Fatalf("the last request of phase %d goes at %s s, in ticks at %s", i, got, at)
			}
		}
	})
}

// Whether it takes the short way or the long one, the clock tells the float64 that
// is nearest to the exact time.
func TestClockTellsNearestFloat(t *testing.T) {
	// Rates with nothing in common: each makes ticks shorter by about 20 bits.
	traffic := []Phase{
		{big.NewRat(100, 1), big.NewRat(1_000_003, 7000)},
		{big.NewRat(100, 1), big.NewRat(1_000_033, 11000)},
		{big.NewRat(100, 1), big.NewRat(1_000_037, 13000)},
	}
	for phases, bits := range map[int][2]int{1: {0, 53}, 2: {54, 62}, 3: {64, 90}} {
		t.Run(calc.Count(int64(phases), "phase"), rapid.MakeCheck(func(t *rapid.T) {
			run := Run{Limit: small, Traffic: traffic[:phases], EnforcementPoints: 1}
			c, problem := newClock(run)
			if problem != nil {
				t.Fatal(problem)
			}
			request := rapid.Int64Range(0, c.offered-1).Draw(t, "request")
			seconds := rapid.Int64Range(10_000, 172_800).Draw(t, "seconds")
			want := c.at(request)
			want.Add(want, new(big.Rat).SetInt64(seconds))
			if n := c.ticks(want).BitLen(); n < bits[0] || n > bits[1] {
				t.Fatalf("%s s are %d bits of ticks, which is not what this is about", want, n)
			}
			if got := c.after(request, seconds); got != calc.Float64(want) {
				t.Fatalf("%d s after request %d it is %v s, want %s", seconds, request, got, want)
			}
		}))
	}
}

// What costs more for each operation may take fewer of them.
func TestClockWeighsDigits(t *testing.T) {
	before := int64(maxLockoutsAlone)
	for _, n := range []int{1, 50, 500} {
		c, problem := newClock(Run{Limit: small, Traffic: fractions(n), EnforcementPoints: 1})
		if problem != nil {
			t.Fatal(problem)
		}
		if most := c.maxAlone(); most >= before || most < 1000 {
			t.Errorf("with %d digits as many as %d lockouts, with fewer %d", c.digits(), most, before)
		} else {
			before = most
		}
	}
}

func TestClockCountsDigits(t *testing.T) {
	for _, n := range []int{0, 1, 2, 5, 25, 100} {
		c, problem := newClock(Run{Limit: small, Traffic: append(fractions(n), Phase{ratOne, ratOne}), EnforcementPoints: 1})
		if problem != nil {
			t.Fatal(problem)
		}
		got, want := c.digits(), len(c.longest.String())
		if off := got - want; off < -1-want/200 || off > 1 {
			t.Errorf("%s has about %d digits, not %d", c.longest, got, want)
		}
	}
}
