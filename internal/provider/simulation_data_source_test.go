package provider

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
)

func TestAccSimulationDataSource_golden(t *testing.T) {
	cases := goldenCases[goldenCase](t, "simulation/testdata/simulation.json", 33)
	var config strings.Builder
	for i, c := range cases {
		fmt.Fprintf(&config, "data \"xcrl_simulation\" \"case_%d\" {\n%s}\n", i, arguments(t, c.Input))
	}
	s := applied(t, config.String())
	for i, c := range cases {
		t.Run(c.Name, func(t *testing.T) {
			answer := s.data[fmt.Sprintf("data.xcrl_simulation.case_%d", i)]
			if (answer["chart"] == "") != (c.Input["step_seconds"] == nil) {
				t.Errorf("with a step of %v the chart is %q", c.Input["step_seconds"], answer["chart"])
			}
			points, sync := c.Input["enforcement_points"], c.Input["sync_seconds"]
			assumes := sync != nil || points != nil && points != json.Number("1")
			if slices.Contains(codes(answer["caveats"]).([]any), any("model-assumption")) != assumes {
				t.Errorf("with %v points and %v between syncs the caveats are %v", points, sync, answer["caveats"])
			}
			// What else is answered follows from what the golden cases have.
			want := map[string]any{
				"enforcement_points": json.Number("1"), "sync_seconds": nil, "step_seconds": nil, "start_at": nil,
				"timeline": []any{}, "accepted_share": nil,
				"chart": answer["chart"], "warnings": answer["warnings"], "caveats": answer["caveats"],
			}
			maps.Copy(want, c.Input)
			maps.Copy(want, c.Want)
			answer["limit"] = withoutNulls(answer["limit"])
			for _, lockout := range want["lockouts"].([]any) {
				lockout.(map[string]any)["start_at"], lockout.(map[string]any)["end_at"] = nil, nil
			}
			accepted, _ := c.Want["accepted"].(json.Number).Float64()
			if offered, _ := c.Want["offered"].(json.Number).Float64(); offered > 0 {
				share, _ := json.Marshal(accepted / offered)
				want["accepted_share"] = json.Number(share)
			}
			if len(answer) != len(want) {
				t.Errorf("%d attributes are looked at, but there are %d", len(want), len(answer))
			}
			for name := range want {
				if !sameValue(answer[name], want[name]) {
					t.Errorf("%s is %v, want %v", name, answer[name], want[name])
				}
			}
		})
	}
}

