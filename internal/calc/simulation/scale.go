package simulation

import (
	"math"
	"strconv"
	"strings"

	"github.com/xcrl/terraform-provider-xcrl/internal/calc"
)

// Pictures are drawn in floats: they decide nothing.

// bin is one or more consecutive steps of a timeline, drawn as one.
type bin struct {
	start, end float64 // in seconds
	counts
}

// verdictNames names what requests meet, in the order in which it is stacked.
var verdictNames = [...]string{calc.Accepted: "accepted", calc.Rejected429: "429", calc.Blocked: "blocked"}

// merge puts the steps of a timeline that ends at end seconds into at most so
// many bins of equally many steps; the last may have fewer.
func merge(steps []Step, end float64, most int) []bin {
	size := max(1, (len(steps)+most-1)/most)
	var bins []bin
	for i, s := range steps {
		if i%size == 0 {
			bins = append(bins, bin{start: s.StartSeconds})
		}
		b := &bins[len(bins)-1]
		b.end = end
		if i+1 < len(steps) {
			b.end = steps[i+1].StartSeconds
		}
		b.counts[calc.Accepted] += s.Accepted
		b.counts[calc.Rejected429] += s.Rejected429
		b.counts[calc.Blocked] += s.Blocked
	}
	return bins
}

// seconds returns how long the bin is.
func (b bin) seconds() float64 { return b.end - b.start }

// perSecond returns a count of the bin as a rate. A bin too short for floats to
// tell from nothing still gets a finite one.
func (b bin) perSecond(n int64) float64 { return float64(n) / max(b.seconds(), 1e-200) }

// peak returns the highest rate of all requests.
func peak(bins []bin) (most float64) {
	for _, b := range bins {
		most = max(most, b.perSecond(b.total()))
	}
	return most
}

func (c counts) total() (n int64) {
	for _, m := range c {
		n += m
	}
	return n
}

// totals adds up bins.
func totals(bins []bin) (sum counts) {
	for _, b := range bins {
		for v, n := range b.counts {
			sum[v] += n
		}
	}
	return sum
}

// niceAbove returns the least of 1, 2 and 5 times a power of ten that is at
// least x.
func niceAbove(x float64) float64 {
	power := math.Pow(10, math.Floor(math.Log10(x)))
	for _, digit := range []float64{1, 2, 5} {
		if digit*power >= x {
			return digit * power
		}
	}
	return 10 * power
}

// timeUnit is a unit in which times are drawn.
type timeUnit struct {
	name, sign string
	seconds    float64
	ticks      []float64 // nice distances between ticks, in the unit
}

var timeUnits = []timeUnit{
	{"seconds", "s", 1, nil},
	{"minutes", "min", 60, []float64{1, 2, 5, 10, 15, 30}},
	{"hours", "h", 3600, []float64{1, 2, 3, 6, 12}},
	{"days", "d", 86400, nil},
}

// timeAxis returns the unit for a span of time and the least nice distance, in
// that unit, that cuts it at most so many times.
func timeAxis(span float64, most int) (timeUnit, float64) {
	least := max(span, 1e-200) / float64(most)
	unit := timeUnits[0]
	if least > 30 {
		for _, unit = range timeUnits[1:] {
			for _, tick := range unit.ticks {
				if tick*unit.seconds >= least {
					return unit, tick
				}
			}
		}
	}
	return unit, niceAbove(least / unit.seconds)
}

// labelDigits returns how many significant digits tell ticks apart that are at
// most so high and lie so far from each other, at least 6.
func labelDigits(highest, distance float64) int {
	// Distances above 1 are whole numbers of which every digit counts, as of 12
	// hours; smaller ones have a single digit.
	digits := math.Floor(math.Log10(highest)) - math.Floor(math.Log10(min(distance, 1))) + 1
	digits++                            // the logarithm of slightly more than a power of ten may be rounded down
	return int(min(max(digits, 6), 17)) // 17 tell any two floats apart
}

// short writes a figure of at least 0 in few characters: 0.25, 150, 1.2k, 31.5M.
func short(x float64) string {
	if x != 0 && x < 0.001 || x >= 999.5e12 {
		return strconv.FormatFloat(x, 'g', 3, 64)
	}
	suffix := ""
	for _, s := range []string{"k", "M", "G", "T"} {
		if x < 999.5 {
			break
		}
		x, suffix = x/1000, s
	}
	// Three significant digits, fewer where they are zeros.
	decimals := max(0, 2-int(math.Floor(math.Log10(max(x, 0.001)))))
	text := strconv.FormatFloat(x, 'f', decimals, 64)
	if decimals > 0 {
		text = strings.TrimSuffix(strings.TrimRight(text, "0"), ".")
	}
	return text + suffix
}

// span writes a length of time in the largest unit that it fills.
func span(seconds float64) string {
	unit := timeUnits[0]
	for _, u := range timeUnits[1:] {
		if seconds >= u.seconds {
			unit = u
		}
	}
	return short(seconds/unit.seconds) + " " + unit.sign
}
