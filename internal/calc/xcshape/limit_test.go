package xcshape_test

import (
	"math/big"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/xcrl/terraform-provider-xcrl/internal/calc"
	"github.com/xcrl/terraform-provider-xcrl/internal/calc/xcshape"
)

type (
	list   = []any
	object = map[string]any
)

var unknown = xcshape.Unknown{}

func num(text string) *big.Float {
	f, ok := calc.ParseNumber(text)
	if !ok {
		panic(text)
	}
	return f
}

func limit(number int64, unit calc.Unit, periods, burst int64) calc.Limit {
	return calc.Limit{Number: number, PerPeriod: unit, Periods: periods, BurstMultiplier: burst}
}

func blocking(l calc.Limit, duration int64, unit calc.Unit) calc.Limit {
	l.BlockDuration, l.BlockUnit = duration, unit
	return l
}

func tokenBucket(l calc.Limit) calc.Limit {
	l.Algorithm = calc.TokenBucket
	return l
}

func TestFromXCFiles(t *testing.T) {
	for file, want := range map[string]calc.Limit{
		"api-get-rate-limiter.json": blocking(limit(10, calc.Minute, 1, 3), 15, calc.Minute),
		"volterra-resource.json":    limit(100, calc.Minute, 5, 10),
		"f5xc-resource.json":        blocking(tokenBucket(limit(2, calc.Second, 1, 1)), 2, calc.Hour),
		"lb-rate-limit.json":        limit(500, calc.Hour, 1, 2),
		"inline-rate-limiter.json":  limit(20, calc.Minute, 1, 1),
	} {
		t.Run(file, func(t *testing.T) {
			text := readFile(t, file)
			tree, err := xcshape.ParseJSON(text)
			if err != nil {
				t.Fatal(err)
			}
			wantLimit(t, tree, want)
			wantLimit(t, text, want)
			wantLimit(t, list{tree}, want)
		})
	}
	wantProblem(t, readFile(t, "api-get-no-limits.json"), "spec.limits", "limits nothing", "beside limits")
}

