package provider

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
)

// decoded reads JSON with its numbers as the text that they are.
func decoded(t *testing.T, text string) any {
	t.Helper()
	decoder := json.NewDecoder(strings.NewReader(text))
	decoder.UseNumber()
	var value any
	if err := decoder.Decode(&value); err != nil {
		t.Fatal(err)
	}
	return value
}

func TestAccAPIRateLimitDataSource_golden(t *testing.T) {
	cases := goldenCases[struct {
		Name     string
		Rules    []map[string]any
		Requests []map[string]any
		Want     struct {
			Shadowed       map[string]any
			SuggestedOrder any `json:"suggested_order"`
			Matches        []any
		}
	}](t, "rules/testdata/rules.json", 44)
	var config strings.Builder
	for i, c := range cases {
		fmt.Fprintf(&config, "data \"xcrl_api_rate_limit\" \"case_%d\" {\n  rules = %s\n  requests = %s\n}\n", i, hcl(t, c.Rules), hcl(t, c.Requests))
	}
	s := applied(t, config.String())
	for i, c := range cases {
		t.Run(c.Name, func(t *testing.T) {
			answer := s.data[fmt.Sprintf("data.xcrl_api_rate_limit.case_%d", i)]
			shadowed, indices := map[string]any{}, []any{}
			for _, finding := range answer["findings"].([]any) {
				f := finding.(map[string]any)
				if f["code"] == "shadowed" {
					shadowed[f["rule"].(json.Number).String()] = f["covered_by"]
					indices = append(indices, f["rule"])
				}
			}
			matches := make([]any, len(c.Want.Matches))
			for j, want := range c.Want.Matches {
				matches[j] = map[string]any{"rule": nil, "name": nil, "action": nil}
				if want != nil {
					matches[j] = map[string]any{"rule": want, "name": nil, "action": "limit"}
				}
			}
			limits := make([]any, len(c.Rules))
			for _, part := range []struct {
				name      string
				got, want any
			}{
				{"what is shadowed by what", shadowed, c.Want.Shadowed},
				{"shadowed", answer["shadowed"], indices},
				{"suggested_order", answer["suggested_order"], c.Want.SuggestedOrder},
				{"matches", answer["matches"], matches},
				{"limits", answer["limits"], limits},
				{"the codes of warnings", codes(answer["warnings"]), []any{}},
				{"the codes of caveats", codes(answer["caveats"]), []any{"first-match-order"}},
			} {
				if !sameValue(part.got, part.want) {
					t.Errorf("%s: %v, want %v", part.name, part.got, part.want)
				}
			}
		})
	}
}

