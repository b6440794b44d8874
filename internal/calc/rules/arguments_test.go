package rules

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/xcrl/terraform-provider-xcrl/internal/calc"
)

func TestRefusals(t *testing.T) {
	text := calc.Known[string]
	for name, c := range map[string]struct {
		rule          Arguments
		path, summary string
		detail        []string // parts of it
	}{
		"both paths":    {Arguments{BasePath: text("/a"), Path: text("/b")}, "rules[1]", "Both base_path and path", []string{`"/a"`, `"/b"`, "Keep one of them"}},
		"neither path":  {Arguments{}, "rules[1]", "Neither base_path nor path", []string{"base_path for a Server URL rule", "path for an API endpoint rule"}},
		"empty path":    {Arguments{Path: text("")}, "rules[1].path", "No leading slash in path", []string{`path is ""`, `Write "/"`}},
		"no slash":      {Arguments{BasePath: text("api")}, "rules[1].base_path", "No leading slash in base_path", []string{`Write "/api"`}},
		"spaces":        {Arguments{Path: text(" /a ")}, "rules[1].path", "No leading slash in path", []string{`Write "/a".`}},
		"cut brace":     {Arguments{Path: text("/x/{id?}")}, "rules[1].path", "More than a path in path", []string{"Write the path alone;"}},
		"only a query":  {Arguments{BasePath: text("?")}, "rules[1].base_path", "No leading slash in base_path", []string{`Write "/"`}},
		"URL":           {Arguments{Path: text("https://example.com/a?b#c")}, "rules[1].path", "No leading slash in path", []string{`Write "/a"`}},
		"URL of a host": {Arguments{BasePath: text("https://example.com")}, "rules[1].base_path", "No leading slash in base_path", []string{`Write "/"`}},
		"query":         {Arguments{Path: text("/a?b=c")}, "rules[1].path", "More than a path in path", []string{`Write "/a"`, "conditions"}},
		"fragment":      {Arguments{BasePath: text("/a#b")}, "rules[1].base_path", "More than a path in base_path", []string{`Write "/a"`}},
		"unclosed":      {Arguments{Path: text("/a/{id")}, "rules[1].path", "Wrong braces in path", []string{`"{id" opens a brace that it does not close`, `"/users/{id}/orders"`}},
		"across":        {Arguments{Path: text("/a/{i/d}")}, "rules[1].path", "Wrong braces in path", []string{`"{i" opens a brace`}},
		"stray":         {Arguments{Path: text("/id}/a")}, "rules[1].path", "Wrong braces in path", []string{`"id}" closes a brace that it does not open`}},
		"nested":        {Arguments{Path: text("/{a{b}}")}, "rules[1].path", "Wrong braces in path", []string{"do not enclose the segment as one name"}},
		"nameless":      {Arguments{Path: text("/{}")}, "rules[1].path", "Wrong braces in path", []string{"no name"}},
		"partial":       {Arguments{Path: text("/v{n}")}, "rules[1].path", "Wrong braces in path", []string{"do not enclose the segment as one name"}},
		"two in one":    {Arguments{Path: text("/{a}{b}")}, "rules[1].path", "Wrong braces in path", []string{"do not enclose the segment as one name"}},
		"reversed":      {Arguments{Path: text("/}a{")}, "rules[1].path", "Wrong braces in path", []string{"do not enclose the segment as one name"}},
		"method":        {Arguments{Path: text("/a"), Methods: set("PURGE")}, "rules[1].methods", "Unknown method", []string{`"PURGE"`, "ANY, GET, HEAD, POST, PUT, DELETE, CONNECT, OPTIONS, TRACE, PATCH, COPY"}},
		"lower case":    {Arguments{Path: text("/a"), Methods: set("get")}, "rules[1].methods", "Unknown method", []string{`upper case: write "GET"`}},
		"null method":   {Arguments{Path: text("/a"), Methods: calc.Known([]calc.Value[string]{{}})}, "rules[1].methods", "Empty element in methods", []string{"Remove it"}},
		"invert any":    {Arguments{Path: text("/a"), Methods: set("ANY", "GET"), InvertMethods: calc.Known(true)}, "rules[1].invert_methods", "Every method inverted", []string{"would match nothing"}},
		"invert none":   {Arguments{Path: text("/a"), InvertMethods: calc.Known(true)}, "rules[1].invert_methods", "Every method inverted", []string{"would match nothing"}},
		"invert empty":  {Arguments{Path: text("/a"), Methods: set([]string{}...), InvertMethods: calc.Known(true)}, "rules[1].invert_methods", "Every method inverted", nil},
		"invert all":    {Arguments{Path: text("/a"), Methods: set(Methods...), InvertMethods: calc.Known(true)}, "rules[1].invert_methods", "Every method inverted", nil},
		"base methods":  {Arguments{BasePath: text("/a"), Methods: set("GET")}, "rules[1].methods", "methods on a Server URL rule", []string{"write path instead of base_path"}},
		"base invert":   {Arguments{BasePath: text("/a"), InvertMethods: calc.Known(true)}, "rules[1].invert_methods", "invert_methods on a Server URL rule", nil},
		"group on path": {Arguments{Path: text("/a"), APIGroup: text("g")}, "rules[1].api_group", "api_group on an API endpoint rule", []string{`"g"`, "base_path instead of path"}},
		"empty group":   {Arguments{BasePath: text("/a"), APIGroup: text("")}, "rules[1].api_group", "Empty api_group", []string{"leave it out"}},
		"empty name":    {Arguments{BasePath: text("/a"), Name: text("")}, "rules[1].name", "Empty name", nil},
		"condition":     {Arguments{BasePath: text("/a"), Conditions: set("")}, "rules[1].conditions", "Empty element in conditions", nil},
		"empty domain":  {Arguments{BasePath: text("/a"), Domain: text("")}, "rules[1].domain", "Empty domain", nil},
		"star":          {Arguments{BasePath: text("/a"), Domain: text("*")}, "rules[1].domain", "Wrong wildcard in domain", []string{"leave domain out for any"}},
		"star alone":    {Arguments{BasePath: text("/a"), Domain: text("*.")}, "rules[1].domain", "Wrong wildcard in domain", nil},
		"star inside":   {Arguments{BasePath: text("/a"), Domain: text("api.*.com")}, "rules[1].domain", "Wrong wildcard in domain", []string{`"*.example.com"`}},
		"URL as domain": {Arguments{BasePath: text("/a"), Domain: text("https://a.test")}, "rules[1].domain", "More than a host in domain", []string{"without a scheme"}},
		"action":        {Arguments{BasePath: text("/a"), Action: text("Bypass")}, "rules[1].action", "Unknown action", []string{`"Bypass"`, `"limit"`, `"bypass"`}},
	} {
		t.Run(name, func(t *testing.T) {
			// The rule before it is not at fault, and known stays as it is.
			_, known, problems := Resolve([]calc.Value[Arguments]{calc.Known(Arguments{BasePath: text("/")}), calc.Known(c.rule)})
			if !known {
				t.Error("a wrong rule counts as unknown")
			}
			expectProblem(t, problems, c.path, c.summary, c.detail)
		})
	}
}

