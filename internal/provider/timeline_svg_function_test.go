package provider

import (
	"encoding/xml"
	"errors"
	"flag"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
)

// readSVG parses a picture as XML and returns its texts and the colours of its
// areas.
func readSVG(t *testing.T, picture string) (texts, fills []string) {
	t.Helper()
	decoder := xml.NewDecoder(strings.NewReader(picture))
	var open []string
	for {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			return texts, fills
		}
		if err != nil {
			t.Fatalf("%v in:\n%s", err, picture)
		}
		switch token := token.(type) {
		case xml.StartElement:
			if len(open) == 0 && (token.Name.Local != "svg" || token.Name.Space != "http://www.w3.org/2000/svg") {
				t.Errorf("the picture is a %v", token.Name)
			}
			open = append(open, token.Name.Local)
			for _, a := range token.Attr {
				if token.Name.Local == "path" && a.Name.Local == "fill" && a.Value != "none" {
					fills = append(fills, a.Value)
				}
			}
		case xml.EndElement:
			open = open[:len(open)-1]
		case xml.CharData:
			if len(open) > 0 && open[len(open)-1] == "text" {
				texts = append(texts, string(token))
			}
		}
	}
}

func TestAccTimelineSVGFunction(t *testing.T) {
	s := applied(t, `
data "xcrl_simulation" "login" {
  limit        = { number = 10, per_period = "Seconds", mitigation_action = "Block", block_duration = 2, block_unit = "Seconds" }
  traffic      = [{ seconds = 10, requests_per_second = 20 }]
  step_seconds = 0.5
}
output "drawn" {
  value = provider::xcrl::timeline_svg(data.xcrl_simulation.login.timeline)
}
output "part" {
  value = provider::xcrl::timeline_svg(slice(data.xcrl_simulation.login.timeline, 1, 3))
}
output "written" {
  value = provider::xcrl::timeline_svg([
    { start_seconds = 0, offered = 3, accepted = 2, rejected_429 = 1, blocked = 0 },
    { start_seconds = "1.5", offered = 0, accepted = 0, rejected_429 = 0, blocked = 0, note = "silence" },
  ])
}
output "empty" {
  value = provider::xcrl::timeline_svg([])
}`)
	for name, want := range map[string]struct {
		areas int
		texts []string
	}{
		"drawn":   {3, []string{"accepted: 76", "429: 4", "blocked: 120", "requests per second", "time in seconds"}},
		"part":    {3, []string{"accepted: 9", "429: 1", "blocked: 10", "time in seconds"}},
		"written": {2, []string{"accepted: 2", "429: 1", "blocked: 0"}},
		"empty":   {0, []string{"accepted: 0", "429: 0", "blocked: 0"}},
	} {
		texts, fills := readSVG(t, s.outputs[name].(string))
		if len(fills) != want.areas {
			t.Errorf("%s: %d areas, want %d", name, len(fills), want.areas)
		}
		for _, text := range want.texts {
			if !slices.Contains(texts, text) {
				t.Errorf("%s: %q is not among the texts %q", name, text, texts)
			}
		}
	}
}

func TestAccTimelineSVGFunction_unknown(t *testing.T) {
	runInEngine(t, resource.TestCase{Steps: []resource.TestStep{{
		Config: `
resource "terraform_data" "rate" {
  input = 20
}
data "xcrl_simulation" "later" {
  limit        = { number = 10, per_period = "Seconds" }
  traffic      = [{ seconds = 10, requests_per_second = terraform_data.rate.output }]
  step_seconds = 0.5
}
output "later" {
  value = provider::xcrl::timeline_svg(data.xcrl_simulation.later.timeline)
}`,
		ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{
			plancheck.ExpectUnknownOutputValue("later"),
		}},
	}}})
}

func TestAccTimelineSVGFunction_refuses(t *testing.T) {
	step := func(start, offered, accepted string) string {
		return "{ start_seconds = " + start + ", offered = " + offered + ", accepted = " + accepted + ", rejected_429 = 0, blocked = 0 }"
	}
	steps := func(steps ...string) string { return "timeline_svg([" + strings.Join(steps, ", ") + "])" }
	wantRefusals(t, "timeline", []refusal{
		{"null", `timeline_svg(null)`, "argument must not be null"},
		{"text", `timeline_svg("0")`, "list of object required"},
		{"no steps", steps("1"), "object required"},
		{"missing part", steps("{ start_seconds = 0, offered = 1, accepted = 1, blocked = 0 }"), `attribute "rejected_429" is required`},
		{"words", steps(step("0", `"many"`, "0")), "a number is required"},
		{"null step", steps(step("0", "1", "1"), "null"), "at [1]: the step is null"},
		{"null part", steps(step("0", "null", "1")), "at [0].offered: offered is null, but every number of a step is needed."},
		{"fraction", steps(step("0", "1.5", "1.5")), "at [0].offered: offered is 1.5, but a step counts whole requests"},
		{"beyond int64", steps(step("0", "1e30", "1e30")), "at [0].offered: offered is 1000000000000000000000000000000, but a step counts whole requests, 1000000000000000 at most."},
		{"negative count", steps(step("0", "-1", "-1")), "at [0].offered: offered is -1, but a step counts 0 to"},
		{"not a sum", steps(step("0", "2", "1")), "at [0].offered: offered is 2, but accepted 1, rejected_429 0 and blocked 0 do not add up to it."},
		{"negative start", steps(step("-1", "1", "1")), "at [0].start_seconds: start_seconds is -1"},
		{"huge start", steps(step("1e999", "1", "1")), "at [0].start_seconds: start_seconds is"},
		{"not in order", steps(step("0", "1", "1"), step("1", "1", "1"), step("1", "1", "1")), "at [2].start_seconds: start_seconds is 1, but the step before starts at 1"},
	})
}

var update = flag.Bool("update", false, "write assets/timeline.svg anew")

// The guide shows what examples/client-profiles makes: its picture and a chart.
func TestAccTimelineSVGFunction_guide(t *testing.T) {
	read := func(path ...string) string {
		text, err := os.ReadFile(filepath.Join(append([]string{"..", ".."}, path...)...))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	// The acceptance-test library has a terraform block of its own.
	_, config, found := strings.Cut(read("examples", "client-profiles", "main.tf"), "\n}\n")
	if !found {
		t.Fatal("the example does not begin with a terraform block")
	}
	s := applied(t, config+`
output "picture" {
  value = provider::xcrl::timeline_svg(data.xcrl_simulation.crawler.timeline)
}`)
	picture := s.outputs["picture"].(string)
	if *update {
		if err := os.WriteFile(filepath.Join("..", "..", "assets", "timeline.svg"), []byte(picture), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if read("assets", "timeline.svg") != picture {
		t.Error("assets/timeline.svg is not what the example makes: run this test with -update and look at the picture")
	}
	if chart := s.outputs["charts"].(map[string]any)["crawler"].(string); !strings.Contains(read("templates", "guides", "what-a-client-will-meet.md.tmpl"), chart) {
		t.Errorf("the guide does not show the chart that the example makes:\n%s", chart)
	}
}
