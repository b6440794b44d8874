package provider

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/tfjsonpath"

	"github.com/xcrl/terraform-provider-xcrl/internal/calc"
)

// goldenCase is a worked case with the right answer, as calc's testdata has it.
type goldenCase struct {
	Name  string
	Input map[string]any
	Want  map[string]any
}

// goldenCases reads a golden file of calc; numbers stay the text they are.
func goldenCases[T any](t *testing.T, file string, count int) []T {
	t.Helper()
	text, err := os.Open("../calc/" + file)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = text.Close() }()
	decoder := json.NewDecoder(text)
	decoder.UseNumber()
	decoder.DisallowUnknownFields()
	var cases []T
	if err := decoder.Decode(&cases); err != nil {
		t.Fatal(err)
	}
	if len(cases) != count {
		t.Fatalf("%s has %d cases, want %d", file, len(cases), count)
	}
	return cases
}

// arguments writes an object's attributes as the arguments of a block.
func arguments(t *testing.T, input map[string]any) string {
	t.Helper()
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(input)) {
		fmt.Fprintf(&b, "  %s = %s\n", name, hcl(t, input[name]))
	}
	return b.String()
}

// sameValue compares decoded JSON exactly: numbers as the nearest float64 of
// their text, which is what a golden float is.
func sameValue(got, want any) bool {
	switch w := want.(type) {
	case json.Number:
		g, ok := got.(json.Number)
		if !ok {
			return false
		}
		gf, gotErr := g.Float64()
		wf, wantErr := w.Float64()
		return gotErr == nil && wantErr == nil && gf == wf
	case map[string]any:
		g, ok := got.(map[string]any)
		if !ok || len(g) != len(w) {
			return false
		}
		for key := range w {
			if !sameValue(g[key], w[key]) {
				return false
			}
		}
		return true
	case []any:
		g, ok := got.([]any)
		return ok && slices.EqualFunc(g, w, sameValue)
	default:
		return reflect.DeepEqual(got, want)
	}
}

// codes returns the codes of findings in order.
func codes(findings any) any {
	list := []any{}
	for _, f := range findings.([]any) {
		list = append(list, f.(map[string]any)["code"])
	}
	return list
}

// withoutNulls drops what is null from a decoded object, at every depth.
func withoutNulls(value any) any {
	object, ok := value.(map[string]any)
	if !ok {
		return value
	}
	kept := map[string]any{}
	for key, v := range object {
		if v != nil {
			kept[key] = withoutNulls(v)
		}
	}
	return kept
}

// asGolden reshapes the attributes of an answer as the golden cases have them.
func asGolden(t *testing.T, answer map[string]any) map[string]any {
	t.Helper()
	got := maps.Clone(answer)
	got["warning_codes"] = codes(answer["warnings"])
	got["caveat_codes"] = codes(answer["caveats"])
	decoder := json.NewDecoder(strings.NewReader(answer["xc_limit_json"].(string)))
	decoder.UseNumber()
	var xc any
	if err := decoder.Decode(&xc); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(xc, withoutNulls(answer["xc_limit"])) {
		t.Errorf("xc_limit_json is %v, but xc_limit without its nulls is %v", xc, withoutNulls(answer["xc_limit"]))
	}
	got["xc_limit_json"] = xc
	return got
}

func TestAccRateLimitDataSource_golden(t *testing.T) {
	cases := goldenCases[goldenCase](t, "testdata/rate_limit.json", 68)
	var config strings.Builder
	for i, c := range cases {
		fmt.Fprintf(&config, "data \"xcrl_rate_limit\" \"case_%d\" {\n%s}\n", i, arguments(t, c.Input))
	}
	s := applied(t, config.String())
	for i, c := range cases {
		t.Run(c.Name, func(t *testing.T) {
			answer := s.data[fmt.Sprintf("data.xcrl_rate_limit.case_%d", i)]
			for name, written := range c.Input {
				if !sameValue(answer[name], written) {
					t.Errorf("%s is %v, but %v was written", name, answer[name], written)
				}
			}
			got := asGolden(t, answer)
			if len(c.Want) == 0 {
				t.Error("nothing is wanted")
			}
			for name, want := range c.Want {
				if value, there := got[name]; !there || !sameValue(value, want) {
					t.Errorf("%s is %v, want %v", name, got[name], want)
				}
			}
		})
	}
}

