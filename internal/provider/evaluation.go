package provider

import (
	"encoding/json"
	"math/big"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/xcrl/terraform-provider-xcrl/internal/calc"
)

// The types of an evaluation and of its parts, taken from the schema so that the
// data source and the functions cannot differ.
var (
	emptyTypes      = map[string]attr.Type{}
	evaluationTypes = objectTypes(schema.Schema{Attributes: evaluationAttributes()}.Type())
	normalizedTypes = objectTypes(evaluationTypes["normalized"])
	canonicalTypes  = objectTypes(evaluationTypes["canonical"])
	clientTypes     = objectTypes(evaluationTypes["client_outcome"])
	xcLimitTypes    = objectTypes(evaluationTypes["xc_limit"])
	actionTypes     = objectTypes(xcLimitTypes["action_block"])
	durationTypes   = objectTypes(actionTypes["hours"])
	findingType     = elementType(evaluationTypes["warnings"])
	findingTypes    = objectTypes(findingType)
)

func objectTypes(t attr.Type) map[string]attr.Type {
	if object, ok := t.(attr.TypeWithAttributeTypes); ok {
		return object.AttributeTypes()
	}
	return nil
}

func elementType(t attr.Type) attr.Type {
	if list, ok := t.(attr.TypeWithElementType); ok {
		return list.ElementType()
	}
	return nil
}

// evaluationObject is an evaluation as the data source and the functions answer
// it: the arguments as they are written, with defaults for those that are not,
// and every attribute.
func evaluationObject(written map[string]attr.Value, e calc.Evaluation) types.Object {
	l := e.Limit
	rate := l.DrainRate()
	canonical := l.Canonical()
	burstAfterLockout := types.Int64Null()
	if l.Blocks() {
		burstAfterLockout = types.Int64Value(l.BurstAfterLockout())
	}
	arguments := object{attributes: written}
	return types.ObjectValueMust(evaluationTypes, map[string]attr.Value{
		calc.ArgNumber:            whole(l.Number),
		calc.ArgPerPeriod:         arguments.textOr(calc.ArgPerPeriod, ""),
		calc.ArgPeriods:           whole(l.Periods),
		calc.ArgBurstMultiplier:   whole(l.BurstMultiplier),
		calc.ArgMitigationAction:  arguments.textOr(calc.ArgMitigationAction, calc.DefaultMitigationAction),
		calc.ArgBlockDuration:     wholeOrNull(l.BlockDuration),
		calc.ArgBlockUnit:         arguments.textOr(calc.ArgBlockUnit, ""),
		calc.ArgAlgorithm:         types.StringValue(l.Algorithm.String()),
		calc.ArgOverflowAt:        timestampOrNull(e.OverflowAt),
		calc.ArgClientRate:        arguments.numberOrNull(calc.ArgClientRate),
		calc.ArgEnforcementPoints: whole(e.EnforcementPoints),
		calc.ArgHardCeiling:       wholeOrNull(e.HardCeiling),
		"id":                      types.StringValue(e.ID),
		"summary":                 types.StringValue(e.Summary),
		"window_seconds":          types.Int64Value(l.WindowSeconds()),
		"requests_per_second":     types.Float64Value(rate.PerSeconds(calc.Second.Seconds())),
		"requests_per_minute":     types.Float64Value(rate.PerSeconds(calc.Minute.Seconds())),
		"requests_per_hour":       types.Float64Value(rate.PerSeconds(calc.Hour.Seconds())),
		"normalized": types.ObjectValueMust(normalizedTypes, map[string]attr.Value{
			"requests": types.Int64Value(rate.Requests),
			"seconds":  types.Int64Value(rate.Seconds),
		}),
		"canonical": types.ObjectValueMust(canonicalTypes, map[string]attr.Value{
			calc.ArgNumber:    types.Int64Value(canonical.Number),
			calc.ArgPerPeriod: types.StringValue(canonical.PerPeriod.Console()),
			calc.ArgPeriods:   types.Int64Value(canonical.Periods),
		}),
		"burst_ceiling":           types.Int64Value(l.BurstCeiling()),
		"first_rejected_request":  types.Int64Value(l.FirstRejectedRequest()),
		"seconds_per_request":     types.Float64Value(calc.Float64(l.SecondsPerRequest())),
		"drain_seconds":           types.Int64Value(l.DrainSeconds()),
		"max_requests_per_window": types.Int64Value(l.MaxRequestsPerWindow()),
		"lockout_seconds":         types.Int64Value(l.LockoutSeconds()),
		"lockout_end":             timestampOrNull(e.LockoutEnd),
		"burst_after_lockout":     burstAfterLockout,
		"overshoot_ceiling":       types.Int64Value(e.OvershootCeiling),
		"client_outcome":          clientObject(e.Client),
		"warnings":                findingList(e.Warnings),
		"caveats":                 findingList(e.Caveats),
		"xc_limit":                xcLimitObject(l.XC()),
		"xc_limit_json":           types.StringValue(xcLimitJSON(l.XC())),
	})
}

