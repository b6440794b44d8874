package simulation

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/xcrl/terraform-provider-xcrl/internal/calc"
)

const (
	// ChartColumns is how wide a chart is at most, in characters.
	ChartColumns = 100
	plotColumns  = 80
	plotRows     = 10
	stepColumns  = 8  // of one step at most, where there are few
	tickColumns  = 12 // from one tick of the time axis to the next, at least
)

// glyphs are told apart without colour, and by how much ink they have.
var glyphs = [...]rune{calc.Accepted: '█', calc.Rejected429: 'x', calc.Blocked: '░'}

// Chart draws the timeline as a few lines of text without trailing spaces, at
// most [ChartColumns] wide: requests per second over time, accepted ones at the
// bottom, then those answered 429, then blocked ones. Whatever occurs in a column
// shows there, however little it is. It is "" without a timeline.
func (r *Result) Chart() string {
	if len(r.Timeline) == 0 {
		return ""
	}
	bins := merge(r.Timeline, calc.Float64(r.Seconds), plotColumns)
	width := max(1, min(stepColumns, plotColumns/len(bins)))
	rowValue, rows := 1.0, 1
	if most := peak(bins); most > 0 {
		rowValue = niceAbove(most / plotRows)
		rows = max(1, int(math.Ceil(most/rowValue)))
	}
	grid := make([][]rune, rows) // from the bottom
	for i := range grid {
		grid[i] = []rune(strings.Repeat(" ", width*len(bins)))
	}
	for i, b := range bins {
		row := 0
		for v, height := range b.heights(rowValue, rows) {
			for range height {
				for column := range width {
					grid[row][i*width+column] = glyphs[v]
				}
				row++
			}
		}
	}
	var out strings.Builder
	fmt.Fprintf(&out, "requests per second, mean of %s\n", span(bins[0].seconds()))
	gutter := 0
	for i := range rows {
		gutter = max(gutter, len(short(rowValue*float64(i+1))))
	}
	for i := rows - 1; i >= 0; i-- {
		label := ""
		if (rows-1-i)%2 == 0 {
			label = short(rowValue * float64(i+1))
		}
		line := fmt.Sprintf("%*s │%s", gutter, label, string(grid[i]))
		out.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	axis, labels := timeLines(bins, width)
	fmt.Fprintf(&out, "%*s └%s\n%*s  %s\n", gutter, "0", axis, gutter, "", labels)
	for v, n := range totals(bins) {
		if v > 0 {
			out.WriteString("   ")
		}
		fmt.Fprintf(&out, "%c %s %d", glyphs[v], verdictNames[v], n)
	}
	return out.String() + "\n"
}

// heights returns how many rows each verdict fills.
func (b bin) heights(rowValue float64, rows int) (heights [len(glyphs)]int) {
	sum, before, filled := int64(0), 0, 0
	for v, n := range b.counts {
		sum += n
		upTo := int(math.Round(b.perSecond(sum) / rowValue))
		heights[v] = upTo - before
		before = upTo
		if n > 0 {
			heights[v] = max(1, heights[v])
		}
		filled += heights[v]
	}
	for ; filled > rows; filled-- {
		tallest := 0
		for v, h := range heights {
			if h > heights[tallest] {
				tallest = v
			}
		}
		heights[tallest]--
	}
	return heights
}

// timeLines returns the time axis with its ticks and the line of labels below.
func timeLines(bins []bin, width int) (axis, labels string) {
	line := []rune(strings.Repeat("─", width*len(bins)))
	perColumn := max(bins[0].seconds(), 1e-200) / float64(width)
	// That is more than a label has. The last column may reach beyond the run.
	unit, distance := timeAxis(perColumn*float64(len(line)), max(1, len(line)/tickColumns))
	for i := range line { // never more ticks than columns
		at := float64(i) * distance
		exact := math.Round(at * unit.seconds / perColumn)
		if exact >= float64(len(line)) { // or beyond every int
			break
		}
		column := int(exact)
		line[column] = '┬'
		labels += strings.Repeat(" ", column-len(labels)) + strconv.FormatFloat(at, 'g', 6, 64) + " " + unit.sign
	}
	return string(line), labels
}
