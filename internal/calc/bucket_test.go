package calc

import (
	"errors"
	"math/big"
	"testing"
	"time"

	"golang.org/x/time/rate"
	"pgregory.net/rapid"
)

// justBefore is a moment before t that is nearer than any slot takes to free.
func justBefore(t *big.Rat) *big.Rat { return new(big.Rat).Sub(t, big.NewRat(1, 1e9)) }

func TestBucketOverflowsOnlyAboveTheCeiling(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := smallLimit.Draw(t, "limit")
		b := NewBucket(l)
		at := fraction(100).Draw(t, "at")
		if got := takeAll(t, b, at); got != l.BurstCeiling() || got+1 != l.FirstRejectedRequest() {
			t.Fatalf("%d pass at once from empty, want %d, and %d is the first refused", got, l.BurstCeiling(), l.FirstRejectedRequest())
		}
		if b.Level().Cmp(whole(l.BurstCeiling())) != 0 {
			t.Fatalf("the level is %v, want %d", b.Level(), l.BurstCeiling())
		}
		if until, started := b.LockedUntil(); started {
			t.Fatalf("a limit without Block locks out until %v", until)
		}
		// A refused request fills nothing, so exactly one slot frees per slot time.
		slot := new(big.Rat).Add(at, l.SecondsPerRequest())
		if take(t, b, justBefore(slot)) != Rejected429 || take(t, b, slot) != Accepted || take(t, b, slot) != Rejected429 {
			t.Fatalf("not exactly one slot is free %v seconds after the burst", l.SecondsPerRequest())
		}
	})
}

func TestBucketDrainsToEmptyAndNoFurther(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := smallLimit.Draw(t, "limit")
		drained := whole(l.DrainSeconds())
		for _, c := range []struct {
			at   *big.Rat
			want int64
		}{
			{justBefore(drained), l.BurstCeiling() - 1},
			{drained, l.BurstCeiling()},
			{new(big.Rat).Add(drained, fraction(1e6).Draw(t, "later")), l.BurstCeiling()},
		} {
			b := NewBucket(l)
			takeAll(t, b, new(big.Rat))
			if got := takeAll(t, b, c.at); got != c.want {
				t.Fatalf("%v seconds after a full burst %d pass at once, want %d", c.at, got, c.want)
			}
		}
	})
}

// The most that passes in a closed window is a full bucket and every slot that
// frees, and greedy traffic gets it.
func TestGreedyTrafficReachesMaxRequestsPerWindow(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := smallLimit.Draw(t, "limit")
		b := NewBucket(l)
		start := fraction(100).Draw(t, "start")
		passed := takeAll(t, b, start)
		for slot := int64(1); slot <= l.Number; slot++ {
			at := new(big.Rat).Mul(l.SecondsPerRequest(), whole(slot))
			passed += takeAll(t, b, at.Add(at, start))
		}
		if passed != l.MaxRequestsPerWindow() {
			t.Fatalf("greedy traffic gets %d through within %d seconds, want %d", passed, l.WindowSeconds(), l.MaxRequestsPerWindow())
		}
	})
}

func TestNoTrafficExceedsMaxRequestsPerWindow(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := smallLimit.Draw(t, "limit")
		// Whole multiples of half a slot meet the window's closed ends.
		half := new(big.Rat).Mul(l.SecondsPerRequest(), big.NewRat(1, 2))
		b, now := NewBucket(l), new(big.Rat)
		var passed []*big.Rat
		for _, gap := range rapid.SliceOfN(rapid.Int64Range(0, 2), 1, 120).Draw(t, "gaps") {
			now = new(big.Rat).Add(now, new(big.Rat).Mul(half, whole(gap)))
			for range takeAll(t, b, now) {
				passed = append(passed, now)
			}
		}
		window, first := whole(l.WindowSeconds()), 0
		for i, at := range passed {
			for new(big.Rat).Sub(at, passed[first]).Cmp(window) > 0 {
				first++
			}
			if n := int64(i - first + 1); n > l.MaxRequestsPerWindow() {
				t.Fatalf("%d pass from %v to %v, more than %d", n, passed[first], at, l.MaxRequestsPerWindow())
			}
		}
	})
}

