package calc

import (
	"errors"
	"math/big"
)

// Verdict is what a request meets.
type Verdict uint8

const (
	// Accepted says that the request passed and was counted.
	Accepted Verdict = iota
	// Rejected429 says that the bucket overflowed. Under Block this request also
	// starts a lockout.
	Rejected429
	// Blocked says that the request was refused because a lockout was running.
	Blocked
)

// ErrTimeReversed says that a request is older than one already judged.
var ErrTimeReversed = errors.New("requests must be judged in order of time")

// Bucket is one enforcement point: an exact leaky-bucket meter with the
// lockouts of Block. It judges one request at a time at an exact time in
// seconds. It is the definition that every closed form is tested against.
type Bucket struct {
	rate, ceiling, lockout *big.Rat
	level, at              *big.Rat
	lockedUntil            *big.Rat // nil while no lockout has started
}

// NewBucket returns an empty bucket for the limit, its clock at 0 seconds.
func NewBucket(l Limit) *Bucket {
	return &Bucket{
		rate:    l.DrainRate().Rat(),
		ceiling: new(big.Rat).SetInt64(l.BurstCeiling()),
		lockout: new(big.Rat).SetInt64(l.LockoutSeconds()),
		level:   new(big.Rat),
		at:      new(big.Rat),
	}
}

// Level returns the level of the bucket at the time of the last request, in
// requests.
func (b *Bucket) Level() *big.Rat { return new(big.Rat).Set(b.level) }

// LockedUntil returns when the last lockout that started ends, in seconds, and
// whether one has started. A request at that very time is judged by the bucket
// again [model].
func (b *Bucket) LockedUntil() (*big.Rat, bool) {
	if b.lockedUntil == nil {
		return nil, false
	}
	return new(big.Rat).Set(b.lockedUntil), true
}

// Take judges a request at the given time, in seconds. During a lockout
// requests are refused, however empty the bucket is; they neither extend the
// lockout nor fill the bucket [model], which drains on.
//
// It returns [ErrTimeReversed], and judges nothing, when at lies before the
// time of an earlier request.
func (b *Bucket) Take(at *big.Rat) (Verdict, error) {
	elapsed := new(big.Rat).Sub(at, b.at)
	if elapsed.Sign() < 0 {
		return 0, ErrTimeReversed
	}
	b.at.Set(at)
	b.level.Sub(b.level, elapsed.Mul(elapsed, b.rate))
	if b.level.Sign() < 0 {
		b.level.SetInt64(0)
	}
	if b.lockedUntil != nil && at.Cmp(b.lockedUntil) < 0 {
		return Blocked, nil
	}
	after := new(big.Rat).Add(b.level, ratOne)
	if after.Cmp(b.ceiling) <= 0 {
		b.level = after
		return Accepted, nil
	}
	if b.lockout.Sign() > 0 {
		b.lockedUntil = new(big.Rat).Add(at, b.lockout)
	}
	return Rejected429, nil
}

var ratOne = big.NewRat(1, 1)
