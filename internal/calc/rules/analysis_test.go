package rules

import (
	"slices"
	"testing"

	"github.com/xcrl/terraform-provider-xcrl/internal/calc"
)

func TestOfLimits(t *testing.T) {
	rules := resolved(t, []plainRule{
		{BasePath: "/a", Name: "login"}, {BasePath: "/b"}, {BasePath: "/c"}, {BasePath: "/d"}, {BasePath: "/e", Name: "last"},
	})
	small := calc.Finding{Code: "small", Message: "It is small."}
	large := calc.Finding{Code: "large", Message: "It is large."}
	larger := calc.Finding{Code: "large", Message: "It is larger."}
	got := OfLimits(rules, [][]calc.Finding{{larger, small}, {large, small}, nil, {small}, {small}})
	want := []calc.Finding{
		{Code: "large", Message: `rules[0] "login": It is larger.`},
		{Code: "large", Message: "rules[1]: It is large."},
		{Code: "small", Message: `rules[0] "login", rules[1], rules[3] and 1 more: It is small.`},
	}
	if !slices.Equal(got, want) {
		t.Errorf("gathered %v, want %v", got, want)
	}
	if got := OfLimits(rules, make([][]calc.Finding, len(rules))); got == nil || len(got) != 0 {
		t.Errorf("of no limits %v is said, want an empty list", got)
	}
}
