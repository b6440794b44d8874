package rules

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/xcrl/terraform-provider-xcrl/internal/calc"
)

// MaxRules is how many rules of one kind XC takes: Server URL rules, API
// endpoint rules, and bypass rules of either kind [spec].
const MaxRules = 20

// ruleMethods are what a rule may name; a request has no such method as ANY.
var ruleMethods = append([]string{AnyMethod}, Methods...)

// Arguments is one rule as a configuration holds it.
type Arguments struct {
	Name, BasePath, Path, Domain calc.Value[string]
	Methods                      calc.Value[[]calc.Value[string]]
	InvertMethods                calc.Value[bool]
	APIGroup                     calc.Value[string]
	Conditions                   calc.Value[[]calc.Value[string]]
	Action                       calc.Value[string]
}

// RequestArguments is one request as a configuration holds it.
type RequestArguments struct {
	Method, Domain, Path  calc.Value[string]
	Conditions, APIGroups calc.Value[[]calc.Value[string]]
}

// Request is a valid request as [ResolveRequests] makes it.
type Request struct {
	method     methodSet // of one method
	host       string    // in lower case
	path       string
	segments   []string
	conditions []string // sorted, each once
	groups     []string
}

// Resolve checks all that is known and returns the rules. They mean something
// only when everything is known and there is no problem; what is unknown is left
// unchecked.
func Resolve(arguments []calc.Value[Arguments]) (rules []Rule, known bool, problems []calc.Problem) {
	r := resolver{known: true}
	rules = resolveList(&r, "rules", arguments, r.rule)
	r.caps(arguments, rules)
	return rules, r.known, r.problems
}

// ResolveRequests does for requests what [Resolve] does for rules.
func ResolveRequests(arguments []calc.Value[RequestArguments]) (requests []Request, known bool, problems []calc.Problem) {
	r := resolver{known: true}
	requests = resolveList(&r, "requests", arguments, r.request)
	return requests, r.known, r.problems
}

// resolver collects the problems of the element that it is at.
type resolver struct {
	known    bool
	problems []calc.Problem
	at       calc.Path
}

func resolveList[A, T any](r *resolver, list string, arguments []calc.Value[A], resolve func(A) T) []T {
	out := make([]T, len(arguments))
	for i, v := range arguments {
		r.at = calc.Path{list, i}
		a, known := v.Get()
		switch {
		case known:
			out[i] = resolve(a)
		case v.IsNull():
			r.refuse(r.at, "Null in "+list, "%s is null, but every element of the list must be an object. Remove it: the order of the others stays.", r.at)
		default:
			r.known = false
		}
	}
	return out
}

func (r *resolver) refuse(at calc.Path, summary, format string, args ...any) {
	r.problems = append(r.problems, calc.Problem{Path: at, Summary: summary, Detail: fmt.Sprintf(format, args...)})
}

// argument returns the path to an argument of the current element.
func (r *resolver) argument(name string) calc.Path { return calc.Path{name}.Under(r.at...) }

// get returns a value that is known, and clears known for one that is not yet.
func get[T any](known *bool, v calc.Value[T]) (T, bool) {
	*known = *known && !v.IsUnknown()
	return v.Get()
}

// text returns a text, "" where it is not written; an empty one is refused, with
// what to write instead.
func (r *resolver) text(name string, v calc.Value[string], instead string) string {
	s, known := get(&r.known, v)
	if known && s == "" {
		r.refuse(r.argument(name), "Empty "+name, "%s is empty. %s", name, instead)
	}
	return s
}

// texts returns the known elements of a set of texts, sorted, and whether any
// element is written.
func (r *resolver) texts(name string, v calc.Value[[]calc.Value[string]]) (texts []string, written bool) {
	elements, _ := get(&r.known, v)
	for _, e := range elements {
		s, known := get(&r.known, e)
		switch {
		case e.IsNull() || known && s == "":
			r.refuse(r.argument(name), "Empty element in "+name, "%s holds a null or empty text, which no request can be matched by. Remove it.", name)
		case known:
			texts = append(texts, s)
		}
	}
	slices.Sort(texts)
	return slices.Compact(texts), len(elements) > 0
}

