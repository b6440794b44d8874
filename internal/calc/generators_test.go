package calc

import (
	"math/big"

	"pgregory.net/rapid"
)

// within draws a whole number within bounds, the bounds themselves often: that
// is where arithmetic overflows and comparisons go wrong.
func within(b Bounds) *rapid.Generator[int64] {
	return rapid.OneOf(rapid.Int64Range(b.Min, b.Max), rapid.SampledFrom([]int64{b.Min, b.Max}))
}

// anyLimit draws every limit that XC takes.
var anyLimit = rapid.Custom(func(t *rapid.T) Limit {
	l := Limit{
		Number:          within(NumberBounds).Draw(t, "number"),
		PerPeriod:       rapid.SampledFrom(Units).Draw(t, "per_period"),
		Periods:         within(PeriodsBounds).Draw(t, "periods"),
		BurstMultiplier: within(BurstMultiplierBounds).Draw(t, "burst_multiplier"),
		Algorithm:       rapid.SampledFrom(Algorithms).Draw(t, "algorithm"),
	}
	if rapid.Bool().Draw(t, "block") {
		l.BlockUnit = rapid.SampledFrom(Units).Draw(t, "block_unit")
		l.BlockDuration = within(l.BlockUnit.LockoutBounds()).Draw(t, "block_duration")
	}
	return l
})

// smallLimit draws limits of which every request can be played.
var smallLimit = rapid.Custom(func(t *rapid.T) Limit {
	return Limit{
		Number:          rapid.Int64Range(1, 12).Draw(t, "number"),
		PerPeriod:       rapid.SampledFrom(Units[:2]).Draw(t, "per_period"),
		Periods:         rapid.Int64Range(1, 20).Draw(t, "periods"),
		BurstMultiplier: rapid.Int64Range(1, 4).Draw(t, "burst_multiplier"),
	}
})

// smallBlock draws small limits with Block.
var smallBlock = rapid.Custom(func(t *rapid.T) Limit {
	l := smallLimit.Draw(t, "limit")
	l.BlockUnit = rapid.SampledFrom(Units).Draw(t, "block_unit")
	l.BlockDuration = within(l.BlockUnit.LockoutBounds()).Draw(t, "block_duration")
	return l
})

// fraction draws an exact value from 0 to max.
func fraction(maximum int64) *rapid.Generator[*big.Rat] {
	return rapid.Custom(func(t *rapid.T) *big.Rat {
		denominator := rapid.Int64Range(1, 1000).Draw(t, "denominator")
		return big.NewRat(rapid.Int64Range(0, maximum*denominator).Draw(t, "numerator"), denominator)
	})
}

// whole is n as an exact value.
func whole(n int64) *big.Rat { return new(big.Rat).SetInt64(n) }

// decimal is the exact value of a decimal text.
func decimal(text string) *big.Rat {
	r, ok := new(big.Rat).SetString(text)
	if !ok {
		panic(text)
	}
	return r
}

// number is a number as an engine hands it over.
func number(text string) Value[*big.Float] {
	f, ok := ParseNumber(text)
	if !ok {
		panic(text)
	}
	return Known(f)
}

// tooMany is more requests than any small limit lets through before it refuses one.
const tooMany = 5000

// fataler is what playing a bucket needs of a test.
type fataler interface{ Fatal(args ...any) }

// take judges a request, whose time the caller keeps in order.
func take(t fataler, b *Bucket, at *big.Rat) Verdict {
	v, err := b.Take(at)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// takeAll sends an instant burst at a time until a request is refused, and
// returns how many passed.
func takeAll(t fataler, b *Bucket, at *big.Rat) (accepted int64) {
	for take(t, b, at) == Accepted {
		if accepted++; accepted > tooMany {
			t.Fatal("a burst passes without end")
		}
	}
	return accepted
}

// firstRefused plays an evenly sending client and returns its first request that
// is refused, counted from 0.
func firstRefused(t fataler, b *Bucket, clientRate *big.Rat) (k int64) {
	for take(t, b, even(k, clientRate)) == Accepted {
		if k++; k > tooMany {
			t.Fatal("no request is ever refused")
		}
	}
	return k
}

// even is when an evenly sending client makes its request k, counted from 0.
func even(k int64, clientRate *big.Rat) *big.Rat { return new(big.Rat).Quo(whole(k), clientRate) }
