package provider

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/tfjsonpath"
)

// The api_rate_limit of lb-api-rate-limit.json as the two providers hold it in a
// load balancer; %s is an expression for what is not known before apply.
const (
	rulesAsF5XC = `{
  id = %[1]s, rate_limit = null
  api_rate_limit = {
    bypass_rate_limiting_rules = { bypass_rate_limiting_rules = [
      { any_domain = {}, specific_domain = null, any_url = null, base_path = "/healthz", api_groups = null, api_endpoint = null,
        client_matcher = { any_client = {}, any_ip = {}, asn_list = null }, request_matcher = { headers = null } },
    ] }
    server_url_rules = [
      { any_domain = {}, specific_domain = null, api_group = null, base_path = "/", client_matcher = null, request_matcher = null,
        ref_rate_limiter = null, inline_rate_limiter = { threshold = 1000, unit = "MINUTE", use_http_lb_user_id = {}, ref_user_id = null } },
      { any_domain = null, specific_domain = "api.example.com", api_group = null, base_path = "/v2/", client_matcher = null, request_matcher = null,
        ref_rate_limiter = { name = "v2", namespace = "shop", tenant = %[1]s }, inline_rate_limiter = null },
    ]
    api_endpoint_rules = [
      { any_domain = {}, specific_domain = null, api_endpoint_path = "/v1/users/{id}", api_endpoint_method = { methods = ["GET"], invert_matcher = null },
        ref_rate_limiter = null, inline_rate_limiter = { threshold = 50, unit = "SECOND", use_http_lb_user_id = {}, ref_user_id = null } },
      { any_domain = {}, specific_domain = null, api_endpoint_path = "/v1/users/me", api_endpoint_method = { methods = ["GET"], invert_matcher = false },
        ref_rate_limiter = null, inline_rate_limiter = { threshold = 5, unit = "SECOND", use_http_lb_user_id = {}, ref_user_id = null } },
    ]
  }
}`
	rulesAsVolterra = `{
  id = %[1]s, rate_limit = []
  api_rate_limit = [{
    bypass_rate_limiting_rules = [{ bypass_rate_limiting_rules = [
      { any_domain = true, specific_domain = "", any_url = false, base_path = "/healthz", api_groups = [], api_endpoint = [],
        client_matcher = [{ any_client = true, any_ip = true, asn_list = [] }], request_matcher = [{ headers = [] }] },
    ] }]
    server_url_rules = tolist([
      { any_domain = true, specific_domain = "", api_group = "", base_path = "/", client_matcher = [], request_matcher = [],
        ref_rate_limiter = [], inline_rate_limiter = [{ threshold = 1000, unit = "MINUTE", use_http_lb_user_id = true, ref_user_id = [] }] },
      { any_domain = false, specific_domain = "api.example.com", api_group = "", base_path = "/v2/", client_matcher = [], request_matcher = [],
        ref_rate_limiter = [{ name = "v2", namespace = "shop", tenant = %[1]s }], inline_rate_limiter = [] },
    ])
    api_endpoint_rules = [
      { any_domain = true, specific_domain = "", api_endpoint_path = "/v1/users/{id}", api_endpoint_method = [{ methods = toset(["GET"]), invert_matcher = false }],
        ref_rate_limiter = [], inline_rate_limiter = [{ threshold = 50, unit = "SECOND", use_http_lb_user_id = true, ref_user_id = [] }] },
      { any_domain = true, specific_domain = "", api_endpoint_path = "/v1/users/me", api_endpoint_method = [{ methods = toset(["GET"]), invert_matcher = false }],
        ref_rate_limiter = [], inline_rate_limiter = [{ threshold = 5, unit = "SECOND", use_http_lb_user_id = true, ref_user_id = [] }] },
    ]
  }]
}`
)

// rulesInOrder are the rules of lb-api-rate-limit.json, those of the three lists
// in turn.
func rulesInOrder(t *testing.T, order ...string) []any {
	t.Helper()
	lists := map[string]string{
		"bypass": `[{"name": "bypass_rate_limiting_rules[0]", "base_path": "/healthz", "action": "bypass"}]`,
		"server": `[
			{"name": "server_url_rules[0]", "base_path": "/", "limit": {"number": 1000, "per_period": "Minutes"}},
			{"name": "server_url_rules[1]", "base_path": "/v2/", "domain": "api.example.com"}]`,
		"endpoint": `[
			{"name": "api_endpoint_rules[0]", "path": "/v1/users/{id}", "methods": ["GET"], "limit": {"number": 50, "per_period": "Seconds"}},
			{"name": "api_endpoint_rules[1]", "path": "/v1/users/me", "methods": ["GET"], "limit": {"number": 5, "per_period": "Seconds"}}]`,
	}
	limit := `{"periods": 1, "burst_multiplier": 1, "mitigation_action": null, "block_duration": null, "block_unit": null, "algorithm": "leaky_bucket"}`
	var rules []any
	for _, name := range order {
		for _, r := range decoded(t, lists[name]).([]any) {
			rule := map[string]any{}
			for name := range objectTypes(ruleType) {
				rule[name] = nil
			}
			maps.Copy(rule, r.(map[string]any))
			if rule["limit"] != nil {
				maps.Copy(rule["limit"].(map[string]any), decoded(t, limit).(map[string]any))
			}
			rules = append(rules, rule)
		}
	}
	return rules
}

