package provider

import (
	"context"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// emptyDataSource has the schema of xcrl_rate_limit and answers nothing: what is
// left is the framework's own work.
type emptyDataSource struct{}

func (d *emptyDataSource) Metadata(_ context.Context, _ datasource.MetadataRequest, resp *datasource.MetadataResponse) {
	resp.TypeName = "xcrl_empty"
}

func (d *emptyDataSource) Schema(_ context.Context, _ datasource.SchemaRequest, resp *datasource.SchemaResponse) {
	resp.Schema = schema.Schema{Attributes: evaluationAttributes()}
}

func (d *emptyDataSource) Read(ctx context.Context, req datasource.ReadRequest, resp *datasource.ReadResponse) {
	var config types.Object
	resp.Diagnostics.Append(req.Config.Get(ctx, &config)...)
	resp.Diagnostics.Append(resp.State.Set(ctx, config)...)
}

type benchProvider struct{ provider.Provider }

func (p benchProvider) DataSources(context.Context) []func() datasource.DataSource {
	return []func() datasource.DataSource{
		NewRateLimitDataSource,
		func() datasource.DataSource { return &emptyDataSource{} },
	}
}

// BenchmarkReadDataSource makes whole ReadDataSource calls at the framework's
// server, in-process: xcrl_rate_limit beside an empty data source of the same
// schema and the same configuration.
func BenchmarkReadDataSource(b *testing.B) {
	ctx := context.Background()
	server := providerserver.NewProtocol6(benchProvider{New("bench")()})()
	schemaType := schema.Schema{Attributes: evaluationAttributes()}.Type().TerraformType(ctx)
	values := map[string]tftypes.Value{}
	for name, t := range schemaType.(tftypes.Object).AttributeTypes {
		values[name] = tftypes.NewValue(t, nil)
	}
	values["number"] = tftypes.NewValue(tftypes.Number, 100)
	values["per_period"] = tftypes.NewValue(tftypes.String, "Minutes")
	values["burst_multiplier"] = tftypes.NewValue(tftypes.Number, 5)
	config, err := tfprotov6.NewDynamicValue(schemaType, tftypes.NewValue(schemaType, values))
	if err != nil {
		b.Fatal(err)
	}
	for _, name := range []string{"xcrl_empty", "xcrl_rate_limit"} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				resp, err := server.ReadDataSource(ctx, &tfprotov6.ReadDataSourceRequest{TypeName: name, Config: &config})
				if err != nil || len(resp.Diagnostics) > 0 {
					b.Fatal(err, resp)
				}
			}
		})
	}
}
