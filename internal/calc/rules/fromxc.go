package rules

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strings"

	"github.com/xcrl/terraform-provider-xcrl/internal/calc"
	"github.com/xcrl/terraform-provider-xcrl/internal/calc/xcshape"
)

// The lists of an api_rate_limit that hold rules [spec].
const (
	bypassRules    = "bypass_rate_limiting_rules"
	serverURLRules = "server_url_rules"
	endpointRules  = "api_endpoint_rules"
)

// FromXCRule is a rule read from an api_rate_limit. Its arguments are known or
// null; its name says where the rule stands in the api_rate_limit, because XC
// gives rules no names.
type FromXCRule struct {
	Arguments
	// Limit is the inline limiter; nil where there is none.
	Limit *calc.Limit
}

// FromXC reads the rules of an api_rate_limit, or of a load balancer that has
// one; see [xcshape.Reader.Root] for the forms of value. Bypass rules come first,
// then Server URL rules and API endpoint rules, or these two the other way round
// with endpointsFirst.
//
// It looks only at what the rules need, and known is false without a problem only
// where a needed part is unknown. Problems name their path inside the object.
// Whether the rules are valid is for [Resolve] to say.
func FromXC(value any, endpointsFirst bool) (rules []FromXCRule, known bool, problems []calc.Problem) {
	im := importer{known: true, rules: []FromXCRule{}}
	if n, ok := get(&im.known, im.find(value)); ok {
		bypasses := n
		if !holdsBypassRules(n) {
			bypasses, _ = get(&im.known, im.Block(n.Attr(bypassRules)))
		}
		im.list(bypasses, bypassRules, im.bypass)
		if endpointsFirst {
			im.list(n, endpointRules, im.endpoint)
		}
		im.list(n, serverURLRules, im.serverURL)
		if !endpointsFirst {
			im.list(n, endpointRules, im.endpoint)
		}
	}
	return im.rules, im.known && len(im.Problems) == 0, im.Problems
}

// importer collects the rules that it reads.
type importer struct {
	xcshape.Reader
	known bool
	rules []FromXCRule
}

// find returns the api_rate_limit: the object itself where it holds a list of
// rules, else the one inside a load balancer.
func (im *importer) find(value any) calc.Value[xcshape.Node] {
	root := im.Root(value)
	n, ok := root.Get()
	unknown := root.IsUnknown()
	if ok {
		for _, list := range []string{bypassRules, serverURLRules, endpointRules} {
			if _, has := n.Value.(map[string]any)[list]; has {
				return root
			}
		}
		for _, in := range []calc.Value[xcshape.Node]{root, im.Block(n.Attr("spec")), im.Block(n.Attr("get_spec"))} {
			holder, _ := in.Get()
			found := im.Block(holder.Attr("api_rate_limit"))
			if _, ok := found.Get(); ok {
				return found
			}
			unknown = unknown || in.IsUnknown() || found.IsUnknown()
		}
	}
	if !unknown {
		im.Refuse(n, "No api_rate_limit", "Rules are looked for in api_rate_limit and spec.api_rate_limit, and in the value itself by server_url_rules, api_endpoint_rules and bypass_rate_limiting_rules. There are none: pass a load balancer that has chosen api_rate_limit, or that part of it.")
	}
	return calc.Unknown[xcshape.Node]()
}

// holdsBypassRules reports whether n is the block of an api_rate_limit that holds
// its bypass rules, handed over alone: a list of that name holds them, where in an
// api_rate_limit it holds that block, in which the name comes again.
func holdsBypassRules(n xcshape.Node) bool {
	list, _ := n.Attr(bypassRules).Value.([]any)
	for _, e := range list {
		if object, ok := e.(map[string]any); ok && len(object) > 0 {
			_, again := object[bypassRules]
			return !again
		}
	}
	return false
}

// list reads the rules in one list of n.
func (im *importer) list(n xcshape.Node, name string, read func(xcshape.Node, FromXCRule)) {
	elements, _ := get(&im.known, im.List(n.Attr(name)))
	for i, e := range elements {
		if at, ok := get(&im.known, im.Block(e)); ok {
			var rule FromXCRule
			rule.Name = calc.Known(fmt.Sprintf("%s[%d]", name, i))
			rule.Domain = im.domain(at)
			rule.Conditions = knownSet(im.conditions(at))
			read(at, rule)
		}
	}
}

