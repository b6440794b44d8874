package provider

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/function"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/xcrl/terraform-provider-xcrl/internal/calc"
	"github.com/xcrl/terraform-provider-xcrl/internal/calc/rules"
)

var _ function.Function = (*rulesFromXCFunction)(nil)

type rulesFromXCFunction struct{}

// endpointsFirst is what the function takes beside the object.
const endpointsFirst = "endpoints_first"

// NewRulesFromXCFunction returns the function rules_from_xc.
func NewRulesFromXCFunction() function.Function { return &rulesFromXCFunction{} }

func (f *rulesFromXCFunction) Metadata(_ context.Context, _ function.MetadataRequest, resp *function.MetadataResponse) {
	resp.Name = "rules_from_xc"
}

func (f *rulesFromXCFunction) Definition(_ context.Context, _ function.DefinitionRequest, resp *function.DefinitionResponse) {
	resp.Definition = function.Definition{
		Summary: "The rules that an api_rate_limit of XC holds",
		MarkdownDescription: "Reads the `rules` of the data source `xcrl_api_rate_limit` out of an `api_rate_limit` as XC shapes it: bypass rules first, then `server_url_rules`, then `api_endpoint_rules`. " +
			"F5 does not document which of the last two goes first; with `\"endpoints_first\"` as second argument they are turned around, to compare. " +
			"Each rule is named by its place in the object, such as `server_url_rules[0]`. Client and request matchers become `conditions`, of which equal texts mean equal matchers. A bypass rule for several API groups becomes one rule for each. A `ref_rate_limiter` gives a rule without a limit. " +
			"Only what the rules need has to be known: a load balancer that is planned and has no `id` yet already gives its answer. " +
			"To have it judged while planning, give the result to the data source through a local value: Terraform and OpenTofu put a data source off until apply when its block itself names a resource that has changes.",
		Parameters: []function.Parameter{function.DynamicParameter{
			Name: "value",
			// A planned resource has parts that are unknown and do not matter.
			AllowUnknownValues:  true,
			MarkdownDescription: "An `api_rate_limit`, or a load balancer that has one: an expression of a resource or data source of either XC provider, a decoded answer of the API, or JSON text.",
		}},
		VariadicParameter: function.StringParameter{
			Name:                "order",
			MarkdownDescription: "Nothing, or `\"endpoints_first\"` for `api_endpoint_rules` before `server_url_rules`.",
		},
		Return: function.ListReturn{ElementType: ruleType},
	}
}

func (f *rulesFromXCFunction) Run(ctx context.Context, req function.RunRequest, resp *function.RunResponse) {
	var value types.Dynamic
	var order []string
	resp.Error = req.Arguments.Get(ctx, &value, &order)
	if resp.Error != nil {
		return
	}
	for i, word := range order {
		if word != endpointsFirst || i > 0 {
			resp.Error = function.NewArgumentFuncError(int64(1+i), fmt.Sprintf(
				"the order is %q, once, for api_endpoint_rules before server_url_rules, and is left out for server_url_rules first; it is not %q", endpointsFirst, word))
			return
		}
	}
	found, known, problems := rules.FromXC(xcTree(value), len(order) > 0)
	resp.Error = argumentError(0, problems)
	if resp.Error != nil {
		return
	}
	answer := types.ListUnknown(ruleType)
	if known {
		elements := make([]attr.Value, len(found))
		for i, rule := range found {
			elements[i] = ruleObject(rule)
		}
		answer = types.ListValueMust(ruleType, elements)
	}
	resp.Error = resp.Result.Set(ctx, answer)
}

// ruleObject is a rule as an element of the data source's rules.
func ruleObject(rule rules.FromXCRule) types.Object {
	limit := types.ObjectNull(tupleTypes)
	if rule.Limit != nil {
		attributes := tupleObject(*rule.Limit).Attributes()
		// An inline limiter has no mitigation action, and one that is written is
		// warned of.
		attributes[calc.ArgMitigationAction] = types.StringNull()
		limit = types.ObjectValueMust(tupleTypes, attributes)
	}
	return types.ObjectValueMust(objectTypes(ruleType), map[string]attr.Value{
		"name":           textValue(rule.Name),
		"base_path":      textValue(rule.BasePath),
		"path":           textValue(rule.Path),
		"domain":         textValue(rule.Domain),
		"methods":        textSet(rule.Methods),
		"invert_methods": types.BoolPointerValue(pointer(rule.InvertMethods)),
		"api_group":      textValue(rule.APIGroup),
		"conditions":     textSet(rule.Conditions),
		"action":         textValue(rule.Action),
		"limit":          limit,
	})
}

// pointer points to an argument that is known, and nowhere where it is null.
func pointer[T any](v calc.Value[T]) *T {
	if known, ok := v.Get(); ok {
		return &known
	}
	return nil
}

func textValue(v calc.Value[string]) types.String { return types.StringPointerValue(pointer(v)) }

func textSet(v calc.Value[[]calc.Value[string]]) types.Set {
	texts, ok := v.Get()
	if !ok {
		return types.SetNull(types.StringType)
	}
	elements := make([]attr.Value, len(texts))
	for i, text := range texts {
		elements[i] = textValue(text)
	}
	return types.SetValueMust(types.StringType, elements)
}
