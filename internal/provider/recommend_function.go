package provider

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/function"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/xcrl/terraform-provider-xcrl/internal/calc"
	"github.com/xcrl/terraform-provider-xcrl/internal/calc/recommend"
)

var _ function.Function = (*recommendFunction)(nil)

type recommendFunction struct{}

// NewRecommendFunction returns the function recommend.
func NewRecommendFunction() function.Function { return &recommendFunction{} }

func (f *recommendFunction) Metadata(_ context.Context, _ function.MetadataRequest, resp *function.MetadataResponse) {
	resp.Name = "recommend"
}

func (f *recommendFunction) Definition(_ context.Context, _ function.DefinitionRequest, resp *function.DefinitionResponse) {
	resp.Definition = function.Definition{
		Summary: "The tuple for a wanted rate",
		MarkdownDescription: "Finds the limit that comes closest to a target and never exceeds it: not its rate, nor `burst`, nor, for all enforcement points together, `hard_ceiling`. " +
			"Of all limits whose rate is within `tolerance` below the target it takes the one with the largest burst ceiling (the smallest, where neither `burst` nor `hard_ceiling` is given), then the shortest window, then the smallest number. " +
			"The result is an object of `number`, `per_period`, `periods` and `burst_multiplier`, which are arguments of `evaluate`, and of `requests_per_second`, `burst_ceiling` and `exact` (the rate is the target's, exactly), which say what the limit comes to. " +
			"Without `burst` and `hard_ceiling` the burst may be a single request, of which `evaluate` warns as `small-bucket`: name a burst for browsers. " +
			"Where no limit is within the tolerance, the error says what stands in the way and names the closest one." + unknownAnswer,
		Parameters: []function.Parameter{function.DynamicParameter{
			Name: "target",
			MarkdownDescription: "An object of `requests_per_second` (required, above 0, read as the exact decimal that is written); " +
				"`burst`, the most requests that may pass at once at one enforcement point, a whole number of at least 1; " +
				"`hard_ceiling`, the most that `enforcement_points` together may let through at once, a whole number of at least 1; " +
				"`enforcement_points`, " + within(calc.EnforcementPointsBounds) + ", default 1; " +
				"and `tolerance`, the share by which the rate may stay below the target, from 0 to below 1, default " + recommend.DefaultTolerance + ". Optional ones may be left out or null.",
		}},
		Return: function.ObjectReturn{AttributeTypes: recommendationTypes},
	}
}

func (f *recommendFunction) Run(ctx context.Context, req function.RunRequest, resp *function.RunResponse) {
	var argument types.Dynamic
	resp.Error = req.Arguments.Get(ctx, &argument)
	if resp.Error != nil {
		return
	}
	o := functionObject(argument, recommend.ArgumentNames, "{ requests_per_second = 5 }")
	answer := o.recommendation()
	resp.Error = argumentError(0, o.problems)
	if resp.Error == nil {
		resp.Error = resp.Result.Set(ctx, answer)
	}
}

var recommendationTypes = map[string]attr.Type{
	calc.ArgNumber:                 types.NumberType,
	calc.ArgPerPeriod:              types.StringType,
	calc.ArgPeriods:                types.NumberType,
	calc.ArgBurstMultiplier:        types.NumberType,
	recommend.ArgRequestsPerSecond: types.Float64Type,
	"burst_ceiling":                types.Int64Type,
	"exact":                        types.BoolType,
}

// recommendation is the limit for the target in an object's arguments. Where
// there are problems it is not an answer.
func (o *object) recommendation() types.Object {
	answer := types.ObjectUnknown(recommendationTypes)
	if o.attributes == nil {
		return answer
	}
	target, known, problems := recommend.Arguments{
		RequestsPerSecond: o.number(recommend.ArgRequestsPerSecond),
		Burst:             o.number(recommend.ArgBurst),
		HardCeiling:       o.number(calc.ArgHardCeiling),
		EnforcementPoints: o.number(calc.ArgEnforcementPoints),
		Tolerance:         o.number(recommend.ArgTolerance),
	}.Resolve()
	o.problems = append(o.problems, problems...)
	if !known || len(o.problems) > 0 {
		return answer
	}
	r, problem := recommend.Recommend(target)
	if problem != nil {
		o.problems = append(o.problems, *problem)
		return answer
	}
	tuple := tupleObject(r.Limit).Attributes()
	rate := r.Limit.DrainRate()
	return types.ObjectValueMust(recommendationTypes, map[string]attr.Value{
		calc.ArgNumber:                 tuple[calc.ArgNumber],
		calc.ArgPerPeriod:              tuple[calc.ArgPerPeriod],
		calc.ArgPeriods:                tuple[calc.ArgPeriods],
		calc.ArgBurstMultiplier:        tuple[calc.ArgBurstMultiplier],
		recommend.ArgRequestsPerSecond: types.Float64Value(rate.PerSeconds(calc.Second.Seconds())),
		"burst_ceiling":                types.Int64Value(r.Limit.BurstCeiling()),
		"exact":                        types.BoolValue(r.Exact),
	})
}
