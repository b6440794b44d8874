package provider

import (
	"context"
	"fmt"
	"maps"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/xcrl/terraform-provider-xcrl/internal/calc"
)

var (
	_ datasource.DataSource                   = (*rateLimitDataSource)(nil)
	_ datasource.DataSourceWithValidateConfig = (*rateLimitDataSource)(nil)
)

type rateLimitDataSource struct{}

// NewRateLimitDataSource returns the data source xcrl_rate_limit.
func NewRateLimitDataSource() datasource.DataSource { return &rateLimitDataSource{} }

func (d *rateLimitDataSource) Metadata(_ context.Context, req datasource.MetadataRequest, resp *datasource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_rate_limit"
}

func (d *rateLimitDataSource) Schema(_ context.Context, _ datasource.SchemaRequest, resp *datasource.SchemaResponse) {
	resp.Schema = schema.Schema{
		MarkdownDescription: "What one rate limit does: its rate, its burst ceiling, when 429s begin, how long a lockout lasts, how far distributed counting overshoots, and what is risky about it. " +
			"The limit is stated as in XC's console: a tuple of number, per period, periods, burst multiplier and mitigation action." + readLater,
		Attributes: evaluationAttributes(),
	}
}

func (d *rateLimitDataSource) ValidateConfig(ctx context.Context, req datasource.ValidateConfigRequest, resp *datasource.ValidateConfigResponse) {
	var config types.Object
	resp.Diagnostics.Append(req.Config.Get(ctx, &config)...)
	if resp.Diagnostics.HasError() {
		return
	}
	o := object{attributes: config.Attributes()}
	o.scenario()
	diagnose(&resp.Diagnostics, o.problems)
}

func (d *rateLimitDataSource) Read(ctx context.Context, req datasource.ReadRequest, resp *datasource.ReadResponse) {
	var config types.Object
	resp.Diagnostics.Append(req.Config.Get(ctx, &config)...)
	if resp.Diagnostics.HasError() {
		return
	}
	o := object{attributes: config.Attributes()}
	answer, ok := o.answer()
	diagnose(&resp.Diagnostics, o.problems)
	if ok {
		resp.Diagnostics.Append(resp.State.Set(ctx, answer)...)
	}
}

// within says what a bounded argument takes.
func within(b calc.Bounds) string { return fmt.Sprintf("%d to %d", b.Min, b.Max) }

// codeTable renders codes as a list for the docs.
func codeTable(codes []calc.Code) string {
	entries := make([]string, len(codes))
	for i, c := range codes {
		entries[i] = fmt.Sprintf("%#q (%s)", c.Name, c.When)
	}
	return strings.Join(entries, "; ") + "."
}

// What is said of each data source and of each function that computes.
const (
	readLater     = " Where an argument is unknown while planning, it is read during apply."
	unknownAnswer = " An unknown part makes the answer unknown."
)

// alwaysNeeded begins the description of an argument in a list's elements that
// calc requires. Were it marked as required, the framework would miss it in an
// element that is unknown as a whole, such as a variable's while validating.
const alwaysNeeded = "Always needed, although listed as optional: "

// tupleOnly is said of each limit inside another argument.
const tupleOnly = "The tuple of the limit, spelled as in `xcrl_rate_limit`: the arguments listed below. Others of `xcrl_rate_limit`, such as `hard_ceiling`, have no place here; `evaluate(merge(limit, { … }))` answers for them."

// keptAsWritten is said of each argument that comes back in the spelling of the
// configuration.
const keptAsWritten = " Comes back as it is written; "

// dropsUnknownNames is said of each argument that holds an object.
const dropsUnknownNames = " Terraform drops names that it does not know here, misspelt ones too, without a word."