// Every attribute of one answer, so that none goes unlooked at.
func TestAccRateLimitDataSource_everyAttribute(t *testing.T) {
	object := knownvalue.ObjectExact
	finding := func(code, message string) knownvalue.Check {
		return object(map[string]knownvalue.Check{"code": knownvalue.StringExact(code), "message": knownvalue.StringExact(message)})
	}
	want := map[string]knownvalue.Check{
		"number":                     knownvalue.Int64Exact(10),
		"per_period":                 knownvalue.StringExact("minute"),
		"periods":                    knownvalue.Int64Exact(1),
		"burst_multiplier":           knownvalue.Int64Exact(3),
		"mitigation_action":          knownvalue.StringExact("BLOCK"),
		"block_duration":             knownvalue.Int64Exact(15),
		"block_unit":                 knownvalue.StringExact("MINUTE"),
		"algorithm":                  knownvalue.StringExact("leaky_bucket"),
		"overflow_at":                knownvalue.StringExact("2026-03-01T23:59:00.125-03:30"),
		"client_requests_per_second": knownvalue.Float64Exact(0.3),
		"enforcement_points":         knownvalue.Int64Exact(4),
		"hard_ceiling":               knownvalue.Int64Exact(100),
		"id":                         knownvalue.StringExact("leaky_bucket:rate=1/6s:burst=30:lockout=900s"),
		"summary":                    knownvalue.StringExact("10 requests per minute (one slot every 6 s), up to 30 at once; overflow is answered 429 and locks the client out for 15 minutes."),
		"window_seconds":             knownvalue.Int64Exact(60),
		"requests_per_second":        knownvalue.Float64Exact(1.0 / 6),
		"requests_per_minute":        knownvalue.Float64Exact(10),
		"requests_per_hour":          knownvalue.Float64Exact(600),
		"normalized":                 object(map[string]knownvalue.Check{"requests": knownvalue.Int64Exact(1), "seconds": knownvalue.Int64Exact(6)}),
		"canonical": object(map[string]knownvalue.Check{
			"number": knownvalue.Int64Exact(10), "per_period": knownvalue.StringExact("Minutes"), "periods": knownvalue.Int64Exact(1),
		}),
		"burst_ceiling":           knownvalue.Int64Exact(30),
		"first_rejected_request":  knownvalue.Int64Exact(31),
		"seconds_per_request":     knownvalue.Float64Exact(6),
		"drain_seconds":           knownvalue.Int64Exact(180),
		"max_requests_per_window": knownvalue.Int64Exact(40),
		"lockout_seconds":         knownvalue.Int64Exact(900),
		"lockout_end":             knownvalue.StringExact("2026-03-02T00:14:00.125-03:30"),
		"burst_after_lockout":     knownvalue.Int64Exact(30),
		"overshoot_ceiling":       knownvalue.Int64Exact(120),
		"client_outcome": object(map[string]knownvalue.Check{
			"limited": knownvalue.Bool(true), "first_429_request": knownvalue.Int64Exact(67),
			"first_429_seconds": knownvalue.Float64Exact(220), "rejected_share": knownvalue.Null(),
		}),
		"warnings": knownvalue.ListExact([]knownvalue.Check{
			finding("client-rate-exceeds-limit", "A client that sends 0.3 requests per second evenly is faster than the limit of 10 requests per minute: 429s begin with request 67, after 220 seconds. That starts a lockout of 15 minutes, which ends after 1120 seconds."),
			finding("overshoot-exceeds-hard-ceiling", "Before their counters converge, 4 enforcement points with a burst ceiling of 30 each let up to 120 requests through at once, above the hard ceiling of 100. Lower number or burst_multiplier, or protect the origin elsewhere."),
		}),
		"caveats": knownvalue.ListExact([]knownvalue.Check{
			finding("distributed-counting", "Every Regional Edge and proxy keeps its own count: spread over 4 enforcement points, one client can get 120 requests through before the counters converge. F5 publishes no convergence time."),
			finding("lockout-sticks", "A lockout always lasts 15 minutes, however long the bucket has been empty by then."),
			finding("no-fixed-window", "No window resets: the bucket drains continuously, and at one enforcement point up to 40 requests can pass within 1 minute, a full bucket and every slot that frees meanwhile."),
			finding("overflow-returns-429", "An overflowing request is answered 429 whatever the mitigation action. To stop limiting, remove or bypass the limiter."),
		}),
		"xc_limit": object(map[string]knownvalue.Check{
			"total_number": knownvalue.Int64Exact(10), "unit": knownvalue.StringExact("MINUTE"),
			"period_multiplier": knownvalue.Int64Exact(1), "burst_multiplier": knownvalue.Int64Exact(3),
			"leaky_bucket": object(map[string]knownvalue.Check{}), "token_bucket": knownvalue.Null(), "disabled": knownvalue.Null(),
			"action_block": object(map[string]knownvalue.Check{
				"hours": knownvalue.Null(), "seconds": knownvalue.Null(),
				"minutes": object(map[string]knownvalue.Check{"duration": knownvalue.Int64Exact(15)}),
			}),
		}),
		"xc_limit_json": knownvalue.StringExact(`{"total_number":10,"unit":"MINUTE","period_multiplier":1,"burst_multiplier":3,"leaky_bucket":{},"action_block":{"minutes":{"duration":15}}}`),
	}
	if len(want) != len(evaluationTypes) {
		t.Errorf("%d attributes are looked at, but there are %d", len(want), len(evaluationTypes))
	}
	checks := []plancheck.PlanCheck{}
	for name, check := range want {
		checks = append(checks, plancheck.ExpectKnownOutputValueAtPath("answer", tfjsonpath.New(name), check))
	}
	runInEngine(t, resource.TestCase{Steps: []resource.TestStep{{
		Config: `
data "xcrl_rate_limit" "login" {
  number                     = 10
  per_period                 = "minute"
  burst_multiplier           = 3
  mitigation_action          = "BLOCK"
  block_duration             = 15
  block_unit                 = "MINUTE"
  overflow_at                = "2026-03-01T23:59:00.125-03:30"
  client_requests_per_second = 0.3
  enforcement_points         = 4
  hard_ceiling               = 100
}
output "answer" { value = data.xcrl_rate_limit.login }`,
		ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: checks},
	}}})
}

