package provider

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/function"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/xcrl/terraform-provider-xcrl/internal/calc"
)

var _ function.Function = (*evaluateFunction)(nil)

type evaluateFunction struct{}

// NewEvaluateFunction returns the function evaluate.
func NewEvaluateFunction() function.Function { return &evaluateFunction{} }

func (f *evaluateFunction) Metadata(_ context.Context, _ function.MetadataRequest, resp *function.MetadataResponse) {
	resp.Name = "evaluate"
}

func (f *evaluateFunction) Definition(_ context.Context, _ function.DefinitionRequest, resp *function.DefinitionResponse) {
	resp.Definition = function.Definition{
		Summary: "What a rate limit does",
		MarkdownDescription: "Answers for one limit what the data source `xcrl_rate_limit` answers, where data sources cannot go: in a variable's `validation`, in locals, in `for` expressions. " +
			"The result is an object with every argument (defaults filled in) and every attribute of the data source." + unknownAnswer,
		Parameters: []function.Parameter{limitParameter("limit")},
		Return:     function.ObjectReturn{AttributeTypes: evaluationTypes},
	}
}

func (f *evaluateFunction) Run(ctx context.Context, req function.RunRequest, resp *function.RunResponse) {
	var limit types.Dynamic
	resp.Error = req.Arguments.Get(ctx, &limit)
	if resp.Error != nil {
		return
	}
	o := functionObject(limit, calc.ArgumentNames, exampleLimit)
	answer, _ := o.answer()
	resp.Error = argumentError(0, o.problems)
	if resp.Error == nil {
		resp.Error = resp.Result.Set(ctx, answer)
	}
}

// exampleLimit shows those who pass something else what a limit looks like.
const exampleLimit = `{ number = 100, per_period = "Minutes" }`

func limitParameter(name string) function.Parameter {
	return function.DynamicParameter{
		Name:                name,
		MarkdownDescription: "An object with the arguments of `xcrl_rate_limit`; optional ones may be left out or null.",
	}
}
