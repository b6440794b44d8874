package provider

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
)

// Answers, and what evaluate says of them: the same rate and ceiling.
func TestAccRecommendFunction(t *testing.T) {
	cases := []struct {
		target string
		// want is the answer's number, per_period, periods, burst_multiplier,
		// requests_per_second, burst_ceiling and exact.
		want string
	}{
		{`requests_per_second = 5`, "5 Seconds 1 1 5 5 true"},
		{`requests_per_second = 5, burst = 200`, "5 Seconds 1 40 5 200 true"},
		{`requests_per_second = 0.3`, "3 Seconds 10 1 0.3 3 true"},
		{`requests_per_second = "2.5", burst = 25, tolerance = 0`, "5 Seconds 2 5 2.5 25 true"},
		{`requests_per_second = 100, hard_ceiling = 1000, enforcement_points = 4`, "100 Seconds 1 2 100 200 true"},
		{`requests_per_second = 3.14159265358979, burst = 100`, "25 Seconds 8 4 3.125 100 false"},
		{`requests_per_second = 8192, burst = 1000000`, "8192 Seconds 1 100 8192 819200 true"},
		{`requests_per_second = 1e6, tolerance = 0.999`, "1000 Seconds 1 1 1000 1000 false"},
		{`requests_per_second = 1e-13, tolerance = 0.9`, "1 Hours 2777777778 1 0.000000000000099999999992 1 false"},
		{`requests_per_second = 5, burst = null, hard_ceiling = null, enforcement_points = null, tolerance = null`, "5 Seconds 1 1 5 5 true"},
	}
	var config strings.Builder
	for i, c := range cases {
		fmt.Fprintf(&config, `
locals {
  r%[1]d = provider::xcrl::recommend({ %[2]s })
  e%[1]d = provider::xcrl::evaluate({ for name in ["number", "per_period", "periods", "burst_multiplier"] : name => local.r%[1]d[name] })
}
output "got_%[1]d" { value = local.r%[1]d }
output "evaluated_%[1]d" {
  value = merge({ for name in keys(local.r%[1]d) : name => local.e%[1]d[name] if name != "exact" }, { exact = local.r%[1]d.exact })
}
`, i, c.target)
	}
	s := applied(t, config.String())
	for i, c := range cases {
		t.Run(c.target, func(t *testing.T) {
			got, evaluated := s.outputs["got_"+strconv.Itoa(i)], s.outputs["evaluated_"+strconv.Itoa(i)]
			if !reflect.DeepEqual(got, evaluated) {
				t.Errorf("recommend answers %v, which evaluate sees as %v", got, evaluated)
			}
			var answer []any
			for _, name := range []string{"number", "per_period", "periods", "burst_multiplier", "requests_per_second", "burst_ceiling", "exact"} {
				answer = append(answer, got.(map[string]any)[name])
			}
			if text := strings.Trim(fmt.Sprint(answer), "[]"); text != c.want {
				t.Errorf("recommend answers %s, want %s", text, c.want)
			}
		})
	}
}

// An unknown part makes the answer unknown while planning.
func TestAccRecommendFunction_unknown(t *testing.T) {
	runInEngine(t, resource.TestCase{Steps: []resource.TestStep{{
		Config: `
resource "terraform_data" "rate" {
  input = 5
}
output "all" {
  value = provider::xcrl::recommend(terraform_data.rate.output)
}
output "part" {
  value = provider::xcrl::recommend({ requests_per_second = 5, burst = terraform_data.rate.output })
}`,
		PlanOnly:           true,
		ExpectNonEmptyPlan: true,
		ConfigPlanChecks: resource.ConfigPlanChecks{PostApplyPreRefresh: []plancheck.PlanCheck{
			plancheck.ExpectUnknownOutputValue("all"),
			plancheck.ExpectUnknownOutputValue("part"),
		}},
	}}})
}

func TestAccRecommendFunction_refuses(t *testing.T) {
	wantRefusals(t, "target", []refusal{
		{"null", `recommend(null)`, "argument must not be null"},
		{"a number", `recommend(5)`, "an object is needed, such as { requests_per_second = 5 }, not a number."},
		{"a list", `recommend([5])`, "not a list."},
		{"empty", `recommend({})`, "at requests_per_second: requests_per_second is required: the rate that the limit shall keep to"},
		{"null rate", `recommend({ requests_per_second = null })`, "at requests_per_second: requests_per_second is required"},
		{"unknown key", `recommend({ requests_per_second = 5, burts = 10 })`, `at burts: there is no argument "burts". The nearest one is burst.`},
		{"key of evaluate", `recommend({ requests_per_second = 5, number = 10 })`, `at number: there is no argument "number". The arguments are requests_per_second, burst, hard_ceiling, enforcement_points, tolerance.`},
		{"other name", `recommend({ rps = 5 })`, "The nearest one is requests_per_second."},
		{"rate of words", `recommend({ requests_per_second = "many" })`, `at requests_per_second: requests_per_second takes a number, not "many".`},
		{"rate of a wrong type", `recommend({ requests_per_second = [5] })`, "requests_per_second takes a number, not a list."},
		{"zero rate", `recommend({ requests_per_second = 0 })`, "at requests_per_second: requests_per_second is 0, but it takes a number above 0"},
		{"huge rate", `recommend({ requests_per_second = 1e300 })`, "the highest rate that XC can write is 8192 requests per second."},
		{"tiny rate", `recommend({ requests_per_second = 1e-300 })`, "the lowest rate that XC can write, 1 request per 4294967295 hours, is above it."},
		{"beyond numbers", `recommend({ requests_per_second = 1e2000 })`, "only from 1e-1000 to 1e1000."},
		{"half a request", `recommend({ requests_per_second = 5, burst = 0.5 })`, "at burst: burst is 0.5, but it takes a whole number"},
		{"no ceiling", `recommend({ requests_per_second = 5, hard_ceiling = 0 })`, "at hard_ceiling: hard_ceiling is 0, but it takes a whole number"},
		{"many points", `recommend({ requests_per_second = 5, enforcement_points = 1000001 })`, "at enforcement_points: enforcement_points is 1000001, but it takes a whole number from 1 to 1000000"},
		{"whole tolerance", `recommend({ requests_per_second = 5, tolerance = 1 })`, "at tolerance: tolerance is 1, but it takes a share from 0 to below 1"},
		{"no room", `recommend({ requests_per_second = 5, hard_ceiling = 10, enforcement_points = 20 })`, "at hard_ceiling: hard_ceiling is 10, and 20 enforcement points may each let one request through"},
		{"ceiling binds", `recommend({ requests_per_second = 99.5, burst = 10, tolerance = 0.001 })`, "The closest limit that exceeds nothing is"},
		{"tolerance binds", `recommend({ requests_per_second = 0.3333333333, tolerance = 0 })`, "at tolerance: requests_per_second is 0.3333333333 with a tolerance of 0"},
		{"two faults", `recommend({ requests_per_second = -1, burts = 1, tolerance = 2 })`, "at tolerance: tolerance is 2"},
	})
}