func expectProblem(t *testing.T, problems []calc.Problem, path, summary string, detail []string) {
	t.Helper()
	if len(problems) != 1 {
		t.Fatalf("%d problems, want one: %v", len(problems), problems)
	}
	p := problems[0]
	if p.Path.String() != path || p.Summary != summary {
		t.Errorf("problem at %s: %s; want %s: %s", p.Path, p.Summary, path, summary)
	}
	for _, part := range detail {
		if !strings.Contains(p.Detail, part) {
			t.Errorf("%q is not in the detail: %s", part, p.Detail)
		}
	}
}

func TestRequestRefusals(t *testing.T) {
	text := calc.Known[string]
	request := func(change func(*RequestArguments)) RequestArguments {
		a := RequestArguments{Method: text("GET"), Domain: text("a.test"), Path: text("/a")}
		change(&a)
		return a
	}
	for name, c := range map[string]struct {
		request       RequestArguments
		path, summary string
		detail        []string
	}{
		"no method":    {request(func(a *RequestArguments) { a.Method = calc.Value[string]{} }), "requests[0].method", "Missing method", nil},
		"no domain":    {request(func(a *RequestArguments) { a.Domain = calc.Value[string]{} }), "requests[0].domain", "Missing domain", nil},
		"no path":      {request(func(a *RequestArguments) { a.Path = calc.Value[string]{} }), "requests[0].path", "Missing path", nil},
		"ANY":          {request(func(a *RequestArguments) { a.Method = text("ANY") }), "requests[0].method", "Unknown method", []string{": GET, HEAD,"}},
		"lower case":   {request(func(a *RequestArguments) { a.Method = text("post") }), "requests[0].method", "Unknown method", []string{`write "POST"`}},
		"no host":      {request(func(a *RequestArguments) { a.Domain = text("") }), "requests[0].domain", "Empty domain", []string{"Write the host that the request is for."}},
		"relative":     {request(func(a *RequestArguments) { a.Path = text("a") }), "requests[0].path", "No leading slash in path", nil},
		"query":        {request(func(a *RequestArguments) { a.Path = text("/a?b") }), "requests[0].path", "More than a path in path", nil},
		"empty domain": {request(func(a *RequestArguments) { a.Domain = text("") }), "requests[0].domain", "Empty domain", nil},
		"wildcard":     {request(func(a *RequestArguments) { a.Domain = text("*.a.test") }), "requests[0].domain", "Wrong wildcard in domain", []string{"Write one host"}},
		"null group":   {request(func(a *RequestArguments) { a.APIGroups = calc.Known([]calc.Value[string]{{}}) }), "requests[0].api_groups", "Empty element in api_groups", nil},
	} {
		t.Run(name, func(t *testing.T) {
			_, known, problems := ResolveRequests([]calc.Value[RequestArguments]{calc.Known(c.request)})
			if !known {
				t.Error("a wrong request counts as unknown")
			}
			expectProblem(t, problems, c.path, c.summary, c.detail)
		})
	}
}