// Every attribute of one answer, so that none goes unlooked at.
func TestAccSimulationDataSource_everyAttribute(t *testing.T) {
	s := applied(t, `
data "xcrl_simulation" "login" {
  limit = {
    number            = 5
    per_period        = "second"
    mitigation_action = "Block"
    block_duration    = 3
    block_unit        = "SECONDS"
  }
  traffic = [
    { seconds = 1.2, requests_per_second = 10 },
    { seconds = 8.8, requests_per_second = 20 },
  ]
  enforcement_points = 2
  sync_seconds       = 0.5
  start_at           = "2026-12-31T23:59:58.5+05:30"
  step_seconds       = 2.5
}`)
	got := s.data["data.xcrl_simulation.login"]
	want := decoded(t, `{
		"limit": {"number": 5, "per_period": "second", "periods": null, "burst_multiplier": null,
			"mitigation_action": "Block", "block_duration": 3, "block_unit": "SECONDS", "algorithm": null},
		"traffic": [{"seconds": 1.2, "requests_per_second": 10}, {"seconds": 8.8, "requests_per_second": 20}],
		"enforcement_points": 2, "sync_seconds": 0.5, "start_at": "2026-12-31T23:59:58.5+05:30", "step_seconds": 2.5,
		"duration_seconds": 10, "offered": 188, "accepted": 27, "rejected_429": 6, "blocked": 155,
		"accepted_share": 0.14361702127659576, "first_429_seconds": 1, "overshoot": 6,
		"lockouts": [
			{"start_seconds": 1, "end_seconds": 4, "start_at": "2026-12-31T23:59:59.5+05:30", "end_at": "2027-01-01T00:00:02.5+05:30", "enforcement_point": 0},
			{"start_seconds": 1.1, "end_seconds": 4.1, "start_at": "2026-12-31T23:59:59.6+05:30", "end_at": "2027-01-01T00:00:02.6+05:30", "enforcement_point": 1},
			{"start_seconds": 4.5, "end_seconds": 7.5, "start_at": "2027-01-01T00:00:03+05:30", "end_at": "2027-01-01T00:00:06+05:30", "enforcement_point": 0},
			{"start_seconds": 4.55, "end_seconds": 7.55, "start_at": "2027-01-01T00:00:03.05+05:30", "end_at": "2027-01-01T00:00:06.05+05:30", "enforcement_point": 1},
			{"start_seconds": 8, "end_seconds": 11, "start_at": "2027-01-01T00:00:06.5+05:30", "end_at": "2027-01-01T00:00:09.5+05:30", "enforcement_point": 0},
			{"start_seconds": 8.05, "end_seconds": 11.05, "start_at": "2027-01-01T00:00:06.55+05:30", "end_at": "2027-01-01T00:00:09.55+05:30", "enforcement_point": 1}
		],
		"timeline": [
			{"start_seconds": 0, "offered": 38, "accepted": 10, "rejected_429": 2, "blocked": 26},
			{"start_seconds": 2.5, "offered": 50, "accepted": 8, "rejected_429": 2, "blocked": 40},
			{"start_seconds": 5, "offered": 50, "accepted": 0, "rejected_429": 0, "blocked": 50},
			{"start_seconds": 7.5, "offered": 50, "accepted": 9, "rejected_429": 2, "blocked": 39}
		],
		"warnings": [
			{"code": "block-without-burst-headroom", "message": "Block with burst multiplier 1: the 6th request of a burst locks a client out for 3 seconds. Raise burst_multiplier to leave room for ordinary bursts."},
			{"code": "small-bucket", "message": "The bucket takes only 5 requests at once, and one browser opens six connections at once: ordinary page loads will meet 429. Raise burst_multiplier, or write the same rate with a larger number over a longer window."}
		],
		"caveats": [
			{"code": "distributed-counting", "message": "Every Regional Edge and proxy keeps its own count: spread over 2 enforcement points, one client can get 10 requests through before the counters converge. F5 publishes no convergence time."},
			{"code": "lockout-sticks", "message": "A lockout always lasts 3 seconds, however long the bucket has been empty by then."},
			{"code": "model-assumption", "message": "Requests are dealt out in turn to 2 enforcement points; XC may spread them in any way. F5 publishes no convergence time: that counts are merged every 0.5 s is your own figure."},
			{"code": "no-fixed-window", "message": "No window resets: the bucket drains continuously, and at one enforcement point up to 10 requests can pass within 1 second, a full bucket and every slot that frees meanwhile."},
			{"code": "overflow-returns-429", "message": "An overflowing request is answered 429 whatever the mitigation action. To stop limiting, remove or bypass the limiter."}
		]
	}`).(map[string]any)
	want["chart"] = `requests per second, mean of 2.5 s
20 │        ░░░░░░░░░░░░░░░░░░░░░░░░
   │░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░
16 │░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░
   │░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░
12 │░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░
   │░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░
 8 │░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░
   │xxxxxxxxxxxxxxxx░░░░░░░░xxxxxxxx
 4 │████████████████░░░░░░░░████████
   │████████████████░░░░░░░░████████
 0 └┬───────────────┬───────────────
    0 s             5 s
█ accepted 27   x 429 6   ░ blocked 155
`
	if len(got) != len(want) || len(got) != len(simulationTypes) {
		t.Errorf("%d attributes are looked at, %d are in the schema and %d in the answer", len(want), len(simulationTypes), len(got))
	}
	for name := range want {
		if !reflect.DeepEqual(got[name], want[name]) {
			t.Errorf("%s is\n%v, want\n%v", name, got[name], want[name])
		}
	}
}

