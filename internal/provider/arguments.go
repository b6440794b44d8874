package provider

import (
	"context"
	"fmt"
	"math/big"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-framework/types/basetypes"

	"github.com/xcrl/terraform-provider-xcrl/internal/calc"
)

// object reads the attributes of a configured object. What it holds is typed in
// a data source, and anything at all in a function's dynamic argument: a value
// of a wrong type becomes a problem.
type object struct {
	attributes map[string]attr.Value
	problems   []calc.Problem
}

// functionObject opens a function's dynamic argument, which should be an object
// with keys out of names, such as the example.
func functionObject(value types.Dynamic, names []string, example string) *object {
	o := &object{}
	switch v := value.UnderlyingValue().(type) {
	case basetypes.ObjectValue:
		o.attributes = v.Attributes()
	case basetypes.MapValue:
		o.attributes = v.Elements()
	default:
		o.refuse(nil, "Not an object", "an object is needed, such as %s, not %s.", example, describe(value))
		return o
	}
	o.expect(names)
	return o
}

func (o *object) refuse(path calc.Path, summary, format string, args ...any) {
	o.problems = append(o.problems, calc.Problem{Path: path, Summary: summary, Detail: fmt.Sprintf(format, args...)})
}

// expect refuses every key that is not in names.
func (o *object) expect(names []string) {
	keys := make([]string, 0, len(o.attributes))
	for key := range o.attributes {
		if !slices.Contains(names, key) {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	if slices.Contains(keys, "exact") && slices.Contains(keys, "burst_ceiling") {
		o.refuse(nil, "An answer of recommend", "this is an answer of recommend, which holds more than a limit: pass its number, per_period, periods and burst_multiplier only.")
		return
	}
	for _, key := range keys {
		hint := fmt.Sprintf("The arguments are %s.", strings.Join(names, ", "))
		if name, ok := calc.NearestName(key, names); ok {
			hint = fmt.Sprintf("The nearest one is %s.", name)
		}
		o.refuse(calc.Path{key}, "Unknown argument", "there is no argument %q. %s", key, hint)
	}
}

// number reads a number, or the text of one, as Terraform converts it.
func (o *object) number(name string) calc.Value[*big.Float] {
	switch v := underlying(o.attributes[name]).(type) {
	case nil:
		return calc.Value[*big.Float]{}
	case basetypes.NumberValue:
		if !v.IsNull() && !v.IsUnknown() {
			return calc.Known(v.ValueBigFloat())
		}
		return absent[*big.Float](v)
	case basetypes.StringValue:
		if f, ok := calc.ParseNumber(v.ValueString()); ok {
			return calc.Known(f)
		}
		if v.IsNull() || v.IsUnknown() {
			return absent[*big.Float](v)
		}
		o.refuse(calc.Path{name}, "Not a number", "%s takes a number, not %q.", name, v.ValueString())
	default:
		if v.IsNull() || v.IsUnknown() {
			return absent[*big.Float](v)
		}
		o.refuse(calc.Path{name}, "Not a number", "%s takes a number, not %s.", name, describe(v))
	}
	return calc.Unknown[*big.Float]()
}

// text reads a string.
func (o *object) text(name string) calc.Value[string] {
	v := underlying(o.attributes[name])
	if v == nil {
		return calc.Value[string]{}
	}
	if v.IsNull() || v.IsUnknown() {
		return absent[string](v)
	}
	s, ok := v.(basetypes.StringValuable)
	if !ok {
		o.refuse(calc.Path{name}, "Not a string", "%s takes a string, not %s.", name, describe(v))
		return calc.Unknown[string]()
	}
	value, _ := s.ToStringValue(context.Background())
	return calc.Known(value.ValueString())
}

// flag reads a bool of a data source's schema.
func (o *object) flag(name string) calc.Value[bool] {
	v, _ := o.attributes[name].(types.Bool)
	if v.IsNull() || v.IsUnknown() {
		return absent[bool](v)
	}
	return calc.Known(v.ValueBool())
}

// texts reads a set of strings of a data source's schema.
func (o *object) texts(name string) calc.Value[[]calc.Value[string]] {
	v, _ := o.attributes[name].(types.Set)
	if v.IsNull() || v.IsUnknown() {
		return absent[[]calc.Value[string]](v)
	}
	texts := make([]calc.Value[string], len(v.Elements()))
	for i, e := range v.Elements() {
		texts[i] = (&object{attributes: map[string]attr.Value{name: e}}).text(name)
	}
	return calc.Known(texts)
}

// listOf reads a list of objects of a data source's schema, each with its index,
// and reports whether the list is known. A null list is an empty one.
func listOf[T any](list attr.Value, read func(int, *object) T) (elements []calc.Value[T], known bool) {
	l, _ := list.(types.List)
	for i, e := range l.Elements() {
		element := absent[T](e)
		if o, ok := e.(types.Object); ok && !o.IsNull() && !o.IsUnknown() {
			element = calc.Known(read(i, &object{attributes: o.Attributes()}))
		}
		elements = append(elements, element)
	}
	return elements, !list.IsUnknown()
}

// tuple reads the arguments that make up a limit.
func (o *object) tuple() calc.Tuple {
	return calc.Tuple{
		Number:           o.number(calc.ArgNumber),
		PerPeriod:        o.text(calc.ArgPerPeriod),
		Periods:          o.number(calc.ArgPeriods),
		BurstMultiplier:  o.number(calc.ArgBurstMultiplier),
		MitigationAction: o.text(calc.ArgMitigationAction),
		BlockDuration:    o.number(calc.ArgBlockDuration),
		BlockUnit:        o.text(calc.ArgBlockUnit),
		Algorithm:        o.text(calc.ArgAlgorithm),
	}
}

// scenario reads all arguments of an evaluation and resolves them. It reports
// whether everything is known.
func (o *object) scenario() (calc.Scenario, bool) {
	if o.attributes == nil {
		return calc.Scenario{}, false
	}
	scenario, known, problems := calc.Arguments{
		Tuple:             o.tuple(),
		OverflowAt:        o.text(calc.ArgOverflowAt),
		ClientRate:        o.number(calc.ArgClientRate),
		EnforcementPoints: o.number(calc.ArgEnforcementPoints),
		HardCeiling:       o.number(calc.ArgHardCeiling),
	}.Resolve()
	o.problems = append(o.problems, problems...)
	return scenario, known
}

// underlying takes the value out of a dynamic one.
func underlying(v attr.Value) attr.Value {
	if d, ok := v.(basetypes.DynamicValue); ok && d.UnderlyingValue() != nil {
		return d.UnderlyingValue()
	}
	return v
}

// absent is the argument for a value that is null or unknown.
func absent[T any](v attr.Value) calc.Value[T] {
	if v.IsUnknown() {
		return calc.Unknown[T]()
	}
	return calc.Value[T]{}
}

// describe names the kind of a value for an error message.
func describe(v attr.Value) string {
	switch underlying(v).(type) {
	case basetypes.StringValuable:
		return "a string"
	case basetypes.NumberValue, basetypes.Int64Value, basetypes.Float64Value:
		return "a number"
	case basetypes.BoolValue:
		return "a bool"
	case basetypes.ObjectValue, basetypes.MapValue:
		return "an object"
	case basetypes.ListValue, basetypes.SetValue, basetypes.TupleValue:
		return "a list"
	default:
		return "a value of another kind"
	}
}