// Every attribute of one answer, so that none goes unlooked at.
func TestAccAPIRateLimitDataSource_everyAttribute(t *testing.T) {
	s := applied(t, `
data "xcrl_api_rate_limit" "shop" {
  rules = [
    { name = "health", path = "/health/{probe}", methods = ["GET", "HEAD"], domain = "*.Example.com", action = "bypass" },
    { name = "api", base_path = "/api", conditions = ["asn:64500"], limit = { number = 1000, per_period = "minute", burst_multiplier = 2 } },
    { name = "api", base_path = "/api/v1", conditions = ["asn:64500", "x"], api_group = "g", limit = { number = 1000, per_period = "minute", burst_multiplier = 2 } },
    { path = "/api/login", methods = ["GET"], invert_methods = true, limit = { number = 5, per_period = "Minutes", mitigation_action = "Block", block_duration = 10, block_unit = "Minutes", algorithm = "token_bucket", periods = 2 } },
  ]
  requests = [
    { method = "GET", domain = "WWW.example.com", path = "/health/live" },
    { method = "POST", domain = "example.com", path = "/api/login", conditions = ["asn:64500", "y"], api_groups = ["g"] },
    { method = "POST", domain = "example.com", path = "/api/login" },
    { method = "GET", domain = "example.com", path = "/api/login" },
  ]
}
data "xcrl_rate_limit" "api" {
  number           = 1000
  per_period       = "minute"
  burst_multiplier = 2
}
data "xcrl_rate_limit" "login" {
  number            = 5
  per_period        = "Minutes"
  periods           = 2
  mitigation_action = "Block"
  block_duration    = 10
  block_unit        = "Minutes"
  algorithm         = "token_bucket"
}`)
	api, login := any(s.data["data.xcrl_rate_limit.api"]), any(s.data["data.xcrl_rate_limit.login"])
	rule := func(text string) any {
		rule := map[string]any{}
		for name := range objectTypes(ruleType) {
			rule[name] = nil
		}
		maps.Copy(rule, decoded(t, text).(map[string]any))
		return rule
	}
	const apiLimit = `{"number": 1000, "per_period": "minute", "periods": null, "burst_multiplier": 2, "mitigation_action": null, "block_duration": null, "block_unit": null, "algorithm": null}`
	want := map[string]any{
		"rules": []any{
			rule(`{"name": "health", "path": "/health/{probe}", "methods": ["GET", "HEAD"], "domain": "*.Example.com", "action": "bypass"}`),
			rule(`{"name": "api", "base_path": "/api", "conditions": ["asn:64500"], "limit": ` + apiLimit + `}`),
			rule(`{"name": "api", "base_path": "/api/v1", "conditions": ["asn:64500", "x"], "api_group": "g", "limit": ` + apiLimit + `}`),
			rule(`{"path": "/api/login", "methods": ["GET"], "invert_methods": true, "limit": {"number": 5, "per_period": "Minutes", "periods": 2, "burst_multiplier": null,
				"mitigation_action": "Block", "block_duration": 10, "block_unit": "Minutes", "algorithm": "token_bucket"}}`),
		},
		"requests": decoded(t, `[
			{"method": "GET", "domain": "WWW.example.com", "path": "/health/live", "conditions": null, "api_groups": null},
			{"method": "POST", "domain": "example.com", "path": "/api/login", "conditions": ["asn:64500", "y"], "api_groups": ["g"]},
			{"method": "POST", "domain": "example.com", "path": "/api/login", "conditions": null, "api_groups": null},
			{"method": "GET", "domain": "example.com", "path": "/api/login", "conditions": null, "api_groups": null}
		]`),
		"shadowed": decoded(t, `[2]`),
		"findings": decoded(t, `[
			{"code": "shadowed", "rule": 2, "name": "api", "covered_by": [1],
			 "message": "rules[2] \"api\" (base path /api/v1, API group g, 2 conditions) can never match: rules[1] \"api\" (base path /api, 1 condition) comes first and takes every request that it would. Move rules[2] above rules[1], or remove it."},
			{"code": "overlap", "rule": 3, "name": null, "covered_by": [1],
			 "message": "rules[3] (all but GET /api/login) does not get all its requests: what rules[1] \"api\" (base path /api, 1 condition) takes too goes there first, such as HEAD /api/login, where it meets the groups and conditions of both. Neither contains the other, so the order decides. If rules[3] shall have such requests, move it above rules[1]; else leave it."}
		]`),
		"suggested_order": decoded(t, `[0, 2, 1, 3]`),
		"matches": decoded(t, `[
			{"rule": 0, "name": "health", "action": "bypass"},
			{"rule": 1, "name": "api", "action": "limit"},
			{"rule": 3, "name": null, "action": "limit"},
			{"rule": null, "name": null, "action": null}
		]`),
		"limits": []any{nil, api, api, login},
		"warnings": decoded(t, `[
			{"code": "block-without-burst-headroom", "message": "rules[3]: Block with burst multiplier 1: the 6th request of a burst locks a client out for 10 minutes. Raise burst_multiplier to leave room for ordinary bursts."},
			{"code": "duplicate-name", "message": "rules[1], rules[2] are all named \"api\": a finding or a match that names it does not say which one is meant. Give each rule a name of its own."},
			{"code": "small-bucket", "message": "rules[3]: The bucket takes only 5 requests at once, and one browser opens six connections at once: ordinary page loads will meet 429. Raise burst_multiplier, or write the same rate with a larger number over a longer window."},
			{"code": "token-bucket-modelled-as-leaky", "message": "rules[3]: F5 says only that token bucket is stricter than leaky bucket, so it is modelled as a leaky bucket: a burst from empty meets 429 after 5 requests at the latest, perhaps sooner."}
		]`),
		"caveats": decoded(t, `[
			{"code": "distributed-counting", "message": "rules[1] \"api\" and rules[2] \"api\": Every Regional Edge and proxy keeps its own count: a client spread over several of them can get a burst of 2000 through at each before the counters converge. F5 publishes no convergence time."},
			{"code": "distributed-counting", "message": "rules[3]: Every Regional Edge and proxy keeps its own count: a client spread over several of them can get a burst of 5 through at each before the counters converge. F5 publishes no convergence time."},
			{"code": "first-match-order", "message": "Rules are evaluated first-match in the order given here. XC keeps Server URL rules and API endpoint rules in two lists, here 2 rules and 1 rule, and does not document which of them goes first: where a request could meet a rule of either, test it on the load balancer."},
			{"code": "lockout-sticks", "message": "rules[3]: A lockout always lasts 10 minutes, however long the bucket has been empty by then."},
			{"code": "no-fixed-window", "message": "rules[1] \"api\" and rules[2] \"api\": No window resets: the bucket drains continuously, and at one enforcement point up to 3000 requests can pass within 1 minute, a full bucket and every slot that frees meanwhile."},
			{"code": "no-fixed-window", "message": "rules[3]: No window resets: the bucket drains continuously, and at one enforcement point up to 10 requests can pass within 2 minutes, a full bucket and every slot that frees meanwhile."},
			{"code": "overflow-returns-429", "message": "rules[1] \"api\", rules[2] \"api\" and rules[3]: An overflowing request is answered 429 whatever the mitigation action. To stop limiting, remove or bypass the limiter."}
		]`),
	}
	got := s.data["data.xcrl_api_rate_limit.shop"]
	if len(got) != len(want) || len(got) != len(apiRateLimitTypes) {
		t.Errorf("%d attributes are looked at, %d are in the schema and %d in the answer", len(want), len(apiRateLimitTypes), len(got))
	}
	for name := range want {
		if !reflect.DeepEqual(got[name], want[name]) {
			t.Errorf("%s is\n%v, want\n%v", name, got[name], want[name])
		}
	}
}