func TestAccRateLimitDataSource_nullIsDefault(t *testing.T) {
	s := applied(t, `
data "xcrl_rate_limit" "written" {
  number                     = 100
  per_period                 = "Minutes"
  periods                    = null
  burst_multiplier           = null
  mitigation_action          = null
  block_duration             = null
  block_unit                 = null
  algorithm                  = null
  overflow_at                = null
  client_requests_per_second = null
  enforcement_points         = null
  hard_ceiling               = null
}
data "xcrl_rate_limit" "left_out" {
  number     = 100
  per_period = "Minutes"
}`)
	written, leftOut := s.data["data.xcrl_rate_limit.written"], s.data["data.xcrl_rate_limit.left_out"]
	if !reflect.DeepEqual(written, leftOut) {
		t.Errorf("null arguments answer %v, left out ones %v", written, leftOut)
	}
	for name, want := range map[string]any{
		calc.ArgPeriods: json.Number("1"), calc.ArgBurstMultiplier: json.Number("1"), calc.ArgMitigationAction: "Disabled",
		calc.ArgBlockDuration: nil, calc.ArgBlockUnit: nil, calc.ArgAlgorithm: "leaky_bucket", calc.ArgOverflowAt: nil,
		calc.ArgClientRate: nil, calc.ArgEnforcementPoints: json.Number("1"), calc.ArgHardCeiling: nil,
	} {
		if leftOut[name] != want {
			t.Errorf("%s defaults to %v, want %v", name, leftOut[name], want)
		}
	}
}

func TestAccRateLimitDataSource_unknownDefersToApply(t *testing.T) {
	// terraform_data makes values that are known only after apply.
	values := map[string]string{
		calc.ArgNumber: "100", calc.ArgPerPeriod: `"Minutes"`, calc.ArgPeriods: "2", calc.ArgBurstMultiplier: "2",
		calc.ArgMitigationAction: `"Block"`, calc.ArgBlockDuration: "5", calc.ArgBlockUnit: `"Minutes"`,
		calc.ArgAlgorithm: `"token_bucket"`, calc.ArgOverflowAt: `"2026-03-01T10:00:00Z"`, calc.ArgClientRate: "0.5",
		calc.ArgEnforcementPoints: "3", calc.ArgHardCeiling: "700",
	}
	if len(values) != len(calc.ArgumentNames) {
		t.Fatalf("%d arguments are tried, but there are %d", len(values), len(calc.ArgumentNames))
	}
	var config strings.Builder
	checks := []plancheck.PlanCheck{}
	for _, unknown := range calc.ArgumentNames {
		fmt.Fprintf(&config, "resource \"terraform_data\" %q {\n  input = %s\n}\n", unknown, values[unknown])
		fmt.Fprintf(&config, "data \"xcrl_rate_limit\" %q {\n", unknown)
		for _, name := range calc.ArgumentNames {
			value := values[name]
			if name == unknown {
				value = fmt.Sprintf("terraform_data.%s.output", name)
			}
			fmt.Fprintf(&config, "  %s = %s\n", name, value)
		}
		config.WriteString("}\n")
		fmt.Fprintf(&config, "output %q {\n  value = data.xcrl_rate_limit.%s.overshoot_ceiling\n}\n", unknown, unknown)
		checks = append(checks, plancheck.ExpectUnknownOutputValue(unknown))
	}
	got := state{outputs: map[string]any{}, data: map[string]map[string]any{}}
	runInEngine(t, resource.TestCase{Steps: []resource.TestStep{{
		Config:            config.String(),
		ConfigPlanChecks:  resource.ConfigPlanChecks{PreApply: checks},
		ConfigStateChecks: []statecheck.StateCheck{&got},
	}}})
	for _, name := range calc.ArgumentNames {
		if got.outputs[name] != json.Number("600") {
			t.Errorf("after apply with %s unknown until then: %v, want 600", name, got.outputs[name])
		}
	}
}

