package calc

import (
	"math/big"
	"testing"

	"pgregory.net/rapid"
)

func TestParseUnit(t *testing.T) {
	for text, want := range map[string]Unit{
		"Seconds": Second, "second": Second, "SECOND": Second, "sEcOnDs": Second,
		"Minutes": Minute, "minute": Minute, "MINUTE": Minute,
		"Hours": Hour, "hour": Hour, "HOUR": Hour, "HOURS": Hour,
	} {
		if got, ok := ParseUnit(text); !ok || got != want {
			t.Errorf("%q is unit %d, %v; want %d", text, got, ok, want)
		}
	}
	// Unicode folds ſ to s, which no API would.
	for _, text := range []string{"", "DAY", "s", "Seconds ", "Secondss", "ſecond", "minuteſ"} {
		if got, ok := ParseUnit(text); ok {
			t.Errorf("%q is read as %s", text, got.Console())
		}
	}
}

func TestUnits(t *testing.T) {
	for unit, want := range map[Unit]struct {
		console, api     string
		seconds, longest int64
	}{
		Second: {"Seconds", "SECOND", 1, 300},
		Minute: {"Minutes", "MINUTE", 60, 60},
		Hour:   {"Hours", "HOUR", 3600, 48},
	} {
		if unit.Console() != want.console || unit.API() != want.api || unit.Seconds() != want.seconds {
			t.Errorf("%s, %s of %d s; want %v", unit.Console(), unit.API(), unit.Seconds(), want)
		}
		if got := unit.LockoutBounds(); got != (Bounds{1, want.longest}) {
			t.Errorf("a lockout in %s is within %v, want 1 to %d", unit.Console(), got, want.longest)
		}
	}
}

func TestBoundsContain(t *testing.T) {
	b := Bounds{2, 4}
	for n, want := range map[int64]bool{1: false, 2: true, 3: true, 4: true, 5: false} {
		if b.Contains(n) != want {
			t.Errorf("%v contains %d: %v", b, n, !want)
		}
	}
}

func TestAlgorithmNames(t *testing.T) {
	for text, want := range map[string]Algorithm{"leaky_bucket": LeakyBucket, "token_bucket": TokenBucket} {
		if got, ok := ParseAlgorithm(text); !ok || got != want || got.String() != text {
			t.Errorf("%q is read as %v, %v", text, got, ok)
		}
	}
	if a, ok := ParseAlgorithm("Token_Bucket"); ok {
		t.Errorf("another letter case is read as %v", a)
	}
}

func TestCanonicalWindow(t *testing.T) {
	for seconds, want := range map[int64]string{
		1: "second", 59: "59 seconds", 60: "minute", 61: "61 seconds", 90: "90 seconds", 120: "2 minutes",
		3599: "3599 seconds", 3600: "hour", 3660: "61 minutes", 7200: "2 hours", 86400: "24 hours",
		4294967295 * 3600: "4294967295 hours",
	} {
		l := Limit{Number: 7, PerPeriod: Second, Periods: seconds, BurstMultiplier: 3, BlockDuration: 5, BlockUnit: Minute}
		if got := l.window(); got != want {
			t.Errorf("%d seconds are %s, want %s", seconds, got, want)
		}
		c := l.Canonical()
		if c.WindowSeconds() != seconds {
			t.Errorf("%d seconds became %d %s", seconds, c.Periods, c.PerPeriod.Console())
		}
		c.PerPeriod, c.Periods = l.PerPeriod, l.Periods
		if c != l {
			t.Errorf("more than the window changed: %+v became %+v", l, c)
		}
	}
}

// A multiple of the window that the number and the burst multiplier make up for
// is the same limit in other words.
func TestEquivalentTuples(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := anyLimit.Draw(t, "limit")
		a.Number = rapid.Int64Range(1, 100).Draw(t, "number")
		a.Periods = rapid.Int64Range(1, 1000).Draw(t, "periods")
		factor := rapid.Int64Range(1, 80).Draw(t, "factor")
		b := a
		a.BurstMultiplier = factor
		b.BurstMultiplier = 1
		b.Number, b.Periods = a.Number*factor, a.Periods*factor
		if !Equivalent(a, b) || a.ID() != b.ID() {
			t.Fatalf("%s and %s are the same limit", a.ID(), b.ID())
		}
		sameAnswers(t, a, b)
	})
}