// A year of requests is answered as fast as a minute of them, with and without
// lockouts.
func TestAccSimulationDataSource_year(t *testing.T) {
	const limit = `number = 15, per_period = "Seconds", burst_multiplier = 3`
	year := func(name, limit string) string {
		return fmt.Sprintf(`
data "xcrl_simulation" %q {
  limit        = { %s }
  traffic      = [{ seconds = 365 * 86400, requests_per_second = 10000 }]
  step_seconds = 365 * 86.4
  start_at     = "2026-01-01T00:00:00Z"
}`, name, limit)
	}
	s := applied(t, year("disabled", limit)+year("block", limit+`, mitigation_action = "Block", block_duration = 12, block_unit = "Hours"`))
	for name, want := range map[string]string{
		// The bucket and what drains in a year but for the last 0.1 ms, rounded down.
		"disabled": `{"offered": 315360000000, "accepted": 473040044, "rejected_429": 314886959956, "blocked": 0, "lockouts": 0, "timeline": 1000}`,
		// Every 12 hours and 4.5 ms 45 requests pass, and the 46th is locked out.
		"block": `{"offered": 315360000000, "accepted": 32850, "rejected_429": 730, "blocked": 315359966420, "lockouts": 730, "timeline": 1000}`,
	} {
		got := s.data["data.xcrl_simulation."+name]
		for attribute, want := range decoded(t, want).(map[string]any) {
			value := got[attribute]
			if list, ok := value.([]any); ok {
				value = json.Number(strconv.Itoa(len(list)))
			}
			if value != want {
				t.Errorf("%s: %s is %v, want %v", name, attribute, value, want)
			}
		}
	}
	want := decoded(t, `{"start_seconds": 31492803.285, "end_seconds": 31536003.285, "start_at": "2026-12-31T12:00:03.285Z", "end_at": "2027-01-01T00:00:03.285Z", "enforcement_point": 0}`)
	if lockouts := s.data["data.xcrl_simulation.block"]["lockouts"].([]any); !sameValue(lockouts[len(lockouts)-1], want) {
		t.Errorf("the last lockout is %v, want %v", lockouts[len(lockouts)-1], want)
	}
}

// Whatever part is unknown, the read waits for apply.
func TestAccSimulationDataSource_unknownDefersToApply(t *testing.T) {
	const later = "terraform_data.later.output."
	names := []string{"limit", "traffic", "enforcement_points", "sync_seconds", "start_at", "step_seconds"}
	known := map[string]string{
		"limit":              `{ number = 10, per_period = "Seconds" }`,
		"traffic":            `[{ seconds = 2, requests_per_second = 200 }]`,
		"enforcement_points": "4",
		"sync_seconds":       "1",
		"start_at":           `"2026-03-01T10:00:00Z"`,
		"step_seconds":       "1",
	}
	parts := map[string]struct{ argument, value string }{
		"number":              {"limit", `{ number = ` + later + `limit.number, per_period = "Seconds" }`},
		"phase":               {"traffic", `[` + later + `traffic[0]]`},
		"seconds":             {"traffic", `[{ seconds = ` + later + `traffic[0].seconds, requests_per_second = 200 }]`},
		"requests_per_second": {"traffic", `[{ seconds = 2, requests_per_second = ` + later + `traffic[0].requests_per_second }]`},
	}
	var config strings.Builder
	config.WriteString("resource \"terraform_data\" \"later\" {\n  input = {\n")
	for _, name := range names {
		fmt.Fprintf(&config, "    %s = %s\n", name, known[name])
		parts[name] = struct{ argument, value string }{name, later + name}
	}
	config.WriteString("  }\n}\n")
	checks := []plancheck.PlanCheck{}
	for part, unknown := range parts {
		fmt.Fprintf(&config, "data \"xcrl_simulation\" %q {\n", part)
		for _, name := range names {
			value := known[name]
			if name == unknown.argument {
				value = unknown.value
			}
			fmt.Fprintf(&config, "  %s = %s\n", name, value)
		}
		fmt.Fprintf(&config, "}\noutput %q {\n  value = data.xcrl_simulation.%s.accepted\n}\n", part, part)
		checks = append(checks, plancheck.ExpectUnknownOutputValue(part))
	}
	got := state{outputs: map[string]any{}, data: map[string]map[string]any{}}
	runInEngine(t, resource.TestCase{Steps: []resource.TestStep{{
		Config:            config.String(),
		ConfigPlanChecks:  resource.ConfigPlanChecks{PreApply: checks},
		ConfigStateChecks: []statecheck.StateCheck{&got},
	}}})
	for part := range parts {
		if got.outputs[part] != json.Number("76") {
			t.Errorf("after apply with %s unknown until then: %v, want 76", part, got.outputs[part])
		}
	}
}