// badArgument is a wrong argument, and what is said on it.
type badArgument struct {
	name     string // of the data source
	config   string // its arguments
	at       string // the line that the engine shows as at fault
	messages []string
}

func (b badArgument) block() string {
	return fmt.Sprintf("data \"xcrl_rate_limit\" %q {\n%s}\n", b.name, b.config)
}

const fineLimit = "number = 100\nper_period = \"Minutes\"\n"

var badArguments = func() []badArgument {
	var bad []badArgument
	add := func(name, config, at string, messages ...string) {
		bad = append(bad, badArgument{name, config, at, messages})
	}
	for name, n := range map[string]string{"zero": "0", "above": "8193", "negative": "-1", "huge": "1e30"} {
		add("number_"+name, "number = "+n+"\nper_period = \"Minutes\"\n", "number = "+n,
			" but it takes a whole number from 1 to 8192. It is total_number in XC's API", "shorter window")
	}
	add("number_fraction", "number = 1.5\nper_period = \"Minutes\"\n", "number = 1.5",
		"number is 1.5, but it takes a whole number from 1 to 8192.", "nothing is rounded for you")
	for name, n := range map[string]string{"zero": "0", "above": "4294967296", "negative": "-1"} {
		add("periods_"+name, fineLimit+"periods = "+n+"\n", "periods = "+n,
			"periods is "+n+", but it takes a whole number from 1 to 4294967295.", "leave periods out")
	}
	for name, n := range map[string]string{"zero": "0", "above": "101"} {
		add("burst_"+name, fineLimit+"burst_multiplier = "+n+"\n", "burst_multiplier = "+n,
			"burst_multiplier is "+n+", but it takes a whole number from 1 to 100.", "multiply number and periods")
	}
	for name, n := range map[string]string{"zero": "0", "above": "1000001"} {
		add("points_"+name, fineLimit+"enforcement_points = "+n+"\n", "enforcement_points = "+n,
			"enforcement_points is "+n+", but it takes a whole number from 1 to 1000000.", "Leave it out")
	}
	add("ceiling_zero", fineLimit+"hard_ceiling = 0\n", "hard_ceiling = 0", "hard_ceiling is 0, but it takes a whole number of at least 1.")
	add("period_day", "number = 100\nper_period = \"DAY\"\n", `per_period = "DAY"`, `per_period is "DAY".`, "Use Hours with periods 24.")
	add("period_empty", "number = 100\nper_period = \"\"\n", `per_period = ""`, `per_period is "".`, "Write Seconds, Minutes or Hours.")
	add("period_fortnights", "number = 100\nper_period = \"Fortnights\"\n", `per_period = "Fortnights"`, `per_period is "Fortnights".`, "Write Seconds, Minutes or Hours.")
	add("action_wrong", fineLimit+"mitigation_action = \"Off\"\n", `mitigation_action = "Off"`, `mitigation_action is "Off"`, "Disabled does not switch the limit off")
	add("block_alone", fineLimit+"mitigation_action = \"Block\"\n", "", "mitigation_action is Block, which locks a client out", "write block_duration and block_unit, from 1 to 300 Seconds, 1 to 60 Minutes or 1 to 48 Hours")
	add("block_no_unit", fineLimit+"mitigation_action = \"Block\"\nblock_duration = 5\n", "", "Missing block_unit")
	add("duration_alone", fineLimit+"block_duration = 5\n", "block_duration = 5", "block_duration is written, but mitigation_action is Disabled, and XC has no lockout without Block.")
	add("unit_alone", fineLimit+"block_unit = \"Hours\"\n", `block_unit = "Hours"`, "block_unit is written, but mitigation_action is Disabled")
	for _, b := range []struct{ name, duration, unit, say string }{
		{"seconds", "301", "Seconds", "XC's seconds stop at 300, so write 5 or 6 Minutes."},
		{"minutes", "61", "Minutes", "XC's minutes stop at 60, so write 1 or 2 Hours."},
		{"ninety", "90", "Minutes", "XC's minutes stop at 60, so write 1 or 2 Hours."},
		{"two_hours", "120", "Minutes", "XC's minutes stop at 60, so write 2 Hours."},
		{"hours", "49", "Hours", "The longest lockout is 48 Hours."},
		{"none", "0", "Hours", `To lock nobody out, write mitigation_action = "Disabled"`},
	} {
		add("block_"+b.name, fineLimit+"mitigation_action = \"Block\"\nblock_duration = "+b.duration+"\nblock_unit = \""+b.unit+"\"\n",
			"block_duration = "+b.duration, b.say)
	}
	add("block_unit_day", fineLimit+"mitigation_action = \"Block\"\nblock_duration = 1\nblock_unit = \"day\"\n", `block_unit = "day"`, "Use Hours with block_duration 24.")
	add("algorithm_wrong", fineLimit+"algorithm = \"fixed_window\"\n", `algorithm = "fixed_window"`, `algorithm is "fixed_window", but XC knows "leaky_bucket"`)
	add("time_wrong", fineLimit+"overflow_at = \"2026-03-01 10:00\"\n", `overflow_at = "2026-03-01 10:00"`, "such as 2026-03-01T10:00:00Z")
	for name, n := range map[string]string{"zero": "0", "negative": "-0.5"} {
		add("client_"+name, fineLimit+"client_requests_per_second = "+n+"\n", "client_requests_per_second = "+n,
			"client_requests_per_second is "+n+", but a client is judged by the requests it sends: write a number above 0")
	}
	add("client_huge", fineLimit+"client_requests_per_second = 1e2000\n", "client_requests_per_second = 1e2000", "only from 1e-1000 to 1e1000")
	return bad
}()

