package calc

import (
	"errors"
	"math/big"
	"strings"
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

// maxPrintedExponent is the power of two up to which a number is printed and its
// text is read.
const maxPrintedExponent = 10 * maxBinaryExponent

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
	if !magnitudeWithin(f, maxBinaryExponent) {
		return nil, ErrExponent
	}
	// Zeros that only fill the mantissa up would cost a power of ten each.
	mantissa, exponent, _ := strings.Cut(f.Text('e', SignificantDigits-1), "e")
	r, ok := new(big.Rat).SetString(strings.TrimRight(mantissa, "0") + "e" + exponent)
	if !ok {
		return nil, ErrExponent
	}
	return r, nil
}

// magnitudeWithin reports whether the binary exponent of f, or of 1/f, is at most limit.
func magnitudeWithin(f *big.Float, limit int) bool {
	e := f.MantExp(nil)
	return -limit <= e && e <= limit
}

// maxNumberLength bounds the text of a number. The engines keep 512 bits, about
// 155 digits, and reading takes time in the square of the length.
const maxNumberLength = 1000

// ParseNumber reads the text of a number, as JSON and HCL write it, the way the
// engines do: as a binary float of 512 bits. It reports false for any other text,
// and for a number of more than 1000 characters or outside 1e-10000 to 1e10000:
// 1e-600000000 has a few bytes and takes minutes to print.
func ParseNumber(text string) (*big.Float, bool) {
	if len(text) > maxNumberLength || !isNumber(text) {
		return nil, false
	}
	f, _, err := big.ParseFloat(text, 10, 512, big.ToNearestEven)
	if err != nil || f.IsInf() || !magnitudeWithin(f, maxPrintedExponent) {
		return nil, false
	}
	return f, true
}

// isNumber reports whether text is digits, with at most a minus sign before
// them, a fraction and an exponent after them. [big.ParseFloat] takes more:
// "Inf", "0x1p-2", "1_000", "+1", ".5" and "5." are no numbers in JSON or HCL.
func isNumber(text string) bool {
	text, ok := cutDigits(strings.TrimPrefix(text, "-"))
	if ok && strings.HasPrefix(text, ".") {
		text, ok = cutDigits(text[1:])
	}
	if ok && (strings.HasPrefix(text, "e") || strings.HasPrefix(text, "E")) {
		text = text[1:]
		if strings.HasPrefix(text, "+") || strings.HasPrefix(text, "-") {
			text = text[1:]
		}
		text, ok = cutDigits(text)
	}
	return ok && text == ""
}

// cutDigits returns what follows the leading digits of text, and whether there
// are any.
func cutDigits(text string) (rest string, ok bool) {
	rest = strings.TrimLeft(text, "0123456789")
	return rest, len(rest) < len(text)
}
