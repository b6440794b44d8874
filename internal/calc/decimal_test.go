package calc

import (
	"errors"
	"math"
	"math/big"
	"regexp"
	"strings"
	"testing"
)

// literal is a number in HCL, which takes all that JSON takes.
var literal = regexp.MustCompile(`^-?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?$`)

// FuzzExact reads texts of numbers the way of a configuration: from the text to
// a binary float, as the engines do, and from there to the decimal that was
// written.
func FuzzExact(f *testing.F) {
	for _, text := range []string{
		"0", "-0", "1", "-1", "0.3", "0.1", "3.0001", "1e3", "1E-3", "2.5e+2", "007",
		"9223372036854775807", "9223372036854775808", "-9223372036854775809",
		"0.3333333333333333333333333333333333", "1234567890123456789012345678901234", "1.2345678901234567890123456789012345",
		"1e1000", "1e-1000", "1e1001", "1e10000", "1e-10000", "1e10100", "-1e-10100", "1e2000", "1e-2000", "1e999999999999999999999", "-1e-999999999999999999999",
		"", "+1", ".5", "5.", "1e", "1e+", "e1", "-", "--1", "1-1", "1.2.3", "1e1.5", " 1", "1 ",
		"Inf", "NaN", "0x1p-2", "0b1", "1_000", "1,5", "½", "１",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		float, ok := ParseNumber(text)
		if !literal.MatchString(text) {
			if ok {
				t.Fatalf("%q is read as %v", text, float)
			}
			return
		}
		mantissa, exponent, _ := strings.Cut(strings.ToLower(text), "e")
		if len(strings.TrimLeft(exponent, "+-0")) > 5 {
			// A big.Rat would write out all those digits. What is read of such a
			// number, if anything, is 0 or refused.
			if ok {
				if got, err := Exact(float); err == nil && got.Sign() != 0 {
					t.Fatalf("%s is read", text)
				}
			}
			return
		}
		want, _ := new(big.Rat).SetString(text)
		if !ok {
			// Digits beyond these bounds are not worth the time that they take.
			if m := magnitude(want); len(text) > 1000 || m.Sign() != 0 && (m.Cmp(decimal("1e-10000")) < 0 || m.Cmp(decimal("1e10000")) > 0) {
				return
			}
			t.Fatalf("%q is not read", text)
		}
		got, err := Exact(float)
		switch {
		case want.Sign() != 0 && (magnitude(want).Cmp(decimal("1e-1000")) < 0 || magnitude(want).Cmp(decimal("1e1000")) > 0):
			// Just beyond the bounds a number may still be read, but if so then right.
			if err != nil {
				if !errors.Is(err, ErrExponent) {
					t.Fatalf("%s: error %v, want %v", text, err, ErrExponent)
				}
				return
			}
			if m := magnitude(got); m.Cmp(decimal("1e-1005")) < 0 || m.Cmp(decimal("1e1005")) > 0 {
				t.Fatalf("%s is read, which is far beyond the bounds", text)
			}
		case err != nil:
			t.Fatalf("%s: %v", text, err)
		}
		if significantDigits(mantissa) <= SignificantDigits {
			if got.Cmp(want) != 0 {
				t.Fatalf("%s is read as %v, want %v", text, got, want)
			}
			return
		}
		// More digits than count are rounded, to within half a unit of the last.
		deviation := magnitude(new(big.Rat).Sub(got, want))
		if limit := magnitude(want); deviation.Mul(deviation, decimal("2e33")).Cmp(limit) > 0 {
			t.Fatalf("%s is read as %v", text, got)
		}
	})
}

func magnitude(r *big.Rat) *big.Rat { return new(big.Rat).Abs(r) }

// significantDigits counts the digits of a mantissa between leading and trailing
// zeros.
func significantDigits(mantissa string) int {
	digits := strings.Replace(strings.TrimLeft(mantissa, "-"), ".", "", 1)
	return len(strings.Trim(digits, "0"))
}

func TestExactOfFloats(t *testing.T) {
	for name, f := range map[string]*big.Float{
		"+Inf":               new(big.Float).SetInf(false),
		"-Inf":               new(big.Float).SetInf(true),
		"far too large":      new(big.Float).SetMantExp(big.NewFloat(0.5), maxBinaryExponent+1),
		"far too small":      new(big.Float).SetMantExp(big.NewFloat(0.5), -maxBinaryExponent-1),
		"largest exponent":   new(big.Float).SetMantExp(big.NewFloat(0.5), math.MaxInt32),
		"negative and large": new(big.Float).SetMantExp(big.NewFloat(-0.5), maxBinaryExponent+1),
	} {
		if r, err := Exact(f); !errors.Is(err, ErrExponent) {
			t.Errorf("%s is read as %v, %v; want %v", name, r, err, ErrExponent)
		}
	}
	for name, f := range map[string]*big.Float{
		"largest":  new(big.Float).SetMantExp(big.NewFloat(0.5), maxBinaryExponent),
		"smallest": new(big.Float).SetMantExp(big.NewFloat(0.5), -maxBinaryExponent),
	} {
		if _, err := Exact(f); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	// A float64 that a caller computed is read as the decimal it stands for, up to
	// the digits that count.
	if r, err := Exact(big.NewFloat(0.1)); err != nil || r.Cmp(decimal("0.1000000000000000055511151231257827")) != 0 {
		t.Errorf("float64 0.1 is read as %v, %v", r, err)
	}
}

func TestText(t *testing.T) {
	for _, text := range []string{"1.5", "-1", "0", "8193", "4294967296", "0.3", "1e+2000", "1e-2000", "0.3333333333333333333333333333333333"} {
		f, _ := number(text).Get()
		if got := Text(f); got != text {
			t.Errorf("%s is written %s", text, got)
		}
	}
}

// A few bytes can name a number that takes minutes to print.
func TestParseNumberRefusesWhatCannotBePrinted(t *testing.T) {
	for text, want := range map[string]bool{
		"1e9999": true, "1e-9999": true, "1e20000": false, "1e-20000": false, "1e-600000000": false,
		strings.Repeat("9", 1000): true, strings.Repeat("9", 1001): false,
	} {
		if _, ok := ParseNumber(text); ok != want {
			t.Errorf("ParseNumber(%.20s…) is %v, want %v", text, ok, want)
		}
	}
}

func TestTextOfWhatCannotBePrinted(t *testing.T) {
	for want, f := range map[string]*big.Float{
		"infinite":         new(big.Float).SetInf(false),
		"about 1e+301030":  new(big.Float).SetMantExp(big.NewFloat(1), 1_000_000),
		"about -1e-301029": new(big.Float).SetMantExp(big.NewFloat(-1), -1_000_000),
	} {
		if got := Text(f); got != want {
			t.Errorf("Text is %q, want %q", got, want)
		}
	}
}