func clientObject(c *calc.ClientOutcome) types.Object {
	if c == nil {
		return types.ObjectNull(clientTypes)
	}
	request := types.NumberNull()
	if c.First429Request != nil {
		request = types.NumberValue(new(big.Float).SetInt(c.First429Request))
	}
	return types.ObjectValueMust(clientTypes, map[string]attr.Value{
		"limited":           types.BoolValue(c.Limited),
		"first_429_request": request,
		"first_429_seconds": floatOrNull(c.First429),
		"rejected_share":    floatOrNull(c.RejectedShare),
	})
}

func findingList(findings []calc.Finding) types.List {
	elements := make([]attr.Value, len(findings))
	for i, f := range findings {
		elements[i] = types.ObjectValueMust(findingTypes, map[string]attr.Value{
			"code":    types.StringValue(f.Code),
			"message": types.StringValue(f.Message),
		})
	}
	return types.ListValueMust(findingType, elements)
}

func xcLimitObject(x calc.XCLimit) types.Object {
	action := types.ObjectNull(actionTypes)
	if x.ActionBlock != nil {
		action = types.ObjectValueMust(actionTypes, map[string]attr.Value{
			"hours":   durationObject(x.ActionBlock.Hours),
			"minutes": durationObject(x.ActionBlock.Minutes),
			"seconds": durationObject(x.ActionBlock.Seconds),
		})
	}
	return types.ObjectValueMust(xcLimitTypes, map[string]attr.Value{
		"total_number":      types.Int64Value(x.TotalNumber),
		"unit":              types.StringValue(x.Unit),
		"period_multiplier": types.Int64Value(x.PeriodMultiplier),
		"burst_multiplier":  types.Int64Value(x.BurstMultiplier),
		"leaky_bucket":      emptyObject(x.LeakyBucket),
		"token_bucket":      emptyObject(x.TokenBucket),
		"disabled":          emptyObject(x.Disabled),
		"action_block":      action,
	})
}

func emptyObject(e *calc.Empty) types.Object {
	if e == nil {
		return types.ObjectNull(emptyTypes)
	}
	return types.ObjectValueMust(emptyTypes, map[string]attr.Value{})
}

func durationObject(d *calc.XCDuration) types.Object {
	if d == nil {
		return types.ObjectNull(durationTypes)
	}
	return types.ObjectValueMust(durationTypes, map[string]attr.Value{"duration": types.Int64Value(d.Duration)})
}

// xcLimitJSON encodes a limit for the API. Integers, fixed words and empty
// objects always encode.
func xcLimitJSON(x calc.XCLimit) string {
	text, _ := json.Marshal(x)
	return string(text)
}

func whole(n int64) types.Number { return types.NumberValue(new(big.Float).SetInt64(n)) }

// wholeOrNull is a whole number of which 0 stands for not given.
func wholeOrNull(n int64) types.Number {
	if n == 0 {
		return types.NumberNull()
	}
	return whole(n)
}

func floatOrNull(r *big.Rat) types.Float64 {
	if r == nil {
		return types.Float64Null()
	}
	return types.Float64Value(calc.Float64(r))
}

// textOr is a string as it is written, else the default, of which "" is null.
func (o *object) textOr(name, fallback string) types.String {
	if s, known := o.text(name).Get(); known {
		return types.StringValue(s)
	}
	if fallback == "" {
		return types.StringNull()
	}
	return types.StringValue(fallback)
}

// numberOrNull is a number as it is written.
func (o *object) numberOrNull(name string) types.Number {
	if f, known := o.number(name).Get(); known {
		return types.NumberValue(f)
	}
	return types.NumberNull()
}

// answer is an evaluation of an object's arguments; it reports false where
// problems stand against it.
func (o *object) answer() (types.Object, bool) {
	scenario, known := o.scenario()
	if !known || len(o.problems) > 0 {
		return types.ObjectUnknown(evaluationTypes), false
	}
	return evaluationObject(o.attributes, calc.Evaluate(scenario)), true
}
