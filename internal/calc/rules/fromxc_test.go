package rules

import (
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/xcrl/terraform-provider-xcrl/internal/calc"
	"github.com/xcrl/terraform-provider-xcrl/internal/calc/xcshape"
)

// lines writes rules one a line, in full.
func lines(rules []FromXCRule) string {
	var b strings.Builder
	for _, r := range rules {
		name, _ := r.Name.Get()
		fmt.Fprint(&b, name, ":")
		for _, part := range []struct {
			name  string
			value calc.Value[string]
		}{{"base_path", r.BasePath}, {"path", r.Path}, {"domain", r.Domain}, {"api_group", r.APIGroup}, {"action", r.Action}} {
			if s, known := part.value.Get(); known {
				fmt.Fprintf(&b, " %s=%s", part.name, s)
			}
		}
		for _, part := range []struct {
			name  string
			value calc.Value[[]calc.Value[string]]
		}{{"methods", r.Methods}, {"conditions", r.Conditions}} {
			elements, known := part.value.Get()
			if !known {
				continue
			}
			var texts []string
			for _, e := range elements {
				s, _ := e.Get()
				texts = append(texts, s)
			}
			fmt.Fprintf(&b, " %s=[%s]", part.name, strings.Join(texts, "; "))
		}
		if invert, known := r.InvertMethods.Get(); known {
			fmt.Fprintf(&b, " invert_methods=%v", invert)
		}
		if r.Limit != nil {
			fmt.Fprintf(&b, " limit=%d/%s", r.Limit.Number, r.Limit.PerPeriod.Console())
		}
		b.WriteString("\n")
	}
	return b.String()
}

func expectRules(t *testing.T, value any, endpointsFirst bool, want string) {
	t.Helper()
	rules, known, problems := FromXC(value, endpointsFirst)
	if !known || len(problems) > 0 {
		t.Fatalf("known %v, problems %v", known, problems)
	}
	if got := lines(rules); got != want {
		t.Errorf("rules\n%swant\n%s", got, want)
	}
}

func TestFromXCExample(t *testing.T) {
	data, err := os.ReadFile("testdata/lb-api-rate-limit.json")
	if err != nil {
		t.Fatal(err)
	}
	const bypass = "bypass_rate_limiting_rules[0]: base_path=/healthz action=bypass\n"
	const serverURL = "server_url_rules[0]: base_path=/ limit=1000/Minutes\n" +
		"server_url_rules[1]: base_path=/v2/ domain=api.example.com\n"
	const endpoints = "api_endpoint_rules[0]: path=/v1/users/{id} methods=[GET] limit=50/Seconds\n" +
		"api_endpoint_rules[1]: path=/v1/users/me methods=[GET] limit=5/Seconds\n"
	expectRules(t, string(data), false, bypass+serverURL+endpoints)
	expectRules(t, string(data), true, bypass+endpoints+serverURL)

	rules, _, _ := FromXC(string(data), true)
	arguments := make([]calc.Value[Arguments], len(rules))
	for i, r := range rules {
		arguments[i] = calc.Known(r.Arguments)
	}
	valid, known, problems := Resolve(arguments)
	if !known || len(problems) > 0 {
		t.Fatalf("known %v, problems %v", known, problems)
	}
	if got, want := Analyze(valid).Shadowed, []int{2, 4}; !slices.Equal(got, want) {
		t.Errorf("shadowed %v, want %v", got, want)
	}
}

