package simulation

import "math/big"

// integer is the arithmetic of ticks: that of [big.Int], which has it, in which
// results go to the receiver so that loops allocate nothing.
type integer[N any] interface {
	*N
	Set(x *N) *N
	SetInt64(x int64) *N
	Add(x, y *N) *N
	Sub(x, y *N) *N
	Mul(x, y *N) *N
	Quo(x, y *N) *N
	Cmp(y *N) int
	Int64() int64
}

// word is an integer in one machine word, for runs in which no time overflows
// one. Its methods are those of [big.Int].
type word int64

func newWord(x *big.Int) *word {
	w := word(x.Int64())
	return &w
}

// Set sets z to x.
func (z *word) Set(x *word) *word { *z = *x; return z }

// SetInt64 sets z to x.
func (z *word) SetInt64(x int64) *word { *z = word(x); return z }

// Add sets z to x + y.
func (z *word) Add(x, y *word) *word { *z = *x + *y; return z }

// Sub sets z to x − y.
func (z *word) Sub(x, y *word) *word { *z = *x - *y; return z }

// Mul sets z to x × y.
func (z *word) Mul(x, y *word) *word { *z = *x * *y; return z }

// Quo sets z to x / y, truncated towards 0.
func (z *word) Quo(x, y *word) *word { *z = *x / *y; return z }

// Cmp returns −1, 0 or +1 as z is less than, equal to or greater than y.
func (z *word) Cmp(y *word) int {
	switch {
	case *z < *y:
		return -1
	case *z > *y:
		return 1
	}
	return 0
}

// Int64 returns z.
func (z *word) Int64() int64 { return int64(*z) }

// bigTicks is newWord's counterpart for runs that need big integers. Nothing
// changes the ticks of a run.
func bigTicks(x *big.Int) *big.Int { return x }
