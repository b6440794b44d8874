package provider

import (
	"context"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
)

// served is all that the provider says of itself to an engine.
func served(t *testing.T) *tfprotov6.GetProviderSchemaResponse {
	t.Helper()
	resp, err := NewServer("test").GetProviderSchema(context.Background(), &tfprotov6.GetProviderSchemaRequest{})
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range resp.Diagnostics {
		t.Errorf("%s: %s", d.Summary, d.Detail)
	}
	return resp
}

// The public surface: names that people's configurations depend on.
func TestProvider_serves(t *testing.T) {
	resp := served(t)
	for _, name := range []string{"xcrl_rate_limit", "xcrl_api_rate_limit", "xcrl_simulation"} {
		if resp.DataSourceSchemas[name] == nil {
			t.Errorf("there is no data source %s", name)
		}
	}
	for _, name := range []string{"evaluate", "equivalent", "from_xc", "recommend", "rules_from_xc", "timeline_svg"} {
		if resp.Functions[name] == nil {
			t.Errorf("there is no function %s", name)
		}
	}
	if len(resp.DataSourceSchemas) != 3 || len(resp.Functions) != 6 || len(resp.ResourceSchemas) != 0 {
		t.Errorf("%d data sources, %d functions and %d resources, want 3, 6 and 0",
			len(resp.DataSourceSchemas), len(resp.Functions), len(resp.ResourceSchemas))
	}
	if n := len(resp.Provider.Block.Attributes) + len(resp.Provider.Block.BlockTypes); n != 0 {
		t.Errorf("the provider block takes %d arguments, want none", n)
	}
}

// Each attribute and parameter is described, at every depth.
func TestProvider_isDescribed(t *testing.T) {
	resp := served(t)
	var check func(where string, attributes []*tfprotov6.SchemaAttribute)
	check = func(where string, attributes []*tfprotov6.SchemaAttribute) {
		for _, a := range attributes {
			if a.Description == "" {
				t.Errorf("%s.%s is not described", where, a.Name)
			}
			if a.NestedType != nil {
				check(where+"."+a.Name, a.NestedType.Attributes)
			}
		}
	}
	for name, schema := range resp.DataSourceSchemas {
		check(name, schema.Block.Attributes)
	}
	for name, f := range resp.Functions {
		if f.Summary == "" || f.Description == "" {
			t.Errorf("%s is not described", name)
		}
		for _, p := range f.Parameters {
			if p.Description == "" {
				t.Errorf("%s(%s) is not described", name, p.Name)
			}
		}
	}
}
