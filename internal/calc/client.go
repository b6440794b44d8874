package calc

import "math/big"

// ClientOutcome is what a client meets that sends evenly, one request every
// 1/rate seconds from time 0 on, at a bucket that starts empty.
type ClientOutcome struct {
	// Limited reports whether any request is ever refused.
	Limited bool
	// First429Request is the number of the first refused request, counted from
	// 1; nil when not limited. It can exceed an int64 when the client is faster
	// than the limit by a hair.
	First429Request *big.Int
	// First429 is when that request is made, in seconds; nil when not limited.
	First429 *big.Rat
	// RejectedShare is the share of requests refused once 429s have begun: 0 when
	// not limited, nil when limited under Block, where lockouts decide.
	RejectedShare *big.Rat
}

// EvenClient says what a client meets that sends evenly at rate requests per
// second, above 0.
//
// At or below the drain rate r it is never limited. Above it, counting requests
// k from 0, the level before request k is k(1 − r/rate), so the first with
// level + 1 > B is k* = ⌊(B − 1) / (1 − r/rate)⌋ + 1, at k*/rate seconds. From
// then on the share 1 − r/rate is refused.
//
// That holds for B ≥ 2, where the level never reaches 0 again. A bucket of one
// request drains to empty and then stands idle until the next request comes, so
// that one in ⌈rate/r⌉ passes: the share is 1 − 1/⌈rate/r⌉, which is the same
// only where rate/r is whole.
func (l Limit) EvenClient(rate *big.Rat) ClientOutcome {
	// With rate = a/b and r = n/w, 1 − r/rate = (w·a − n·b) / (w·a).
	wa := new(big.Int).Mul(big.NewInt(l.WindowSeconds()), rate.Num())
	nb := new(big.Int).Mul(big.NewInt(l.Number), rate.Denom())
	excess := new(big.Int).Sub(wa, nb)
	if excess.Sign() <= 0 {
		return ClientOutcome{RejectedShare: new(big.Rat)}
	}
	k := new(big.Int).Mul(big.NewInt(l.BurstCeiling()-1), wa)
	k.Quo(k, excess).Add(k, bigOne)
	out := ClientOutcome{
		Limited:         true,
		First429Request: new(big.Int).Add(k, bigOne),
		First429:        new(big.Rat).SetFrac(k.Mul(k, rate.Denom()), rate.Num()),
	}
	switch {
	case l.Blocks():
	case l.BurstCeiling() == 1:
		every := new(big.Int).Add(wa, nb) // ⌈rate/r⌉ = ⌈w·a / n·b⌉
		every.Sub(every, bigOne).Quo(every, nb)
		out.RejectedShare = new(big.Rat).SetFrac(new(big.Int).Sub(every, bigOne), every)
	default:
		out.RejectedShare = new(big.Rat).SetFrac(excess, wa)
	}
	return out
}

var bigOne = big.NewInt(1)

// Float64 returns the float64 nearest to an exact value.
func Float64(r *big.Rat) float64 {
	n, d := r.Num(), r.Denom()
	if n.BitLen() <= 53 && d.BitLen() <= 53 {
		// Both are float64s, and one IEEE division rounds correctly.
		return float64(n.Int64()) / float64(d.Int64())
	}
	f, _ := r.Float64()
	return f
}