func TestUnknown(t *testing.T) {
	text, later := calc.Known[string], calc.Unknown[string]()
	laterSet := calc.Unknown[[]calc.Value[string]]()
	laterElement := calc.Known([]calc.Value[string]{later})
	for name, a := range map[string]calc.Value[Arguments]{
		"rule":           calc.Unknown[Arguments](),
		"name":           calc.Known(Arguments{BasePath: text("/"), Name: later}),
		"base_path":      calc.Known(Arguments{BasePath: later}),
		"path":           calc.Known(Arguments{Path: later}),
		"one of paths":   calc.Known(Arguments{BasePath: text("/"), Path: later}),
		"both paths":     calc.Known(Arguments{BasePath: later, Path: later, InvertMethods: calc.Known(true)}),
		"domain":         calc.Known(Arguments{BasePath: text("/"), Domain: later}),
		"methods":        calc.Known(Arguments{Path: text("/"), Methods: laterSet}),
		"inverted":       calc.Known(Arguments{Path: text("/"), Methods: laterSet, InvertMethods: calc.Known(true)}),
		"method":         calc.Known(Arguments{Path: text("/"), Methods: laterElement, InvertMethods: calc.Known(true)}),
		"invert_methods": calc.Known(Arguments{Path: text("/"), InvertMethods: calc.Unknown[bool]()}),
		"api_group":      calc.Known(Arguments{BasePath: text("/"), APIGroup: later}),
		"conditions":     calc.Known(Arguments{BasePath: text("/"), Conditions: laterElement}),
		"action":         calc.Known(Arguments{BasePath: text("/"), Action: later}),
	} {
		t.Run(name, func(t *testing.T) {
			if _, known, problems := Resolve([]calc.Value[Arguments]{a}); known || len(problems) > 0 {
				t.Errorf("known %v, problems %v", known, problems)
			}
		})
	}
	for name, a := range map[string]calc.Value[RequestArguments]{
		"request": calc.Unknown[RequestArguments](),
		"method":  calc.Known(RequestArguments{Method: later, Domain: text("a.test"), Path: text("/")}),
		"domain":  calc.Known(RequestArguments{Method: text("GET"), Domain: later, Path: text("/")}),
		"path":    calc.Known(RequestArguments{Method: text("GET"), Domain: text("a.test"), Path: later}),
	} {
		t.Run("request's "+name, func(t *testing.T) {
			if _, known, problems := ResolveRequests([]calc.Value[RequestArguments]{a}); known || len(problems) > 0 {
				t.Errorf("known %v, problems %v", known, problems)
			}
		})
	}
	t.Run("checks what is known", func(t *testing.T) {
		_, known, problems := Resolve([]calc.Value[Arguments]{calc.Known(Arguments{Name: later, BasePath: text("x"), Domain: text("*")})})
		if known || len(problems) != 2 {
			t.Errorf("known %v, problems %v; want the base_path and the domain refused", known, problems)
		}
	})
}