// Writing the window or the lockout in a smaller unit changes no answer.
func TestUnitsDoNotMatter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := anyLimit.Draw(t, "limit")
		a.PerPeriod = rapid.SampledFrom(Units[1:]).Draw(t, "larger unit")
		a.Periods = rapid.Int64Range(1, PeriodsBounds.Max/3600).Draw(t, "periods")
		if a.Blocks() {
			a.BlockUnit, a.BlockDuration = Minute, rapid.Int64Range(1, 5).Draw(t, "minutes")
		}
		b := a
		b.PerPeriod, b.Periods = Second, a.WindowSeconds()
		if a.Blocks() {
			b.BlockUnit, b.BlockDuration = Second, a.LockoutSeconds()
		}
		sameAnswers(t, a, b)
		if got, want := evaluated(b), evaluated(a); got.Summary != want.Summary || got.MaxRequestsPerWindow != want.MaxRequestsPerWindow {
			t.Fatalf("%+v, but in seconds %+v", want, got)
		}
		if a.Canonical().window() != b.Canonical().window() {
			t.Fatalf("canonical windows %s and %s", a.Canonical().window(), b.Canonical().window())
		}
	})
}

// answers is what is said of a limit and must not depend on how it is written.
type answers struct {
	ID                                                     string
	Rate                                                   Rate
	BurstCeiling, FirstRejected, Drain, Lockout, Overshoot int64
	BurstAfterLockout                                      int64
}

func sameAnswers(t *rapid.T, a, b Limit) {
	t.Helper()
	of := func(l Limit) answers {
		got := answers{
			ID: l.ID(), Rate: l.DrainRate(), BurstCeiling: l.BurstCeiling(), FirstRejected: l.FirstRejectedRequest(),
			Drain: l.DrainSeconds(), Lockout: l.LockoutSeconds(), Overshoot: l.OvershootCeiling(7),
		}
		if l.Blocks() {
			got.BurstAfterLockout = l.BurstAfterLockout()
		}
		return got
	}
	if of(a) != of(b) {
		t.Fatalf("%+v answers\n%+v, but\n%+v answers\n%+v", a, of(a), b, of(b))
	}
	rate := new(big.Rat).Mul(a.DrainRate().Rat(), big.NewRat(7, 4))
	x, y := a.EvenClient(rate), b.EvenClient(rate)
	if x.First429Request.Cmp(y.First429Request) != 0 || x.First429.Cmp(y.First429) != 0 || (x.RejectedShare == nil) != (y.RejectedShare == nil) {
		t.Fatalf("a client meets %v at %v, or %v at %v", x.First429Request, x.First429, y.First429Request, y.First429)
	}
}

type evaluatedAnswers struct {
	Summary              string
	MaxRequestsPerWindow int64
}

func evaluated(l Limit) evaluatedAnswers {
	return evaluatedAnswers{Evaluate(Scenario{Limit: l, EnforcementPoints: 1}).Summary, l.MaxRequestsPerWindow()}
}

// Ids are equal exactly where limits are equivalent, and limits are equivalent
// exactly where rate, ceiling, algorithm and lockout are equal as numbers.
func TestDifferentLimitsHaveDifferentIDs(t *testing.T) {
	// Few figures, so that drawn limits are often equivalent.
	few := rapid.Custom(func(t *rapid.T) Limit {
		l := Limit{
			Number:          rapid.SampledFrom([]int64{1, 2, 60, 120}).Draw(t, "number"),
			PerPeriod:       rapid.SampledFrom(Units[:2]).Draw(t, "per_period"),
			Periods:         rapid.SampledFrom([]int64{1, 2, 60}).Draw(t, "periods"),
			BurstMultiplier: rapid.Int64Range(1, 2).Draw(t, "burst_multiplier"),
			Algorithm:       rapid.SampledFrom(Algorithms).Draw(t, "algorithm"),
		}
		if rapid.Bool().Draw(t, "block") {
			l.BlockUnit = rapid.SampledFrom(Units[:2]).Draw(t, "block_unit")
			l.BlockDuration = rapid.SampledFrom([]int64{1, 60}).Draw(t, "block_duration")
		}
		return l
	})
	rapid.Check(t, func(t *rapid.T) {
		a, b := few.Draw(t, "a"), few.Draw(t, "b")
		same := big.NewRat(a.Number, a.WindowSeconds()).Cmp(big.NewRat(b.Number, b.WindowSeconds())) == 0 &&
			a.Number*a.BurstMultiplier == b.Number*b.BurstMultiplier &&
			a.Algorithm == b.Algorithm &&
			a.BlockDuration*a.BlockUnit.Seconds() == b.BlockDuration*b.BlockUnit.Seconds()
		if Equivalent(a, b) != same || (a.ID() == b.ID()) != same {
			t.Fatalf("equivalent: %v, ids %s and %s; want %v", Equivalent(a, b), a.ID(), b.ID(), same)
		}
	})
}

