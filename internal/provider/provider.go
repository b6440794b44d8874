// Package provider serves the xcrl provider: schemas, and the translation of
// configuration to and from the model in internal/calc. It computes nothing.
package provider

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/function"
	"github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-framework/provider/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource"
)

var (
	_ provider.Provider              = (*xcrlProvider)(nil)
	_ provider.ProviderWithFunctions = (*xcrlProvider)(nil)
)

// xcrlProvider has no configuration: the same question has the same answer on
// every machine.
type xcrlProvider struct{ version string }

// New returns a constructor of the provider at the given version.
func New(version string) func() provider.Provider {
	return func() provider.Provider { return &xcrlProvider{version: version} }
}

func (p *xcrlProvider) Metadata(_ context.Context, _ provider.MetadataRequest, resp *provider.MetadataResponse) {
	resp.TypeName = "xcrl"
	resp.Version = p.version
}

func (p *xcrlProvider) Schema(_ context.Context, _ provider.SchemaRequest, resp *provider.SchemaResponse) {
	resp.Schema = schema.Schema{
		MarkdownDescription: "Says what an F5 Distributed Cloud (XC) rate limit will really do, before anyone applies it. " +
			"Pure computation: no network, no credentials, no files, no clock. The provider takes no arguments.",
	}
}

func (p *xcrlProvider) Configure(context.Context, provider.ConfigureRequest, *provider.ConfigureResponse) {
}

func (p *xcrlProvider) DataSources(context.Context) []func() datasource.DataSource {
	return []func() datasource.DataSource{
		NewRateLimitDataSource,
		NewAPIRateLimitDataSource,
		NewSimulationDataSource,
	}
}

func (p *xcrlProvider) Resources(context.Context) []func() resource.Resource { return nil }

func (p *xcrlProvider) Functions(context.Context) []func() function.Function {
	return []func() function.Function{
		NewEvaluateFunction,
		NewEquivalentFunction,
		NewFromXCFunction,
		NewRecommendFunction,
		NewRulesFromXCFunction,
		NewTimelineSVGFunction,
	}
}
