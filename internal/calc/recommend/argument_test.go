package recommend_test

import (
	"math/big"
	"strings"
	"testing"

	"github.com/xcrl/terraform-provider-xcrl/internal/calc"
	"github.com/xcrl/terraform-provider-xcrl/internal/calc/recommend"
)

func known(text string) calc.Value[*big.Float] {
	f, ok := calc.ParseNumber(text)
	if !ok {
		panic(text)
	}
	return calc.Known(f)
}

func TestResolve(t *testing.T) {
	got, ok, problems := recommend.Arguments{RequestsPerSecond: known("0.3")}.Resolve()
	if !ok || len(problems) > 0 {
		t.Fatal(ok, problems)
	}
	if got.RequestsPerSecond.Cmp(rat("3/10")) != 0 || got.Tolerance.Cmp(rat("1/100")) != 0 || got.EnforcementPoints != 1 || got.Burst != 0 || got.HardCeiling != 0 {
		t.Errorf("defaults resolve to %+v", got)
	}
	got, ok, problems = recommend.Arguments{
		RequestsPerSecond: known("8192"), Burst: known("1"), HardCeiling: known("9223372036854775807"),
		EnforcementPoints: known("1000000"), Tolerance: known("0"),
	}.Resolve()
	if !ok || len(problems) > 0 || got.Burst != 1 || got.HardCeiling != 1<<63-1 || got.EnforcementPoints != 1000000 || got.Tolerance.Sign() != 0 {
		t.Errorf("extremes resolve to %+v, %t, %v", got, ok, problems)
	}
}

func TestResolveUnknown(t *testing.T) {
	rate, unknown := known("1"), calc.Unknown[*big.Float]()
	for name, a := range map[string]recommend.Arguments{
		"requests_per_second": {RequestsPerSecond: unknown},
		"burst":               {RequestsPerSecond: rate, Burst: unknown},
		"tolerance":           {RequestsPerSecond: rate, Tolerance: unknown},
	} {
		if _, ok, problems := a.Resolve(); ok || len(problems) > 0 {
			t.Errorf("unknown %s: known %t, problems %v", name, ok, problems)
		}
	}
}

func TestResolveProblems(t *testing.T) {
	one := known("1")
	for _, c := range []struct {
		arguments recommend.Arguments
		path      string
		texts     []string
	}{
		{recommend.Arguments{}, "requests_per_second", []string{"required"}},
		{recommend.Arguments{RequestsPerSecond: known("0")}, "requests_per_second", []string{"is 0,", "above 0"}},
		{recommend.Arguments{RequestsPerSecond: known("-2")}, "requests_per_second", []string{"is -2,"}},
		{recommend.Arguments{RequestsPerSecond: known("1e2000")}, "requests_per_second", []string{"1e-1000 to 1e1000"}},
		{recommend.Arguments{RequestsPerSecond: one, Tolerance: known("1")}, "tolerance", []string{"is 1,", "from 0 to below 1", "0.01"}},
		{recommend.Arguments{RequestsPerSecond: one, Tolerance: known("-0.1")}, "tolerance", []string{"is -0.1,"}},
		{recommend.Arguments{RequestsPerSecond: one, Burst: known("0")}, "burst", []string{"is 0,", "from 1 to", "let through at once"}},
		{recommend.Arguments{RequestsPerSecond: one, Burst: known("1.5")}, "burst", []string{"is 1.5,", "whole number"}},
		{recommend.Arguments{RequestsPerSecond: one, HardCeiling: known("1e30")}, "hard_ceiling", []string{"from 1 to 9223372036854775807", "the origin"}},
		{recommend.Arguments{RequestsPerSecond: one, EnforcementPoints: known("1000001")}, "enforcement_points", []string{"from 1 to 1000000", "Regional Edges"}},
	} {
		_, _, problems := c.arguments.Resolve()
		if len(problems) != 1 || problems[0].Path.String() != c.path {
			t.Errorf("problems %v, want one at %s", problems, c.path)
			continue
		}
		for _, text := range c.texts {
			if !strings.Contains(problems[0].Detail, text) {
				t.Errorf("detail %q lacks %q", problems[0].Detail, text)
			}
		}
	}
}

func TestArgumentNames(t *testing.T) {
	if got := strings.Join(recommend.ArgumentNames, " "); got != "requests_per_second burst hard_ceiling enforcement_points tolerance" {
		t.Error(got)
	}
}
