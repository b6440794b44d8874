package simulation

import (
	"errors"
	"fmt"
	"math/big"
	"strings"
	"time"

	"github.com/xcrl/terraform-provider-xcrl/internal/calc"
)

// ArgStartAt is the argument that says when a run starts.
const ArgStartAt = "start_at"

const localTime = "2006-01-02T15:04:05"

var (
	nanosecond = big.NewRat(1, int64(time.Second))
	half       = big.NewRat(1, 2)
	// latest bounds what is added to a time: more than all years of RFC 3339.
	latest = big.NewRat(1_000_000_000_000, 1)
)

// At returns the time so many seconds, at least 0, after an RFC 3339 time, with
// the same offset. The fraction of its second is rounded to the nanosecond,
// halves up, and written without trailing zeros [model].
//
// Its errors, for any other text and for a time after the year 9999, are
// written for practitioners and are about the argument start_at.
func At(start string, seconds *big.Rat) (string, error) {
	if problem := calc.CheckTime(ArgStartAt, start); problem != nil {
		return "", errors.New(problem.Detail)
	}
	rest := start[len(localTime):]
	zone := strings.IndexAny(rest, "Z+-")
	later, _ := new(big.Rat).SetString("0" + rest[:zone])
	later.Add(later, seconds)
	local, _ := time.Parse(localTime, start[:len(localTime)]) // checked above
	if later.Cmp(latest) < 0 {
		n := floor(later.Add(later.Quo(later, nanosecond), half))
		whole, nanos := n.DivMod(n, big.NewInt(int64(time.Second)), new(big.Int))
		local = time.Unix(local.Unix()+whole.Int64(), nanos.Int64()).UTC()
		if local.Year() <= 9999 {
			return local.Format(localTime+".999999999") + rest[zone:], nil
		}
	}
	return "", fmt.Errorf("%s is %q, and %s s later is after the year 9999, which RFC 3339 cannot write. Write an earlier %[1]s, or run a shorter time",
		ArgStartAt, start, calc.Decimal(seconds))
}
