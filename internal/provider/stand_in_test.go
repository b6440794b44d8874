package provider

import (
	"context"
	"path"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
)

// standIn stands for an XC provider as far as the limits of its rate_limiter go.
// It only plans.
type standIn struct {
	provider.Provider

	source string
	block  func(map[string]schema.Attribute, map[string]schema.Block) schema.Block
	// flag reports whether Disabled is a flag rather than an empty block.
	flag bool
}

// standIns are the XC providers by the names of their binaries: the test's own
// binary serves one when it runs under that name.
var standIns = map[string]standIn{
	"terraform-provider-volterra": {
		source: "volterraedge/volterra",
		block: func(attributes map[string]schema.Attribute, blocks map[string]schema.Block) schema.Block {
			return schema.ListNestedBlock{NestedObject: schema.NestedBlockObject{Attributes: attributes, Blocks: blocks}}
		},
		flag: true,
	},
	"terraform-provider-f5xc": {
		source: "robinmordasiewicz/f5xc",
		block: func(attributes map[string]schema.Attribute, blocks map[string]schema.Block) schema.Block {
			return schema.SingleNestedBlock{Attributes: attributes, Blocks: blocks}
		},
	},
}

func (p standIn) Metadata(_ context.Context, _ provider.MetadataRequest, resp *provider.MetadataResponse) {
	resp.TypeName = path.Base(p.source)
}

func (p standIn) Schema(context.Context, provider.SchemaRequest, *provider.SchemaResponse) {}

func (p standIn) Configure(context.Context, provider.ConfigureRequest, *provider.ConfigureResponse) {}

func (p standIn) DataSources(context.Context) []func() datasource.DataSource { return nil }

func (p standIn) Resources(context.Context) []func() resource.Resource {
	return []func() resource.Resource{func() resource.Resource { return standInLimiter{standIn: p} }}
}

// standInLimiter is a rate_limiter.
type standInLimiter struct {
	resource.Resource
	standIn
}

func (l standInLimiter) Metadata(_ context.Context, req resource.MetadataRequest, resp *resource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_rate_limiter"
}

func (l standInLimiter) Schema(_ context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse) {
	empty := l.block(nil, nil)
	number, text := schema.Int64Attribute{Optional: true}, schema.StringAttribute{Optional: true}
	duration := l.block(map[string]schema.Attribute{"duration": number}, nil)
	limit := schema.NestedBlockObject{
		Attributes: map[string]schema.Attribute{
			"total_number": number, "unit": text, "period_multiplier": number, "burst_multiplier": number,
		},
		Blocks: map[string]schema.Block{
			"leaky_bucket": empty, "token_bucket": empty,
			"action_block": l.block(nil, map[string]schema.Block{"hours": duration, "minutes": duration, "seconds": duration}),
		},
	}
	if l.flag {
		limit.Attributes["disabled"] = schema.BoolAttribute{Optional: true}
	} else {
		limit.Blocks["disabled"] = empty
	}
	resp.Schema = schema.Schema{
		Attributes: map[string]schema.Attribute{
			"id": schema.StringAttribute{Computed: true}, "name": text, "namespace": text,
		},
		Blocks: map[string]schema.Block{"limits": schema.ListNestedBlock{NestedObject: limit}},
	}
}
