package rules

import (
	"bytes"
	"encoding/json"
	"math/bits"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/xcrl/terraform-provider-xcrl/internal/calc"
)

// plainRule is a rule whose parts are all known, as golden cases write it.
type plainRule struct {
	Name          string   `json:"name"`
	BasePath      string   `json:"base_path"`
	Path          string   `json:"path"`
	Domain        string   `json:"domain"`
	Methods       []string `json:"methods"`
	InvertMethods bool     `json:"invert_methods"`
	APIGroup      string   `json:"api_group"`
	Conditions    []string `json:"conditions"`
	Action        string   `json:"action"`
}

type plainRequest struct {
	Method     string   `json:"method"`
	Domain     string   `json:"domain"`
	Path       string   `json:"path"`
	Conditions []string `json:"conditions"`
	APIGroups  []string `json:"api_groups"`
}

// written is a known text, or null for "".
func written(s string) calc.Value[string] {
	if s == "" {
		return calc.Value[string]{}
	}
	return calc.Known(s)
}

// set is a known set of texts, or null for none.
func set(texts ...string) calc.Value[[]calc.Value[string]] {
	if texts == nil {
		return calc.Value[[]calc.Value[string]]{}
	}
	elements := make([]calc.Value[string], len(texts))
	for i, s := range texts {
		elements[i] = calc.Known(s)
	}
	return calc.Known(elements)
}

func (r plainRule) arguments() Arguments {
	a := Arguments{
		Name: written(r.Name), BasePath: written(r.BasePath), Path: written(r.Path), Domain: written(r.Domain),
		Methods: set(r.Methods...), APIGroup: written(r.APIGroup), Conditions: set(r.Conditions...), Action: written(r.Action),
	}
	if r.InvertMethods {
		a.InvertMethods = calc.Known(true)
	}
	return a
}

func (p plainRequest) arguments() RequestArguments {
	return RequestArguments{
		Method: written(p.Method), Domain: written(p.Domain), Path: written(p.Path),
		Conditions: set(p.Conditions...), APIGroups: set(p.APIGroups...),
	}
}

// fataler is a test, a benchmark or a property test.
type fataler interface {
	Helper()
	Fatalf(format string, args ...any)
}

// known returns rules as a configuration holds them.
func known(plain ...plainRule) []calc.Value[Arguments] {
	arguments := make([]calc.Value[Arguments], len(plain))
	for i, p := range plain {
		arguments[i] = calc.Known(p.arguments())
	}
	return arguments
}

func resolved(t fataler, plain []plainRule) []Rule {
	t.Helper()
	rules, known, problems := Resolve(known(plain...))
	if !known || len(problems) > 0 {
		t.Fatalf("%+v: known %v, problems %v", plain, known, problems)
	}
	return rules
}

func resolvedRequests(t fataler, plain []plainRequest) []Request {
	t.Helper()
	arguments := make([]calc.Value[RequestArguments], len(plain))
	for i, p := range plain {
		arguments[i] = calc.Known(p.arguments())
	}
	requests, known, problems := ResolveRequests(arguments)
	if !known || len(problems) > 0 {
		t.Fatalf("%+v: known %v, problems %v", plain, known, problems)
	}
	return requests
}

func TestGolden(t *testing.T) {
	data, err := os.ReadFile("testdata/rules.json")
	if err != nil {
		t.Fatal(err)
	}
	var cases []struct {
		Name     string         `json:"name"`
		Rules    []plainRule    `json:"rules"`
		Requests []plainRequest `json:"requests"`
		Want     struct {
			Shadowed       map[string][]int `json:"shadowed"`
			SuggestedOrder []int            `json:"suggested_order"`
			Matches        []*int           `json:"matches"`
		} `json:"want"`
	}
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&cases); err != nil {
		t.Fatal(err)
	}
	if len(cases) != 44 {
		t.Errorf("%d cases, want 44", len(cases))
	}
	for _, c := range cases {
		t.Run(c.Name, func(t *testing.T) {
			if len(c.Want.Matches) != len(c.Requests) {
				t.Errorf("%d matches for %d requests", len(c.Want.Matches), len(c.Requests))
			}
			rules := resolved(t, c.Rules)
			a := Analyze(rules)
			shadowed := map[string][]int{}
			for _, f := range a.Findings {
				if f.Code == CodeShadowed {
					shadowed[strconv.Itoa(f.Rule)] = f.CoveredBy
				}
			}
			if len(shadowed) != len(c.Want.Shadowed) || len(a.Shadowed) != len(c.Want.Shadowed) {
				t.Errorf("shadowed %v and %v, want %v", a.Shadowed, shadowed, c.Want.Shadowed)
			}
			for rule, by := range c.Want.Shadowed {
				if !slices.Equal(shadowed[rule], by) {
					t.Errorf("rule %s is covered by %v, want %v", rule, shadowed[rule], by)
				}
			}
			if !slices.Equal(a.SuggestedOrder, c.Want.SuggestedOrder) {
				t.Errorf("suggested order %v, want %v", a.SuggestedOrder, c.Want.SuggestedOrder)
			}
			for i, q := range resolvedRequests(t, c.Requests) {
				got, ok := FirstMatch(rules, q)
				if want := c.Want.Matches[i]; ok != (want != nil) || ok && got != *want {
					t.Errorf("request %d matches %v (%v), want %v", i, got, ok, want)
				}
			}
		})
	}
}