func (im *importer) serverURL(n xcshape.Node, rule FromXCRule) {
	rule.APIGroup = im.text(n.Attr("api_group"))
	rule.BasePath = im.text(n.Attr("base_path"))
	if rule.BasePath.IsNull() {
		if rule.APIGroup.IsNull() {
			im.Refuse(n.Attr("base_path"), "No base_path", "A Server URL rule takes the paths that begin with its base_path, and this one has none. XC requires it: write \"/\" for every path.")
		}
		rule.BasePath = calc.Known("/") // of the group, every path [model]
	}
	rule.Limit = im.limit(n)
	im.rules = append(im.rules, rule)
}

func (im *importer) endpoint(n xcshape.Node, rule FromXCRule) {
	rule.Path = im.path(n.Attr("api_endpoint_path"))
	method, _ := get(&im.known, im.Block(n.Attr("api_endpoint_method")))
	rule.Methods = knownSet(im.texts(method.Attr("methods")))
	if invert, _ := get(&im.known, im.Chosen(method.Attr("invert_matcher"))); invert {
		rule.InvertMethods = calc.Known(true)
	}
	rule.Limit = im.limit(n)
	im.rules = append(im.rules, rule)
}

// bypass reads a bypass rule, which takes one of any URL, a base path, API groups
// and an API endpoint [spec]. Several groups become a rule each.
func (im *importer) bypass(n xcshape.Node, rule FromXCRule) {
	rule.Action = calc.Known(Bypass.String())
	anyURL, base := im.Chosen(n.Attr("any_url")), im.Text(n.Attr("base_path"))
	groups, endpoint := im.Block(n.Attr("api_groups")), im.Block(n.Attr("api_endpoint"))

	name, _ := rule.Name.Get()
	var rules []FromXCRule
	choices := 0
	if chosen, _ := anyURL.Get(); chosen {
		choices++
		rule.BasePath = calc.Known("/")
		rules = []FromXCRule{rule}
	}
	if _, chosen := base.Get(); chosen {
		choices++
		rule.BasePath = base
		rules = []FromXCRule{rule}
	}
	if at, chosen := groups.Get(); chosen {
		choices++
		rule.BasePath = calc.Known("/")
		for i, group := range im.texts(at.Attr("api_groups")) {
			one := rule
			one.Name = calc.Known(fmt.Sprintf("%s.api_groups[%d]", name, i))
			one.APIGroup = calc.Known(group)
			rules = append(rules, one)
		}
		if rules == nil && im.known {
			im.Refuse(at.Attr("api_groups"), "No API group", "A bypass rule for API groups names at least one, and this one names none. XC requires it.")
			return
		}
	}
	if at, chosen := endpoint.Get(); chosen {
		choices++
		rule.Path = im.path(at.Attr("path"))
		rule.Methods = knownSet(im.texts(at.Attr("methods")))
		rules = []FromXCRule{rule}
	}
	switch {
	case choices == 1:
		im.rules = append(im.rules, rules...)
	case choices == 0 && (anyURL.IsUnknown() || base.IsUnknown() || groups.IsUnknown() || endpoint.IsUnknown()):
		im.known = false
	default:
		im.Refuse(n, "Not one destination", fmt.Sprintf("XC's bypass rules choose one of any_url, base_path, api_groups and api_endpoint, and this one chooses %d of them.", choices))
	}
}

// text reads an optional text that a rule needs.
func (im *importer) text(n xcshape.Node) calc.Value[string] {
	v := im.Text(n)
	get(&im.known, v)
	return v
}

// path reads the path of an API endpoint.
func (im *importer) path(n xcshape.Node) calc.Value[string] {
	v := im.text(n)
	if v.IsNull() {
		im.Refuse(n, "No path", "An API endpoint is matched by its path, such as \"/users/{id}\", and this one has none. XC requires it.")
	}
	return v
}

// texts reads a list of texts whose order means nothing.
func (im *importer) texts(n xcshape.Node) (texts []string) {
	elements, _ := get(&im.known, im.List(n))
	for _, e := range elements {
		if s, ok := im.text(e).Get(); ok {
			texts = append(texts, s)
		}
	}
	return texts
}

// knownSet returns texts as a set: null where there are none, sorted, each once.
func knownSet(texts []string) (v calc.Value[[]calc.Value[string]]) {
	if len(texts) == 0 {
		return v
	}
	slices.Sort(texts)
	var elements []calc.Value[string]
	for _, s := range slices.Compact(texts) {
		elements = append(elements, calc.Known(s))
	}
	return calc.Known(elements)
}