func (r *resolver) rule(a Arguments) Rule {
	rule := Rule{
		Name: r.text("name", a.Name, "Write the name that findings and matches show, or leave it out."), methods: allMethods,
		group: r.text("api_group", a.APIGroup, "Write the group that a request must belong to, or leave it out for any."),
	}
	rule.domain = domainSet(r.domain(a.Domain, true))
	rule.conditions, _ = r.texts("conditions", a.Conditions)

	base, isBase := get(&r.known, a.BasePath)
	path, isPath := get(&r.known, a.Path)
	methods, named := r.methods(a)
	switch {
	case isBase && isPath:
		r.refuse(r.at, "Both base_path and path",
			"base_path is %q and path is %q, but an XC rule is one of two kinds: base_path makes a Server URL rule, which takes every path that begins with it, and path an API endpoint rule. Keep one of them, or write two rules.", base, path)
	case a.BasePath.IsNull() && a.Path.IsNull():
		r.refuse(r.at, "Neither base_path nor path",
			"A rule needs one of them: base_path for a Server URL rule (\"/\" takes every path), path for an API endpoint rule, such as \"/users/{id}\".")
	case isBase:
		if r.pathOK("base_path", base) {
			rule.path = basePath(base)
		}
		if named != "" {
			r.refuse(r.argument(named), named+" on a Server URL rule",
				"%s is written beside base_path, but XC's Server URL rules match every method. Remove it, or write path instead of base_path for an API endpoint rule.", named)
		}
	case isPath:
		if fault := templateFault(path); fault != "" {
			r.refuse(r.argument("path"), "Wrong braces in path",
				"path is %q, but %s. A {name} stands for exactly one whole segment: write it between two slashes, such as \"/users/{id}/orders\".", path, fault)
		} else if r.pathOK("path", path) {
			rule.path = template(path)
		}
		if rule.group != "" {
			r.refuse(r.argument("api_group"), "api_group on an API endpoint rule",
				"api_group is %q beside path, but only XC's Server URL rules take an API group. Remove it, or write base_path instead of path.", rule.group)
		}
		rule.methods = methods
	}

	switch action, known := get(&r.known, a.Action); {
	case !known || action == Limit.String():
	case action == Bypass.String():
		rule.Action = Bypass
	default:
		r.refuse(r.argument("action"), "Unknown action",
			"action is %q, but a rule can only %q requests, the default, or let them %q rate limiting. Write one of the two.", action, Limit, Bypass)
	}
	return rule
}

// methods returns the methods of an API endpoint rule, and the name of the
// argument that narrows them, "" where none does. No methods mean all [model].
func (r *resolver) methods(a Arguments) (set methodSet, named string) {
	names, written := r.texts("methods", a.Methods)
	if written {
		named = "methods"
	}
	for _, name := range names {
		set |= r.method("methods", name, ruleMethods)
	}
	if !written && !a.Methods.IsUnknown() {
		set = allMethods
	}
	if invert, _ := get(&r.known, a.InvertMethods); !invert {
		return set, named
	}
	if set == allMethods && a.BasePath.IsNull() {
		r.refuse(r.argument("invert_methods"), "Every method inverted",
			"invert_methods is true, and the methods that it turns around are all of them, so the rule would match nothing. List in methods those that the rule shall not take, or remove invert_methods.")
	}
	return allMethods &^ set, "invert_methods"
}

// method reads a method out of those allowed.
func (r *resolver) method(argument, name string, allowed []string) methodSet {
	if slices.Contains(allowed, name) {
		return methodNamed(name)
	}
	instead := "Write one of them."
	if upper := strings.ToUpper(name); slices.Contains(allowed, upper) {
		instead = fmt.Sprintf("Methods are in upper case: write %q.", upper)
	}
	r.refuse(r.argument(argument), "Unknown method", "%q is no method that XC knows here: %s. %s", name, strings.Join(allowed, ", "), instead)
	return 0
}

func (r *resolver) pathOK(name, path string) bool {
	switch {
	case !strings.HasPrefix(path, "/"):
		r.refuse(r.argument(name), "No leading slash in "+name,
			"%s is %q, but XC matches it with the path of a request, which begins with a slash. Write %s.", name, path, pathOf(path))
	case strings.ContainsAny(path, "?#"):
		r.refuse(r.argument(name), "More than a path in "+name,
			"%s is %q, but rules match the path alone, which ends before a ? or #. Write %s; a query parameter can be one of the conditions.", name, path, pathOf(path))
	default:
		return true
	}
	return false
}

