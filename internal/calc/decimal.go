package calc

import (
	"errors"
	"math/big"
)

// SignificantDigits is how many decimal digits of a configured number count.
// It is the precision of IEEE 754 decimal128 [model].
const SignificantDigits = 34

// MaxExponent bounds the decimal exponent of a number that is read exactly: a
// rate or a time is taken from about 1e-1000 to 1e1000 [model]. Anything beyond
// would cost memory in proportion to the exponent and describe no client.
const MaxExponent = 1000

// maxBinaryExponent is MaxExponent in powers of two, rounded up: log2(10) < 3.33.
const maxBinaryExponent = MaxExponent * 333 / 100

// ErrExponent says that a number is too large or too small to be read exactly.
var ErrExponent = errors.New("the number is outside 1e-1000 to 1e1000")

// Exact reads a number as the decimal that was written: 0.3 is 3/10, although no
// binary float is. Engines hand numbers over as binary floats of 512 bits, so
// the nearest decimal of [SignificantDigits] digits is the one that was typed.
//
// It returns [ErrExponent] for an infinity and for a magnitude beyond
// [MaxExponent].
func Exact(f *big.Float) (*big.Rat, error) {
	if f.IsInf() {
		return nil, ErrExponent
	}
	if n, accuracy := f.Int64(); accuracy == big.Exact {
		return new(big.Rat).SetInt64(n), nil
	}
	if e := f.MantExp(nil); e > maxBinaryExponent || e < -maxBinaryExponent {
		return nil, ErrExponent
	}
	r, ok := new(big.Rat).SetString(f.Text('e', SignificantDigits-1))
	if !ok {
		return nil, ErrExponent
	}
	return r, nil
}

// ParseNumber reads the text of a number, as JSON and HCL write it, the way the
// engines do: as a binary float of 512 bits. It reports false for any other text.
func ParseNumber(text string) (*big.Float, bool) {
	if text == "" || text[0] == '+' {
		return nil, false
	}
	for i := range len(text) {
		switch c := text[i]; {
		case c >= '0' && c <= '9', c == '.', c == '-', c == '+', c == 'e', c == 'E':
		default:
			// big.ParseFloat also takes "Inf", "0x1p-2" and "1_000", which are no
			// numbers in JSON or HCL.
			return nil, false
		}
	}
	f, _, err := big.ParseFloat(text, 10, 512, big.ToNearestEven)
	if err != nil || f.IsInf() {
		return nil, false
	}
	return f, true
}
