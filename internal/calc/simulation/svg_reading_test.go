package simulation

import (
	"fmt"
	"math"
	"math/big"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/xcrl/terraform-provider-xcrl/internal/calc"
)

// picture is what a person reads off a drawn timeline.
type picture struct {
	Texts []struct {
		X      float64 `xml:"x,attr"`
		Y      float64 `xml:"y,attr"`
		Anchor string  `xml:"text-anchor,attr"`
		Text   string  `xml:",chardata"`
	} `xml:"text"`
	Paths []struct {
		D    string `xml:"d,attr"`
		Fill string `xml:"fill,attr"`
	} `xml:"path"`
	Rects []struct {
		X     float64 `xml:"x,attr"`
		Width float64 `xml:"width,attr"`
		Fill  string  `xml:"fill,attr"`
	} `xml:"rect"`
}

// scale turns pixels into figures, from two places whose figures are known.
type scale struct{ pixel, figure, perPixel float64 }

func newScale(pixels, figures []float64) scale {
	last := len(pixels) - 1
	return scale{pixels[0], figures[0], (figures[last] - figures[0]) / (pixels[last] - pixels[0])}
}

func (s scale) figureAt(pixel float64) float64 { return s.figure + (pixel-s.pixel)*s.perPixel }

func (s scale) pixelAt(figure float64) float64 { return s.pixel + (figure-s.figure)/s.perPixel }

var (
	lines = regexp.MustCompile(fmt.Sprintf(`^M%d ([0-9.]+)H%d$`, plotLeft, plotRight))
	ticks = regexp.MustCompile(fmt.Sprintf(`^M([0-9.]+) %dv6$`, plotBottom))
)

// labelled returns the places of lines or ticks and the figures of the texts that
// stand at them.
func labelled(t *testing.T, p picture, kind *regexp.Regexp) (places, figures []float64) {
	t.Helper()
	for _, path := range p.Paths {
		found := kind.FindStringSubmatch(path.D)
		if found == nil {
			continue
		}
		place, err := strconv.ParseFloat(found[1], 64)
		if err != nil {
			t.Error(err)
		}
		label := ""
		for _, text := range p.Texts {
			// A line's label stands left of it, a tick's below it.
			left := kind == lines && text.Anchor == "end" && math.Abs(text.Y-place-4) < 2 // half the height of a digit
			below := kind == ticks && text.Anchor == "middle" && text.X == place && text.Y > plotBottom && text.Y < plotBottom+30
			if left || below {
				label = text.Text
			}
		}
		figure, err := strconv.ParseFloat(label, 64)
		if err != nil {
			t.Errorf("%q at %v is no figure", label, place)
		}
		places, figures = append(places, place), append(figures, figure)
	}
	return places, figures
}

// level is a stretch of an area's edge.
type level struct{ from, to, y float64 }

// edges returns the upper and the lower edge of an area.
func edges(t *testing.T, d string) (upper, lower []level) {
	t.Helper()
	var x, y float64
	edge := &upper
	for d = strings.TrimSuffix(d, "Z"); d != ""; {
		command := d[0]
		end := 1 + strings.IndexAny(d[1:]+"Z", "MHVLZ")
		var a, b float64
		n, _ := fmt.Sscanf(d[1:end], "%f %f", &a, &b)
		switch {
		case command == 'M' && n == 2:
			x, y = a, b
		case command == 'L' && n == 2:
			x, y, edge = a, b, &lower
		case command == 'V' && n == 1:
			y = a
		case command == 'H' && n == 1:
			*edge = append(*edge, level{min(x, a), max(x, a), y})
			x = a
		default:
			t.Fatalf("%q in a path", d)
		}
		d = d[end:]
	}
	return upper, lower
}

func heightAt(t *testing.T, edge []level, x float64) float64 {
	t.Helper()
	for _, l := range edge {
		if l.from <= x && x <= l.to {
			return l.y
		}
	}
	t.Fatalf("no edge at %v in %v", x, edge)
	return 0
}