// pathOf finds the path in what may be a whole URL, quoted, and says what to write
// where there is none.
func pathOf(url string) string {
	url = strings.TrimSpace(url)
	if _, rest, found := strings.Cut(url, "://"); found {
		_, url, _ = strings.Cut(rest, "/")
	}
	if end := strings.IndexAny(url, "?#"); end >= 0 {
		url = url[:end]
	}
	path := "/" + strings.TrimPrefix(url, "/")
	if templateFault(path) != "" {
		return "the path alone"
	}
	return strconv.Quote(path)
}

// domain returns a domain in lower case, "" where it is not written: DNS names do
// not depend on letter case.
func (r *resolver) domain(v calc.Value[string], wildcard bool) string {
	instead := "Write the host that the request is for."
	if wildcard {
		instead = "Write the host that the rule takes, or leave it out for any."
	}
	domain := r.text("domain", v, instead)
	name := domain
	if wildcard {
		name = strings.TrimPrefix(domain, "*.")
	}
	switch {
	case domain != "" && (name == "" || strings.Contains(name, "*")):
		instead = "Write one host, such as \"api.example.com\"."
		if wildcard {
			instead = "Write \"*.example.com\" for every name below example.com, or leave domain out for any."
		}
		r.refuse(r.argument("domain"), "Wrong wildcard in domain", "domain is %q. In a rule a * can only stand for all that is in front of a name, and a request has one host. %s", domain, instead)
	case strings.Contains(name, "/"):
		r.refuse(r.argument("domain"), "More than a host in domain", "domain is %q, but it is matched with the host of a request. Write the host alone, without a scheme or a path.", domain)
	}
	return strings.ToLower(domain)
}

// caps refuses more rules of a kind than XC takes. A bypass rule counts as such,
// whichever path it has. Bypass rules for API groups that differ in nothing but
// the group count once, because one bypass rule of XC holds several groups [spec].
func (r *resolver) caps(arguments []calc.Value[Arguments], rules []Rule) {
	counts := map[string]int{}
	groups := map[string]bool{}
	for i, rule := range rules {
		a, _ := arguments[i].Get()
		switch {
		case a.Action.IsUnknown():
		case rule.Action == Bypass:
			if rule.group != "" {
				key := fmt.Sprintf("%q", append([]string{string(rule.domain), rule.path.text}, rule.conditions...))
				if groups[key] {
					continue
				}
				groups[key] = true
			}
			counts["bypass"]++
		case a.Path.IsNull() && !a.BasePath.IsNull():
			counts["Server URL"]++
		case a.BasePath.IsNull() && !a.Path.IsNull():
			counts["API endpoint"]++
		}
	}
	for _, kind := range []string{"Server URL", "API endpoint", "bypass"} {
		if n := counts[kind]; n > MaxRules {
			which := "those that share a limit"
			if kind == "bypass" {
				which = "some"
			}
			r.refuse(calc.Path{"rules"}, "Too many "+kind+" rules",
				"There are %d %s rules, but a load balancer of XC takes at most %d of them. Merge %s under a common base_path or a {name} in path, or split the load balancer.", n, kind, MaxRules, which)
		}
	}
}

func (r *resolver) request(a RequestArguments) Request {
	q := Request{host: r.domain(a.Domain, false)}
	for _, required := range []struct {
		name  string
		value calc.Value[string]
	}{{"method", a.Method}, {"domain", a.Domain}, {"path", a.Path}} {
		if required.value.IsNull() {
			r.refuse(r.argument(required.name), "Missing "+required.name, "A request has a %s, by which rules are matched. Write it.", required.name)
		}
	}
	if method, known := get(&r.known, a.Method); known {
		q.method = r.method("method", method, Methods)
	}
	if path, known := get(&r.known, a.Path); known && r.pathOK("path", path) {
		q.path, q.segments = path, splitPath(path)
	}
	q.conditions, _ = r.texts("conditions", a.Conditions)
	q.groups, _ = r.texts("api_groups", a.APIGroups)
	return q
}