// However the rules are written, they are the same rules, in either order, and
// the data source takes them as they come.
func TestAccRulesFromXCFunction_renderings(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "calc", "rules", "testdata", "lb-api-rate-limit.json"))
	if err != nil {
		t.Fatal(err)
	}
	object := strings.TrimSpace(string(text))
	config := strings.Builder{}
	renderings := map[string]string{
		"json":     hcl(t, object),
		"hcl":      strings.ReplaceAll(object, "${", "$${"),
		"answer":   fmt.Sprintf("{ metadata = { name = \"shop\" }, spec = { api_rate_limit = %s } }", object),
		"f5xc":     fmt.Sprintf(rulesAsF5XC, `"a"`),
		"volterra": fmt.Sprintf(rulesAsVolterra, `"a"`),
	}
	for name, value := range renderings {
		fmt.Fprintf(&config, "output %q {\n  value = provider::xcrl::rules_from_xc(%s)\n}\n", name, value)
		fmt.Fprintf(&config, "output \"%s_endpoints_first\" {\n  value = provider::xcrl::rules_from_xc(%s, \"endpoints_first\")\n}\n", name, value)
	}
	fmt.Fprintf(&config, `
data "xcrl_api_rate_limit" "shop" {
  rules = provider::xcrl::rules_from_xc(%s)
}
data "xcrl_api_rate_limit" "turned" {
  rules = provider::xcrl::rules_from_xc(%[1]s, "endpoints_first")
}`, hcl(t, object))
	s := applied(t, config.String())
	serversFirst, endpointsFirst := rulesInOrder(t, "bypass", "server", "endpoint"), rulesInOrder(t, "bypass", "endpoint", "server")
	for name := range renderings {
		if got := s.outputs[name]; !reflect.DeepEqual(got, any(serversFirst)) {
			t.Errorf("%s gives\n%v, want\n%v", name, got, serversFirst)
		}
		if got := s.outputs[name+"_endpoints_first"]; !reflect.DeepEqual(got, any(endpointsFirst)) {
			t.Errorf("%s with endpoints first gives\n%v, want\n%v", name, got, endpointsFirst)
		}
	}
	for name, want := range map[string]struct {
		rules    []any
		shadowed string
	}{
		"shop":   {serversFirst, `[2, 3, 4]`},
		"turned": {endpointsFirst, `[2, 4]`},
	} {
		answer := s.data["data.xcrl_api_rate_limit."+name]
		if !reflect.DeepEqual(answer["rules"], any(want.rules)) {
			t.Errorf("%s holds the rules\n%v, want\n%v", name, answer["rules"], want.rules)
		}
		if !reflect.DeepEqual(answer["shadowed"], decoded(t, want.shadowed)) {
			t.Errorf("%s: shadowed is %v, want %s", name, answer["shadowed"], want.shadowed)
		}
		if got := codes(answer["warnings"]); !reflect.DeepEqual(got, any([]any{"small-bucket"})) {
			t.Errorf("%s is warned of with %v, want what the inline limiters deserve: small-bucket", name, got)
		}
	}
}

// Matchers become conditions, and bypass rules for several groups one rule each.
func TestAccRulesFromXCFunction_bypass(t *testing.T) {
	s := applied(t, `
output "rules" {
  value = [for r in provider::xcrl::rules_from_xc({
    bypass_rate_limiting_rules = { bypass_rate_limiting_rules = [
      { any_domain = {}, any_url = {}, client_matcher = { asn_list = { as_numbers = [64501, 64500] } } },
      { any_domain = {}, api_groups = { api_groups = ["internal", "partners"] } },
      { any_domain = {}, api_endpoint = { path = "/probe", methods = ["HEAD"] } },
    ] }
  }) : join(" ", [r.name, coalesce(r.base_path, r.path), jsonencode(r.methods), coalesce(r.api_group, "-"), jsonencode(r.conditions), r.action, r.limit == null])]
}
output "none" {
  value = provider::xcrl::rules_from_xc({ server_url_rules = [], api_endpoint_rules = null, bypass_rate_limiting_rules = null })
}`)
	want := []any{
		`bypass_rate_limiting_rules[0] / null - ["client_matcher.asn_list {\"as_numbers\":[64500,64501]}"] bypass true`,
		`bypass_rate_limiting_rules[1].api_groups[0] / null internal null bypass true`,
		`bypass_rate_limiting_rules[1].api_groups[1] / null partners null bypass true`,
		`bypass_rate_limiting_rules[2] /probe ["HEAD"] - null bypass true`,
	}
	if got := s.outputs["rules"]; !reflect.DeepEqual(got, any(want)) {
		t.Errorf("rules are\n%v, want\n%v", got, want)
	}
	if got := s.outputs["none"]; !reflect.DeepEqual(got, any([]any{})) {
		t.Errorf("no rules are %v, want an empty list", got)
	}
}