// badRun is a wrong run, and what is said on it.
type badRun struct {
	name     string // of the data source
	limit    string // arguments of the limit; fine where empty
	traffic  string // phases; fine where empty
	more     string // further arguments
	at       string // the line that the engine shows as at fault
	messages []string
}

// wantRunsRefused has the engine refuse all of the runs at once.
func wantRunsRefused(t *testing.T, bad []badRun) {
	t.Helper()
	config := strings.Builder{}
	config.WriteString("resource \"terraform_data\" \"later\" {\n  input = {}\n}\n")
	for _, b := range bad {
		limit, traffic := b.limit, b.traffic
		if limit == "" {
			limit = `number = 10, per_period = "Seconds"`
		}
		if traffic == "" {
			traffic = "{ seconds = 60, requests_per_second = 20 }"
		}
		fmt.Fprintf(&config, "data \"xcrl_simulation\" %q {\n  limit = { %s }\n  traffic = [\n    %s\n  ]\n  %s\n}\n", b.name, limit, traffic, b.more)
	}
	said := refused(t, config.String())
	for _, b := range bad {
		t.Run(b.name, func(t *testing.T) {
			about := complaints(said, "data.xcrl_simulation."+b.name)
			wantSaid(t, about, b.messages...)
			wantSaid(t, about, ": "+b.at)
			if strings.Contains(about, "..") {
				t.Errorf("a sentence ends twice: %s", about)
			}
		})
	}
}

