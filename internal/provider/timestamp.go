package provider

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework-timetypes/timetypes"
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/attr/xattr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types/basetypes"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

var (
	_ basetypes.StringTypable     = timestampType{}
	_ xattr.ValidateableAttribute = timestamp{}
)

// timestampType is the framework's RFC 3339 type with the check left to calc,
// which takes only what RFC 3339 allows and says what to write instead.
type timestampType struct{ timetypes.RFC3339Type }

// timestamp is a value of timestampType.
type timestamp struct{ timetypes.RFC3339 }

func (t timestampType) Equal(other attr.Type) bool {
	_, ok := other.(timestampType)
	return ok
}

func (t timestampType) ValueType(context.Context) attr.Value { return timestamp{} }

func (t timestampType) ValueFromString(_ context.Context, in basetypes.StringValue) (basetypes.StringValuable, diag.Diagnostics) {
	return timestamp{timetypes.RFC3339{StringValue: in}}, nil
}

func (t timestampType) ValueFromTerraform(ctx context.Context, in tftypes.Value) (attr.Value, error) {
	v, err := t.StringType.ValueFromTerraform(ctx, in)
	if err != nil {
		return nil, err
	}
	s, ok := v.(basetypes.StringValue)
	if !ok {
		return nil, fmt.Errorf("a string type made a %T", v)
	}
	return timestamp{timetypes.RFC3339{StringValue: s}}, nil
}

func (v timestamp) Type(context.Context) attr.Type { return timestampType{} }

func (v timestamp) Equal(other attr.Value) bool {
	o, ok := other.(timestamp)
	return ok && v.RFC3339.Equal(o.RFC3339)
}

// StringSemanticEquals keeps the text as it is written: times that differ in
// their offset's spelling are different answers.
func (v timestamp) StringSemanticEquals(_ context.Context, other basetypes.StringValuable) (bool, diag.Diagnostics) {
	return v.Equal(other), nil
}

// ValidateAttribute leaves the check to calc.
func (v timestamp) ValidateAttribute(context.Context, xattr.ValidateAttributeRequest, *xattr.ValidateAttributeResponse) {
}

// timestampOrNull is a timestamp, null for "".
func timestampOrNull(s string) timestamp {
	if s == "" {
		return timestamp{timetypes.NewRFC3339Null()}
	}
	return timestamp{timetypes.RFC3339{StringValue: basetypes.NewStringValue(s)}}
}