// A planned load balancer has no id yet; what it lacks matters only where a rule
// needs it.
func TestAccRulesFromXCFunction_unknown(t *testing.T) {
	const later = "terraform_data.later.output"
	known := map[string]string{
		"f5xc":     fmt.Sprintf(rulesAsF5XC, later+".id"),
		"volterra": fmt.Sprintf(rulesAsVolterra, later+".id"),
	}
	unknown := map[string]string{
		"whole":     later + ".whole",
		"path":      `{ api_endpoint_rules = [{ api_endpoint_path = ` + later + `.path }] }`,
		"rule":      `{ server_url_rules = [{ base_path = "/" }, ` + later + `.rule] }`,
		"threshold": `{ server_url_rules = [{ base_path = "/", inline_rate_limiter = { threshold = ` + later + `.number, unit = "MINUTE" } }] }`,
		"condition": `{ server_url_rules = [{ base_path = "/", client_matcher = { asn_list = { as_numbers = [` + later + `.number] } } }] }`,
		"order":     `{ server_url_rules = [{ base_path = "/" }] }, ` + later + `.order`,
	}
	config := strings.Builder{}
	config.WriteString(`
resource "terraform_data" "later" {
  input = {
    id     = "a"
    whole  = { server_url_rules = [] }
    path   = "/a"
    rule   = { base_path = "/a" }
    number = 7
    order  = "endpoints_first"
  }
}
`)
	checks := []plancheck.PlanCheck{}
	for name, value := range known {
		fmt.Fprintf(&config, "output %q {\n  value = provider::xcrl::rules_from_xc(%s)\n}\n", name, value)
		checks = append(checks,
			plancheck.ExpectKnownOutputValueAtPath(name, tfjsonpath.New(4).AtMapKey("path"), knownvalue.StringExact("/v1/users/me")),
			plancheck.ExpectKnownOutputValueAtPath(name, tfjsonpath.New(1).AtMapKey("limit").AtMapKey("number"), knownvalue.Int64Exact(1000)))
	}
	for name, arguments := range unknown {
		fmt.Fprintf(&config, "output %q {\n  value = provider::xcrl::rules_from_xc(%s)\n}\n", name, arguments)
		checks = append(checks, plancheck.ExpectUnknownOutputValue(name))
	}
	// Engines put off a data source that names a resource with changes itself.
	fmt.Fprintf(&config, `
locals {
  rules = provider::xcrl::rules_from_xc(%s)
}
data "xcrl_api_rate_limit" "planned" {
  rules = local.rules
}
output "shadowed" {
  value = data.xcrl_api_rate_limit.planned.shadowed
}`, known["f5xc"])
	checks = append(checks, plancheck.ExpectKnownOutputValue("shadowed", knownvalue.ListSizeExact(3)))
	runInEngine(t, resource.TestCase{Steps: []resource.TestStep{{
		Config:           config.String(),
		ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: checks},
	}}})
}

func TestAccRulesFromXCFunction_refuses(t *testing.T) {
	call := func(arguments string) string { return "rules_from_xc(" + arguments + ")" }
	wantRefusals(t, "order", []refusal{
		{"another order", call(`{ server_url_rules = [] }, "servers_first"`), `the order is "endpoints_first", once, for api_endpoint_rules before server_url_rules, and is left out for server_url_rules first; it is not "servers_first"`},
		{"twice", call(`{ server_url_rules = [] }, "endpoints_first", "endpoints_first"`), `the order is "endpoints_first", once`},
		{"null order", call(`{ server_url_rules = [] }, null`), "must not be null"},
	})
	wantRefusals(t, "value", []refusal{
		{"null", call(`null`), "must not be null"},
		{"no JSON", call(`"{"`), "A text is read as the JSON of an XC object"},
		{"a number", call(`7`), "this is the number 7."},
		{"no rules", call(`{ rate_limit = {} }`), "Rules are looked for in api_rate_limit and spec.api_rate_limit"},
		{"threshold", call(`{ server_url_rules = [{ base_path = "/" }, { base_path = "/v2", inline_rate_limiter = { threshold = 8193, unit = "MINUTE" } }] }`), "at server_url_rules[1].inline_rate_limiter.threshold: XC takes a whole number from 1 to 8192 here, and this is 8193."},
		{"method", call(`{ spec = { api_rate_limit = { api_endpoint_rules = [{ api_endpoint_path = "/a", api_endpoint_method = "GET" }] } } }`), "at spec.api_rate_limit.api_endpoint_rules[0].api_endpoint_method: "},
		{"two choices", call(`{ bypass_rate_limiting_rules = { bypass_rate_limiting_rules = [{ base_path = "/", any_url = {} }] } }`), "at bypass_rate_limiting_rules.bypass_rate_limiting_rules[0]: XC's bypass rules choose one of"},
	})
}
