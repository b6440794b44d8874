package provider

import (
	"fmt"
	"strings"
	"testing"
)

func TestAccEquivalentFunction(t *testing.T) {
	s := applied(t, `
locals {
  minute = { number = 60, per_period = "Minutes" }
}
output "answers" {
  value = [
    provider::xcrl::equivalent({ number = 1, per_period = "Seconds", periods = 60 }, { number = 1, per_period = "MINUTE" }),
    provider::xcrl::equivalent({ number = 2, per_period = "Seconds", periods = 2 }, { number = 1, per_period = "Seconds", burst_multiplier = 2 }),
    provider::xcrl::equivalent(local.minute, local.minute),
    provider::xcrl::equivalent(local.minute, { number = 1, per_period = "Seconds" }),
    provider::xcrl::equivalent(local.minute, merge(local.minute, { algorithm = "token_bucket" })),
    provider::xcrl::equivalent(local.minute, merge(local.minute, { mitigation_action = "Block", block_duration = 1, block_unit = "Hours" })),
    provider::xcrl::equivalent(
      merge(local.minute, { mitigation_action = "Block", block_duration = 60, block_unit = "Minutes" }),
      merge(local.minute, { mitigation_action = "block", block_duration = 1, block_unit = "hour", hard_ceiling = 5 })),
  ]
}`)
	if got, want := fmt.Sprint(s.outputs["answers"]), "[true true true false false false true]"; got != want {
		t.Errorf("answers are %s, want %s", got, want)
	}
}

// Both arguments are judged, each by its name and place.
func TestAccEquivalentFunction_refuses(t *testing.T) {
	wantSaid(t, refused(t, `
output "x" {
  value = provider::xcrl::equivalent({ number = 1, per_period = "Seconds" }, { number = 0, per_period = "Seconds" })
}`), `"b"`, "at number: number is 0, but it takes a whole number from 1 to 8192.")
	// One argument at a time, each by its own name.
	both := refused(t, `
output "x" {
  value = provider::xcrl::equivalent({ number = 0, per_period = "Minutes" }, { number = 1, per_period = "Days" })
}`)
	wantSaid(t, both, `"a"`, "at number: number is 0")
	if strings.Contains(both, `per_period is "Days"`) {
		t.Errorf("b is blamed on a: %s", both)
	}
	wantSaid(t, refused(t, `
output "x" {
  value = provider::xcrl::equivalent("a", { number = 1, per_period = "Seconds" })
}`), `"a"`, "an object is needed")
}