// A lockout lasts from the overflowing request to its end, which is judged by
// the bucket again; what is refused meanwhile neither prolongs it nor fills the
// bucket. A full bucket, the worst case, then takes exactly BurstAfterLockout.
func TestLockout(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := smallBlock.Draw(t, "limit")
		b := NewBucket(l)
		start := fraction(100).Draw(t, "start")
		takeAll(t, b, start)
		end := new(big.Rat).Add(start, whole(l.LockoutSeconds()))
		if until, started := b.LockedUntil(); !started || until.Cmp(end) != 0 {
			t.Fatalf("locked until %v, %v; want %v", until, started, end)
		}
		for range rapid.IntRange(0, 20).Draw(t, "during") {
			if v := take(t, b, start); v != Blocked {
				t.Fatalf("verdict %d as the lockout begins", v)
			}
		}
		if v := take(t, b, justBefore(end)); v != Blocked {
			t.Fatalf("verdict %d just before the lockout ends", v)
		}
		if until, _ := b.LockedUntil(); until.Cmp(end) != 0 {
			t.Fatalf("requests moved the end from %v to %v", end, until)
		}
		if got := takeAll(t, b, end); got != l.BurstAfterLockout() {
			t.Fatalf("%d pass at once as the lockout ends, want %d", got, l.BurstAfterLockout())
		}
		if until, _ := b.LockedUntil(); until.Cmp(end.Add(end, whole(l.LockoutSeconds()))) != 0 {
			t.Fatalf("the next overflow locks out until %v, want %v", until, end)
		}
	})
}

// However full the bucket was when it overflowed, at least BurstAfterLockout pass
// as the lockout ends.
func TestBurstAfterLockoutIsALowerBound(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := smallBlock.Draw(t, "limit")
		clientRate, _, _ := excessRate(t, l)
		b := NewBucket(l)
		firstRefused(t, b, clientRate)
		end, _ := b.LockedUntil()
		if got := takeAll(t, b, end); got < l.BurstAfterLockout() {
			t.Fatalf("%d pass at once as the lockout ends, less than %d", got, l.BurstAfterLockout())
		}
	})
}

func TestBucketRefusesOlderRequests(t *testing.T) {
	b := NewBucket(Limit{Number: 1, PerPeriod: Second, Periods: 1, BurstMultiplier: 2})
	take(t, b, whole(5))
	if _, err := b.Take(big.NewRat(49, 10)); !errors.Is(err, ErrTimeReversed) {
		t.Errorf("error %v, want %v", err, ErrTimeReversed)
	}
	if _, err := b.Take(whole(-1)); !errors.Is(err, ErrTimeReversed) {
		t.Errorf("error %v before the clock's start, want %v", err, ErrTimeReversed)
	}
	if v := take(t, b, whole(5)); v != Accepted || b.Level().Cmp(whole(2)) != 0 {
		t.Errorf("verdict %d at level %v after a refused time, want it untouched", v, b.Level())
	}
}

// What a bucket hands out is a copy: it cannot be changed from outside.
func TestBucketKeepsItsStateToItself(t *testing.T) {
	b := NewBucket(Limit{Number: 1, PerPeriod: Second, Periods: 1, BurstMultiplier: 1, BlockDuration: 10})
	at := new(big.Rat)
	takeAll(t, b, at)
	at.SetInt64(99)
	b.Level().SetInt64(0)
	until, _ := b.LockedUntil()
	until.SetInt64(0)
	if v := take(t, b, whole(9)); v != Blocked {
		t.Errorf("verdict %d, want the lockout to hold", v)
	}
}

// golang.org/x/time/rate keeps the same books in float64: tokens are the room
// that is left. Rates and times that are dyadic fractions are exact there too.
func TestBucketAgreesWithTimeRate(t *testing.T) {
	const tick = time.Second / 512 // 1/512 s is a whole number of nanoseconds
	rapid.Check(t, func(t *rapid.T) {
		l := Limit{
			Number:          rapid.Int64Range(1, 64).Draw(t, "number"),
			PerPeriod:       Second,
			Periods:         1 << rapid.IntRange(0, 6).Draw(t, "log2 of periods"),
			BurstMultiplier: rapid.Int64Range(1, 3).Draw(t, "burst_multiplier"),
		}
		bucket := NewBucket(l)
		limiter := rate.NewLimiter(rate.Limit(float64(l.Number)/float64(l.Periods)), int(l.BurstCeiling()))
		epoch, ticks := time.Unix(0, 0), int64(0)
		gaps := rapid.OneOf(rapid.Just(int64(0)), rapid.Int64Range(0, 512), rapid.Int64Range(0, 100*512))
		for _, gap := range rapid.SliceOfN(gaps, 50, 300).Draw(t, "gaps") {
			ticks += gap
			want := limiter.AllowN(epoch.Add(time.Duration(ticks)*tick), 1)
			if got := take(t, bucket, big.NewRat(ticks, 512)); (got == Accepted) != want {
				t.Fatalf("verdict %d at %d/512 s, but x/time/rate says %v", got, ticks, want)
			}
		}
	})
}