// Nothing to judge is an answer too, and null arguments are those left out.
func TestAccAPIRateLimitDataSource_empty(t *testing.T) {
	s := applied(t, `
data "xcrl_api_rate_limit" "none" {
  rules    = []
  requests = [{ method = "GET", domain = "example.com", path = "/" }]
}
data "xcrl_api_rate_limit" "null" {
  rules = [{
    name = null, base_path = "/", path = null, domain = null, methods = null, invert_methods = null,
    api_group = null, conditions = null, action = null, limit = null
  }]
  requests = null
}
data "xcrl_api_rate_limit" "empty" {
  rules    = [{ base_path = "/", methods = [], invert_methods = false, conditions = [], action = "limit" }]
  requests = []
}`)
	for name, want := range map[string]string{
		"none":  `{"shadowed": [], "findings": [], "suggested_order": [], "limits": [], "warnings": [], "matches": [{"rule": null, "name": null, "action": null}]}`,
		"null":  `{"shadowed": [], "findings": [], "suggested_order": [0], "limits": [null], "warnings": [], "matches": []}`,
		"empty": `{"shadowed": [], "findings": [], "suggested_order": [0], "limits": [null], "warnings": [], "matches": []}`,
	} {
		answer := s.data["data.xcrl_api_rate_limit."+name]
		for attribute, want := range decoded(t, want).(map[string]any) {
			if !reflect.DeepEqual(answer[attribute], want) {
				t.Errorf("%s: %s is %v, want %v", name, attribute, answer[attribute], want)
			}
		}
	}
}

