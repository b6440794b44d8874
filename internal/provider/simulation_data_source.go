package provider

import (
	"context"
	"fmt"
	"maps"
	"math/big"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/xcrl/terraform-provider-xcrl/internal/calc"
	"github.com/xcrl/terraform-provider-xcrl/internal/calc/simulation"
)

var (
	_ datasource.DataSource                   = (*simulationDataSource)(nil)
	_ datasource.DataSourceWithValidateConfig = (*simulationDataSource)(nil)
)

type simulationDataSource struct{}

// NewSimulationDataSource returns the data source xcrl_simulation.
func NewSimulationDataSource() datasource.DataSource { return &simulationDataSource{} }

func (d *simulationDataSource) Metadata(_ context.Context, req datasource.MetadataRequest, resp *datasource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_simulation"
}

func (d *simulationDataSource) Schema(_ context.Context, _ datasource.SchemaRequest, resp *datasource.SchemaResponse) {
	resp.Schema = schema.Schema{
		MarkdownDescription: "What a client's traffic meets at a limit: how many requests pass, when 429s begin, how often and how long Block locks the client out, and what distributed counting lets through. " +
			"Every request is judged exactly. Unless points converge, the cost grows with phases, lockouts and steps and not with requests: a year at 10000 requests per second is answered at once." + readLater,
		Attributes: simulationAttributes(),
	}
}

func (d *simulationDataSource) ValidateConfig(ctx context.Context, req datasource.ValidateConfigRequest, resp *datasource.ValidateConfigResponse) {
	var config types.Object
	resp.Diagnostics.Append(req.Config.Get(ctx, &config)...)
	if resp.Diagnostics.HasError() {
		return
	}
	diagnose(&resp.Diagnostics, readSimulation(config.Attributes()).problems)
}

func (d *simulationDataSource) Read(ctx context.Context, req datasource.ReadRequest, resp *datasource.ReadResponse) {
	var config types.Object
	resp.Diagnostics.Append(req.Config.Get(ctx, &config)...)
	if resp.Diagnostics.HasError() {
		return
	}
	s := readSimulation(config.Attributes())
	var answer types.Object
	if s.known && len(s.problems) == 0 {
		answer, s.problems = s.answer(config.Attributes())
	}
	diagnose(&resp.Diagnostics, s.problems)
	if s.known && len(s.problems) == 0 {
		resp.Diagnostics.Append(resp.State.Set(ctx, answer)...)
	}
}

