package provider

import (
	"context"
	"fmt"
	"maps"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/xcrl/terraform-provider-xcrl/internal/calc"
	"github.com/xcrl/terraform-provider-xcrl/internal/calc/rules"
)

var (
	_ datasource.DataSource                   = (*apiRateLimitDataSource)(nil)
	_ datasource.DataSourceWithValidateConfig = (*apiRateLimitDataSource)(nil)
)

type apiRateLimitDataSource struct{}

// NewAPIRateLimitDataSource returns the data source xcrl_api_rate_limit.
func NewAPIRateLimitDataSource() datasource.DataSource { return &apiRateLimitDataSource{} }

func (d *apiRateLimitDataSource) Metadata(_ context.Context, req datasource.MetadataRequest, resp *datasource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_api_rate_limit"
}

func (d *apiRateLimitDataSource) Schema(_ context.Context, _ datasource.SchemaRequest, resp *datasource.SchemaResponse) {
	resp.Schema = schema.Schema{
		MarkdownDescription: "What a list of API rate-limit rules does: which rule, and so which limit, a request meets, which rules no request can ever reach, and in which order they could be reached. " +
			"XC evaluates rules first-match, so a broad rule above a specific one makes it dead without a word." + readLater,
		Attributes: apiRateLimitAttributes(),
	}
}

func (d *apiRateLimitDataSource) ValidateConfig(ctx context.Context, req datasource.ValidateConfigRequest, resp *datasource.ValidateConfigResponse) {
	var config types.Object
	resp.Diagnostics.Append(req.Config.Get(ctx, &config)...)
	if resp.Diagnostics.HasError() {
		return
	}
	diagnose(&resp.Diagnostics, readAPIRateLimit(config.Attributes()).problems)
}

func (d *apiRateLimitDataSource) Read(ctx context.Context, req datasource.ReadRequest, resp *datasource.ReadResponse) {
	var config types.Object
	resp.Diagnostics.Append(req.Config.Get(ctx, &config)...)
	if resp.Diagnostics.HasError() {
		return
	}
	a := readAPIRateLimit(config.Attributes())
	diagnose(&resp.Diagnostics, a.problems)
	if a.known && len(a.problems) == 0 {
		resp.Diagnostics.Append(resp.State.Set(ctx, a.answer(config.Attributes()))...)
	}
}

// apiRateLimitAttributes are all arguments and attributes of the data source.
func apiRateLimitAttributes() map[string]schema.Attribute {
	return map[string]schema.Attribute{
		"rules": schema.ListNestedAttribute{
			Required: true,
			MarkdownDescription: fmt.Sprintf("The rules in the order of evaluation: at most %d Server URL rules, %d API endpoint rules and %d bypass rules. "+
				"`rules_from_xc` reads them out of an `api_rate_limit`."+dropsUnknownNames, rules.MaxRules, rules.MaxRules, rules.MaxRules),
			NestedObject: schema.NestedAttributeObject{Attributes: ruleAttributes()},
		},
		"requests": schema.ListNestedAttribute{
			Optional:            true,
			MarkdownDescription: "Requests to find the rule of; see `matches`. Default none.",
			// calc knows that the first three are required; see alwaysNeeded.
			NestedObject: schema.NestedAttributeObject{Attributes: map[string]schema.Attribute{
				"method":     schema.StringAttribute{Optional: true, MarkdownDescription: alwaysNeeded + "one of " + codeList(rules.Methods) + ", in upper case."},
				"domain":     schema.StringAttribute{Optional: true, MarkdownDescription: alwaysNeeded + "host that the request is for, in any letter case."},
				"path":       schema.StringAttribute{Optional: true, MarkdownDescription: alwaysNeeded + "path, without a query."},
				"conditions": textsAttribute("Which of the rules' `conditions` the request meets. Default none."),
				"api_groups": textsAttribute("API groups that the request belongs to. Default none."),
			}},
		},
		"shadowed": schema.ListAttribute{
			Computed: true, ElementType: types.Int64Type,
			MarkdownDescription: "Indices of the rules that no request can reach.",
		},
		"findings": schema.ListNestedAttribute{
			Computed:            true,
			MarkdownDescription: "What the order of the rules does, sorted by rule, then code: " + codeTable(rules.FindingCodes),
			NestedObject: schema.NestedAttributeObject{Attributes: map[string]schema.Attribute{
				"code": schema.StringAttribute{Computed: true, MarkdownDescription: "Fixed code, for policies."},
				"rule": schema.Int64Attribute{Computed: true, MarkdownDescription: "Index of the rule."},
				"name": schema.StringAttribute{Computed: true, MarkdownDescription: "Name of the rule; null where it has none."},
				"covered_by": schema.ListAttribute{
					Computed: true, ElementType: types.Int64Type,
					MarkdownDescription: "Indices of the earlier rules that the finding is about: for `shadowed` the first one that covers the rule or, where none does alone, those that take all its methods together; for `overlap` those that take some of its requests.",
				},
				"message": schema.StringAttribute{Computed: true, MarkdownDescription: "Message for people: which rules, and what to do."},
			}},
		},
		"suggested_order": schema.ListAttribute{
			Computed: true, ElementType: types.Int64Type,
			MarkdownDescription: "Indices of all rules in an order in which every rule strictly inside another comes before it; otherwise as given. `[for i in self.suggested_order : self.rules[i]]` is the list in that order.",
		},
		"matches": schema.ListNestedAttribute{
			Computed:            true,
			MarkdownDescription: "For each of `requests` the first rule that matches; empty without `requests`. All three are null where none matches, and then no rule limits the request.",
			NestedObject: schema.NestedAttributeObject{Attributes: map[string]schema.Attribute{
				"rule":   schema.Int64Attribute{Computed: true, MarkdownDescription: "Index of the rule."},
				"name":   schema.StringAttribute{Computed: true, MarkdownDescription: "Name of the rule; null where it has none."},
				"action": schema.StringAttribute{Computed: true, MarkdownDescription: "`limit` or `bypass`."},
			}},
		},
		"limits": schema.ListAttribute{
			Computed: true, ElementType: types.ObjectType{AttrTypes: evaluationTypes},
			MarkdownDescription: "For each rule what its `limit` does, with the arguments and attributes of the data source `xcrl_rate_limit`; null for a rule without one.",
		},
		"warnings": findingsAttribute("What is risky about the rules and their limits, sorted by code: those of `xcrl_rate_limit`, whose message then begins with the rules that it is about, and " + codeTable(rules.WarningCodes)),
		"caveats":  findingsAttribute("What is true of every such list of rules, sorted by code: those of `xcrl_rate_limit` for the rules' limits, and " + codeTable(rules.CaveatCodes)),
	}
}