func TestAccRateLimitDataSource_refuses(t *testing.T) {
	var config strings.Builder
	for _, b := range badArguments {
		config.WriteString(b.block())
	}
	said := refused(t, config.String())
	for _, b := range badArguments {
		t.Run(b.name, func(t *testing.T) {
			about := complaints(said, "data.xcrl_rate_limit."+b.name)
			wantSaid(t, about, b.messages...)
			if b.at != "" {
				wantSaid(t, about, ": "+b.at+" ")
			}
		})
	}
}

// complaints picks out of all that the engine said what it said about one
// address.
func complaints(said, address string) string {
	var about []string
	for complaint := range strings.SplitSeq(said, "Error: ") {
		if strings.Contains(complaint, "with "+address+",") {
			about = append(about, complaint)
		}
	}
	return strings.Join(about, " ")
}

// What is unknown at validation is refused once it is known.
func TestAccRateLimitDataSource_refusesDuringApply(t *testing.T) {
	said := refused(t, `
resource "terraform_data" "number" {
  input = 8193
}
data "xcrl_rate_limit" "late" {
  number     = terraform_data.number.output
  per_period = "Minutes"
}`)
	wantSaid(t, said, "number is 8193, but it takes a whole number from 1 to 8192.", "number = terraform_data.number.output")
}

func TestAccRateLimitDataSource_missingArguments(t *testing.T) {
	said := refused(t, `data "xcrl_rate_limit" "empty" {}`)
	wantSaid(t, said, `The argument "number" is required`, `The argument "per_period" is required`)
}

// The purpose of the provider: a plan that refuses a bad limit.
func TestAccRateLimitDataSource_assertions(t *testing.T) {
	config := func(burst int) string {
		return fmt.Sprintf(`
data "xcrl_rate_limit" "api" {
  number           = 100
  per_period       = "Seconds"
  burst_multiplier = %d
  hard_ceiling     = 2000
  lifecycle {
    postcondition {
      condition     = self.overshoot_ceiling <= self.hard_ceiling
      error_message = "The origin takes 2000 requests at once, not ${self.overshoot_ceiling}."
    }
  }
}
resource "terraform_data" "limiter" {
  lifecycle {
    precondition {
      condition     = !contains(data.xcrl_rate_limit.api.warnings[*].code, "burst-multiplier-high")
      error_message = "Too large a burst."
    }
  }
}`, burst)
	}
	applied(t, config(10))
	wantSaid(t, refused(t, config(25)), "The origin takes 2000 requests at once, not 2500.")
}