func TestMessages(t *testing.T) {
	all, login := plainRule{Name: "all", BasePath: "/"}, plainRule{Path: "/login", Methods: []string{"POST"}}
	for name, c := range map[string]struct {
		rules []plainRule
		want  []string
	}{
		"wider rule first": {[]plainRule{all, login}, []string{
			`rules[1] (POST /login) can never match: rules[0] "all" (base path /) comes first and takes every request that it would. Move rules[1] above rules[0], or remove it.`,
		}},
		"bypass first": {[]plainRule{{BasePath: "/", Action: "bypass"}, login}, []string{
			`rules[1] (POST /login) can never match: rules[0] (base path /) comes first and takes every request that it would. Its requests bypass rate limiting. Move rules[1] above rules[0], or remove it.`,
		}},
		"duplicate": {[]plainRule{login, login}, []string{
			`rules[1] (POST /login) can never match: rules[0] (POST /login) comes first and takes exactly the same requests. Remove one of the two.`,
		}},
		"methods together, in its place": {[]plainRule{
			{Path: "/{page}", Methods: []string{"POST"}},
			{Path: "/{page}", Methods: []string{"POST"}, InvertMethods: true},
			{Path: "/login", Conditions: []string{"b", "a", "b"}},
		}, []string{
			`rules[2] (any method /login, 2 conditions) can never match: rules[0] (POST /{page}) and rules[1] (all but POST /{page}) come first and together take all of its methods. Move rules[2] above rules[0], or remove it.`,
		}},
		"methods together, of which it would take all": {[]plainRule{
			{Path: "/login", Methods: []string{"POST"}},
			{Path: "/login", Methods: []string{"POST"}, InvertMethods: true},
			{Path: "/login"},
		}, []string{
			`rules[2] (any method /login) can never match: rules[0] (POST /login) and rules[1] (all but POST /login) come first and together take all of its methods. Remove rules[2], or take the methods that it is meant for out of those rules.`,
		}},
		"below a wider rule and below its methods": {[]plainRule{
			{Path: "/a", Methods: []string{"GET"}},
			{Path: "/a", Methods: []string{"GET"}, InvertMethods: true},
			{BasePath: "/"},
			{Path: "/a", Methods: []string{"GET", "POST"}},
		}, []string{
			`rules[3] (GET|POST /a) can never match: rules[2] (base path /) comes first and takes every request that it would. Above that rules[0] (GET /a) and rules[1] (all but GET /a) together take all of its methods. Remove rules[3], or take the methods that it is meant for out of those rules.`,
		}},
		"an overlap of which the shortest path is taken": {[]plainRule{
			{Path: "/a/b"}, {BasePath: "/a"}, {Path: "/{x}/b"},
		}, []string{
			`rules[2] (any method /{x}/b) does not get all its requests: what rules[1] (base path /a) takes too goes there first, such as GET /ax/b. Neither contains the other, so the order decides. If rules[2] shall have such requests, move it above rules[1]; else leave it.`,
		}},
		"an overlap of which the first method is taken": {[]plainRule{
			{BasePath: "/", Conditions: []string{"a"}},
			{Path: "/{x}", Methods: []string{"GET"}},
			{Path: "/x", Methods: []string{"GET", "PUT"}, Conditions: []string{"b"}},
			{Path: "/{x}", Conditions: []string{"b"}},
		}, []string{
			`rules[1] (GET /{x}) does not get all its requests: what rules[0] (base path /, 1 condition) takes too goes there first, such as GET /x, where it meets the groups and conditions of both. Neither contains the other, so the order decides. If rules[1] shall have such requests, move it above rules[0]; else leave it.`,
			`rules[2] (GET|PUT /x, 1 condition) does not get all its requests: what rules[0] (base path /, 1 condition) or rules[1] (GET /{x}) takes too goes there first, such as GET /x, where it meets the groups and conditions of both. Neither contains the other, so the order decides. If rules[2] shall have such requests, move it above rules[0]; else leave it.`,
			`rules[3] (any method /{x}, 1 condition) does not get all its requests: what rules[0] (base path /, 1 condition) or rules[1] (GET /{x}) takes too goes there first, such as GET /x, where it meets the groups and conditions of both. Neither contains the other, so the order decides. If rules[3] shall have such requests, move it above rules[0]; else leave it.`,
		}},
		"an overlap that earlier rules take": {[]plainRule{
			{Path: "/a/b"}, {Path: "/a/{x}"}, {Path: "/{x}/b"},
		}, nil},
		"an overlap that earlier rules take, each a method": {[]plainRule{
			{Path: "/a/b", Methods: []string{"GET"}},
			{Path: "/a/b", Methods: []string{"PUT"}},
			{Path: "/a/{x}", Methods: []string{"GET", "PUT"}},
			{Path: "/{x}/b", Methods: []string{"GET", "PUT"}},
		}, nil},
		"two that both bypass": {[]plainRule{
			{BasePath: "/", APIGroup: "a", Action: "bypass"}, {BasePath: "/", APIGroup: "b", Action: "bypass"},
		}, []string{
			`rules[1] (base path /, API group b) does not get all its requests: what rules[0] (base path /, API group a) takes too goes there first, such as GET /, where it meets the groups and conditions of both. Both exempt it from rate limiting, so there is nothing to do.`,
		}},
		"overlaps": {[]plainRule{
			{BasePath: "/v1/a", Conditions: []string{"c"}},
			{Path: "/{version}/a", Methods: []string{"GET", "PUT"}, Domain: "*.example.com"},
			{Path: "/v1/{resource}", Methods: []string{"PUT"}, Name: "put"},
		}, []string{
			`rules[1] (GET|PUT *.example.com/{version}/a) does not get all its requests: what rules[0] (base path /v1/a, 1 condition) takes too goes there first, such as GET x.example.com/v1/a, where it meets the groups and conditions of both. Neither contains the other, so the order decides. If rules[1] shall have such requests, move it above rules[0]; else leave it.`,
			`rules[2] "put" (PUT /v1/{resource}) does not get all its requests: what rules[0] (base path /v1/a, 1 condition) or rules[1] (GET|PUT *.example.com/{version}/a) takes too goes there first, such as PUT /v1/a, where it meets the groups and conditions of both. Neither contains the other, so the order decides. If rules[2] shall have such requests, move it above rules[0]; else leave it.`,
		}},
		"many": {[]plainRule{
			{BasePath: "/", APIGroup: "a"}, {BasePath: "/", APIGroup: "b"}, {BasePath: "/", APIGroup: "c"}, {BasePath: "/", APIGroup: "d"}, {Path: "/{x}"},
		}, []string{
			`rules[1] (base path /, API group b) does not get all its requests: what rules[0] (base path /, API group a) takes too goes there first, such as GET /, where it meets the groups and conditions of both. Neither contains the other, so the order decides. If rules[1] shall have such requests, move it above rules[0]; else leave it.`,
			`rules[2] (base path /, API group c) does not get all its requests: what rules[0] (base path /, API group a) or rules[1] (base path /, API group b) takes too goes there first, such as GET /, where it meets the groups and conditions of both. Neither contains the other, so the order decides. If rules[2] shall have such requests, move it above rules[0]; else leave it.`,
			`rules[3] (base path /, API group d) does not get all its requests: what rules[0] (base path /, API group a), rules[1] (base path /, API group b) or rules[2] (base path /, API group c) takes too goes there first, such as GET /, where it meets the groups and conditions of both. Neither contains the other, so the order decides. If rules[3] shall have such requests, move it above rules[0]; else leave it.`,
			`rules[4] (any method /{x}) does not get all its requests: what rules[0] (base path /, API group a), rules[1] (base path /, API group b), rules[2] (base path /, API group c) or 1 more takes too goes there first, such as GET /x, where it meets the groups and conditions of both. Neither contains the other, so the order decides. If rules[4] shall have such requests, move it above rules[0]; else leave it.`,
		}},
	} {
		t.Run(name, func(t *testing.T) {
			findings := Analyze(resolved(t, c.rules)).Findings
			if len(findings) != len(c.want) {
				t.Fatalf("%d findings, want %d: %v", len(findings), len(c.want), findings)
			}
			for i, f := range findings {
				if f.Message != c.want[i] {
					t.Errorf("message\n%s\nwant\n%s", f.Message, c.want[i])
				}
			}
		})
	}
}