// simulationAttributes are all arguments and attributes of the data source.
func simulationAttributes() map[string]schema.Attribute {
	return map[string]schema.Attribute{
		argLimit: schema.SingleNestedAttribute{
			Required:            true,
			MarkdownDescription: tupleOnly + dropsUnknownNames,
			Attributes:          tupleAttributes(false),
		},
		simulation.ArgTraffic: schema.ListNestedAttribute{
			Required:            true,
			MarkdownDescription: "Phases of even traffic, one after the other, at a bucket that starts empty. In each, request k, counted from 0, goes k / `requests_per_second` seconds after the phase's start while that is before its end.",
			// calc knows that these two are required; see alwaysNeeded.
			NestedObject: schema.NestedAttributeObject{Attributes: map[string]schema.Attribute{
				simulation.ArgSeconds:           schema.NumberAttribute{Optional: true, MarkdownDescription: alwaysNeeded + "how long the phase lasts, above 0. Read as the exact decimal that is written."},
				simulation.ArgRequestsPerSecond: schema.NumberAttribute{Optional: true, MarkdownDescription: alwaysNeeded + "what the client sends; 0 for silence. Read as the exact decimal that is written."},
			}},
		},
		simulation.ArgEnforcementPoints: schema.NumberAttribute{
			Optional: true, Computed: true,
			MarkdownDescription: fmt.Sprintf("Regional Edges and proxies that count separately, %s; default %d. Requests are dealt out to them in turn.", within(calc.EnforcementPointsBounds), calc.DefaultEnforcementPoints),
		},
		simulation.ArgSyncSeconds: schema.NumberAttribute{
			Optional: true,
			MarkdownDescription: fmt.Sprintf("Your own assumption of how often points converge, above 0: at each multiple all of them take over one level, fed by every request that passed, and the latest running lockout. Without it they never do. F5 publishes no such time. With several points such a run is played request by request, and more than %d are an error.",
				simulation.MaxPlayed),
		},
		simulation.ArgStartAt: schema.StringAttribute{
			Optional: true, CustomType: timestampType{},
			MarkdownDescription: "RFC 3339 time at which the run starts; sets `start_at` and `end_at` of `lockouts`.",
		},
		simulation.ArgStepSeconds: schema.NumberAttribute{
			Optional:            true,
			MarkdownDescription: fmt.Sprintf("Length of a step of `timeline`, above 0; more than %d steps are an error. Default no timeline.", simulation.MaxSteps),
		},
		"duration_seconds": schema.Float64Attribute{Computed: true, MarkdownDescription: "How long all phases last together."},
		"offered":          schema.Int64Attribute{Computed: true, MarkdownDescription: "Requests that the client sends."},
		"accepted":         schema.Int64Attribute{Computed: true, MarkdownDescription: "Requests that pass."},
		"rejected_429":     schema.Int64Attribute{Computed: true, MarkdownDescription: "Requests that overflow the bucket and are answered 429; under Block each of them starts a lockout."},
		"blocked":          schema.Int64Attribute{Computed: true, MarkdownDescription: "Requests refused during a lockout."},
		"accepted_share":   schema.Float64Attribute{Computed: true, MarkdownDescription: "`accepted` / `offered`, 0 to 1, as the nearest float64; null where nothing is sent."},
		"first_429_seconds": schema.Float64Attribute{
			Computed:            true,
			MarkdownDescription: "Seconds from the start at which a request is first answered 429; null where none is.",
		},
		"lockouts": schema.ListNestedAttribute{
			Computed:            true,
			MarkdownDescription: fmt.Sprintf("Lockouts in order of their start; a run with more than %d is an error.", simulation.MaxLockouts),
			NestedObject: schema.NestedAttributeObject{Attributes: map[string]schema.Attribute{
				"start_seconds":     schema.Float64Attribute{Computed: true, MarkdownDescription: "Seconds from the run's start to the request that overflows."},
				"end_seconds":       schema.Float64Attribute{Computed: true, MarkdownDescription: "Seconds from the run's start to the lockout's end, which may lie after the run's."},
				"start_at":          schema.StringAttribute{Computed: true, CustomType: timestampType{}, MarkdownDescription: "The start as an RFC 3339 time with the offset of the run's `start_at`, to the nanosecond; null without it."},
				"end_at":            schema.StringAttribute{Computed: true, CustomType: timestampType{}, MarkdownDescription: "The end as an RFC 3339 time with the offset of the run's `start_at`, to the nanosecond; null without it."},
				"enforcement_point": schema.Int64Attribute{Computed: true, MarkdownDescription: "The point that locks the client out, counted from 0."},
			}},
		},
		"overshoot": schema.Int64Attribute{
			Computed:            true,
			MarkdownDescription: "`accepted` minus what one point alone would have accepted. Below 0 where a lockout hits a client that one point alone would have let through.",
		},
		"timeline": schema.ListNestedAttribute{
			Computed:            true,
			MarkdownDescription: "What was sent in each step of `step_seconds`, the last of which may be shorter; empty without it.",
			NestedObject: schema.NestedAttributeObject{Attributes: map[string]schema.Attribute{
				"start_seconds": schema.Float64Attribute{Computed: true, MarkdownDescription: "Seconds from the run's start to the step's."},
				"offered":       schema.Int64Attribute{Computed: true, MarkdownDescription: "Requests sent in the step."},
				"accepted":      schema.Int64Attribute{Computed: true, MarkdownDescription: "Those that pass."},
				"rejected_429":  schema.Int64Attribute{Computed: true, MarkdownDescription: "Those that are answered 429."},
				"blocked":       schema.Int64Attribute{Computed: true, MarkdownDescription: "Those refused during a lockout."},
			}},
		},
		"chart": schema.StringAttribute{
			Computed:            true,
			MarkdownDescription: "The timeline as a few lines of text for a terminal or a log; empty without `step_seconds`.",
		},
		"warnings": findingsAttribute("What is risky about the limit, sorted by code: those of `xcrl_rate_limit`."),
		"caveats":  findingsAttribute("What is true of every such run, sorted by code: those of `xcrl_rate_limit`, and " + codeTable(simulation.CaveatCodes)),
	}
}

const argLimit = "limit"

// The types of the data source and of its parts.
var (
	simulationTypes = objectTypes(schema.Schema{Attributes: simulationAttributes()}.Type())
	lockoutType     = elementType(simulationTypes["lockouts"])
	stepType        = elementType(simulationTypes["timeline"])
)

// simulationRun is a configuration that has been read. It means something only
// when everything is known and there is no problem.
type simulationRun struct {
	scenario calc.Scenario
	run      simulation.Run
	startAt  string // "" if not given
	known    bool
	problems []calc.Problem
}