// The same rules as the API answers them, and as the two providers hold them.
const (
	asAPI = `{"metadata": {"name": "shop"}, "spec": {"api_rate_limit": {
  "bypass_rate_limiting_rules": {"bypass_rate_limiting_rules": [
    {"any_domain": {}, "any_url": {}, "client_matcher": {"any_client": {}, "asn_list": {"as_numbers": [64501, 64500, 64500]}}},
    {"specific_domain": "api.example.com", "api_groups": {"api_groups": ["internal", "partners"]}, "client_matcher": {"any_client": {}, "any_ip": {}, "tls_fingerprint_matcher": {}}, "request_matcher": {}},
    {"any_domain": {}, "api_endpoint": {"path": "/health/{probe}", "methods": ["HEAD", "GET"]}},
    {"any_domain": {}, "base_path": "/static/"}
  ]},
  "server_url_rules": [
    {"any_domain": {}, "api_group": "public", "base_path": "/", "ref_rate_limiter": {"name": "r", "namespace": "shop", "tenant": "t", "kind": "rate_limiter"},
     "client_matcher": {"ip_matcher": {"prefix_sets": [{"name": "b", "namespace": "shop", "tenant": "t", "kind": "ip_prefix_set"}, {"name": "a", "namespace": "shop", "tenant": "t"}], "invert_matcher": true}}}
  ],
  "api_endpoint_rules": [
    {"any_domain": {}, "api_endpoint_path": "/a", "api_endpoint_method": {"methods": ["GET"], "invert_matcher": true},
     "inline_rate_limiter": {"threshold": 7, "unit": "HOUR", "use_http_lb_user_id": {}},
     "client_matcher": {"asn_matcher": {"asn_sets": [{"namespace": "shop", "name": "set", "tenant": "t"}]}},
     "request_matcher": {
       "headers": [
         {"name": "X-Tier", "item": {"exact_values": ["gold", "<any>"], "transformers": ["TRIM", "LOWER_CASE"]}},
         {"name": "x-debug", "check_present": {}}
       ],
       "cookie_matchers": [{"name": "Session", "check_not_present": {}, "invert_matcher": false}]
     }}
  ]}}}`
	asF5XC = `{"id": "shop/lb", "rate_limit": null, "api_rate_limit": {
  "bypass_rate_limiting_rules": {"bypass_rate_limiting_rules": [
    {"any_domain": {}, "specific_domain": null, "any_url": {}, "base_path": null, "api_groups": null, "api_endpoint": null, "request_matcher": null,
     "client_matcher": {"any_client": {}, "any_ip": null, "asn_list": {"as_numbers": [64500, 64501]}, "asn_matcher": null, "ip_matcher": null, "tls_fingerprint_matcher": null}},
    {"any_domain": null, "specific_domain": "api.example.com", "any_url": null, "base_path": null, "api_groups": {"api_groups": ["internal", "partners"]}, "api_endpoint": null,
     "client_matcher": {"any_client": {}, "any_ip": {}, "tls_fingerprint_matcher": {"classes": null, "exact_values": null}}, "request_matcher": {"headers": null, "cookie_matchers": null}},
    {"any_domain": {}, "api_endpoint": {"path": "/health/{probe}", "methods": ["GET", "HEAD"]}, "client_matcher": null},
    {"any_domain": {}, "base_path": "/static/"}
  ]},
  "server_url_rules": [
    {"any_domain": {}, "specific_domain": null, "api_group": "public", "base_path": "/", "inline_rate_limiter": null, "ref_rate_limiter": {"name": "r", "namespace": "shop", "tenant": null},
     "client_matcher": {"ip_matcher": {"prefix_sets": [{"name": "a", "namespace": "shop", "tenant": null}, {"name": "b", "namespace": "shop", "tenant": null}], "invert_matcher": true}}, "request_matcher": null}
  ],
  "api_endpoint_rules": [
    {"any_domain": {}, "specific_domain": null, "api_endpoint_path": "/a", "api_endpoint_method": {"methods": ["GET"], "invert_matcher": true}, "ref_rate_limiter": null,
     "inline_rate_limiter": {"threshold": 7, "unit": "HOUR", "use_http_lb_user_id": {}, "ref_user_id": null},
     "client_matcher": {"asn_list": null, "asn_matcher": {"asn_sets": [{"name": "set", "namespace": "shop", "tenant": null}]}},
     "request_matcher": {
       "cookie_matchers": [{"name": "Session", "check_present": null, "check_not_present": {}, "item": null, "invert_matcher": null}],
       "headers": [
         {"name": "X-DEBUG", "check_present": {}, "check_not_present": null, "item": null, "invert_matcher": null},
         {"name": "x-tier", "check_present": null, "check_not_present": null, "invert_matcher": null, "item": {"exact_values": ["<any>", "gold"], "regex_values": null, "transformers": ["TRIM", "LOWER_CASE"]}}
       ],
       "jwt_claims": null, "query_params": null
     }}
  ]}}`
	asVolterra = `{"id": "00000000-0000-4000-8000-000000000000", "rate_limit": [], "api_rate_limit": [{
  "no_ip_allowed_list": false, "custom_ip_allowed_list": [],
  "bypass_rate_limiting_rules": [{"bypass_rate_limiting_rules": [
    {"any_domain": true, "specific_domain": "", "any_url": true, "base_path": "", "api_groups": [], "api_endpoint": [], "request_matcher": [],
     "client_matcher": [{"any_client": true, "any_ip": false, "asn_list": [{"as_numbers": [64501, 64500]}], "asn_matcher": [], "ip_matcher": [], "tls_fingerprint_matcher": []}]},
    {"any_domain": false, "specific_domain": "api.example.com", "any_url": false, "base_path": "", "api_groups": [{"api_groups": ["internal", "partners"]}], "api_endpoint": [],
     "client_matcher": [{"any_client": true, "any_ip": true, "tls_fingerprint_matcher": [{"classes": [], "exact_values": []}]}], "request_matcher": [{"headers": [], "cookie_matchers": []}]},
    {"any_domain": true, "specific_domain": "", "any_url": false, "base_path": "", "api_groups": [], "api_endpoint": [{"path": "/health/{probe}", "methods": ["HEAD", "GET"]}], "client_matcher": []},
    {"any_domain": true, "specific_domain": "", "any_url": false, "base_path": "/static/", "api_groups": [], "api_endpoint": []}
  ]}],
  "server_url_rules": [
    {"any_domain": true, "specific_domain": "", "api_group": "public", "base_path": "/", "inline_rate_limiter": [], "ref_rate_limiter": [{"name": "r", "namespace": "shop", "tenant": ""}],
     "client_matcher": [{"any_client": false, "any_ip": false, "ip_matcher": [{"prefix_sets": [{"name": "b", "namespace": "shop", "tenant": ""}, {"name": "a", "namespace": "shop", "tenant": ""}], "invert_matcher": true}]}], "request_matcher": []}
  ],
  "api_endpoint_rules": [
    {"any_domain": true, "specific_domain": "", "api_endpoint_path": "/a", "api_endpoint_method": [{"methods": ["GET"], "invert_matcher": true}], "ref_rate_limiter": [],
     "inline_rate_limiter": [{"threshold": 7, "unit": "HOUR", "use_http_lb_user_id": true, "ref_user_id": []}],
     "client_matcher": [{"asn_list": [], "asn_matcher": [{"asn_sets": [{"name": "set", "namespace": "shop", "tenant": ""}]}]}],
     "request_matcher": [{
       "cookie_matchers": [{"name": "Session", "check_present": false, "check_not_present": true, "item": [], "invert_matcher": false}],
       "headers": [
         {"name": "x-debug", "check_present": true, "check_not_present": false, "item": [], "invert_matcher": false},
         {"name": "x-tier", "check_present": false, "check_not_present": false, "invert_matcher": false, "item": [{"exact_values": ["gold", "<any>"], "regex_values": [], "transformers": ["TRIM", "LOWER_CASE"]}]}
       ],
       "jwt_claims": [], "query_params": []
     }]}
  ]}]}`
	asRules = `bypass_rate_limiting_rules[0]: base_path=/ action=bypass conditions=[client_matcher.asn_list {"as_numbers":[64500,64501]}]
bypass_rate_limiting_rules[1].api_groups[0]: base_path=/ domain=api.example.com api_group=internal action=bypass
bypass_rate_limiting_rules[1].api_groups[1]: base_path=/ domain=api.example.com api_group=partners action=bypass
bypass_rate_limiting_rules[2]: path=/health/{probe} action=bypass methods=[GET; HEAD]
bypass_rate_limiting_rules[3]: base_path=/static/ action=bypass
server_url_rules[0]: base_path=/ api_group=public conditions=[client_matcher.ip_matcher {"invert_matcher":true,"prefix_sets":[{"name":"a","namespace":"shop"},{"name":"b","namespace":"shop"}]}]
api_endpoint_rules[0]: path=/a methods=[GET] conditions=[client_matcher.asn_matcher {"asn_sets":{"name":"set","namespace":"shop"}}; request_matcher.cookie_matchers {"check_not_present":true,"name":"Session"}; request_matcher.headers {"check_present":true,"name":"x-debug"}; request_matcher.headers {"item":{"exact_values":["<any>","gold"],"transformers":["TRIM","LOWER_CASE"]},"name":"x-tier"}] invert_methods=true limit=7/Hours
`
)