func TestWildcardTakesNamesBelow(t *testing.T) {
	rules := resolved(t, []plainRule{{BasePath: "/", Domain: "*.Example.com"}})
	for host, want := range map[string]bool{
		"a.example.com": true, "b.A.EXAMPLE.com": true, "example.com": false, ".example.com": false, "an-example.com": false, "a.example.com.test": false,
	} {
		request := resolvedRequests(t, []plainRequest{{Method: "GET", Domain: host, Path: "/"}})[0]
		if got := rules[0].Matches(request); got != want {
			t.Errorf("%s is taken: %t, want %t", host, got, want)
		}
	}
}

func TestRuleNamesMethodsByTheShorterList(t *testing.T) {
	half := Methods[:len(Methods)/2]
	for _, rule := range resolved(t, []plainRule{
		{Path: "/x", Methods: half},
		{Path: "/x", Methods: Methods[len(half):]},
		{Path: "/x", Methods: Methods[:len(half)+1]},
	}) {
		left := len(Methods) - bits.OnesCount16(uint16(rule.methods))
		text := rule.String()
		if named, allBut := strings.Count(text, "|")+1, strings.HasPrefix(text, "all but "); allBut != (left < len(half)) || named != min(left, len(Methods)-left) {
			t.Errorf("%d methods are written %q", len(Methods)-left, text)
		}
	}
}

