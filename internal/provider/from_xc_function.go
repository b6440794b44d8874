package provider

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/function"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/xcrl/terraform-provider-xcrl/internal/calc"
	"github.com/xcrl/terraform-provider-xcrl/internal/calc/xcshape"
)

var _ function.Function = (*fromXCFunction)(nil)

type fromXCFunction struct{}

// NewFromXCFunction returns the function from_xc.
func NewFromXCFunction() function.Function { return &fromXCFunction{} }

func (f *fromXCFunction) Metadata(_ context.Context, _ function.MetadataRequest, resp *function.MetadataResponse) {
	resp.Name = "from_xc"
}

func (f *fromXCFunction) Definition(_ context.Context, _ function.DefinitionRequest, resp *function.DefinitionResponse) {
	resp.Definition = function.Definition{
		Summary: "The rate limit that an object of XC holds",
		MarkdownDescription: "Reads the one rate limit out of an object as XC shapes it, so that a limit which exists can be judged as it stands. " +
			"The result is an object of `number`, `per_period`, `periods`, `burst_multiplier`, `mitigation_action`, `block_duration`, `block_unit` and `algorithm`, which `evaluate` takes as it is; the two `block_` ones are null without Block. " +
			"What XC takes as unset is filled with what XC takes for it: a multiplier of 1, `Seconds`, `Disabled`, `leaky_bucket`. " +
			"Only what the limit needs has to be known: a resource that is planned and has no `id` yet already gives its answer. " +
			"A limiter without limits is an error: XC accepts it, and it limits nothing.",
		Parameters: []function.Parameter{function.DynamicParameter{
			Name: "value",
			// A planned resource has parts that are unknown and do not matter.
			AllowUnknownValues: true,
			MarkdownDescription: "A `rate_limiter` or load balancer as an expression of a resource or data source of either XC provider, as a decoded answer of the API, or as JSON text. " +
				xcshape.LooksFor("`") + " An object that holds more than one limit is an error: pass the one that is meant.",
		}},
		Return: function.ObjectReturn{AttributeTypes: tupleTypes},
	}
}

func (f *fromXCFunction) Run(ctx context.Context, req function.RunRequest, resp *function.RunResponse) {
	var value types.Dynamic
	resp.Error = req.Arguments.Get(ctx, &value)
	if resp.Error != nil {
		return
	}
	limit, known, problems := xcshape.FromXC(xcTree(value))
	resp.Error = argumentError(0, problems)
	if resp.Error != nil {
		return
	}
	answer := types.ObjectUnknown(tupleTypes)
	if known {
		answer = tupleObject(limit)
	}
	resp.Error = resp.Result.Set(ctx, answer)
}

var tupleTypes = objectTypes(schema.Schema{Attributes: tupleAttributes(false)}.Type())

// tupleObject is a limit as the arguments that make it up.
func tupleObject(l calc.Limit) types.Object {
	action, unit := calc.Disabled, types.StringNull()
	if l.Blocks() {
		action, unit = calc.Block, types.StringValue(l.BlockUnit.Console())
	}
	return types.ObjectValueMust(tupleTypes, map[string]attr.Value{
		calc.ArgNumber:           whole(l.Number),
		calc.ArgPerPeriod:        types.StringValue(l.PerPeriod.Console()),
		calc.ArgPeriods:          whole(l.Periods),
		calc.ArgBurstMultiplier:  whole(l.BurstMultiplier),
		calc.ArgMitigationAction: types.StringValue(action),
		calc.ArgBlockDuration:    wholeOrNull(l.BlockDuration),
		calc.ArgBlockUnit:        unit,
		calc.ArgAlgorithm:        types.StringValue(l.Algorithm.String()),
	})
}