// Whatever part is unknown, the read waits for apply.
func TestAccAPIRateLimitDataSource_unknownDefersToApply(t *testing.T) {
	const later = "terraform_data.later.output"
	rule := func(argument string) string { return `{ base_path = "/api", ` + argument + ` }` }
	parts := map[string]string{
		"rules":      `[for p in ` + later + `.paths : { base_path = p, limit = { number = 7, per_period = "Hours" } }]`,
		"rule":       `[` + later + `.rule]`,
		"base_path":  `[{ base_path = ` + later + `.paths[0], limit = { number = 7, per_period = "Hours" } }]`,
		"path":       `[{ path = ` + later + `.paths[0], limit = { number = 7, per_period = "Hours" } }]`,
		"name":       `[` + rule(`name = `+later+`.text, limit = { number = 7, per_period = "Hours" }`) + `]`,
		"domain":     `[` + rule(`domain = `+later+`.text, limit = { number = 7, per_period = "Hours" }`) + `]`,
		"api_group":  `[` + rule(`api_group = `+later+`.text, limit = { number = 7, per_period = "Hours" }`) + `]`,
		"conditions": `[` + rule(`conditions = [`+later+`.text, "known"], limit = { number = 7, per_period = "Hours" }`) + `]`,
		"methods":    `[{ path = "/api", methods = [` + later + `.method], limit = { number = 7, per_period = "Hours" } }]`,
		"invert":     `[{ path = "/api", methods = ["PUT"], invert_methods = ` + later + `.flag, limit = { number = 7, per_period = "Hours" } }]`,
		"action":     `[` + rule(`action = `+later+`.action, limit = { number = 7, per_period = "Hours" }`) + `]`,
		"limit":      `[` + rule(`limit = `+later+`.limit`) + `]`,
		"number":     `[` + rule(`limit = { number = `+later+`.limit.number, per_period = "Hours" }`) + `]`,
	}
	config := strings.Builder{}
	config.WriteString(`
resource "terraform_data" "later" {
  input = {
    paths  = ["/api"]
    text   = "text"
    method = "POST"
    flag   = true
    action = "limit"
    limit  = { number = 7, per_period = "Hours" }
    request = { method = "GET", domain = "example.com", path = "/api" }
    rule   = { base_path = "/api", limit = { number = 7, per_period = "Hours" } }
  }
}
data "xcrl_api_rate_limit" "requests" {
  rules    = [{ base_path = "/api", limit = { number = 7, per_period = "Hours" } }]
  requests = [{ method = terraform_data.later.output.method, domain = "example.com", path = "/api" }]
}
data "xcrl_api_rate_limit" "request" {
  rules    = [{ base_path = "/api", limit = { number = 7, per_period = "Hours" } }]
  requests = [terraform_data.later.output.request]
}
`)
	for name, rules := range parts {
		fmt.Fprintf(&config, "data \"xcrl_api_rate_limit\" %q {\n  rules = %s\n}\n", name, rules)
	}
	checks := []plancheck.PlanCheck{}
	names := append(slices.Collect(maps.Keys(parts)), "requests", "request")
	for _, name := range names {
		fmt.Fprintf(&config, "output %q {\n  value = data.xcrl_api_rate_limit.%s.limits[0].burst_ceiling\n}\n", name, name)
		checks = append(checks, plancheck.ExpectUnknownOutputValue(name))
	}
	got := state{outputs: map[string]any{}, data: map[string]map[string]any{}}
	runInEngine(t, resource.TestCase{Steps: []resource.TestStep{{
		Config:            config.String(),
		ConfigPlanChecks:  resource.ConfigPlanChecks{PreApply: checks},
		ConfigStateChecks: []statecheck.StateCheck{&got},
	}}})
	for _, name := range names {
		if got.outputs[name] != json.Number("7") {
			t.Errorf("after apply with %s unknown until then: %v, want 7", name, got.outputs[name])
		}
	}
}

