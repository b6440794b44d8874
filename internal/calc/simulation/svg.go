package simulation

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/xcrl/terraform-provider-xcrl/internal/calc"
)

// The picture is written by hand. Chart libraries for Go bring font rasterizers
// and image formats along and decide on sizes and tick labels themselves, where
// one picture of three known series takes less code than setting them up.

// The picture's measures, in pixels.
const (
	svgWidth, svgHeight     = 960, 420
	plotLeft, plotRight     = 76, 936
	plotTop, plotBottom     = 84, 364
	svgBins                 = 430 // two pixels each
	svgLeast                = 2.5 // height of what occurs at all
	svgHeadroom             = 1.02
	svgDigit                = 7.5 // width of a character of a tick's label
	svgTicks                = 9   // distances between ticks that time is cut into at most
	svgText, svgLine, svgBg = "#333333", "#d9d9d9", "#ffffff"
)

// svgColors are of Okabe and Ito's palette, which is told apart with any kind of
// colour vision; these three also differ in brightness.
var svgColors = [...]string{calc.Accepted: "#0072b2", calc.Rejected429: "#e69f00", calc.Blocked: "#d55e00"}

// SVG draws a timeline as a self-contained picture: requests per second over
// time, accepted ones at the bottom, then those answered 429, then blocked ones.
// Whatever occurs shows, however little it is. The last step counts as being as
// long as the one before it; of a single step, whose length is not known, it
// draws the count.
//
// It refuses, with paths that start at the step, timelines that are none: counts
// below 0, that do not add up or that are more than a run sends, and steps that
// are not in order of time.
func SVG(steps []Step) (string, []calc.Problem) {
	if problems := checkSteps(steps); problems != nil {
		return "", problems
	}
	unit, end := "requests per second", 0.0
	switch n := len(steps); n {
	case 0:
	case 1:
		unit, end = "requests in the only step", steps[0].StartSeconds+1
	default:
		// Rounding must not leave the last step without any length.
		end = max(2*steps[n-1].StartSeconds-steps[n-2].StartSeconds, math.Nextafter(steps[n-1].StartSeconds, math.Inf(1)))
	}
	bins := merge(steps, end, svgBins)
	p := plot{bins: bins, end: end}
	if len(bins) > 0 {
		p.start = max(0, bins[0].start) // of -0, which reads as such, 0
	}
	p.lines, p.valueStep = 1, 1
	if most := peak(bins) * svgHeadroom; most > 0 {
		p.valueStep = niceAbove(most / 6)
		p.lines = int(math.Ceil(most / p.valueStep))
	}
	p.top = p.valueStep * float64(p.lines)
	p.frame(len(steps), unit)
	p.areas()
	p.write(`</svg>` + "\n")
	return p.out.String(), nil
}

func checkSteps(steps []Step) (problems []calc.Problem) {
	refuse := func(i int, name, format string, args ...any) {
		problems = append(problems, calc.Problem{Path: calc.Path{i, name}, Summary: "Not a timeline", Detail: fmt.Sprintf(format, args...) +
			" Pass the timeline of an xcrl_simulation as it is, or a slice of it."})
	}
	sum := int64(0)
	for i, s := range steps {
		switch {
		case !(s.StartSeconds >= 0 && s.StartSeconds <= MaxSeconds): // nor a NaN
			refuse(i, "start_seconds", "start_seconds is %v, but a step starts 0 to %.0e seconds after the run does.", s.StartSeconds, float64(MaxSeconds))
		case i > 0 && s.StartSeconds <= steps[i-1].StartSeconds:
			refuse(i, "start_seconds", "start_seconds is %v, but the step before starts at %v: steps are in order of time.", s.StartSeconds, steps[i-1].StartSeconds)
		}
		for _, c := range []struct {
			name string
			n    int64
		}{{"offered", s.Offered}, {"accepted", s.Accepted}, {"rejected_429", s.Rejected429}, {"blocked", s.Blocked}} {
			if c.n < 0 || c.n > MaxRequests {
				refuse(i, c.name, "%s is %d, but a step counts 0 to %d requests.", c.name, c.n, int64(MaxRequests))
				return problems
			}
		}
		if s.Offered != s.Accepted+s.Rejected429+s.Blocked {
			refuse(i, "offered", "offered is %d, but accepted %d, rejected_429 %d and blocked %d do not add up to it.", s.Offered, s.Accepted, s.Rejected429, s.Blocked)
		}
		if sum += s.Offered; sum > MaxRequests {
			refuse(i, "offered", "the steps up to this one count %d requests, but a run offers at most %d.", sum, int64(MaxRequests))
			return problems
		}
	}
	return problems
}

// plot is a picture being written.
type plot struct {
	out        strings.Builder
	bins       []bin
	start, end float64 // in seconds
	top        float64 // the highest value
	valueStep  float64 // between lines
	lines      int     // above the one at 0
}

// write adds markup. Everything it is given is a number or a word of this file,
// so that nothing needs to be escaped.
func (p *plot) write(format string, args ...any) { fmt.Fprintf(&p.out, format, args...) }

func (p *plot) text(x, y float64, anchor, format string, args ...any) {
	p.write(`<text x="%s" y="%s" text-anchor="%s">`+format+"</text>\n", append([]any{pixels(x), pixels(y), anchor}, args...)...)
}

func (p *plot) x(seconds float64) float64 {
	return plotLeft + (plotRight-plotLeft)*(seconds-p.start)/(p.end-p.start)
}

func (p *plot) y(value float64) float64 { return plotBottom - (plotBottom-plotTop)*value/p.top }