// domain reads a rule's domain, null for any.
func (im *importer) domain(n xcshape.Node) calc.Value[string] {
	domain := im.Text(n.Attr("specific_domain"))
	if domain.IsUnknown() {
		if chosen, _ := im.Chosen(n.Attr("any_domain")).Get(); chosen {
			return calc.Value[string]{}
		}
	}
	get(&im.known, domain)
	return domain
}

// limit reads the inline limiter of a rule, nil where the rule refers to one.
func (im *importer) limit(n xcshape.Node) *calc.Limit {
	inline := im.Block(n.Attr("inline_rate_limiter"))
	if inline.IsUnknown() {
		if _, refers := im.Block(n.Attr("ref_rate_limiter")).Get(); refers {
			return nil
		}
	}
	if at, ok := get(&im.known, inline); ok {
		if limit, ok := get(&im.known, im.InlineLimit(at)); ok {
			return &limit
		}
	}
	return nil
}

// conditions returns one text for each predicate of a rule's matchers, all of
// which must hold [spec]. Equal predicates give equal text, whoever wrote them;
// a matcher that takes everything gives none.
func (im *importer) conditions(n xcshape.Node) (texts []string) {
	client, _ := get(&im.known, im.Block(n.Attr("client_matcher")))
	for _, name := range keys(client) {
		if name != "any_client" && name != "any_ip" {
			texts = im.condition(texts, "client_matcher."+name, client.Attr(name))
		}
	}
	request, _ := get(&im.known, im.Block(n.Attr("request_matcher")))
	for _, name := range keys(request) {
		predicates := []xcshape.Node{request.Attr(name)}
		if _, several := predicates[0].Value.([]any); several {
			predicates, _ = im.List(predicates[0]).Get()
		}
		for _, p := range predicates {
			texts = im.condition(texts, "request_matcher."+name, p)
		}
	}
	return texts
}

// keys returns the names of the attributes of an object, sorted.
func keys(n xcshape.Node) []string {
	object, _ := n.Value.(map[string]any)
	return slices.Sorted(maps.Keys(object))
}

// condition appends the text of a predicate, unless it is empty.
func (im *importer) condition(texts []string, name string, predicate xcshape.Node) []string {
	c := im.canonical(predicate)
	if c == nil {
		return texts
	}
	if header, ok := c.(map[string]any); ok && name == "request_matcher.headers" {
		if s, ok := header["name"].(string); ok {
			header["name"] = strings.ToLower(s) // as HTTP compares them
		}
	}
	return append(texts, name+" "+compactJSON(c))
}

// canonical returns what matters of a part of a predicate, nil for nothing:
// without what is unset, lists sorted, and a list of one object as that object,
// which is how volterra writes a block.
func (im *importer) canonical(n xcshape.Node) any {
	name := n.Path[len(n.Path)-1]
	switch name {
	case "tenant", "kind", "uid":
		// XC fills them into a reference, which namespace and name identify [model];
		// before apply they are unknown.
		return nil
	case "check_present", "check_not_present":
		// These choose by being there.
		if chosen, _ := get(&im.known, im.Chosen(n)); chosen {
			return true
		}
		return nil
	}
	if n.IsUnset() {
		return nil
	}
	switch v := n.Value.(type) {
	case xcshape.Unknown:
		im.known = false
		return nil
	case *big.Float:
		return json.Number(calc.Text(v))
	case []any:
		var elements []any
		nodes, _ := im.List(n).Get()
		for _, e := range nodes {
			if c := im.canonical(e); c != nil {
				elements = append(elements, c)
			}
		}
		if name != "transformers" { // which are applied in order [spec]
			slices.SortFunc(elements, compareJSON)
			elements = slices.CompactFunc(elements, func(a, b any) bool { return compareJSON(a, b) == 0 })
		}
		if len(elements) == 0 {
			return nil
		}
		if object, ok := elements[0].(map[string]any); ok && len(elements) == 1 {
			return object
		}
		return elements
	case map[string]any:
		object := map[string]any{}
		for _, name := range keys(n) {
			if c := im.canonical(n.Attr(name)); c != nil {
				object[name] = c
			}
		}
		if len(object) == 0 {
			return nil
		}
		return object
	}
	return n.Value
}

func compareJSON(a, b any) int { return strings.Compare(compactJSON(a), compactJSON(b)) }

// compactJSON writes a canonical value, the attributes of objects sorted.
func compactJSON(value any) string {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(value) // of texts, numbers, true, lists and objects, which JSON has
	return strings.TrimSuffix(b.String(), "\n")
}