func readFile(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func wantLimit(t *testing.T, value any, want calc.Limit) {
	t.Helper()
	got, known, problems := xcshape.FromXC(value)
	if len(problems) > 0 || !known || got != want {
		t.Errorf("FromXC(%v) = %+v, known %t, problems %v; want %+v", value, got, known, problems, want)
	}
}

func wantUnknown(t *testing.T, value any) {
	t.Helper()
	if got, known, problems := xcshape.FromXC(value); len(problems) > 0 || known {
		t.Errorf("FromXC(%v) = %+v, known %t, problems %v; want unknown", value, got, known, problems)
	}
}

// wantProblem expects one problem at the path, with each of the texts in it.
func wantProblem(t *testing.T, value any, path string, texts ...string) {
	t.Helper()
	_, known, problems := xcshape.FromXC(value)
	if len(problems) != 1 || known {
		t.Errorf("FromXC(%v): known %t, problems %v; want one problem", value, known, problems)
		return
	}
	p := problems[0]
	if p.Path.String() != path || p.Summary == "" {
		t.Errorf("FromXC(%v): problem %q at %q, want it at %q", value, p.Summary, p.Path, path)
	}
	for _, text := range texts {
		if !strings.Contains(p.Detail, text) {
			t.Errorf("FromXC(%v): detail %q lacks %q", value, p.Detail, text)
		}
	}
}

func TestFromXCForms(t *testing.T) {
	base := limit(7, calc.Second, 1, 1)
	entry := func(more ...any) object {
		o := object{"total_number": num("7")}
		for i := 0; i < len(more); i += 2 {
			o[more[i].(string)] = more[i+1]
		}
		return o
	}
	block := func(unit, duration string) object {
		return object{unit: object{"duration": num(duration)}}
	}
	for name, c := range map[string]struct {
		value any
		want  calc.Limit
	}{
		"entry of limits":          {entry(), base},
		"everything unset, f5xc":   {entry("unit", nil, "period_multiplier", nil, "burst_multiplier", nil, "disabled", nil, "action_block", nil, "leaky_bucket", nil, "token_bucket", nil), base},
		"everything unset, others": {entry("unit", "", "period_multiplier", num("0"), "burst_multiplier", num("0"), "disabled", false, "action_block", list{}, "leaky_bucket", list{}, "token_bucket", list{nil}), base},
		"defaults chosen":          {entry("disabled", object{}, "leaky_bucket", object{}), base},
		"map of strings":           {object{"total_number": "7", "period_multiplier": "0", "burst_multiplier": "", "disabled": "true"}, base},
		"flags of strings":         {object{"total_number": "7", "leaky_bucket": "false", "token_bucket": "true"}, tokenBucket(base)},
		"console spelling":         {entry("unit", "Hours"), limit(7, calc.Hour, 1, 1)},
		"seconds":                  {entry("action_block", block("seconds", "300")), blocking(base, 300, calc.Second)},
		"volterra lists":           {entry("disabled", false, "action_block", list{object{"hours": list{}, "minutes": list{}, "seconds": list{object{"duration": num("9")}}}}, "token_bucket", list{object{}}), blocking(tokenBucket(base), 9, calc.Second)},
		"unset duration beside":    {entry("action_block", object{"seconds": object{"duration": num("0")}, "hours": object{"duration": num("48")}}), blocking(base, 48, calc.Hour)},
		"limits as one object":     {object{"limits": entry()}, base},
		"get_spec":                 {object{"get_spec": object{"limits": list{entry()}}}, base},
		"rate_limit":               {object{"rate_limit": object{"rate_limiter": entry()}}, base},
		"volterra load balancer":   {object{"rate_limit": list{object{"rate_limiter": list{entry()}}}}, base},
		"load balancer, API":       {object{"spec": object{"rate_limit": object{"rate_limiter": entry()}}}, base},
		"inline_rate_limiter":      {object{"inline_rate_limiter": object{"threshold": num("8192")}}, limit(8192, calc.Second, 1, 1)},
		"inline has no multiplier": {object{"threshold": num("3"), "burst_multiplier": num("5"), "period_multiplier": num("5")}, limit(3, calc.Second, 1, 1)},
		"null limits beside":       {entry("limits", nil), base},
		"largest":                  {entry("period_multiplier", num("4294967295"), "burst_multiplier", num("100"), "unit", "HOUR"), limit(7, calc.Hour, 4294967295, 100)},

		"unknown id":            {object{"id": unknown, "limits": list{entry()}}, base},
		"unknown other place":   {object{"spec": unknown, "limits": list{entry()}}, base},
		"unknown other choice":  {entry("leaky_bucket", unknown, "token_bucket", object{}), tokenBucket(base)},
		"unknown default":       {entry("leaky_bucket", unknown, "disabled", unknown), base},
		"unknown block refused": {entry("disabled", true, "action_block", unknown), base},
		"unknown other unit":    {entry("action_block", object{"hours": object{"duration": num("1")}, "minutes": unknown}), blocking(base, 1, calc.Hour)},
	} {
		t.Run(name, func(t *testing.T) { wantLimit(t, c.value, c.want) })
	}

	for name, value := range map[string]any{
		"everything":     unknown,
		"place":          object{"limits": unknown},
		"limits beside":  object{"limits": unknown, "total_number": num("10")},
		"outer place":    object{"spec": unknown},
		"entry":          object{"limits": list{unknown}},
		"number":         entry("total_number", unknown),
		"unit":           entry("unit", unknown),
		"multiplier":     entry("burst_multiplier", unknown),
		"algorithm":      entry("token_bucket", unknown),
		"action":         entry("action_block", unknown),
		"action entry":   entry("action_block", list{unknown}),
		"duration block": entry("action_block", object{"minutes": unknown}),
		"duration":       entry("action_block", object{"minutes": object{"duration": unknown}}),
		"threshold":      object{"threshold": unknown},
	} {
		t.Run("unknown "+name, func(t *testing.T) { wantUnknown(t, value) })
	}
}

func TestFromXCProblems(t *testing.T) {
	for _, c := range []struct {
		json, path string
		texts      []string
	}{
		{`null`, "", []string{"null or empty", "spec.limits"}},
		{`[]`, "", []string{"null or empty"}},
		{`{}`, "", []string{"looked for", "This object is empty"}},
		{`{"name":"a","id":"b"}`, "", []string{"holds id, name."}},
		{`{"a":1,"b":1,"c":1,"d":1,"e":1,"f":1,"g":1,"h":1,"i":1,"j":1,"k":1,"l":1,"m":1}`, "", []string{"k, l and 1 more."}},
		{`{"a":1,"b":1,"c":1,"d":1,"e":1,"f":1,"g":1,"h":1,"i":1,"j":1,"k":1,"l":1}`, "", []string{"j, k, l."}},
		{`{"ref_rate_limiter":{"name":"x"}}`, "", []string{"ref_rate_limiter only names"}},
		{`{"server_url_rules":[]}`, "", []string{"rules_from_xc"}},
		{`5`, "", []string{"an object", "the number 5"}},
		{`"limits"`, "", []string{`the text "limits"`}},
		{`true`, "", []string{"the boolean true"}},
		{`[{"threshold":1},{"threshold":2}]`, "", []string{"at most one entry", "holds 2"}},

		{`{"limits":[]}`, "limits", []string{"limits nothing", "XC drops what stands beside limits"}},
		{`{"limits":null}`, "limits", []string{"limits nothing"}},
		{`{"spec":{"total_number":5,"unit":"HOUR"}}`, "spec.limits", []string{"drops what stands beside limits, here total_number, unit"}},
		{`{"limits":[],"total_number":5}`, "limits", []string{"here total_number"}},
		{`{"limits":[{"total_number":1},{"total_number":2}]}`, "limits", []string{"holds 2"}},
		{`[{"limits":"x"}]`, "[0].limits", []string{"an object, or a list of at most one object", `the text "x"`}},

		{`{"limits":[{"total_number":1}],"threshold":2}`, "", []string{"limits[0], threshold"}},
		{`{"total_number":1,"threshold":2}`, "", []string{"several limits: total_number, threshold."}},
		{`{"limits":[{"total_number":1}],"total_number":2}`, "", []string{"several limits"}},
		{`{"limits":[{"total_number":1}],"rate_limiter":{"total_number":1}}`, "", []string{"limits[0], rate_limiter"}},

		{`{"limits":[{}]}`, "limits[0].total_number", []string{"1 to 8192", "missing or 0"}},
		{`{"total_number":0}`, "total_number", []string{"missing or 0"}},
		{`{"threshold":null}`, "threshold", []string{"missing or 0"}},
		{`{"threshold":8193}`, "threshold", []string{"1 to 8192", "8193"}},
		{`{"total_number":1.5}`, "total_number", []string{"whole number", "1.5"}},
		{`{"total_number":-1}`, "total_number", []string{"-1"}},
		{`{"total_number":1e300}`, "total_number", []string{"1e+300"}},
		{`{"total_number":"ten"}`, "total_number", []string{"a whole number", `the text "ten"`}},
		{`{"total_number":[1]}`, "total_number", []string{"a list"}},
		{`{"total_number":{}}`, "total_number", []string{"an object"}},
		{`{"total_number":1,"period_multiplier":4294967296}`, "period_multiplier", []string{"1 to 4294967295"}},
		{`{"total_number":1,"burst_multiplier":101}`, "burst_multiplier", []string{"1 to 100"}},
		{`{"total_number":1,"unit":"DAY"}`, "unit", []string{"SECOND, MINUTE and HOUR", `"DAY"`, "period_multiplier"}},
		{`{"total_number":1,"unit":1}`, "unit", []string{"a text", "the number 1"}},
		{`{"threshold":1,"unit":"DAY"}`, "unit", []string{"SECOND, MINUTE and HOUR"}},

		{`{"total_number":1,"leaky_bucket":{},"token_bucket":{}}`, "token_bucket", []string{"leaky_bucket and token_bucket"}},
		{`{"limits":[{"total_number":1,"disabled":true,"action_block":{"hours":{"duration":1}}}]}`, "limits[0].action_block", []string{"disabled and action_block"}},
		{`{"total_number":1,"disabled":3}`, "disabled", []string{"the number 3"}},
		{`{"total_number":1,"leaky_bucket":"yes"}`, "leaky_bucket", []string{`the text "yes"`}},
		{`{"limits":[{"total_number":1,"action_block":{}}]}`, "limits[0].action_block", []string{"this one has 0"}},
		{`{"total_number":1,"action_block":[{"hours":[],"minutes":[{"duration":0}]}]}`, "action_block[0]", []string{"this one has 0"}},
		{`{"total_number":1,"action_block":{"hours":{"duration":1},"seconds":{"duration":1}}}`, "action_block", []string{"this one has 2"}},
		{`{"total_number":1,"action_block":{"minutes":{"duration":90}}}`, "action_block.minutes.duration", []string{"1 to 60", "90"}},
		{`{"total_number":1,"action_block":true}`, "action_block", []string{"the boolean true"}},
		{`{"total_number":1,"action_block":{"minutes":5}}`, "action_block.minutes", []string{"the number 5"}},

		{``, "", []string{"it is empty"}},
		{`  `, "", []string{"it is empty"}},
		{`limits`, "", []string{"at byte 1"}},
		{`{"limits":`, "", []string{"ends before"}},
		{`{} {}`, "", []string{"ends at byte 2"}},
		{`{} x`, "", []string{"ends at byte 2"}},
		{`{"a":[1e99999999999]}`, "", []string{"1e99999999999", "1e1000"}},
		{`{"a":1e-646456993}`, "", []string{"outside 1e-1000"}},
		{`{"total_number":"1e-646456993"}`, "total_number", []string{"a whole number"}},
		{`{"total_number":` + strings.Repeat("9", 1001) + `}`, "", []string{"longer than 1000"}},
		{strings.Repeat("[", 1<<20), "", []string{"max depth"}},
	} {
		name := c.json[:min(len(c.json), 60)]
		t.Run(name, func(t *testing.T) { wantProblem(t, c.json, c.path, c.texts...) })
	}
}

func TestFromXCReportsEveryProblem(t *testing.T) {
	_, _, problems := xcshape.FromXC(`{"total_number":9000,"unit":"DAY","burst_multiplier":101,"action_block":{}}`)
	var paths []string
	for _, p := range problems {
		paths = append(paths, p.Path.String())
	}
	if got := strings.Join(paths, " "); got != "total_number unit burst_multiplier action_block" {
		t.Errorf("problems at %s", got)
	}
}

func TestReaderList(t *testing.T) {
	var r xcshape.Reader
	root, _ := r.Root(object{"rules": list{"a", nil, unknown}, "later": unknown, "wrong": "x"}).Get()
	rules, ok := r.List(root.Attr("rules")).Get()
	if !ok || len(rules) != 3 || rules[2].Path.String() != "rules[2]" || rules[0].Value != "a" {
		t.Errorf("rules read as %v", rules)
	}
	if !r.List(root.Attr("none")).IsNull() || !r.List(root.Attr("later")).IsUnknown() || !r.Text(root.Attr("later").Attr("name")).IsUnknown() || len(r.Problems) > 0 {
		t.Errorf("absent and unknown lists give %v", r.Problems)
	}
	if !r.List(root.Attr("wrong")).IsUnknown() || len(r.Problems) != 1 {
		t.Errorf("a text as a list gives %v", r.Problems)
	}
}

// FuzzFromXC holds any JSON to an answer within XC's bounds or a problem.
func FuzzFromXC(f *testing.F) {
	files, err := filepath.Glob("testdata/*.json")
	if err != nil || len(files) == 0 {
		f.Fatal("no test data", err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(text))
	}
	f.Add(`{"total_number":"1e3","action_block":[{"seconds":[{"duration":1e-400}]}]}`)
	f.Fuzz(func(t *testing.T, text string) {
		l, known, problems := xcshape.FromXC(text)
		if known == (len(problems) > 0) {
			t.Fatalf("known %t with problems %v", known, problems)
		}
		if !known {
			return
		}
		tuple := calc.Tuple{
			Number:           calc.Known(big.NewFloat(float64(l.Number))),
			PerPeriod:        calc.Known(l.PerPeriod.Console()),
			Periods:          calc.Known(big.NewFloat(float64(l.Periods))),
			BurstMultiplier:  calc.Known(big.NewFloat(float64(l.BurstMultiplier))),
			MitigationAction: calc.Known(calc.Disabled),
			Algorithm:        calc.Known(l.Algorithm.String()),
		}
		if l.Blocks() {
			tuple.MitigationAction = calc.Known(calc.Block)
			tuple.BlockDuration = calc.Known(big.NewFloat(float64(l.BlockDuration)))
			tuple.BlockUnit = calc.Known(l.BlockUnit.Console())
		}
		if again, known, problems := tuple.Resolve(); again != l || !known || len(problems) > 0 {
			t.Fatalf("%+v resolves to %+v, known %t, problems %v", l, again, known, problems)
		}
	})
}
