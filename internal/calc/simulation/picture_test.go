package simulation

import (
	"encoding/xml"
	"math"
	"math/big"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/xcrl/terraform-provider-xcrl/internal/calc"
)

// lockedOut is a run in which accepted, 429 and blocked all show.
var lockedOut = Run{
	Limit:             blocking(small, calc.Minute),
	Traffic:           []Phase{{big.NewRat(60, 1), big.NewRat(20, 1)}, {big.NewRat(90, 1), big.NewRat(5, 1)}},
	EnforcementPoints: 1,
	StepSeconds:       big.NewRat(10, 1),
}

func simulated(t *testing.T, run Run) *Result {
	t.Helper()
	r, problems := Simulate(run)
	if problems != nil {
		t.Fatal(problems)
	}
	return r
}

func TestChart(t *testing.T) {
	const want = `requests per second, mean of 10 s
20 │░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░
   │░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░
16 │░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░
   │░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░
12 │░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░
   │░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░
 8 │░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░
   │░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░████████████████████████████████████████
 4 │xxxxx░░░░░░░░░░░░░░░░░░░░░░░░░█████████████████████████████████████████████
   │█████░░░░░░░░░░░░░░░░░░░░░░░░░█████████████████████████████████████████████
 0 └┬────────────────────────┬────────────────────────┬────────────────────────
    0 s                      50 s                     100 s
█ accepted 464   x 429 1   ░ blocked 1185
`
	if got := simulated(t, lockedOut).Chart(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if chart := (&Result{}).Chart(); chart != "" {
		t.Errorf("a chart of no timeline: %q", chart)
	}
	const silence = `requests per second, mean of 1.5 min
1 │
0 └┬──────────────────────────┬─────────────────────────┬──
   0 min                      5 min                     10 min
█ accepted 0   x 429 0   ░ blocked 0
`
	silent := Run{Limit: small, Traffic: []Phase{{big.NewRat(610, 1), new(big.Rat)}}, EnforcementPoints: 1, StepSeconds: big.NewRat(90, 1)}
	if got := simulated(t, silent).Chart(); got != silence {
		t.Errorf("got\n%s\nwant\n%s", got, silence)
	}
	// A single 429 gets a line of its own, at the cost of the lower of equally tall ones.
	tie := Result{Seconds: ratOne, Timeline: []Step{{Offered: 100, Accepted: 50, Rejected429: 1, Blocked: 49}}}
	if got, want := column(tie.Chart(), 0), "████x░░░░░"; got != want {
		t.Errorf("the column is %s, want %s", got, want)
	}
	// A first step that is nothing beside the run.
	uneven := Result{Seconds: ratTen, Timeline: []Step{{Offered: 1, Accepted: 1}, {StartSeconds: math.SmallestNonzeroFloat64}}}
	if chart := uneven.Chart(); !strings.Contains(chart, "█ accepted 1 ") {
		t.Errorf("not drawn:\n%s", chart)
	}
}

// column returns a column of a chart from the bottom up.
func column(chart string, n int) (glyphs string) {
	for line := range strings.SplitSeq(chart, "\n") {
		if _, drawn, found := strings.Cut(line, "│"); found {
			glyphs = string([]rune(drawn)[n]) + glyphs
		}
	}
	return glyphs
}

func TestChartIsNarrowAndShort(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := Result{Seconds: drawRat(1_000_000).Draw(t, "seconds")}
		n := rapid.IntRange(1, 300).Draw(t, "steps")
		// The last step may be cut short by the end of the run.
		step := calc.Float64(r.Seconds) / (float64(n-1) + rapid.Float64Range(0.01, 1).Draw(t, "last step"))
		count := rapid.OneOf(rapid.Just(int64(0)), rapid.Int64Range(0, 3), rapid.Int64Range(0, MaxRequests))
		for i := range n {
			s := Step{StartSeconds: step * float64(i), Accepted: count.Draw(t, "accepted"), Rejected429: count.Draw(t, "429"), Blocked: count.Draw(t, "blocked")}
			s.Offered = s.Accepted + s.Rejected429 + s.Blocked
			r.Timeline = append(r.Timeline, s)
		}
		chart := r.Chart()
		lines := strings.Split(chart, "\n")
		if len(lines) > 16 {
			t.Fatalf("%d lines", len(lines))
		}
		axis := -1
		for i, line := range lines {
			if n := utf8.RuneCountInString(line); n > ChartColumns || strings.HasSuffix(line, " ") {
				t.Fatalf("%d characters: %q", n, line)
			}
			before, _, found := strings.Cut(strings.Replace(line, "└", "│", 1), "│")
			if found && axis >= 0 && len(before) != axis {
				t.Fatalf("line %d is out of line:\n%s", i, chart)
			}
			if found {
				axis = len(before)
			}
		}
		sum := totals(merge(r.Timeline, 0, len(r.Timeline)))
		for v, glyph := range glyphs {
			// The legend has each once more.
			if shown := strings.Count(chart, string(glyph)) > 1; shown != (sum[v] > 0) {
				t.Fatalf("%d %s, but shown: %t\n%s", sum[v], verdictNames[v], shown, chart)
			}
		}
	})
}

