package simulation

import (
	"encoding/xml"
	"errors"
	"io"
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
}

func TestChartIsNarrowAndShort(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := Result{Seconds: drawRat(1_000_000).Draw(t, "seconds")}
		n := rapid.IntRange(1, 300).Draw(t, "steps")
		step := calc.Float64(r.Seconds) / float64(n)
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
		for _, line := range lines {
			if n := utf8.RuneCountInString(line); n > ChartColumns || strings.HasSuffix(line, " ") {
				t.Fatalf("%d characters: %q", n, line)
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
		0: "0", 0.25: "0.25", 1: "1", 9.999: "10", 150: "150", 999.4: "999", 999.6: "1k", 1234: "1.23k", 31_536_000: "31.5M",
		1e15: "1e+15", 2.5e-7: "2.5e-07", 0.002: "0.002", 100: "100", 12e12: "12T",
	} {
		if got := short(x); got != want {
			t.Errorf("%v is %s, want %s", x, got, want)
		}
	}
	for seconds, want := range map[float64]string{0.5: "0.5 s", 90: "1.5 min", 7200: "2 h", 86400 * 3: "3 d"} {
		if got := span(seconds); got != want {
			t.Errorf("%v seconds are %s, want %s", seconds, got, want)
		}
	}
	for _, tt := range []struct {
		span     float64
		unit     string
		distance float64
	}{{0, "seconds", 0}, {0.3, "seconds", 0.05}, {90, "seconds", 10}, {400, "minutes", 1}, {5000, "minutes", 10}, {20_000, "hours", 1}, {200_000, "hours", 12}, {31_536_000, "days", 50}} {
		unit, distance := timeAxis(tt.span, 9)
		if unit.name != tt.unit || math.Abs(distance-tt.distance) > 1e-12 {
			t.Errorf("%v seconds are cut every %v %s, want %v %s", tt.span, distance, unit.name, tt.distance, tt.unit)
		}
	}
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
			`<path fill="#0072b2"`, `<path fill="#e69f00"`, `<path fill="#d55e00"`, "<title>", "stacked area chart of 15 timeline steps",
		}},
		"10000 steps": {simulated(t, long).Timeline, []string{"requests per second, mean of 4 min", "time in hours"}},
		"silence":     {simulated(t, silent).Timeline, []string{"accepted: 0"}},
		"one step":    {[]Step{huge}, []string{"requests in the only step", "a single step, from 10 s on", "accepted: 1e+15", "429: 1<"}},
		"no steps":    {nil, []string{"The timeline has no steps."}},
		"a slice":     {[]Step{huge, {StartSeconds: 12.5}}, []string{">10<", ">15<", `<path fill="#d55e00"`}},
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
			if len(svg) > 40_000 {
				t.Errorf("%d bytes", len(svg))
			}
			if strings.Contains(svg, "NaN") || strings.Contains(svg, "Inf") || strings.Contains(svg, "%!") {
				t.Errorf("not drawn:\n%s", svg)
			}
			decoder := xml.NewDecoder(strings.NewReader(svg))
			for {
				if _, err := decoder.Token(); errors.Is(err, io.EOF) {
					break
				} else if err != nil {
					t.Fatal(err)
				}
			}
		})
	}
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
		"does not add up":  {[]Step{{Offered: 3, Accepted: 1, Rejected429: 1}}, "[0].offered", "offered is 3, but accepted 1, rejected_429 1 and blocked 0 do not add up"},
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