// tupleAttributes are the arguments that make up a limit. Where the limit is what
// is answered for, defaults are filled in; a limit inside another argument stays
// as it is written. Whole numbers are number attributes, so that calc sees what was
// written and can answer 1.5 and 1e30 as it answers 8193.
func tupleAttributes(answered bool) map[string]schema.Attribute {
	return map[string]schema.Attribute{
		calc.ArgNumber: schema.NumberAttribute{
			Required:            true,
			MarkdownDescription: fmt.Sprintf("Requests per window, %s: *Number* in the console, `total_number` in the API.", within(calc.NumberBounds)),
		},
		calc.ArgPerPeriod: schema.StringAttribute{
			Required:            true,
			MarkdownDescription: "Unit of the window: `Seconds`, `Minutes` or `Hours`. Singular, any letter case and the API's `SECOND`, `MINUTE`, `HOUR` are taken too. There is no day: use `Hours` with `periods` 24." + keptAsWritten + "`canonical.per_period` and `xc_limit.unit` are in one spelling.",
		},
		calc.ArgPeriods: schema.NumberAttribute{
			Optional: true, Computed: answered,
			MarkdownDescription: fmt.Sprintf("Units in the window, %s; default %d. `period_multiplier` in the API.", within(calc.PeriodsBounds), calc.DefaultPeriods),
		},
		calc.ArgBurstMultiplier: schema.NumberAttribute{
			Optional: true, Computed: answered,
			MarkdownDescription: fmt.Sprintf("How many times `number` an empty bucket takes at once, %s; default %d.", within(calc.BurstMultiplierBounds), calc.DefaultBurstMultiplier),
		},
		calc.ArgMitigationAction: schema.StringAttribute{
			Optional: true, Computed: answered,
			MarkdownDescription: fmt.Sprintf("`Disabled` (429 without a lockout; the limit stays on) or `Block` (429 and a lockout), in any letter case; default %#q."+keptAsWritten+"`lockout_seconds` tells the two apart in any spelling.", calc.DefaultMitigationAction),
		},
		calc.ArgBlockDuration: schema.NumberAttribute{
			Optional:            true,
			MarkdownDescription: fmt.Sprintf("Length of the lockout in `block_unit`: %s. Required with Block, refused without.", calc.LockoutRange),
		},
		calc.ArgBlockUnit: schema.StringAttribute{
			Optional:            true,
			MarkdownDescription: "Unit of `block_duration`, spelled as `per_period`. Required with Block, refused without." + keptAsWritten + "`lockout_seconds` is in one unit.",
		},
		calc.ArgAlgorithm: schema.StringAttribute{
			Optional: true, Computed: answered,
			MarkdownDescription: fmt.Sprintf("%#q (default) or %#q, which F5 calls stricter and which is modelled as a leaky bucket.", calc.LeakyBucket.String(), calc.TokenBucket.String()),
		},
	}
}

