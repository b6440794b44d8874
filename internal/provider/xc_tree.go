package provider

import (
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types/basetypes"

	"github.com/xcrl/terraform-provider-xcrl/internal/calc/xcshape"
)

// xcTree turns a value of any type into a tree that xcshape reads: lists, sets
// and tuples alike, objects and maps alike.
func xcTree(v attr.Value) any {
	v = underlying(v)
	switch {
	case v == nil || v.IsNull():
		return nil
	case v.IsUnknown():
		return xcshape.Unknown{}
	}
	switch v := v.(type) {
	case basetypes.StringValue:
		return v.ValueString()
	case basetypes.BoolValue:
		return v.ValueBool()
	case basetypes.NumberValue:
		return v.ValueBigFloat()
	case basetypes.ListValue:
		return xcTrees(v.Elements())
	case basetypes.SetValue:
		return xcTrees(v.Elements())
	case basetypes.TupleValue:
		return xcTrees(v.Elements())
	case basetypes.ObjectValue:
		return xcTreesByName(v.Attributes())
	case basetypes.MapValue:
		return xcTreesByName(v.Elements())
	}
	return nil // a dynamic value holds no other type
}

func xcTrees(values []attr.Value) []any {
	trees := make([]any, len(values))
	for i, v := range values {
		trees[i] = xcTree(v)
	}
	return trees
}

func xcTreesByName(values map[string]attr.Value) map[string]any {
	trees := make(map[string]any, len(values))
	for name, v := range values {
		trees[name] = xcTree(v)
	}
	return trees
}
