package calc

import (
	"math"
	"math/big"
	"testing"

	"pgregory.net/rapid"
)

// excessRate draws a client that is faster than the limit, by a ratio p/q of
// small numbers, so that its pattern repeats after p requests.
func excessRate(t *rapid.T, l Limit) (clientRate *big.Rat, p, q int64) {
	q = rapid.Int64Range(1, 12).Draw(t, "q")
	p = q + rapid.Int64Range(1, 30).Draw(t, "p - q")
	ratio := big.NewRat(p, q)
	return new(big.Rat).Mul(l.DrainRate().Rat(), ratio), ratio.Num().Int64(), ratio.Denom().Int64()
}

func TestFirst429OfEvenClientAsPlayed(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := rapid.OneOf(smallLimit, smallBlock).Draw(t, "limit")
		clientRate, _, _ := excessRate(t, l)
		outcome := l.EvenClient(clientRate)
		k := firstRefused(t, NewBucket(l), clientRate)
		if !outcome.Limited || outcome.First429Request.Int64() != k+1 || outcome.First429.Cmp(even(k, clientRate)) != 0 {
			t.Fatalf("first 429 for request %v at %v, but played %d at %v", outcome.First429Request, outcome.First429, k+1, even(k, clientRate))
		}
		if (outcome.RejectedShare == nil) != l.Blocks() {
			t.Fatalf("rejected share %v of a limit with lockout %d", outcome.RejectedShare, l.LockoutSeconds())
		}
	})
}

// From the first 429 on, each p requests are one period of the pattern, of which
// exactly q pass.
func TestRejectedShareOfEvenClientAsPlayed(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := smallLimit.Filter(func(l Limit) bool { return l.BurstCeiling() > 1 }).Draw(t, "limit")
		clientRate, p, _ := excessRate(t, l)
		outcome := l.EvenClient(clientRate)
		periods := rapid.Int64Range(1, 4).Draw(t, "periods")
		if refused := refusedFrom429(t, l, clientRate, p*periods); big.NewRat(refused, p*periods).Cmp(outcome.RejectedShare) != 0 {
			t.Fatalf("%d of %d requests are refused, want the share %v", refused, p*periods, outcome.RejectedShare)
		}
	})
}

// A bucket of one request drains to empty and then stands idle until the next
// request comes.
func TestRejectedShareOfASingleSlotAsPlayed(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := smallLimit.Draw(t, "limit")
		l.Number, l.BurstMultiplier = 1, 1
		clientRate, p, q := excessRate(t, l)
		outcome := l.EvenClient(clientRate)
		every := (p + q - 1) / q // one of so many requests finds the bucket empty
		played := big.NewRat(refusedFrom429(t, l, clientRate, every*3), every*3)
		if played.Cmp(outcome.RejectedShare) != 0 {
			t.Fatalf("the share %v is refused at %d/%d of the drain rate, and %v said", played, p, q, outcome.RejectedShare)
		}
	})
}

// refusedFrom429 plays an even client and counts how many of n requests are
// refused, the first refused one being the first of them.
func refusedFrom429(t *rapid.T, l Limit, clientRate *big.Rat, n int64) (refused int64) {
	b := NewBucket(l)
	k := firstRefused(t, b, clientRate)
	refused = 1
	for i := k + 1; i < k+n; i++ {
		if take(t, b, even(i, clientRate)) != Accepted {
			refused++
		}
	}
	return refused
}

func TestClientWithinTheLimitIsNeverRefused(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := rapid.OneOf(smallLimit, smallBlock).Draw(t, "limit")
		part := big.NewRat(rapid.Int64Range(1, 9).Draw(t, "part"), 9)
		clientRate := part.Mul(part, l.DrainRate().Rat())
		outcome := l.EvenClient(clientRate)
		if outcome.Limited || outcome.First429Request != nil || outcome.First429 != nil || outcome.RejectedShare.Sign() != 0 {
			t.Fatalf("%+v at %v requests per second", outcome, clientRate)
		}
		b := NewBucket(l)
		for k := range int64(60) {
			if v := take(t, b, even(k, clientRate)); v != Accepted {
				t.Fatalf("verdict %d for request %d", v, k+1)
			}
		}
	})
}

func TestEvenClientFigures(t *testing.T) {
	tenth := Limit{Number: 1, PerPeriod: Second, Periods: 10, BurstMultiplier: 3}
	slowest := Limit{Number: 1, PerPeriod: Hour, Periods: PeriodsBounds.Max, BurstMultiplier: 1}
	largest := Limit{Number: 8192, PerPeriod: Second, Periods: 1, BurstMultiplier: 100}
	for name, c := range map[string]struct {
		limit          Limit
		rate           *big.Rat
		request        string
		seconds, share *big.Rat
	}{
		// The level before request 4 is exactly B − 1, so it still passes; a rate
		// taken for a hair more, as a binary float may be, would end there.
		"on the boundary": {tenth, decimal("0.3"), "5", big.NewRat(40, 3), big.NewRat(2, 3)},
		"at once": {
			tenth, decimal("1e1000"), "4", decimal("3e-1000"),
			new(big.Rat).Sub(whole(1), decimal("1e-1001")),
		},
		"one slot, idle at times": {Limit{Number: 1, PerPeriod: Second, Periods: 1, BurstMultiplier: 1}, decimal("1.5"), "2", big.NewRat(2, 3), big.NewRat(1, 2)},
		"slowest limit":           {slowest, decimal("1"), "2", whole(1), big.NewRat(15461882261999, 15461882262000)},
		// The request's number is beyond an int64.
		"faster by a hair": {
			largest, decimal("8192.000000000000000001"), "6710878208000000000000819201",
			new(big.Rat).Quo(decimal("6710878208000000000000819200"), decimal("8192.000000000000000001")),
			new(big.Rat).Quo(decimal("1"), decimal("8192000000000000000001")),
		},
	} {
		t.Run(name, func(t *testing.T) {
			got := c.limit.EvenClient(c.rate)
			if !got.Limited || got.First429Request.String() != c.request {
				t.Errorf("limited %v from request %v, want %s", got.Limited, got.First429Request, c.request)
			}
			if got.First429.Cmp(c.seconds) != 0 {
				t.Errorf("first 429 at %v, want %v", got.First429, c.seconds)
			}
			if got.RejectedShare.Cmp(c.share) != 0 {
				t.Errorf("share %v, want %v", got.RejectedShare, c.share)
			}
		})
	}
}

func TestFloat64IsNearest(t *testing.T) {
	for text, want := range map[string]float64{"0.1": 0.1, "1/3": 1.0 / 3, "-2.5": -2.5, "1e400": math.Inf(1), "1e-400": 0} {
		if got := Float64(decimal(text)); got != want {
			t.Errorf("%s is %v, want %v", text, got, want)
		}
	}
}