// evaluationAttributes are all arguments and attributes of an evaluation.
func evaluationAttributes() map[string]schema.Attribute {
	attributes := tupleAttributes(true)
	maps.Copy(attributes, map[string]schema.Attribute{
		calc.ArgOverflowAt: schema.StringAttribute{
			Optional: true, CustomType: timestampType{},
			MarkdownDescription: "RFC 3339 time at which a client overflows; sets `lockout_end`.",
		},
		calc.ArgClientRate: schema.NumberAttribute{
			Optional:            true,
			MarkdownDescription: "Requests per second of an evenly sending client to judge, above 0; sets `client_outcome`. Read as the exact decimal that is written.",
		},
		calc.ArgEnforcementPoints: schema.NumberAttribute{
			Optional: true, Computed: true,
			MarkdownDescription: fmt.Sprintf("Regional Edges and proxies that count separately, %s; default %d.", within(calc.EnforcementPointsBounds), calc.DefaultEnforcementPoints),
		},
		calc.ArgHardCeiling: schema.NumberAttribute{
			Optional:            true,
			MarkdownDescription: "Largest burst that the origin can take, in requests, at least 1; default none. It refuses nothing by itself: an `overshoot_ceiling` above it gives the warning `" + calc.WarnOvershootExceedsHardCeil + "`.",
		},
		"id": schema.StringAttribute{
			Computed:            true,
			MarkdownDescription: "Canonical form of the limit, equal exactly for equivalent limits: same drain rate, burst ceiling, algorithm and lockout.",
		},
		"summary": schema.StringAttribute{
			Computed:            true,
			MarkdownDescription: "One plain sentence for a reviewer.",
		},
		"window_seconds": schema.Int64Attribute{
			Computed:            true,
			MarkdownDescription: "`periods` × `per_period`, in seconds.",
		},
		"requests_per_second": schema.Float64Attribute{
			Computed:            true,
			MarkdownDescription: "Drain rate in requests per second, `number` / `window_seconds`, as the nearest float64.",
		},
		"requests_per_minute": schema.Float64Attribute{
			Computed:            true,
			MarkdownDescription: "Drain rate in requests per minute, as the nearest float64.",
		},
		"requests_per_hour": schema.Float64Attribute{
			Computed:            true,
			MarkdownDescription: "Drain rate in requests per hour, as the nearest float64.",
		},
		"normalized": schema.SingleNestedAttribute{
			Computed:            true,
			MarkdownDescription: "Drain rate in lowest terms, for exact comparisons.",
			Attributes: map[string]schema.Attribute{
				"requests": schema.Int64Attribute{Computed: true, MarkdownDescription: "Requests."},
				"seconds":  schema.Int64Attribute{Computed: true, MarkdownDescription: "Seconds in which they drain."},
			},
		},
		"canonical": schema.SingleNestedAttribute{
			Computed:            true,
			MarkdownDescription: "The limit's window written in the largest unit that divides it.",
			Attributes: map[string]schema.Attribute{
				calc.ArgNumber:    schema.Int64Attribute{Computed: true, MarkdownDescription: "As configured."},
				calc.ArgPerPeriod: schema.StringAttribute{Computed: true, MarkdownDescription: "`Seconds`, `Minutes` or `Hours`."},
				calc.ArgPeriods:   schema.Int64Attribute{Computed: true, MarkdownDescription: "Units in the window."},
			},
		},
		"burst_ceiling": schema.Int64Attribute{
			Computed:            true,
			MarkdownDescription: "Requests that an empty bucket lets through at once, at one enforcement point: `number` × `burst_multiplier`.",
		},
		"first_rejected_request": schema.Int64Attribute{
			Computed:            true,
			MarkdownDescription: "Number of the first request refused of an instant burst at an empty bucket, counted from 1.",
		},
		"seconds_per_request": schema.Float64Attribute{
			Computed:            true,
			MarkdownDescription: "Seconds in which one slot frees: `window_seconds` / `number`, as the nearest float64.",
		},
		"drain_seconds": schema.Int64Attribute{
			Computed:            true,
			MarkdownDescription: "Seconds in which a full bucket drains: `window_seconds` × `burst_multiplier`.",
		},
		"max_requests_per_window": schema.Int64Attribute{
			Computed:            true,
			MarkdownDescription: "Most requests that can pass at one enforcement point in any closed interval of one window: `number` × (`burst_multiplier` + 1).",
		},
		"lockout_seconds": schema.Int64Attribute{
			Computed:            true,
			MarkdownDescription: "Length of a lockout in seconds; 0 when Disabled.",
		},
		"lockout_end": schema.StringAttribute{
			Computed: true, CustomType: timestampType{},
			MarkdownDescription: "RFC 3339 time at which a lockout ends that starts at `overflow_at`, with its offset and fraction; null without `overflow_at` or Block.",
		},
		"burst_after_lockout": schema.Int64Attribute{
			Computed:            true,
			MarkdownDescription: "Requests that at least pass at once when a lockout ends, as the bucket drains meanwhile; 0 where the first may start another lockout. Null when Disabled.",
		},
		"overshoot_ceiling": schema.Int64Attribute{
			Computed:            true,
			MarkdownDescription: "Requests that can pass at once before counters converge: `enforcement_points` × `burst_ceiling`.",
		},
		"client_outcome": schema.SingleNestedAttribute{
			Computed:            true,
			MarkdownDescription: "What the client of `client_requests_per_second` meets, starting at an empty bucket; null without it.",
			Attributes: map[string]schema.Attribute{
				"limited":           schema.BoolAttribute{Computed: true, MarkdownDescription: "Whether any of its requests is ever refused."},
				"first_429_request": schema.NumberAttribute{Computed: true, MarkdownDescription: "Number of the first request refused, counted from 1; null when not limited."},
				"first_429_seconds": schema.Float64Attribute{Computed: true, MarkdownDescription: "Seconds after its first request at which that one is made; null when not limited."},
				"rejected_share":    schema.Float64Attribute{Computed: true, MarkdownDescription: "Share of its requests refused from then on, 0 to 1: 0 when not limited, null when limited under Block."},
			},
		},
		"warnings": findingsAttribute("What is risky about this configuration, sorted by code: " + codeTable(calc.WarningCodes)),
		"caveats":  findingsAttribute("What is true of every such limit, sorted by code: " + codeTable(calc.CaveatCodes)),
		"xc_limit": schema.SingleNestedAttribute{
			Computed:            true,
			MarkdownDescription: "The limit in the names of XC's API, for the blocks of another provider's resource. What is not chosen is null, what has no content an empty object.",
			Attributes: map[string]schema.Attribute{
				"total_number":      schema.Int64Attribute{Computed: true, MarkdownDescription: "`number`."},
				"unit":              schema.StringAttribute{Computed: true, MarkdownDescription: "`SECOND`, `MINUTE` or `HOUR`."},
				"period_multiplier": schema.Int64Attribute{Computed: true, MarkdownDescription: "`periods`."},
				"burst_multiplier":  schema.Int64Attribute{Computed: true, MarkdownDescription: "`burst_multiplier`."},
				"leaky_bucket":      emptyAttribute("Set for the leaky bucket."),
				"token_bucket":      emptyAttribute("Set for the token bucket."),
				"disabled":          emptyAttribute("Set when Disabled."),
				"action_block": schema.SingleNestedAttribute{
					Computed:            true,
					MarkdownDescription: "Set with Block, with one of its units.",
					Attributes: map[string]schema.Attribute{
						"hours":   durationAttribute(),
						"minutes": durationAttribute(),
						"seconds": durationAttribute(),
					},
				},
			},
		},
		"xc_limit_json": schema.StringAttribute{
			Computed:            true,
			MarkdownDescription: "`xc_limit` as JSON for the API, without the nulls.",
		},
	})
	return attributes
}

func findingsAttribute(description string) schema.Attribute {
	return schema.ListNestedAttribute{
		Computed:            true,
		MarkdownDescription: description,
		NestedObject: schema.NestedAttributeObject{Attributes: map[string]schema.Attribute{
			"code":    schema.StringAttribute{Computed: true, MarkdownDescription: "Fixed code, for policies."},
			"message": schema.StringAttribute{Computed: true, MarkdownDescription: "Message for people, with the figures of the case."},
		}},
	}
}

func emptyAttribute(description string) schema.Attribute {
	return schema.ObjectAttribute{
		Computed:            true,
		MarkdownDescription: description,
		AttributeTypes:      emptyTypes,
	}
}

func durationAttribute() schema.Attribute {
	return schema.SingleNestedAttribute{
		Computed:            true,
		MarkdownDescription: "Set when the lockout is written in this unit.",
		Attributes: map[string]schema.Attribute{
			"duration": schema.Int64Attribute{Computed: true, MarkdownDescription: "`block_duration`."},
		},
	}
}