func pixels(x float64) string { return strconv.FormatFloat(math.Round(x*10)/10, 'f', -1, 64) }

// frame writes all but the areas: titles, legend, lines and ticks.
func (p *plot) frame(steps int, unit string) {
	sum := totals(p.bins)
	p.write(`<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %[1]d %[2]d" role="img" font-family="system-ui, sans-serif" font-size="13" fill="%s">`+"\n",
		svgWidth, svgHeight, svgText)
	p.write("<title>Requests over time: accepted, 429 and blocked</title>\n")
	p.write("<desc>A stacked area chart of %s with %s: %d accepted, %d answered 429 and %d blocked.</desc>\n",
		calc.Count(int64(steps), "timeline step"), calc.Count(sum.total(), "request"), sum[calc.Accepted], sum[calc.Rejected429], sum[calc.Blocked])
	p.write(`<rect width="%d" height="%d" fill="%s"/>`+"\n", svgWidth, svgHeight, svgBg)
	p.write(`<text x="%d" y="30" font-size="17" font-weight="600">Requests over time</text>`+"\n", plotLeft)
	for i := range glyphs {
		v := len(glyphs) - 1 - i // from the right, as they are stacked
		x := float64(plotRight - 190*(i+1))
		p.write(`<rect x="%s" y="18" width="14" height="14" fill="%s"/>`+"\n", pixels(x), svgColors[v])
		p.text(x+21, 30, "start", "%s: %s", verdictNames[v], short(float64(sum[v])))
	}
	caption := unit
	if len(p.bins) < steps {
		caption += ", mean of " + span(p.bins[0].seconds())
	}
	p.text(plotLeft, 64, "start", "%s", caption)
	for i := range p.lines + 1 {
		value := float64(i) * p.valueStep
		p.write(`<path d="M%d %sH%d" stroke="%s"/>`+"\n", plotLeft, pixels(p.y(value)), plotRight, svgLine)
		p.text(plotLeft-8, p.y(value)+4.5, "end", "%s", short(value))
	}
	const middle = (plotLeft + plotRight) / 2
	switch len(p.bins) {
	case 0:
		p.text(middle, (plotTop+plotBottom)/2, "middle", "The timeline has no steps.")
		return
	case 1:
		p.text(middle, plotBottom+22, "middle", "a single step, from %s on", span(p.start))
		return
	}
	unit = p.ticks()
	p.text(middle, plotBottom+44, "middle", "time in %s", unit)
}

// ticks writes the ticks of the time axis and returns the name of their unit.
//
// A slice of a timeline may start so late, beside its length, that the floats
// there are further apart than ticks would be. So ticks are counted from the
// first one, those that are one float are one tick, and whatever rounding puts
// outside the axis is left out.
func (p *plot) ticks() string {
	unit, distance := timeAxis(p.end-p.start, svgTicks)
	first := math.Ceil(p.start / unit.seconds / distance)
	digits := labelDigits(p.end/unit.seconds, distance)
	before, used := math.Inf(-1), 0.0
	for i := range svgTicks + 2 {
		value := (first + float64(i)) * distance
		x := p.x(value * unit.seconds)
		if value == before || x < plotLeft-0.5 || x > plotRight+0.5 {
			continue
		}
		before = value
		p.write(`<path d="M%s %dv6" stroke="%s"/>`+"\n", pixels(x), plotBottom, svgText)
		// Long labels may fill more than the distance between ticks, or leave the
		// picture.
		label := strconv.FormatFloat(value, 'g', digits, 64)
		half := svgDigit / 2 * float64(len(label))
		if x-half >= used && x+half <= svgWidth {
			p.text(x, plotBottom+22, "middle", "%s", label)
			used = x + half + svgDigit
		}
	}
	return unit.name
}

// areas writes one area for each verdict, stacked.
func (p *plot) areas() {
	bottom := make([]float64, len(p.bins)) // in pixels
	for i := range bottom {
		bottom[i] = plotBottom
	}
	for v, color := range svgColors {
		top := make([]float64, len(bottom))
		for i, b := range p.bins {
			top[i] = bottom[i]
			if n := b.counts[v]; n > 0 {
				top[i] -= max(svgLeast, plotBottom-p.y(b.perSecond(n)))
			}
		}
		if totals(p.bins)[v] > 0 {
			p.write(`<path fill="%s" shape-rendering="crispEdges" d="`, color)
			p.edge('M', top, false)
			p.edge('L', bottom, true)
			p.write("Z\"/>\n")
		}
		bottom = top
	}
	p.write(`<path d="M%d %dV%dH%d" fill="none" stroke="%s"/>`+"\n", plotLeft, plotTop, plotBottom, plotRight, svgText)
}

// edge writes one edge of an area, from left to right or back: one level for
// each bin, equal ones drawn as one.
func (p *plot) edge(command rune, level []float64, back bool) {
	n := len(level)
	for i := range n {
		from, to, at := p.bins[i].start, p.bins[i].end, i
		if back {
			at = n - 1 - i
			from, to = p.bins[at].end, p.bins[at].start
		}
		next := at + 1
		if back {
			next = at - 1
		}
		if i == 0 {
			p.write("%c%s %s", command, pixels(p.x(from)), pixels(level[at]))
		}
		if i == n-1 {
			p.write("H%s", pixels(p.x(to)))
		} else if pixels(level[next]) != pixels(level[at]) {
			p.write("H%sV%s", pixels(p.x(to)), pixels(level[next]))
		}
	}
}