func TestNullElement(t *testing.T) {
	_, known, problems := Resolve(make([]calc.Value[Arguments], 1))
	if !known {
		t.Error("null counts as unknown")
	}
	expectProblem(t, problems, "rules[0]", "Null in rules", []string{"rules[0] is null"})
}

// TestLenient holds what configurations may write although it changes nothing:
// expressions that build rules of both kinds fill in what a kind has no use for.
func TestLenient(t *testing.T) {
	empty := calc.Known([]calc.Value[string]{})
	rules, known, problems := Resolve([]calc.Value[Arguments]{
		calc.Known(Arguments{BasePath: calc.Known("/"), Methods: empty, InvertMethods: calc.Known(false), Conditions: empty, Action: calc.Known("limit")}),
		calc.Known(Arguments{Path: calc.Known("/"), Methods: empty}),
	})
	if !known || len(problems) > 0 || rules[1].methods != allMethods {
		t.Errorf("known %v, problems %v, methods %v", known, problems, rules[1].methods)
	}
}

func TestCaps(t *testing.T) {
	text := calc.Known[string]
	kinds := map[string]func(i int) Arguments{
		"Server URL":   func(i int) Arguments { return Arguments{BasePath: text(fmt.Sprintf("/%d", i))} },
		"API endpoint": func(i int) Arguments { return Arguments{Path: text(fmt.Sprintf("/%d", i))} },
		"bypass": func(i int) Arguments {
			if i%2 == 0 {
				return Arguments{Path: text(fmt.Sprintf("/%d", i)), Action: text("bypass")}
			}
			return Arguments{BasePath: text(fmt.Sprintf("/%d", i)), Action: text("bypass"), APIGroup: text("g")}
		},
	}
	var full []calc.Value[Arguments]
	for _, rule := range kinds {
		for i := range MaxRules {
			full = append(full, calc.Known(rule(i)))
		}
	}
	if _, _, problems := Resolve(full); len(problems) > 0 {
		t.Errorf("a full configuration is refused: %v", problems)
	}
	merge := map[string]string{"Server URL": "Merge those that share a limit", "API endpoint": "Merge those that share a limit", "bypass": "Merge some"}
	for kind, rule := range kinds {
		_, _, problems := Resolve(append(slices.Clip(full), calc.Known(rule(MaxRules))))
		expectProblem(t, problems, "rules", "Too many "+kind+" rules", []string{"21 " + kind + " rules", "at most 20", merge[kind] + " under"})
	}
	// These may turn out to be of another kind, or are one rule of XC.
	more := []Arguments{
		{BasePath: text("/x"), Action: calc.Unknown[string]()},
		{BasePath: calc.Unknown[string](), Path: calc.Unknown[string]()},
		{BasePath: text("/1"), Action: text("bypass"), APIGroup: text("h")},
	}
	for _, a := range more {
		full = append(full, calc.Known(a))
	}
	if _, _, problems := Resolve(full); len(problems) > 0 {
		t.Errorf("refused: %v", problems)
	}
}