func ruleAttributes() map[string]schema.Attribute {
	return map[string]schema.Attribute{
		"name":           schema.StringAttribute{Optional: true, MarkdownDescription: "Name of the rule in findings and matches."},
		"base_path":      schema.StringAttribute{Optional: true, MarkdownDescription: "Makes a Server URL rule, which takes every path that begins with this text: `/api` takes `/apiary` too. Exactly one of `base_path` and `path` is needed."},
		"path":           schema.StringAttribute{Optional: true, MarkdownDescription: "Makes an API endpoint rule, which takes this path. `{name}` stands for exactly one segment that is not empty, as in `/users/{id}`."},
		"domain":         schema.StringAttribute{Optional: true, MarkdownDescription: "Host that the rule takes, in any letter case. `*.example.com` stands for every name below example.com, not for example.com itself. Default any."},
		"methods":        textsAttribute("Methods that the rule takes, with `path` only: " + codeList(rules.Methods) + ", in upper case, or `" + rules.AnyMethod + "` for all. Default all."),
		"invert_methods": schema.BoolAttribute{Optional: true, MarkdownDescription: "Whether the rule takes every method but those of `methods`. Default false."},
		"api_group":      schema.StringAttribute{Optional: true, MarkdownDescription: "API group that a request must belong to, with `base_path` only. Default any."},
		"conditions":     textsAttribute("Client and request matchers, all of which must hold. Any text will do: equal texts mean equal matchers. Default none."),
		"action":         schema.StringAttribute{Optional: true, MarkdownDescription: "`" + rules.Limit.String() + "` (default), or `" + rules.Bypass.String() + "`, which exempts requests from rate limiting."},
		"limit": schema.SingleNestedAttribute{
			Optional:            true,
			MarkdownDescription: tupleOnly + " See `limits` for what it does. A rule without one takes its requests all the same. Refused on a bypass rule.",
			Attributes:          tupleAttributes(false),
		},
	}
}

func textsAttribute(description string) schema.Attribute {
	return schema.SetAttribute{Optional: true, ElementType: types.StringType, MarkdownDescription: description}
}

func codeList(words []string) string { return "`" + strings.Join(words, "`, `") + "`" }

// The types of the data source and of its parts.
var (
	apiRateLimitTypes = objectTypes(schema.Schema{Attributes: apiRateLimitAttributes()}.Type())
	ruleType          = elementType(apiRateLimitTypes["rules"])
	ruleFindingType   = elementType(apiRateLimitTypes["findings"])
	matchType         = elementType(apiRateLimitTypes["matches"])
)

// apiRateLimit is a configuration that has been read. It means something only
// when everything is known and there is no problem.
type apiRateLimit struct {
	rules    []rules.Rule
	requests []rules.Request
	limits   map[int]ruleLimit // by the index of the rule; none where it has none
	known    bool
	problems []calc.Problem
}

// ruleLimit is the limit of a rule as it is written and as it is resolved.
type ruleLimit struct {
	written  map[string]attr.Value
	scenario calc.Scenario
}