func TestFromXCRenderings(t *testing.T) {
	for name, text := range map[string]string{"API": asAPI, "f5xc": asF5XC, "volterra": asVolterra} {
		t.Run(name, func(t *testing.T) { expectRules(t, text, false, asRules) })
	}
}

func tree(t *testing.T, text string) any {
	t.Helper()
	v, err := xcshape.ParseJSON(text)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func TestFromXCForms(t *testing.T) {
	const one = "server_url_rules[0]: base_path=/a\n"
	for name, c := range map[string]struct{ value, want string }{
		"itself":             {`{"server_url_rules": [{"base_path": "/a"}]}`, one},
		"list of it":         {`[{"server_url_rules": [{"base_path": "/a"}]}]`, one},
		"get_spec":           {`{"get_spec": {"api_rate_limit": {"server_url_rules": [{"base_path": "/a"}]}}}`, one},
		"no rules at all":    {`{"api_rate_limit": {"no_ip_allowed_list": {}}}`, ""},
		"null beside":        {`{"server_url_rules": [null, {"base_path": "/a"}], "api_endpoint_rules": null}`, "server_url_rules[1]: base_path=/a\n"},
		"group without path": {`{"server_url_rules": [{"api_group": "g"}]}`, "server_url_rules[0]: base_path=/ api_group=g\n"},
		"bypass rules alone": {`{"bypass_rate_limiting_rules": [null, {"base_path": "/a"}, {"any_url": {}}]}`, "bypass_rate_limiting_rules[1]: base_path=/a action=bypass\nbypass_rate_limiting_rules[2]: base_path=/ action=bypass\n"},
		"empty bypass block": {`{"bypass_rate_limiting_rules": [{}]}`, ""},
		"no bypass rules":    {`{"bypass_rate_limiting_rules": [{"bypass_rate_limiting_rules": []}]}`, ""},
		"empty parts":        {`{"server_url_rules": [{"base_path": "/a", "client_matcher": {"asn_list": {"as_numbers": [0]}, "ip_matcher": {"prefix_sets": [{"tenant": "t"}, {}]}}, "request_matcher": {"headers": [{"check_present": false}], "query_params": {}}}]}`, one},
		"one predicate":      {`{"server_url_rules": [{"base_path": "/a", "request_matcher": {"query_params": {"key": "K", "item": {"regex_values": ["a"]}}}}]}`, "server_url_rules[0]: base_path=/a conditions=[request_matcher.query_params {\"item\":{\"regex_values\":[\"a\"]},\"key\":\"K\"}]\n"},
	} {
		t.Run(name, func(t *testing.T) { expectRules(t, c.value, false, c.want) })
	}
}

func TestFromXCProblems(t *testing.T) {
	bypass := func(rule string) string {
		return `{"bypass_rate_limiting_rules": {"bypass_rate_limiting_rules": [` + rule + `]}}`
	}
	for name, c := range map[string]struct {
		value         string
		path, summary string
		detail        []string
	}{
		"null":             {`null`, "", "No api_rate_limit", []string{"spec.api_rate_limit"}},
		"not JSON":         {`{`, "", "Not JSON", nil},
		"another limit":    {`{"rate_limit": {}, "api_rate_limit": []}`, "", "No api_rate_limit", []string{"has chosen api_rate_limit"}},
		"no base_path":     {`{"server_url_rules": [{"base_path": "/"}, {"base_path": ""}]}`, "server_url_rules[1].base_path", "No base_path", []string{`write "/"`}},
		"no endpoint path": {`{"api_rate_limit": [{"api_endpoint_rules": [{}]}]}`, "api_rate_limit[0].api_endpoint_rules[0].api_endpoint_path", "No path", nil},
		"wrong type":       {`{"server_url_rules": [{"base_path": 7}]}`, "server_url_rules[0].base_path", "Wrong type", nil},
		"threshold":        {`{"server_url_rules": [{"base_path": "/", "inline_rate_limiter": {"threshold": 9000}}]}`, "server_url_rules[0].inline_rate_limiter.threshold", "Out of bounds", nil},
		"flag":             {`{"server_url_rules": [{"base_path": "/", "request_matcher": {"headers": [{"check_present": 7}]}}]}`, "server_url_rules[0].request_matcher.headers[0].check_present", "Wrong type", nil},
		"no destination":   {bypass(`{"any_domain": {}}`), "bypass_rate_limiting_rules.bypass_rate_limiting_rules[0]", "Not one destination", []string{"0 of them"}},
		"two destinations": {bypass(`{"any_url": {}, "base_path": "/a"}`), "bypass_rate_limiting_rules.bypass_rate_limiting_rules[0]", "Not one destination", []string{"2 of them"}},
		"no groups":        {bypass(`{"api_groups": {"api_groups": [""]}}`), "bypass_rate_limiting_rules.bypass_rate_limiting_rules[0].api_groups.api_groups", "No API group", []string{"names at least one"}},
		"no bypass path":   {bypass(`{"api_endpoint": {"methods": ["GET"]}}`), "bypass_rate_limiting_rules.bypass_rate_limiting_rules[0].api_endpoint.path", "No path", nil},
	} {
		t.Run(name, func(t *testing.T) {
			_, known, problems := FromXC(c.value, false)
			if known {
				t.Error("known in spite of a problem")
			}
			expectProblem(t, problems, c.path, c.summary, c.detail)
		})
	}
}

// put replaces a value in a tree, at a path of attributes and indices.
func put(node, value any, path ...any) {
	for _, step := range path[:len(path)-1] {
		switch s := step.(type) {
		case string:
			node = node.(map[string]any)[s]
		case int:
			node = node.([]any)[s]
		}
	}
	node.(map[string]any)[path[len(path)-1].(string)] = value
}

func TestFromXCUnknown(t *testing.T) {
	limit := func(path ...any) []any { return append([]any{"api_rate_limit"}, path...) }
	bypass := func(path ...any) []any {
		return limit(append([]any{"bypass_rate_limiting_rules", "bypass_rate_limiting_rules"}, path...)...)
	}
	for name, c := range map[string]struct {
		path  []any
		known bool
	}{
		"id":                       {[]any{"id"}, true},
		"specification elsewhere":  {[]any{"spec"}, true},
		"allowed list":             {limit("ip_allowed_list"), true},
		"any_domain":               {bypass(0, "any_domain"), true},
		"domain beside any_domain": {bypass(0, "specific_domain"), true},
		"any_client":               {bypass(0, "client_matcher", "any_client"), true},
		"other destination":        {bypass(0, "api_groups"), true},
		"referenced limiter":       {limit("server_url_rules", 0, "ref_rate_limiter", "tenant"), true},
		"inline beside reference":  {limit("server_url_rules", 0, "inline_rate_limiter"), true},
		"tenant of a predicate":    {limit("api_endpoint_rules", 0, "client_matcher", "asn_matcher", "asn_sets", 0, "tenant"), true},
		"user of a limiter":        {limit("api_endpoint_rules", 0, "inline_rate_limiter", "ref_user_id"), true},

		"api_rate_limit":     {[]any{"api_rate_limit"}, false},
		"bypass rules":       {limit("bypass_rate_limiting_rules"), false},
		"Server URL rules":   {limit("server_url_rules"), false},
		"domain":             {bypass(1, "specific_domain"), false},
		"destination":        {bypass(0, "any_url"), false},
		"groups":             {bypass(1, "api_groups", "api_groups"), false},
		"path":               {limit("api_endpoint_rules", 0, "api_endpoint_path"), false},
		"methods":            {limit("api_endpoint_rules", 0, "api_endpoint_method"), false},
		"inversion":          {limit("api_endpoint_rules", 0, "api_endpoint_method", "invert_matcher"), false},
		"threshold":          {limit("api_endpoint_rules", 0, "inline_rate_limiter", "threshold"), false},
		"request matcher":    {limit("api_endpoint_rules", 0, "request_matcher"), false},
		"part of a matcher":  {limit("api_endpoint_rules", 0, "request_matcher", "headers", 1, "item", "exact_values"), false},
		"choice of a header": {limit("api_endpoint_rules", 0, "request_matcher", "headers", 0, "check_present"), false},
	} {
		t.Run(name, func(t *testing.T) {
			value := tree(t, asF5XC)
			put(value, xcshape.Unknown{}, c.path...)
			rules, known, problems := FromXC(value, false)
			if known != c.known || len(problems) > 0 {
				t.Fatalf("known %v, want %v; problems %v", known, c.known, problems)
			}
			if got := lines(rules); known && got != asRules {
				t.Errorf("rules\n%swant\n%s", got, asRules)
			}
		})
	}
	if _, known, problems := FromXC(xcshape.Unknown{}, false); known || len(problems) > 0 {
		t.Errorf("an unknown value: known %v, problems %v", known, problems)
	}
}

// FuzzFromXC reads any JSON twice: it never panics, and says the same again.
func FuzzFromXC(f *testing.F) {
	for _, s := range []string{asAPI, asF5XC, asVolterra, `{"server_url_rules": [{"client_matcher": {"x": [[{}], 1e9, "", true]}}]}`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		rules, known, problems := FromXC(text, true)
		again, _, _ := FromXC(text, true)
		if !reflect.DeepEqual(rules, again) {
			t.Errorf("%v, then %v", rules, again)
		}
		if !known && len(problems) == 0 {
			t.Error("JSON holds nothing unknown")
		}
	})
}
