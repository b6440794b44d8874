package provider

import (
	"fmt"
	"strings"
	"testing"
)

// refusal is a call of a function that should fail, and what should be said.
type refusal struct{ name, call, say string }

// wantRefusals has the engine refuse each of the calls, in one run, on the
// parameter of that name, and in sentences that end once.
func wantRefusals(t *testing.T, parameter string, refusals []refusal) {
	t.Helper()
	var config strings.Builder
	for i, r := range refusals {
		fmt.Fprintf(&config, "output \"x%d\" {\n  value = provider::xcrl::%s\n}\n", i, r.call)
	}
	complaints := strings.Split(refused(t, config.String()), "Error: ")
	for i, r := range refusals {
		t.Run(r.name, func(t *testing.T) {
			about := ""
			for _, complaint := range complaints {
				if strings.Contains(complaint, fmt.Sprintf("in output \"x%d\":", i)) {
					about += complaint
				}
			}
			wantSaid(t, about, r.say, fmt.Sprintf("%q", parameter))
			if strings.Contains(strings.ReplaceAll(about, "...)", ")"), "..") { // (value, order...)
				t.Errorf("a sentence ends twice: %s", about)
			}
		})
	}
}

// Where no data source can go: a variable's validation, a local, a for
// expression, an output.
func TestAccFunctions_everywhere(t *testing.T) {
	config := func(number int) string {
		return fmt.Sprintf(`
variable "limiter" {
  type    = any
  default = { limits = [{ total_number = %d, unit = "MINUTE", burst_multiplier = 3 }] }
  validation {
    condition     = provider::xcrl::evaluate(provider::xcrl::from_xc(var.limiter)).burst_ceiling <= 30
    error_message = "A burst of ${provider::xcrl::evaluate(provider::xcrl::from_xc(var.limiter)).burst_ceiling} is too much."
  }
}
locals {
  limits = { for name, rate in { login = 0.5, search = 20 } : name => provider::xcrl::recommend({ requests_per_second = rate }) }
}
output "answers" {
  value = [
    provider::xcrl::equivalent(provider::xcrl::from_xc(var.limiter), { number = 30, per_period = "Minutes", periods = 3 }),
    [for name, limit in local.limits : "${limit.number} per ${limit.periods} ${limit.per_period}"],
  ]
}`, number)
	}
	s := applied(t, config(10))
	if got, want := fmt.Sprint(s.outputs["answers"]), "[true [1 per 2 Seconds 20 per 1 Seconds]]"; got != want {
		t.Errorf("answers are %s, want %s", got, want)
	}
	wantSaid(t, refused(t, config(11)), "A burst of 33 is too much.")
}
