package provider

import (
	"context"
	"math/big"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/function"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/xcrl/terraform-provider-xcrl/internal/calc"
	"github.com/xcrl/terraform-provider-xcrl/internal/calc/simulation"
)

var _ function.Function = (*timelineSVGFunction)(nil)

type timelineSVGFunction struct{}

// NewTimelineSVGFunction returns the function timeline_svg.
func NewTimelineSVGFunction() function.Function { return &timelineSVGFunction{} }

func (f *timelineSVGFunction) Metadata(_ context.Context, _ function.MetadataRequest, resp *function.MetadataResponse) {
	resp.Name = "timeline_svg"
}

func (f *timelineSVGFunction) Definition(_ context.Context, _ function.DefinitionRequest, resp *function.DefinitionResponse) {
	resp.Definition = function.Definition{
		Summary: "A timeline as a picture",
		MarkdownDescription: "Draws the `timeline` of an `xcrl_simulation` as an SVG: requests per second over time, those that pass, those answered 429 and those blocked on top of each other, with axes and a legend. " +
			"The picture needs nothing beside itself: write it to a file and open that in a browser. An empty timeline gives an empty picture.",
		Parameters: []function.Parameter{function.ListParameter{
			Name:                "timeline",
			MarkdownDescription: "The `timeline` of an `xcrl_simulation`, or a slice of it: consecutive steps in order of time, as a step is drawn until the next one starts, and the last as long as the one before it, even where the run ends earlier. Each is an object of `start_seconds`, `offered`, `accepted`, `rejected_429` and `blocked`.",
			ElementType:         drawnStepType,
		}},
		Return: function.StringReturn{},
	}
}

func (f *timelineSVGFunction) Run(ctx context.Context, req function.RunRequest, resp *function.RunResponse) {
	var timeline types.List
	resp.Error = req.Arguments.Get(ctx, &timeline)
	if resp.Error != nil {
		return
	}
	picture := ""
	steps, problems := timelineSteps(timeline)
	if len(problems) == 0 {
		picture, problems = simulation.SVG(steps)
	}
	// What is wrong with one step is often wrong with all of them.
	resp.Error = argumentError(0, problems[:min(len(problems), maxStepProblems)])
	if resp.Error == nil {
		resp.Error = resp.Result.Set(ctx, picture)
	}
}

const maxStepProblems = 3

// drawnStepType is the type of a timeline's steps with all numbers alike, so that
// 1.5 requests are refused here and not by a conversion.
var drawnStepType = func() types.ObjectType {
	attributes := map[string]attr.Type{}
	for name := range objectTypes(stepType) {
		attributes[name] = types.NumberType
	}
	return types.ObjectType{AttrTypes: attributes}
}()

// timelineSteps reads a timeline.
func timelineSteps(timeline types.List) (steps []simulation.Step, problems []calc.Problem) {
	elements, _ := listOf(timeline, func(i int, o *object) simulation.Step {
		start, _ := o.stepNumber("start_seconds").Float64()
		step := simulation.Step{
			StartSeconds: start,
			Offered:      o.count("offered"),
			Accepted:     o.count("accepted"),
			Rejected429:  o.count("rejected_429"),
			Blocked:      o.count("blocked"),
		}
		problems = append(problems, calc.Under(o.problems, i)...)
		return step
	})
	for i, e := range elements {
		step, ok := e.Get()
		if !ok {
			problems = append(problems, calc.Problem{Path: calc.Path{i}, Detail: "the step is null"})
		}
		steps = append(steps, step)
	}
	return steps, problems
}

// stepNumber reads a number of a step, all of which are needed.
func (o *object) stepNumber(name string) *big.Float {
	f, ok := o.number(name).Get()
	if !ok {
		o.refuse(calc.Path{name}, "Missing "+name, "%s is null, but every number of a step is needed.", name)
		return new(big.Float)
	}
	return f
}

// count reads how many requests of a kind a step has.
func (o *object) count(name string) int64 {
	f := o.stepNumber(name)
	n, accuracy := f.Int64()
	if accuracy != big.Exact {
		o.refuse(calc.Path{name}, "Not a count", "%s is %s, but a step counts whole requests, %d at most.", name, calc.Text(f), int64(simulation.MaxRequests))
	}
	return n
}