func TestUnnamedIsNamedByNoRule(t *testing.T) {
	for named, want := range map[string]string{"a": "x", "{x}": "x", "axe": "y", "xyz": "0", "xyz0123456789": "à"} {
		fill := unnamed(resolved(t, []plainRule{{Path: "/a/b/c/"}, {Path: "/" + named, Domain: "a.test"}}))
		if fill.text != want || fill.more != 4 {
			t.Errorf("beside %s it is %+v, want %s", named, fill, want)
		}
	}
	if fill := unnamed(resolved(t, []plainRule{{BasePath: "/", Domain: "x.test"}})); fill.text != "y" || fill.more != 1 {
		t.Errorf("%+v", fill)
	}
}

func TestUnionNamesOnlyRulesThatTakeSomething(t *testing.T) {
	a := Analyze(resolved(t, []plainRule{
		{Path: "/x", Methods: []string{"GET"}},
		{Path: "/x", Methods: []string{"GET"}}, // itself shadowed
		{Path: "/x", Methods: []string{"GET", "PUT"}},
		{Path: "/y", Methods: []string{"POST"}}, // elsewhere
		{Path: "/x", Methods: []string{"GET", "POST"}},
		{Path: "/x", Methods: []string{"GET", "PUT", "POST"}},
	}))
	last := a.Findings[len(a.Findings)-1]
	if want := []int{0, 2, 4}; last.Rule != 5 || !slices.Equal(last.CoveredBy, want) {
		t.Errorf("rule %d is covered by %v, want 5 by %v", last.Rule, last.CoveredBy, want)
	}
}

func TestWarningsAndCaveats(t *testing.T) {
	rules := resolved(t, []plainRule{
		{BasePath: "/a", Name: "api"},
		{BasePath: "/b"},
		{BasePath: "/c"},
		{Path: "/d", Name: "api"},
		{BasePath: "/e", Action: "bypass", Name: "own"},
	})
	want := []calc.Finding{{Code: WarnDuplicateName, Message: `rules[0], rules[3] are all named "api": a finding or a match that names it does not say which one is meant. Give each rule a name of its own.`}}
	if got := Warnings(rules); !slices.Equal(got, want) {
		t.Errorf("warnings %v, want %v", got, want)
	}
	if got := Warnings(rules[:3]); got == nil || len(got) != 0 {
		t.Errorf("warnings without a duplicate are %v, want an empty list", got)
	}
	const lists = "Rules are evaluated first-match in the order given here. XC keeps Server URL rules and API endpoint rules in two lists"
	const unsure = ", and does not document which of them goes first: where a request could meet a rule of either, test it on the load balancer."
	for _, c := range []struct {
		rules []Rule
		want  string
	}{
		{rules[:3], lists + unsure},
		{rules[3:4], lists + unsure},
		{rules[:5], lists + ", here 3 rules and 1 rule" + unsure},
	} {
		if got := Caveats(c.rules); len(got) != 1 || got[0].Code != CaveatFirstMatchOrder || got[0].Message != c.want {
			t.Errorf("caveats of %v are %v, want %s", c.rules, got, c.want)
		}
	}
	if Limit.String() != "limit" || Bypass.String() != "bypass" {
		t.Error("actions are not written as configurations write them")
	}
}
