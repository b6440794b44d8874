package calc_test

import (
	"strings"
	"testing"

	"github.com/xcrl/terraform-provider-xcrl/internal/calc"
)

func TestNearestName(t *testing.T) {
	for given, want := range map[string]string{
		"burst":              "burst_multiplier",
		"multiplier":         "burst_multiplier",
		"burst_multiplyer":   "burst_multiplier",
		"burstMultiplier":    "burst_multiplier",
		"per":                "per_period",
		"per-period":         "per_period",
		"Per Period":         "per_period",
		"period":             "periods",
		"periodes":           "periods",
		"numer":              "number",
		"NUMBER":             "number",
		"nmbr":               "number",
		"nubmre":             "number",
		"number_of_requests": "number",
		"block":              "block_duration",
		"blockunit":          "block_unit",
		"mitigation":         "mitigation_action",
		"algoritem":          "algorithm",
		"ceiling":            "hard_ceiling",
		"points":             "enforcement_points",
		"overflow":           "overflow_at",

		"total_number":      "number",
		"threshold":         "number",
		"unit":              "per_period",
		"period_multiplier": "periods",
		"action":            "mitigation_action",
		"action_block":      "mitigation_action",
		"token_bucket":      "algorithm",
		"duration":          "block_duration",
		"rps":               "client_requests_per_second",

		"":                             "",
		"x":                            "",
		"on":                           "",
		"colour":                       "",
		"name":                         "",
		strings.Repeat("é", 1_000_000): "",
	} {
		got, ok := calc.NearestName(given, calc.ArgumentNames)
		if got != want || ok != (want != "") {
			t.Errorf("NearestName(%.30q) = %q, %t; want %q", given, got, ok, want)
		}
	}
	if got, ok := calc.NearestName("rate", []string{"burst", "requests_per_second"}); !ok || got != "requests_per_second" {
		t.Errorf("rate is taken for %q", got)
	}
	if got, ok := calc.NearestName("cut", []string{"cot", "cat"}); !ok || got != "cot" {
		t.Errorf("of two equally near names %q is suggested", got)
	}
	if got, ok := calc.NearestName("number", nil); ok {
		t.Errorf("no names give %q", got)
	}
}
