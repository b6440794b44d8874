package provider

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/function"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/xcrl/terraform-provider-xcrl/internal/calc"
)

var _ function.Function = (*equivalentFunction)(nil)

type equivalentFunction struct{}

// NewEquivalentFunction returns the function equivalent.
func NewEquivalentFunction() function.Function { return &equivalentFunction{} }

func (f *equivalentFunction) Metadata(_ context.Context, _ function.MetadataRequest, resp *function.MetadataResponse) {
	resp.Name = "equivalent"
}

func (f *equivalentFunction) Definition(_ context.Context, _ function.DefinitionRequest, resp *function.DefinitionResponse) {
	resp.Definition = function.Definition{
		Summary: "Whether two rate limits are the same",
		MarkdownDescription: "Whether two limits treat every client alike: drain rate, burst ceiling, algorithm and lockout are all equal. " +
			"The rate alone does not make them so: 60 per minute and 1 per second drain alike, but let 60 and 1 requests through at once." + unknownAnswer,
		Parameters: []function.Parameter{limitParameter("a"), limitParameter("b")},
		Return:     function.BoolReturn{},
	}
}

func (f *equivalentFunction) Run(ctx context.Context, req function.RunRequest, resp *function.RunResponse) {
	var arguments [2]types.Dynamic
	resp.Error = req.Arguments.Get(ctx, &arguments[0], &arguments[1])
	if resp.Error != nil {
		return
	}
	var limits [2]calc.Limit
	for i, argument := range arguments {
		o := functionObject(argument, calc.ArgumentNames, exampleLimit)
		scenario, _ := o.scenario()
		limits[i] = scenario.Limit
		// An engine shows one argument only, so the other waits for its turn.
		if resp.Error = argumentError(int64(i), o.problems); resp.Error != nil {
			return
		}
	}
	resp.Error = resp.Result.Set(ctx, calc.Equivalent(limits[0], limits[1]))
}