// readAPIRateLimit checks all that is known.
func readAPIRateLimit(config map[string]attr.Value) apiRateLimit {
	a := apiRateLimit{limits: map[int]ruleLimit{}, known: true}
	ruleList, known := listOf(config["rules"], func(i int, o *object) rules.Arguments {
		a.limit(i, o)
		return rules.Arguments{
			Name: o.text("name"), BasePath: o.text("base_path"), Path: o.text("path"), Domain: o.text("domain"),
			Methods: o.texts("methods"), InvertMethods: o.flag("invert_methods"),
			APIGroup: o.text("api_group"), Conditions: o.texts("conditions"), Action: o.text("action"),
		}
	})
	a.note(known, nil)
	requestList, known := listOf(config["requests"], func(_ int, o *object) rules.RequestArguments {
		return rules.RequestArguments{
			Method: o.text("method"), Domain: o.text("domain"), Path: o.text("path"),
			Conditions: o.texts("conditions"), APIGroups: o.texts("api_groups"),
		}
	})
	a.note(known, nil)
	var problems []calc.Problem
	a.rules, known, problems = rules.Resolve(ruleList)
	a.note(known, problems)
	a.requests, known, problems = rules.ResolveRequests(requestList)
	a.note(known, problems)
	return a
}

func (a *apiRateLimit) note(known bool, problems []calc.Problem) {
	a.known = a.known && known
	a.problems = append(a.problems, problems...)
}

// limit reads the limit of rule i.
func (a *apiRateLimit) limit(i int, rule *object) {
	limit, _ := rule.attributes["limit"].(types.Object)
	if limit.IsNull() || limit.IsUnknown() {
		a.note(limit.IsNull(), nil)
		return
	}
	o := object{attributes: limit.Attributes()}
	scenario, known := o.scenario()
	if action, _ := rule.text("action").Get(); action == rules.Bypass.String() {
		o.refuse(nil, "Limit on a bypass rule", "The rule has a limit, but its action is %q: it exempts requests from rate limiting, so the limit would never be used. Remove limit, or write action = %q.", action, rules.Limit)
	}
	a.note(known, calc.Under(o.problems, "rules", i, "limit"))
	a.limits[i] = ruleLimit{o.attributes, scenario}
}

// answer is the data source: its configuration and every attribute.
func (a *apiRateLimit) answer(config map[string]attr.Value) types.Object {
	limits := make([]attr.Value, len(a.rules))
	warnings := make([][]calc.Finding, len(a.rules))
	caveats := make([][]calc.Finding, len(a.rules))
	for i := range a.rules {
		limits[i] = types.ObjectNull(evaluationTypes)
		if l, ok := a.limits[i]; ok {
			e := calc.Evaluate(l.scenario)
			limits[i] = evaluationObject(l.written, e)
			warnings[i], caveats[i] = e.Warnings, e.Caveats
		}
	}
	analysis := rules.Analyze(a.rules)
	attributes := maps.Clone(config)
	maps.Copy(attributes, map[string]attr.Value{
		"shadowed":        indexList(analysis.Shadowed),
		"findings":        a.findingList(analysis.Findings),
		"suggested_order": indexList(analysis.SuggestedOrder),
		"matches":         a.matchList(),
		"limits":          types.ListValueMust(types.ObjectType{AttrTypes: evaluationTypes}, limits),
		"warnings":        findingList(calc.SortFindings(append(rules.Warnings(a.rules), rules.OfLimits(a.rules, warnings)...))),
		"caveats":         findingList(calc.SortFindings(append(rules.Caveats(a.rules), rules.OfLimits(a.rules, caveats)...))),
	})
	return types.ObjectValueMust(apiRateLimitTypes, attributes)
}

func (a *apiRateLimit) findingList(findings []rules.Finding) types.List {
	elements := make([]attr.Value, len(findings))
	for i, f := range findings {
		elements[i] = types.ObjectValueMust(objectTypes(ruleFindingType), map[string]attr.Value{
			"code":       types.StringValue(f.Code),
			"rule":       index(f.Rule),
			"name":       textOrNull(a.rules[f.Rule].Name),
			"covered_by": indexList(f.CoveredBy),
			"message":    types.StringValue(f.Message),
		})
	}
	return types.ListValueMust(ruleFindingType, elements)
}

func (a *apiRateLimit) matchList() types.List {
	elements := make([]attr.Value, len(a.requests))
	for i, q := range a.requests {
		match := map[string]attr.Value{"rule": types.Int64Null(), "name": types.StringNull(), "action": types.StringNull()}
		if r, ok := rules.FirstMatch(a.rules, q); ok {
			match["rule"], match["name"], match["action"] = index(r), textOrNull(a.rules[r].Name), types.StringValue(a.rules[r].Action.String())
		}
		elements[i] = types.ObjectValueMust(objectTypes(matchType), match)
	}
	return types.ListValueMust(matchType, elements)
}

func index(i int) types.Int64 { return types.Int64Value(int64(i)) }

func indexList(indices []int) types.List {
	elements := make([]attr.Value, len(indices))
	for i, n := range indices {
		elements[i] = index(n)
	}
	return types.ListValueMust(types.Int64Type, elements)
}

// textOrNull is a text of which "" stands for not given.
func textOrNull(s string) types.String {
	if s == "" {
		return types.StringNull()
	}
	return types.StringValue(s)
}