func TestAccAPIRateLimitDataSource_refuses(t *testing.T) {
	one := func(rule string) string { return "[\n    " + rule + ",\n  ]" }
	twentyOne := func(rule string) string { return "[for i in range(21) : " + rule + "]" }
	const later = "terraform_data.later.output"
	bad := []struct {
		name, rules, requests string
		at                    string // what the engine shows as at fault
		messages              []string
	}{
		{"both", one(`{ base_path = "/a", path = "/b" }`), "", `{ base_path = "/a", path = "/b" }`, []string{`At rules[0]: base_path is "/a" and path is "/b", but`, "Keep one of them, or write two rules."}},
		{"neither", one(`{ name = "api" }`), "", `{ name = "api" }`, []string{"At rules[0]: A rule needs one of them"}},
		{"base_path_methods", one(`{ base_path = "/a", methods = ["GET"] }`), "", `{ base_path = "/a", methods = ["GET"] }`, []string{"At rules[0].methods: methods is written beside base_path", "write path instead of base_path"}},
		{"base_path_invert", one(`{ base_path = "/a", invert_methods = true }`), "", `{ base_path = "/a", invert_methods = true }`, []string{"At rules[0].invert_methods: invert_methods is written beside base_path"}},
		{"path_group", one(`{ path = "/a", api_group = "g" }`), "", `{ path = "/a", api_group = "g" }`, []string{`At rules[0].api_group: api_group is "g" beside path`}},
		{"method", one(`{ path = "/a", methods = ["FETCH"] }`), "", `{ path = "/a", methods = ["FETCH"] }`, []string{`At rules[0].methods: "FETCH" is no method that XC knows here: ANY, GET,`}},
		{"method_case", one(`{ path = "/a", methods = ["get"] }`), "", `{ path = "/a", methods = ["get"] }`, []string{`Methods are in upper case: write "GET".`}},
		{"invert_all", one(`{ path = "/a", methods = ["ANY"], invert_methods = true }`), "", `{ path = "/a", methods = ["ANY"], invert_methods = true }`, []string{"At rules[0].invert_methods: ", "the rule would match nothing"}},
		{"request_without_domain", "[]", `[{ method = "GET", path = "/" }]`, `requests = [{ method = "GET", path = "/" }]`, []string{"At requests[0].domain: A request has a domain, by which rules are matched. Write it."}},
		{"slash", one(`{ base_path = "api" }`), "", `{ base_path = "api" }`, []string{`At rules[0].base_path: base_path is "api"`, `Write "/api".`}},
		{"brace", one(`{ path = "/users/{id" }`), "", `{ path = "/users/{id" }`, []string{`At rules[0].path: path is "/users/{id", but the segment "{id" opens a brace that it does not close.`}},
		{"action", one(`{ base_path = "/", action = "block" }`), "", `{ base_path = "/", action = "block" }`, []string{`At rules[0].action: action is "block"`}},
		{"condition", one(`{ base_path = "/", conditions = ["", "a"] }`), "", `{ base_path = "/", conditions = ["", "a"] }`, []string{"At rules[0].conditions: conditions holds a null or empty text"}},
		{"domain", one(`{ base_path = "/", domain = "a.*.com" }`), "", `{ base_path = "/", domain = "a.*.com" }`, []string{`At rules[0].domain: domain is "a.*.com"`}},
		{"null_rule", one(`null`), "", `null`, []string{"At rules[0]: rules[0] is null"}},
		{"number", one(`{ base_path = "/", limit = { number = 0, per_period = "Hours" } }`), "", `{ base_path = "/", limit = { number = 0, per_period = "Hours" } }`, []string{"At rules[0].limit.number: number is 0, but it takes a whole number from 1 to 8192."}},
		{"unit", one(`{ base_path = "/", limit = { number = 1, per_period = "DAY" } }`), "", `{ base_path = "/", limit = { number = 1, per_period = "DAY" } }`, []string{`At rules[0].limit.per_period: per_period is "DAY".`, "Use Hours with periods 24."}},
		{"bypass_limit", one(`{ base_path = "/", action = "bypass", limit = { number = 1, per_period = "Hours" } }`), "", `{ base_path = "/", action = "bypass", limit = { number = 1, per_period = "Hours" } }`, []string{"At rules[0].limit: The rule has a limit, but its action is \"bypass\""}},
		{"many_base", twentyOne(`{ base_path = "/${i}" }`), "", `rules = [for i in range(21)`, []string{"There are 21 Server URL rules, but a load balancer of XC takes at most 20 of them."}},
		{"many_paths", twentyOne(`{ path = "/${i}" }`), "", `rules = [for i in range(21)`, []string{"There are 21 API endpoint rules"}},
		{"many_bypass", twentyOne(`{ path = "/${i}", action = "bypass" }`), "", `rules = [for i in range(21)`, []string{"There are 21 bypass rules"}},
		{"request_method", "[]", one(`{ method = "ANY", domain = "a.test", path = "/" }`), `{ method = "ANY", domain = "a.test", path = "/" }`, []string{`At requests[0].method: "ANY" is no method that XC knows here: GET,`}},
		{"request_path", "[]", one(`{ method = "GET", domain = "a.test", path = "a?b" }`), `{ method = "GET", domain = "a.test", path = "a?b" }`, []string{`At requests[0].path: path is "a?b"`, `Write "/a".`}},
		{"request_domain", "[]", one(`{ method = "GET", domain = "*.test", path = "/" }`), `{ method = "GET", domain = "*.test", path = "/" }`, []string{`At requests[0].domain: domain is "*.test"`, "a request has one host"}},

		// What is known is checked while the rest is not.
		{"beside_unknown_rule", "[" + later + `.rule, { base_path = "b" }]`, "", `rules = [` + later + `.rule, { base_path = "b" }]`, []string{`At rules[1].base_path: base_path is "b"`}},
		{"beside_unknown_argument", one(`{ base_path = ` + later + `.path, action = "drop" }`), "", `{ base_path = ` + later + `.path, action = "drop" }`, []string{`At rules[0].action: action is "drop"`}},
		{"beside_unknown_limit", one(`{ path = "c", limit = ` + later + `.limit }`), "", `{ path = "c", limit = ` + later + `.limit }`, []string{`At rules[0].path: path is "c"`}},
		{"beside_unknown_number", one(`{ base_path = "/", limit = { number = ` + later + `.number, per_period = "Weeks" } }`), "", `{ base_path = "/", limit = {`, []string{`At rules[0].limit.per_period: per_period is "Weeks".`}},
		{"beside_unknown_rules", later + ".rules", one(`{ method = "GET", domain = "a.test", path = "d" }`), `{ method = "GET", domain = "a.test", path = "d" }`, []string{`At requests[0].path: path is "d"`}},
	}
	config := strings.Builder{}
	config.WriteString("resource \"terraform_data\" \"later\" {\n  input = {}\n}\n")
	for _, b := range bad {
		fmt.Fprintf(&config, "data \"xcrl_api_rate_limit\" %q {\n  rules = %s\n", b.name, b.rules)
		if b.requests != "" {
			fmt.Fprintf(&config, "  requests = %s\n", b.requests)
		}
		config.WriteString("}\n")
	}
	said := refused(t, config.String())
	for _, b := range bad {
		t.Run(b.name, func(t *testing.T) {
			about := complaints(said, "data.xcrl_api_rate_limit."+b.name)
			wantSaid(t, about, b.messages...)
			wantSaid(t, about, ": "+b.at)
		})
	}
}

