package provider

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
)

// Every attribute of the function against the data source, for every golden
// case: the two never disagree.
func TestAccEvaluateFunction_golden(t *testing.T) {
	cases := goldenCases[goldenCase](t, "testdata/rate_limit.json", 68)
	var config strings.Builder
	for i, c := range cases {
		fmt.Fprintf(&config, "data \"xcrl_rate_limit\" \"case_%d\" {\n%s}\n", i, arguments(t, c.Input))
		fmt.Fprintf(&config, "output \"case_%d\" {\n  value = provider::xcrl::evaluate(%s)\n}\n", i, hcl(t, c.Input))
	}
	s := applied(t, config.String())
	for i, c := range cases {
		t.Run(c.Name, func(t *testing.T) {
			answer, ok := s.outputs[fmt.Sprintf("case_%d", i)].(map[string]any)
			if !ok || len(answer) != len(evaluationTypes) {
				t.Fatalf("the function answers %v", answer)
			}
			data := s.data[fmt.Sprintf("data.xcrl_rate_limit.case_%d", i)]
			for name := range evaluationTypes {
				if !reflect.DeepEqual(answer[name], data[name]) {
					t.Errorf("%s: the function answers %v, the data source %v", name, answer[name], data[name])
				}
			}
		})
	}
}

// An unknown part makes the answer unknown while planning, and known on apply.
func TestAccEvaluateFunction_unknown(t *testing.T) {
	s := state{outputs: map[string]any{}, data: map[string]map[string]any{}}
	runInEngine(t, resource.TestCase{Steps: []resource.TestStep{{
		Config: `
resource "terraform_data" "number" {
  input = 100
}
output "burst" {
  value = provider::xcrl::evaluate({ number = terraform_data.number.output, per_period = "Minutes", periods = null }).burst_ceiling
}
output "same" {
  value = provider::xcrl::equivalent({ number = terraform_data.number.output, per_period = "Minutes" }, { number = 100, per_period = "Seconds", periods = 60 })
}`,
		ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{
			plancheck.ExpectUnknownOutputValue("burst"),
			plancheck.ExpectUnknownOutputValue("same"),
		}},
		ConfigStateChecks: []statecheck.StateCheck{&s},
	}}})
	if got := fmt.Sprint(s.outputs); got != "map[burst:100 same:true]" {
		t.Errorf("after apply the outputs are %s", got)
	}
}

// Terraform converts the arguments of blocks; a function converts alike.
func TestAccEvaluateFunction_textOfNumbers(t *testing.T) {
	s := applied(t, `
output "burst" {
  value = provider::xcrl::evaluate(tomap({ number = "100", per_period = "Minutes", burst_multiplier = "2", periods = null })).burst_ceiling
}`)
	if got := fmt.Sprint(s.outputs["burst"]); got != "200" {
		t.Errorf("burst ceiling is %s, want 200", got)
	}
}

func TestAccEvaluateFunction_refuses(t *testing.T) {
	for _, bad := range []struct{ call, say string }{
		{`evaluate({ number = 100, per_period = "Minutes", burst = 2 })`, `at burst: there is no argument "burst". The nearest one is burst_multiplier.`},
		{`evaluate({ number = 100, per_period = "Minutes", zebra = 2 })`, `at zebra: there is no argument "zebra". The arguments are number, per_period,`},
		{`evaluate({ number = 8193, per_period = "Minutes" })`, "at number: number is 8193, but it takes a whole number from 1 to 8192."},
		{`evaluate({ per_period = "Minutes" })`, "at number: number is required: a whole number from 1 to 8192."},
		{`evaluate({ number = null, per_period = null })`, "at per_period: A limit counts requests per Seconds, Minutes or Hours: write per_period."},
		{`evaluate({ number = "ten", per_period = "Minutes" })`, `at number: number takes a number, not "ten".`},
		{`evaluate({ number = true, per_period = "Minutes" })`, "at number: number takes a number, not a bool."},
		{`evaluate({ number = [1], per_period = "Minutes" })`, "at number: number takes a number, not a list."},
		{`evaluate({ number = {}, per_period = "Minutes" })`, "at number: number takes a number, not an object."},
		{`evaluate({ number = 1, per_period = 60 })`, "at per_period: per_period takes a string, not a number."},
		{`evaluate({ number = 1, per_period = "Minutes", overflow_at = "noon" })`, `at overflow_at: overflow_at is "noon"`},
		{`evaluate(provider::xcrl::recommend({ requests_per_second = 1 }))`, "this is an answer of recommend, which holds more than a limit: pass its number, per_period, periods and burst_multiplier only."},
		{`evaluate({})`, "at number: number is required"},
		{`evaluate([])`, "an object is needed, such as { number = 100, per_period = \"Minutes\" }, not a list."},
		{`evaluate("100 per minute")`, "an object is needed, such as { number = 100, per_period = \"Minutes\" }, not a string."},
		{`evaluate(null)`, `argument must not be null`},
	} {
		t.Run(bad.call, func(t *testing.T) {
			said := refused(t, fmt.Sprintf("output \"x\" {\n  value = provider::xcrl::%s\n}", bad.call))
			wantSaid(t, said, bad.say, `"limit"`)
		})
	}
}
