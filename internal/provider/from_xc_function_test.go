package provider

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
)

// xcShape returns an object as XC shapes it, as HCL, whose JSON is HCL already.
func xcShape(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "calc", "xcshape", "testdata", name+".json"))
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(text))
}

// xcTuple is an answer of from_xc in HCL.
func xcTuple(number int, perPeriod string, periods, burst int, rest string) string {
	return fmt.Sprintf("number = %d, per_period = %q, periods = %d, burst_multiplier = %d, %s", number, perPeriod, periods, burst, rest)
}

const (
	xcDisabled = `mitigation_action = "Disabled", block_duration = null, block_unit = null, algorithm = "leaky_bucket"`
	xcLeaky    = `algorithm = "leaky_bucket"`
)

// xcCase is an argument of from_xc and the tuple that it is, both in HCL.
type xcCase struct{ name, value, want string }

// wantTuples has the engine answer every case, and takes each answer on to
// evaluate and back through the limit as the API has it.
func wantTuples(t *testing.T, cases []xcCase) {
	t.Helper()
	var config strings.Builder
	for i, c := range cases {
		fmt.Fprintf(&config, `
output "got_%[1]d" { value = provider::xcrl::from_xc(%[2]s) }
output "want_%[1]d" { value = { %[3]s } }
output "limit_%[1]d" { value = provider::xcrl::evaluate(provider::xcrl::from_xc(%[2]s)).xc_limit_json }
output "again_%[1]d" { value = provider::xcrl::from_xc(provider::xcrl::evaluate({ %[3]s }).xc_limit_json) }
`, i, c.value, c.want)
	}
	s := applied(t, config.String())
	for i, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			output := func(kind string) any { return s.outputs[kind+"_"+strconv.Itoa(i)] }
			want := output("want")
			if got := output("got"); !reflect.DeepEqual(got, want) {
				t.Errorf("from_xc gives %v, want %v", got, want)
			}
			if again := output("again"); !reflect.DeepEqual(again, want) {
				t.Errorf("from_xc of evaluate's xc_limit_json %v gives %v, want %v", output("limit"), again, want)
			}
		})
	}
}

// xcFiles are the shapes and what each means.
var xcFiles = map[string]string{
	"api-get-rate-limiter": xcTuple(10, "Minutes", 1, 3, `mitigation_action = "Block", block_duration = 15, block_unit = "Minutes", `+xcLeaky),
	"volterra-resource":    xcTuple(100, "Minutes", 5, 10, xcDisabled),
	"f5xc-resource":        xcTuple(2, "Seconds", 1, 1, `mitigation_action = "Block", block_duration = 2, block_unit = "Hours", algorithm = "token_bucket"`),
	"lb-rate-limit":        xcTuple(500, "Hours", 1, 2, xcDisabled),
	"inline-rate-limiter":  xcTuple(20, "Minutes", 1, 1, xcDisabled),
}

func TestAccFromXCFunction_shapes(t *testing.T) {
	var cases []xcCase
	for _, name := range slices.Sorted(maps.Keys(xcFiles)) {
		shape, want := xcShape(t, name), xcFiles[name]
		cases = append(cases,
			xcCase{name, shape, want},
			xcCase{name + " as JSON text", strconv.Quote(shape), want},
			xcCase{name + " decoded", "jsondecode(" + strconv.Quote(shape) + ")", want},
			xcCase{name + " in a list", "[" + shape + "]", want},
		)
	}
	wantTuples(t, cases)
}