func TestScale(t *testing.T) {
	for x, want := range map[float64]string{
		0: "0", 0.25: "0.25", 1: "1", 9.999: "10", 150: "150", 999.4: "999", 999.5: "1k", 999.6: "1k", 1234: "1.23k", 31_536_000: "31.5M",
		1e15: "1e+15", 2.5e-7: "2.5e-07", 0.002: "0.002", 100: "100", 12e12: "12T", 999.4e12: "999T", 999.5e12: "1e+15",
	} {
		if got := short(x); got != want {
			t.Errorf("%v is %s, want %s", x, got, want)
		}
	}
	for seconds, want := range map[float64]string{0.5: "0.5 s", 60: "1 min", 90: "1.5 min", 7200: "2 h", 86400 * 3: "3 d"} {
		if got := span(seconds); got != want {
			t.Errorf("%v seconds are %s, want %s", seconds, got, want)
		}
	}
	for _, tt := range []struct {
		span     float64
		unit     string
		distance float64
	}{{0, "seconds", 0}, {0.3, "seconds", 0.05}, {90, "seconds", 10}, {270, "seconds", 50}, {540, "minutes", 1}, {400, "minutes", 1}, {5000, "minutes", 10}, {20_000, "hours", 1}, {200_000, "hours", 12}, {31_536_000, "days", 50}} {
		unit, distance := timeAxis(tt.span, 9)
		if unit.name != tt.unit || math.Abs(distance-tt.distance) > 1e-12 {
			t.Errorf("%v seconds are cut every %v %s, want %v %s", tt.span, distance, unit.name, tt.distance, tt.unit)
		}
	}
}

// Bins are as many as there may be, of equally many steps.
func TestMerge(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		steps := make([]Step, rapid.IntRange(1, 300).Draw(t, "steps"))
		for i := range steps {
			steps[i] = Step{StartSeconds: float64(i), Accepted: 1, Rejected429: 2, Blocked: 3}
		}
		most := rapid.IntRange(1, 100).Draw(t, "most")
		bins := merge(steps, float64(len(steps)), most)
		size := int(bins[0].seconds())
		if len(bins) > most || size > 1 && (size-1)*most >= len(steps) {
			t.Fatalf("%d bins of %d, where %d bins may be", len(bins), size, most)
		}
		for i, b := range bins {
			n := int64(b.seconds())
			if b.start != float64(i*size) || i < len(bins)-1 && n != int64(size) || b.counts != (counts{n, 2 * n, 3 * n}) {
				t.Fatalf("bin %d is %+v", i, b)
			}
		}
		if last := bins[len(bins)-1]; last.end != float64(len(steps)) {
			t.Fatalf("the last bin is %+v", last)
		}
	})
}