func TestID(t *testing.T) {
	for want, l := range map[string]Limit{
		"leaky_bucket:rate=5/3s:burst=100:lockout=0s":   {Number: 100, PerPeriod: Minute, Periods: 1, BurstMultiplier: 1},
		"token_bucket:rate=1/60s:burst=3:lockout=3600s": {Number: 1, PerPeriod: Minute, Periods: 1, BurstMultiplier: 3, Algorithm: TokenBucket, BlockDuration: 60, BlockUnit: Minute},
	} {
		if got := l.ID(); got != want {
			t.Errorf("id %s, want %s", got, want)
		}
	}
}

// Nothing overflows: int64 results equal those of unbounded integers, and each
// float is the one nearest to the exact value.
func TestNoOverflow(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := anyLimit.Draw(t, "limit")
		points := within(EnforcementPointsBounds).Draw(t, "points")
		n, mul := big.NewInt(l.Number), func(x *big.Int, y int64) *big.Int { return new(big.Int).Mul(x, big.NewInt(y)) }
		window := mul(big.NewInt(l.Periods), map[Unit]int64{Second: 1, Minute: 60, Hour: 3600}[l.PerPeriod])
		lockout := mul(big.NewInt(l.BlockDuration), map[Unit]int64{Second: 1, Minute: 60, Hour: 3600}[l.BlockUnit])
		ceiling := mul(n, l.BurstMultiplier)
		freed := new(big.Int).Div(new(big.Int).Mul(n, lockout), window)
		if freed.Cmp(ceiling) > 0 {
			freed = ceiling
		}
		for name, c := range map[string]struct {
			got  int64
			want *big.Int
		}{
			"window":              {l.WindowSeconds(), window},
			"burst ceiling":       {l.BurstCeiling(), ceiling},
			"first rejected":      {l.FirstRejectedRequest(), new(big.Int).Add(ceiling, big.NewInt(1))},
			"most in a window":    {l.MaxRequestsPerWindow(), mul(n, l.BurstMultiplier+1)},
			"drain":               {l.DrainSeconds(), mul(window, l.BurstMultiplier)},
			"lockout":             {l.LockoutSeconds(), lockout},
			"burst after lockout": {l.BurstAfterLockout(), freed},
			"overshoot":           {l.OvershootCeiling(points), mul(ceiling, points)},
		} {
			if !c.want.IsInt64() || c.got != c.want.Int64() {
				t.Fatalf("%s of %+v is %d, want %v", name, l, c.got, c.want)
			}
		}
		rate := new(big.Rat).SetFrac(n, window)
		got := l.DrainRate()
		if got.Requests != rate.Num().Int64() || got.Seconds != rate.Denom().Int64() || got.Rat().Cmp(rate) != 0 {
			t.Fatalf("rate %+v, want %v in lowest terms", got, rate)
		}
		for _, seconds := range []int64{1, 60, 3600} {
			want, _ := new(big.Rat).Mul(rate, whole(seconds)).Float64()
			if f := got.PerSeconds(seconds); f != want {
				t.Fatalf("%v requests in %d s, want %v", f, seconds, want)
			}
		}
		if l.SecondsPerRequest().Cmp(new(big.Rat).Inv(rate)) != 0 {
			t.Fatalf("one slot frees in %v, want the inverse of %v", l.SecondsPerRequest(), rate)
		}
	})
}