// readSimulation checks all that is known.
func readSimulation(config map[string]attr.Value) simulationRun {
	var limit object
	if l, ok := config[argLimit].(types.Object); ok && !l.IsUnknown() {
		limit.attributes = l.Attributes()
	}
	scenario, limitKnown := limit.scenario()
	o := object{attributes: config}
	start := o.text(simulation.ArgStartAt)
	run, runKnown, problems := simulation.Input{
		Traffic:           traffic(config[simulation.ArgTraffic]),
		EnforcementPoints: o.number(simulation.ArgEnforcementPoints),
		SyncSeconds:       o.number(simulation.ArgSyncSeconds),
		StepSeconds:       o.number(simulation.ArgStepSeconds),
	}.Resolve()
	run.Limit, scenario.EnforcementPoints = scenario.Limit, run.EnforcementPoints
	s := simulationRun{
		scenario: scenario,
		run:      run,
		known:    limitKnown && runKnown && !start.IsUnknown(),
		problems: append(calc.Under(limit.problems, argLimit), problems...),
	}
	if at, ok := start.Get(); ok {
		s.startAt = at
		if problem := calc.CheckTime(simulation.ArgStartAt, at); problem != nil {
			s.problems = append(s.problems, *problem)
		}
	}
	return s
}

// traffic reads the phases.
func traffic(list attr.Value) calc.Value[[]simulation.PhaseInput] {
	elements, known := listOf(list, func(_ int, o *object) simulation.PhaseInput {
		return simulation.PhaseInput{
			Seconds:           o.number(simulation.ArgSeconds),
			RequestsPerSecond: o.number(simulation.ArgRequestsPerSecond),
		}
	})
	if !known {
		return calc.Unknown[[]simulation.PhaseInput]()
	}
	phases := make([]simulation.PhaseInput, len(elements))
	for i, e := range elements {
		phases[i], _ = e.Get() // a null phase lacks both of its arguments
		if e.IsUnknown() {
			phases[i] = simulation.PhaseInput{Seconds: calc.Unknown[*big.Float](), RequestsPerSecond: calc.Unknown[*big.Float]()}
		}
	}
	return calc.Known(phases)
}

// answer is the data source: its configuration and every attribute.
func (s simulationRun) answer(config map[string]attr.Value) (types.Object, []calc.Problem) {
	result, problems := simulation.Simulate(s.run)
	if problems != nil {
		return types.Object{}, problems
	}
	lockouts, problem := s.lockoutList(result.Lockouts)
	if problem != nil {
		return types.Object{}, []calc.Problem{*problem}
	}
	limit := calc.Evaluate(s.scenario)
	attributes := maps.Clone(config)
	maps.Copy(attributes, map[string]attr.Value{
		simulation.ArgEnforcementPoints: whole(s.run.EnforcementPoints),
		"duration_seconds":              types.Float64Value(calc.Float64(result.Seconds)),
		"offered":                       types.Int64Value(result.Offered),
		"accepted":                      types.Int64Value(result.Accepted),
		"rejected_429":                  types.Int64Value(result.Rejected429),
		"blocked":                       types.Int64Value(result.Blocked),
		"accepted_share":                types.Float64PointerValue(result.AcceptedShare()),
		"first_429_seconds":             floatOrNull(result.First429Seconds),
		"lockouts":                      lockouts,
		"overshoot":                     types.Int64Value(result.Overshoot),
		"timeline":                      timelineList(result.Timeline),
		"chart":                         types.StringValue(result.Chart()),
		"warnings":                      findingList(limit.Warnings),
		"caveats":                       findingList(calc.SortFindings(append(limit.Caveats, s.run.Caveats()...))),
	})
	return types.ObjectValueMust(simulationTypes, attributes), nil
}

// lockoutList has the lockouts, each with its times where the run has one.
func (s simulationRun) lockoutList(lockouts []simulation.Lockout) (types.List, *calc.Problem) {
	elements := make([]attr.Value, len(lockouts))
	for i, l := range lockouts {
		var startAt, endAt string
		if s.startAt != "" {
			var err error
			startAt, _ = simulation.At(s.startAt, l.Start()) // the end comes later and says what is wrong
			if endAt, err = simulation.At(s.startAt, l.End()); err != nil {
				return types.List{}, &calc.Problem{
					Path: calc.Path{simulation.ArgStartAt}, Summary: "Lockout after the year 9999", Detail: err.Error() + ".",
				}
			}
		}
		elements[i] = types.ObjectValueMust(objectTypes(lockoutType), map[string]attr.Value{
			"start_seconds":     types.Float64Value(l.StartSeconds),
			"end_seconds":       types.Float64Value(l.EndSeconds),
			"start_at":          timestampOrNull(startAt),
			"end_at":            timestampOrNull(endAt),
			"enforcement_point": types.Int64Value(l.EnforcementPoint),
		})
	}
	return types.ListValueMust(lockoutType, elements), nil
}

func timelineList(timeline []simulation.Step) types.List {
	elements := make([]attr.Value, len(timeline))
	for i, step := range timeline {
		elements[i] = types.ObjectValueMust(objectTypes(stepType), map[string]attr.Value{
			"start_seconds": types.Float64Value(step.StartSeconds),
			"offered":       types.Int64Value(step.Offered),
			"accepted":      types.Int64Value(step.Accepted),
			"rejected_429":  types.Int64Value(step.Rejected429),
			"blocked":       types.Int64Value(step.Blocked),
		})
	}
	return types.ListValueMust(stepType, elements)
}