func TestAccSimulationDataSource_refuses(t *testing.T) {
	phase := func(seconds, rate string) string {
		return "{ seconds = " + seconds + ", requests_per_second = " + rate + " }"
	}
	wantRunsRefused(t, []badRun{
		{"no_phases", "", " ", "", "traffic = [", []string{"traffic has no phases, so there is nothing to run. Write at least one"}},
		{"null_phase", "", "null", "", "null", []string{"At traffic[0].seconds: seconds is required."}},
		{"half_a_phase", "", "{ seconds = 60 }", "", "{ seconds = 60 }", []string{"At traffic[0].requests_per_second: requests_per_second is required."}},
		{"zero_seconds", "", phase("0", "1"), "", phase("0", "1"), []string{"At traffic[0].seconds: seconds is 0", "Write a number above 0, such as 60"}},
		{"negative_seconds", "", phase("1", "1") + ",\n" + phase("-2", "1"), "", phase("-2", "1"), []string{"At traffic[1].seconds: seconds is -2"}},
		{"negative_rate", "", phase("1", "-0.5"), "", phase("1", "-0.5"), []string{"At traffic[0].requests_per_second: requests_per_second is -0.5", "0 for silence"}},
		{"huge_rate", "", phase("1e-500", "1e2000"), "", phase("1e-500", "1e2000"), []string{"At traffic[0].requests_per_second: ", "1e-1000"}},
		{"no_points", "", "", "enforcement_points = 0", "enforcement_points = 0", []string{"enforcement_points is 0, but it takes a whole number from 1 to 1000000"}},
		{"half_a_point", "", "", "enforcement_points = 1.5", "enforcement_points = 1.5", []string{"enforcement_points is 1.5, but"}},
		{"no_sync", "", "", "sync_seconds = 0", "sync_seconds = 0", []string{"sync_seconds is 0", "leave it out for points that never converge"}},
		{"no_step", "", "", "step_seconds = 0", "step_seconds = 0", []string{"step_seconds is 0", "leave it out for no timeline"}},
		{"many_steps", "", "", "step_seconds = 0.001", "step_seconds = 0.001", []string{"The phases last 60 s, which makes 60000 steps of 0.001 s; a timeline has 10000 at most. Write step_seconds = 0.006 or more"}},
		{"long_run", "", phase("1e16", "1e-9"), "", "traffic = [", []string{"but a run may last at most 1e+15"}},
		{"many_requests", "", phase("1e6", "1e10"), "", "traffic = [", []string{"requests in all, but a run may send at most 1e+15"}},
		{"much_to_play", "", phase("86400", "1000"), "enforcement_points = 2\nsync_seconds = 1", "traffic = [", []string{"The phases send 86400000 requests in all, and where enforcement points converge each is played one by one, 20000000 at most.", "leave out sync_seconds"}},
		{"start", "", "", `start_at = "2026-03-01 10:00"`, `start_at = "2026-03-01 10:00"`, []string{`start_at is "2026-03-01 10:00", but it takes a date`}},
		{"number", `number = 0, per_period = "Seconds"`, "", "", "limit = { number = 0", []string{"At limit.number: number is 0, but it takes a whole number from 1 to 8192."}},
		{"unit", `number = 10, per_period = "DAY"`, "", "", "limit = { number = 10", []string{`At limit.per_period: per_period is "DAY".`, "Use Hours with periods 24."}},

		// What is known is checked while the rest is not.
		{"beside_unknown_phase", "", "terraform_data.later.output.phase, " + phase("0", "1"), "", "terraform_data.later.output.phase, " + phase("0", "1"), []string{"At traffic[1].seconds: seconds is 0"}},
		{"beside_unknown_number", `number = terraform_data.later.output.number, per_period = "Weeks"`, "", "", "limit = { number =", []string{`At limit.per_period: per_period is "Weeks".`}},
		{"beside_unknown_start", "", "", "start_at = terraform_data.later.output.start\nstep_seconds = -1", "step_seconds = -1", []string{"step_seconds is -1"}},
	})
}

// What only a run shows is refused while planning, when the data source is read.
func TestAccSimulationDataSource_refusesWhenRead(t *testing.T) {
	const block = `number = 10, per_period = "Seconds", mitigation_action = "Block", block_duration = 1, block_unit = "Seconds"`
	wantRunsRefused(t, []badRun{
		{
			"many_lockouts", block, "{ seconds = 1e6, requests_per_second = 100 }", "", "traffic = [",
			[]string{"more than 10000 lockouts, the most that a result lists. Run a shorter time: the first 11100.11 s have no more."},
		},
		{
			"much_to_compute", "", "{ seconds = 1e6, requests_per_second = 1e6 }", "enforcement_points = 1000000\nstep_seconds = 100", "enforcement_points = 1000000",
			[]string{"This run would take too long: 1000000 enforcement points are computed one by one"},
		},
		{
			"last_lockout", block, "", `start_at = "9999-12-31T23:59:59Z"`, `start_at = "9999-12-31T23:59:59Z"`,
			[]string{"and 1.95 s later is after the year 9999, which RFC 3339 cannot write. Write an earlier start_at, or run a shorter time."},
		},
	})
}

// What is unknown at validation is refused once it is known.
func TestAccSimulationDataSource_refusesDuringApply(t *testing.T) {
	said := refused(t, `
resource "terraform_data" "later" {
  input = [60, 0]
}
data "xcrl_simulation" "late" {
  limit   = { number = 10, per_period = "Seconds" }
  traffic = [for s in terraform_data.later.output : { seconds = s, requests_per_second = 1 }]
}`)
	wantSaid(t, said, "At traffic[1].seconds: seconds is 0", "traffic = [for s in terraform_data.later.output")
}