func TestSVG(t *testing.T) {
	long := lockedOut
	long.Traffic = []Phase{{big.NewRat(100_000, 1), big.NewRat(20, 1)}}
	silent := lockedOut
	silent.Traffic = []Phase{{big.NewRat(100, 1), new(big.Rat)}}
	huge := Step{StartSeconds: 10, Offered: MaxRequests, Accepted: MaxRequests - 2, Rejected429: 1, Blocked: 1}
	tests := map[string]struct {
		steps []Step
		want  []string
	}{
		"all three": {simulated(t, lockedOut).Timeline, []string{
			"requests per second<", "time in seconds", "accepted: ", "429: 1", "blocked: ",
			`<path fill="#0072b2"`, `<path fill="#e69f00"`, `<path fill="#d55e00"`, "<title>", "stacked area chart of 15 timeline steps with 1650 requests: 464 accepted, 1 answered 429 and 1185 blocked.",
		}},
		"10000 steps": {simulated(t, long).Timeline, []string{"requests per second, mean of 4 min", "time in hours"}},
		"silence":     {simulated(t, silent).Timeline, []string{"accepted: 0", ">0<", ">1<"}},
		"one step":    {[]Step{huge}, []string{"requests in the only step", "a single step, from 10 s on", "accepted: 1e+15", "429: 1<"}},
		"last moment": {[]Step{{StartSeconds: MaxSeconds}}, []string{"a single step, from 11.6G d on"}},
		"no steps":    {nil, []string{"The timeline has no steps."}},
		"one request": {[]Step{{Offered: 1, Accepted: 1}}, []string{"chart of 1 timeline step with 1 request: 1 accepted, 0 answered 429 and 0 blocked.", ">0.2<", ">1.2<"}},
		"a late slice": {
			[]Step{{StartSeconds: 5_000_000}, {StartSeconds: 5_000_010}},
			[]string{">5000000<", ">5000005<", ">5000010<", ">5000015<"},
		},
		"a slice with long labels": {
			[]Step{{StartSeconds: 1e14}, {StartSeconds: 1e14 + 4}},
			[]string{">100000000000000<", ">100000000000002<", ">100000000000006<"},
		},
		"a slice": {[]Step{huge, {StartSeconds: 12.5}}, []string{">10<", ">15<", `<path fill="#d55e00"`}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			svg, problems := SVG(tt.steps)
			if problems != nil {
				t.Fatal(problems)
			}
			for _, want := range tt.want {
				if !strings.Contains(svg, want) {
					t.Errorf("no %q in\n%s", want, svg)
				}
			}
			for _, text := range checkSVG(t, svg).Texts {
				if (strings.HasPrefix(text.Text, "a single step") || strings.HasPrefix(text.Text, "time in")) && text.Y < plotBottom+20 {
					t.Errorf("%q stands in the plot", text.Text)
				}
			}
		})
	}
}

// checkSVG checks that a picture is short, parses as XML, has only finite numbers
// and no label of the time axis twice, and that no text leaves the picture or runs
// into another one.
func checkSVG(t *testing.T, svg string) picture {
	t.Helper()
	if len(svg) > 40_000 {
		t.Errorf("%d bytes", len(svg))
	}
	if strings.Contains(svg, "NaN") || strings.Contains(svg, "Inf") || strings.Contains(svg, "%!") {
		t.Errorf("not drawn:\n%s", svg)
	}
	if strings.Contains(svg, `.0"`) {
		t.Errorf("needless digits:\n%s", svg)
	}
	var p picture
	if err := xml.Unmarshal([]byte(svg), &p); err != nil {
		t.Fatal(err)
	}
	labels := map[string]bool{}
	ends := map[float64]float64{} // of the texts of a line
	for _, text := range p.Texts {
		// Digits of a sans serif are some 7 pixels wide at this size.
		start, width := text.X, 7*float64(utf8.RuneCountInString(text.Text))
		switch text.Anchor {
		case "middle":
			start -= width / 2
		case "end":
			start -= width
			if text.X > plotLeft-4 {
				t.Errorf("%q runs into the plot:\n%s", text.Text, svg)
			}
		}
		if start < 0 || start+width > svgWidth || text.Y < 10 || text.Y > svgHeight-5 {
			t.Errorf("%q leaves the picture:\n%s", text.Text, svg)
		}
		if end, ok := ends[text.Y]; ok && start < end+4 {
			t.Errorf("%q runs into the text before it:\n%s", text.Text, svg)
		}
		if text.Y != 30 { // of the legend, which stands from right to left
			ends[text.Y] = start + width
		}
		if text.Y == plotBottom+22 {
			if labels[text.Text] {
				t.Errorf("%q twice in\n%s", text.Text, svg)
			}
			labels[text.Text] = true
		}
	}
	for _, r := range p.Rects {
		if r.X < 0 || r.X+r.Width > svgWidth {
			t.Errorf("a rectangle leaves the picture:\n%s", svg)
		}
	}
	return p
}