// TestSVGReadsBack reads the figures off pictures, by the labels of their axes.
func TestSVGReadsBack(t *testing.T) {
	timeline := simulated(t, lockedOut).Timeline
	long := lockedOut
	long.Traffic = []Phase{{big.NewRat(3000, 1), big.NewRat(20, 1)}, {big.NewRat(3000, 1), big.NewRat(3, 1)}}
	long.StepSeconds = big.NewRat(5, 1)
	for name, tt := range map[string]struct {
		steps  []Step
		merged int // steps in a bin
		unit   float64
	}{
		"whole":   {timeline, 1, 1},
		"a slice": {timeline[3:9], 1, 1},
		"merged":  {simulated(t, long).Timeline, 3, 60},
		"late":    {simulated(t, long).Timeline[600:], 2, 60},
		"a peak on a line": {[]Step{
			{Offered: 500, Accepted: 500}, {StartSeconds: 10, Offered: 100, Blocked: 100}, {StartSeconds: 20, Offered: 300, Rejected429: 300},
		}, 1, 1},
		"uneven": {[]Step{{Offered: 9, Accepted: 9}, {StartSeconds: 3, Offered: 35, Accepted: 20, Rejected429: 10, Blocked: 5}, {StartSeconds: 8}}, 1, 1},
	} {
		t.Run(name, func(t *testing.T) {
			svg, problems := SVG(tt.steps)
			if problems != nil {
				t.Fatal(problems)
			}
			p := checkSVG(t, svg)

			n := len(tt.steps)
			end := tt.steps[n-1].StartSeconds + (tt.steps[n-1].StartSeconds - tt.steps[n-2].StartSeconds)
			var starts, middles []float64
			var rates [][3]float64
			peak := 0.0
			for i := 0; i < n; i += tt.merged {
				from, to := tt.steps[i].StartSeconds, end
				if i+tt.merged < n {
					to = tt.steps[i+tt.merged].StartSeconds
				}
				var rate [3]float64
				for _, s := range tt.steps[i:min(n, i+tt.merged)] {
					for v, count := range []int64{calc.Accepted: s.Accepted, calc.Rejected429: s.Rejected429, calc.Blocked: s.Blocked} {
						rate[v] += float64(count) / (to - from)
					}
				}
				starts, middles, rates = append(starts, from), append(middles, (from+to)/2), append(rates, rate)
				peak = max(peak, rate[0]+rate[1]+rate[2])
			}

			// Lines: evenly apart, at nice figures, from 0 at the bottom to above the peak.
			places, figures := labelled(t, p, lines)
			if len(places) < 4 || len(places) > 8 {
				t.Errorf("%d lines", len(places))
			}
			last := len(places) - 1
			if places[0] != plotBottom || figures[0] != 0 || places[last] != plotTop || figures[last] < peak || figures[last-1] > peak*1.03 {
				t.Errorf("lines at %v for %v, under a peak of %v", places, figures, peak)
			}
			values := newScale(places, figures)
			for i := range places {
				if math.Abs(values.figureAt(places[i])-figures[i]) > figures[1]*0.01 || math.Abs(figures[i]-float64(i)*figures[1]) > 1e-9 {
					t.Errorf("the line of %v is where %v is", figures[i], values.figureAt(places[i]))
				}
			}

			// Ticks: evenly apart, all of the axis, at most ten distances.
			places, figures = labelled(t, p, ticks)
			if len(places) < 3 || len(places) > 11 {
				t.Fatalf("ticks at %v for %v", places, figures)
			}
			seconds := newScale(places, figures)
			distance := figures[1] - figures[0]
			for i := range places {
				if math.Abs(seconds.pixelAt(figures[i])-places[i]) > 0.2 || math.Abs(figures[i]-figures[0]-float64(i)*distance) > 1e-9 {
					t.Errorf("the tick of %v is where %v is", figures[i], seconds.figureAt(places[i]))
				}
			}
			last = len(figures) - 1
			if figures[0]-distance >= starts[0]/tt.unit || figures[0] < starts[0]/tt.unit || figures[last] > end/tt.unit || figures[last]+distance <= end/tt.unit {
				t.Errorf("ticks at %v for %v to %v", figures, starts[0]/tt.unit, end/tt.unit)
			}
			if left, right := seconds.pixelAt(starts[0]/tt.unit), seconds.pixelAt(end/tt.unit); math.Abs(left-plotLeft) > 0.5 || math.Abs(right-plotRight) > 0.5 {
				t.Errorf("the run is drawn from %v to %v", left, right)
			}

			// Areas: on top of each other, as high as the rates.
			drawn := map[string][2][]level{}
			for _, path := range p.Paths {
				if path.Fill != "" && path.Fill != "none" {
					upper, lower := edges(t, path.D)
					drawn[path.Fill] = [2][]level{upper, lower}
				}
			}
			var sum counts
			for _, s := range tt.steps {
				sum[calc.Accepted] += s.Accepted
				sum[calc.Rejected429] += s.Rejected429
				sum[calc.Blocked] += s.Blocked
			}
			for v, color := range svgColors {
				if _, ok := drawn[color]; ok != (sum[v] > 0) {
					t.Errorf("%d %s are drawn: %t", sum[v], verdictNames[v], ok)
				}
			}
			for i, rate := range rates {
				x, ground := seconds.pixelAt(middles[i]/tt.unit), float64(plotBottom)
				for v, color := range svgColors {
					area, ok := drawn[color]
					if !ok {
						continue
					}
					upper, lower := heightAt(t, area[0], x), heightAt(t, area[1], x)
					want := rate[v] / -values.perPixel
					if rate[v] > 0 {
						want = max(want, svgLeast)
					}
					if math.Abs(lower-ground) > 0.11 || math.Abs(lower-upper-want) > 0.11 {
						t.Errorf("%s at %v s is drawn from %v to %v, want %v high on %v", verdictNames[v], middles[i], lower, upper, want, ground)
					}
					ground = upper
				}
			}

			// The legend: colours from left to right as they are stacked, each before its
			// own word.
			left := -math.MaxFloat64
			for v, color := range svgColors {
				for _, r := range p.Rects {
					if r.Fill != color {
						continue
					}
					if r.X < left+100 {
						t.Errorf("%s stands at %v, and what is below it at %v", color, r.X, left)
					}
					left = r.X
					word := ""
					for _, text := range p.Texts {
						if text.Y < plotTop/2 && text.Anchor == "start" && text.X > r.X+r.Width && text.X < r.X+r.Width+10 {
							word = text.Text
						}
					}
					if !strings.HasPrefix(word, verdictNames[v]+": ") {
						t.Errorf("beside %s at %v stands %q", color, r.X, word)
					}
				}
			}
			if len(p.Rects) != 1+len(svgColors) {
				t.Errorf("%d rectangles", len(p.Rects))
			}
			if tt.merged > 1 != strings.Contains(svg, "mean of") {
				t.Error("the caption does not say how many steps are drawn as one")
			}
		})
	}
}