// The engine itself refuses what the schema does not take.
func TestAccAPIRateLimitDataSource_refusesByType(t *testing.T) {
	said := refused(t, `
data "xcrl_api_rate_limit" "no_rules" {}
data "xcrl_api_rate_limit" "limit" {
  rules = [{ base_path = "/", limit = { number = 1 } }]
}`)
	wantSaid(t, said, `The argument "rules" is required`, `attribute "limit": attribute "per_period" is required`)
}

// What is unknown at validation is refused once it is known.
func TestAccAPIRateLimitDataSource_refusesDuringApply(t *testing.T) {
	said := refused(t, `
resource "terraform_data" "later" {
  input = ["/a", "b"]
}
data "xcrl_api_rate_limit" "late" {
  rules = [for p in terraform_data.later.output : { base_path = p }]
}`)
	wantSaid(t, said, `At rules[1].base_path: base_path is "b"`, "rules = [for p in terraform_data.later.output")
}

// Putting rules into the suggested order needs no more than a for expression, and
// a check on the order no more than shadowed.
func TestAccAPIRateLimitDataSource_reordered(t *testing.T) {
	config := func(rules string) string {
		return `
locals {
  rules = [
    { name = "all", base_path = "/" },
    { name = "login", path = "/login", methods = ["POST"] },
  ]
}
data "xcrl_api_rate_limit" "given" {
  rules = local.rules
}
data "xcrl_api_rate_limit" "used" {
  rules    = ` + rules + `
  requests = [{ method = "POST", domain = "shop.example.com", path = "/login" }]
  lifecycle {
    postcondition {
      condition     = length(self.shadowed) == 0
      error_message = join("\n", self.findings[*].message)
    }
  }
}`
	}
	s := applied(t, config(`[for i in data.xcrl_api_rate_limit.given.suggested_order : local.rules[i]]`))
	match := s.data["data.xcrl_api_rate_limit.used"]["matches"].([]any)[0].(map[string]any)
	if match["name"] != "login" || match["rule"] != json.Number("0") {
		t.Errorf("the login meets %v, want rule 0, login", match)
	}
	wantSaid(t, refused(t, config("local.rules")), `rules[1] "login" (POST /login) can never match: rules[0] "all" (base path /) comes first`)
}