// FuzzSVG: whatever the times and counts of two or more steps, a picture is drawn
// or the steps are refused.
func FuzzSVG(f *testing.F) {
	for _, s := range [][3]float64{
		{1, 1.0000000000000002, 1.0000000000000004},
		{999999999999998, 999999999999998.125, 999999999999998.25},
		{999999999999999.75, 999999999999999.875, 1e15},
		{999999999999995, 999999999999998.1, 999999999999998.2}, // 16 digits, though the logarithm of 1e15 + 1 is below 15
		{0.9999999999999999, 1, 0},                              // the last step is shorter than floats from 1 on are apart
		{0, math.SmallestNonzeroFloat64, 2 * math.SmallestNonzeroFloat64},
		{0, math.SmallestNonzeroFloat64, 1e15},
		{math.Copysign(0, -1), 1, 2},
		{1e-300, 2e-300, 3e-300},
		{5e14, 5e14 + 300, 5e14 + 600},
		{86400 * 1e6, 86400*1e6 + 100, 86400*1e6 + 1e7},
		{0, 10, 20},
	} {
		for _, n := range []int64{0, 1, MaxRequests / 3, MaxRequests} {
			f.Add(s[0], s[1], s[2], n, n/2, int64(1), uint16(2))
		}
		f.Add(s[0], s[1], s[2], int64(1), int64(0), int64(3), uint16(1000))
	}
	f.Fuzz(func(t *testing.T, a, b, c float64, accepted, rejected, blocked int64, more uint16) {
		steps := []Step{
			{StartSeconds: a, Offered: accepted, Accepted: accepted},
			{StartSeconds: b, Offered: rejected, Rejected429: rejected},
			{StartSeconds: c, Offered: blocked, Blocked: blocked},
		}
		for i := range int(more) % 2000 {
			next := steps[len(steps)-1].StartSeconds
			steps = append(steps, Step{StartSeconds: max(math.Nextafter(next, math.Inf(1)), next+float64(i%3)*(c-b)), Offered: blocked, Blocked: blocked})
		}
		for _, part := range [][]Step{steps, steps[:1], steps[:2], steps[1:]} {
			svg, problems := SVG(part)
			if (svg == "") != (problems != nil) {
				t.Fatalf("%q and %v", svg, problems)
			}
			if problems == nil {
				checkSVG(t, svg)
			}
		}
	})
}

func TestSVGRefuses(t *testing.T) {
	tests := map[string]struct {
		steps      []Step
		path, want string
	}{
		"before the run":   {[]Step{{StartSeconds: -1}}, "[0].start_seconds", "start_seconds is -1"},
		"no number":        {[]Step{{StartSeconds: math.NaN()}}, "[0].start_seconds", "start_seconds is NaN"},
		"beyond every run": {[]Step{{StartSeconds: 2e15}}, "[0].start_seconds", "0 to 1e+15 seconds"},
		"out of order":     {[]Step{{StartSeconds: 5}, {StartSeconds: 5}}, "[1].start_seconds", "the step before starts at 5"},
		"below 0":          {[]Step{{Offered: 0, Accepted: 1, Blocked: -1}}, "[0].blocked", "blocked is -1"},
		"too many":         {[]Step{{Offered: math.MaxInt64, Accepted: math.MaxInt64}}, "[0].offered", "0 to 1000000000000000 requests"},
		"more than a run": {
			[]Step{{Offered: MaxRequests, Accepted: MaxRequests}, {StartSeconds: 1, Offered: 1, Blocked: 1}, {StartSeconds: 2, Offered: 1, Blocked: 1}},
			"[1].offered", "the steps up to this one count 1000000000000001 requests, but a run offers at most 1000000000000000.",
		},
		"does not add up": {[]Step{{Offered: 3, Accepted: 1, Rejected429: 1}}, "[0].offered", "offered is 3, but accepted 1, rejected_429 1 and blocked 0 do not add up"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			svg, problems := SVG(tt.steps)
			if svg != "" || len(problems) != 1 || problems[0].Path.String() != tt.path || !strings.Contains(problems[0].Detail, tt.want) {
				t.Errorf("got %q, %+v, want %s: %q", svg, problems, tt.path, tt.want)
			}
		})
	}
}