// Where a limit may stand, and what XC takes for what is unset.
func TestAccFromXCFunction_forms(t *testing.T) {
	base := xcTuple(7, "Seconds", 1, 1, xcDisabled)
	block := func(duration int, unit string) string {
		return xcTuple(7, "Seconds", 1, 1, fmt.Sprintf(`mitigation_action = "Block", block_duration = %d, block_unit = %q, %s`, duration, unit, xcLeaky))
	}
	wantTuples(t, []xcCase{
		{"at the top", `{ total_number = 7 }`, base},
		{"in limits, a typed list", `{ limits = tolist([{ total_number = 7 }]) }`, base},
		{"in limits, a set", `{ limits = toset([{ total_number = 7 }]) }`, base},
		{"in spec", `{ spec = { limits = [{ total_number = 7 }] } }`, base},
		{"in rate_limiter", `{ rate_limiter = { total_number = 7 } }`, base},
		{"in a load balancer of lists", `{ rate_limit = [{ rate_limiter = [{ total_number = 7 }] }] }`, base},
		{"inline", `{ threshold = 7 }`, base},
		{"all null", `{ total_number = 7, unit = null, period_multiplier = null, burst_multiplier = null, disabled = null, action_block = null, leaky_bucket = null, token_bucket = null }`, base},
		{"all empty", `{ total_number = 7, unit = "", period_multiplier = 0, burst_multiplier = 0, disabled = false, action_block = [], leaky_bucket = [], token_bucket = [] }`, base},
		{"empty objects choose", `{ total_number = 7, disabled = {}, leaky_bucket = {} }`, base},
		{"a map of strings", `tomap({ total_number = "7", disabled = "true" })`, base},
		{"seconds", `{ total_number = 7, action_block = { seconds = { duration = 300 } } }`, block(300, "Seconds")},
		{"hours in lists", `{ total_number = 7, action_block = [{ hours = [{ duration = 48 }], minutes = [], seconds = [] }] }`, block(48, "Hours")},
		{"huge", `{ total_number = 8192, unit = "HOUR", period_multiplier = 4294967295, burst_multiplier = 100 }`, xcTuple(8192, "Hours", 4294967295, 100, xcDisabled)},
	})
}

// A planned resource has no id yet; what it lacks matters only where the limit
// needs it.
func TestAccFromXCFunction_unknown(t *testing.T) {
	known := map[string]string{
		"id":       `{ id = terraform_data.x.id, limits = [{ total_number = 7, unit = "MINUTE", disabled = {} }] }`,
		"in_list":  `{ id = terraform_data.x.id, limits = tolist([{ total_number = 7, unit = "MINUTE", disabled = true }]) }`,
		"metadata": `[{ metadata = terraform_data.x.output, limits = [{ total_number = 7, unit = "MINUTE", leaky_bucket = terraform_data.x.output }] }]`,
		"other":    `{ total_number = 7, unit = "MINUTE", disabled = {}, action_block = terraform_data.x.output }`,
	}
	unknown := map[string]string{
		"all":     `terraform_data.x.output`,
		"text":    `jsonencode({ total_number = terraform_data.x.output })`,
		"limits":  `{ limits = terraform_data.x.output }`,
		"typed":   `{ limits = tolist([terraform_data.x.output]) }`,
		"entry":   `{ limits = [terraform_data.x.output] }`,
		"number":  `{ limits = [{ total_number = terraform_data.x.output }] }`,
		"action":  `{ total_number = 7, action_block = terraform_data.x.output }`,
		"minutes": `{ total_number = 7, action_block = { minutes = { duration = terraform_data.x.output } } }`,
	}
	config := "resource \"terraform_data\" \"x\" {\n  input = \"later\"\n}\n"
	var checks []plancheck.PlanCheck
	for name, value := range known {
		config += fmt.Sprintf("output \"known_%s\" {\n  value = provider::xcrl::evaluate(provider::xcrl::from_xc(%s)).id\n}\n", name, value)
		checks = append(checks, plancheck.ExpectKnownOutputValue("known_"+name, knownvalue.StringExact("leaky_bucket:rate=7/60s:burst=7:lockout=0s")))
	}
	for name, value := range unknown {
		config += fmt.Sprintf("output \"unknown_%s\" {\n  value = provider::xcrl::from_xc(%s)\n}\n", name, value)
		checks = append(checks, plancheck.ExpectUnknownOutputValue("unknown_"+name))
	}
	runInEngine(t, resource.TestCase{Steps: []resource.TestStep{{
		Config:             config,
		PlanOnly:           true,
		ExpectNonEmptyPlan: true,
		ConfigPlanChecks:   resource.ConfigPlanChecks{PostApplyPreRefresh: checks},
	}}})
}

