// Package emptyprovider is a provider to measure xcrl against: its one data
// source has the schema of xcrl_rate_limit and gives its configuration back,
// unlooked at. What xcrl takes beyond it is xcrl's own.
package emptyprovider

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/function"
	"github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-framework/types"

	xcrl "github.com/xcrl/terraform-provider-xcrl/internal/provider"
)

var _ provider.ProviderWithFunctions = (*emptyProvider)(nil)

type emptyProvider struct{ provider.Provider }

// New returns a constructor of the provider.
func New() provider.Provider { return &emptyProvider{xcrl.New("empty")()} }

func (p *emptyProvider) Metadata(_ context.Context, _ provider.MetadataRequest, resp *provider.MetadataResponse) {
	resp.TypeName = "empty"
}

func (p *emptyProvider) DataSources(context.Context) []func() datasource.DataSource {
	return []func() datasource.DataSource{func() datasource.DataSource {
		return &emptyDataSource{DataSource: xcrl.NewRateLimitDataSource()}
	}}
}

func (p *emptyProvider) Functions(context.Context) []func() function.Function { return nil }

// emptyDataSource has the schema of the data source that it holds.
type emptyDataSource struct{ datasource.DataSource }

func (d *emptyDataSource) Read(ctx context.Context, req datasource.ReadRequest, resp *datasource.ReadResponse) {
	var config types.Object
	resp.Diagnostics.Append(req.Config.Get(ctx, &config)...)
	resp.Diagnostics.Append(resp.State.Set(ctx, config)...)
}