// Every error of one run, and the path inside the argument that it names.
func TestAccFromXCFunction_refuses(t *testing.T) {
	wantRefusals(t, "value", []refusal{
		{"null", `from_xc(null)`, "argument must not be null"},
		{"empty object", `from_xc({})`, "A limit is looked for in limits, spec.limits,"},
		{"empty list", `from_xc([])`, "The value is null or empty."},
		{"empty text", `from_xc("")`, "this one is none: it is empty."},
		{"no JSON", `from_xc("limits")`, "A text is read as the JSON of an XC object, and this one is none: at byte 1, invalid character"},
		{"half a JSON", `from_xc("{\"limits\":[")`, "it ends before the value does."},
		{"a number", `from_xc(100)`, "XC has an object, or a list of at most one object here, and this is the number 100."},
		{"a bool", `from_xc(true)`, "this is the boolean true."},
		{"nothing recognisable", `from_xc({ name = "login", namespace = "shop" })`, "This object holds name, namespace."},
		{"no limits", `from_xc(` + xcShape(t, "api-get-no-limits") + `)`, "at spec.limits: XC accepts a rate_limiter without limits, and such a limiter limits nothing."},
		{"no limits, null", `from_xc({ id = "x", limits = null })`, "at limits: XC accepts"},
		{"two limits", `from_xc({ limits = [{ total_number = 1 }, { total_number = 2 }] })`, "at limits: XC takes at most one entry here, and this list holds 2."},
		{"two places", `from_xc({ limits = [{ total_number = 1 }], threshold = 2 })`, "The object holds several limits: limits[0], threshold."},
		{"two actions", `from_xc({ limits = [{ total_number = 1, disabled = {}, action_block = { hours = { duration = 1 } } }] })`, "at limits[0].action_block: XC takes one of disabled and action_block, and both are chosen."},
		{"two algorithms", `from_xc({ rate_limiter = { total_number = 1, leaky_bucket = [{}], token_bucket = [{}] } })`, "at rate_limiter.token_bucket: XC takes one of leaky_bucket and token_bucket"},
		{"no duration", `from_xc({ spec = { limits = [{ total_number = 1, action_block = {} }] } })`, "at spec.limits[0].action_block: XC's action_block takes one duration"},
		{"two durations", `from_xc({ total_number = 1, action_block = { hours = { duration = 1 }, seconds = { duration = 1 } } })`, "at action_block: XC's action_block takes one duration above 0, in seconds (1 to 300), minutes (1 to 60) or hours (1 to 48), and this one has 2."},
		{"long duration", `from_xc({ limits = [{ total_number = 1, action_block = [{ minutes = [{ duration = 90 }] }] }] })`, "at limits[0].action_block[0].minutes[0].duration: XC takes a whole number from 1 to 60 here"},
		{"no number", `from_xc({ limits = [{ unit = "HOUR" }] })`, "at limits[0].total_number: XC takes a whole number from 1 to 8192 here, and this is missing or 0."},
		{"number of words", `from_xc({ limits = [{ total_number = "ten" }] })`, `at limits[0].total_number: XC has a whole number here, and this is the text "ten".`},
		{"huge number", `from_xc({ total_number = 1e300 })`, "at total_number: XC takes a whole number from 1 to 8192 here"},
		{"number too long to print", `from_xc("{\"total_number\":1e-600000000}")`, "is longer than 1000 characters or outside 1e-10000 to 1e10000."},
		{"large threshold", `from_xc({ threshold = 8193, unit = "MINUTE" })`, "at threshold: XC takes a whole number from 1 to 8192 here"},
		{"large multiplier", `from_xc({ limits = [{ total_number = 1, burst_multiplier = 101 }] })`, "at limits[0].burst_multiplier: XC takes a whole number from 1 to 100 here"},
		{"a day", `from_xc({ limits = [{ total_number = 1, unit = "DAY" }] })`, "at limits[0].unit: XC's units are SECOND, MINUTE and HOUR"},
		{"two faults", `from_xc({ total_number = 9000, unit = "DAY" })`, "at unit: XC's units"},
	})
}
