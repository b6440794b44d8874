package calc

import (
	"encoding/json"
	"math/big"
	"os"
	"reflect"
	"slices"
	"testing"
)

// goldenCount is how many cases testdata/rate_limit.json holds; none is left out.
const goldenCount = 68

// goldenCase is one limit with its right answers, which were calculated with
// exact fractions and without this package.
type goldenCase struct {
	Name  string
	Input goldenInput
	Want  goldenWant
}

type goldenInput struct {
	Number           json.Number
	PerPeriod        *string `json:"per_period"`
	Periods          json.Number
	BurstMultiplier  json.Number `json:"burst_multiplier"`
	MitigationAction *string     `json:"mitigation_action"`
	BlockDuration    json.Number `json:"block_duration"`
	BlockUnit        *string     `json:"block_unit"`
	Algorithm        *string

	OverflowAt        *string     `json:"overflow_at"`
	ClientRate        json.Number `json:"client_requests_per_second"`
	EnforcementPoints json.Number `json:"enforcement_points"`
	HardCeiling       json.Number `json:"hard_ceiling"`
}

type goldenWant struct {
	WindowSeconds        int64           `json:"window_seconds"`
	BurstCeiling         int64           `json:"burst_ceiling"`
	FirstRejectedRequest int64           `json:"first_rejected_request"`
	RequestsPerSecond    float64         `json:"requests_per_second"`
	RequestsPerMinute    float64         `json:"requests_per_minute"`
	RequestsPerHour      float64         `json:"requests_per_hour"`
	Normalized           goldenRate      `json:"normalized"`
	SecondsPerRequest    float64         `json:"seconds_per_request"`
	DrainSeconds         int64           `json:"drain_seconds"`
	MaxRequestsPerWindow int64           `json:"max_requests_per_window"`
	LockoutSeconds       int64           `json:"lockout_seconds"`
	OvershootCeiling     int64           `json:"overshoot_ceiling"`
	BurstAfterLockout    *int64          `json:"burst_after_lockout"`
	Canonical            goldenCanonical `json:"canonical"`
	LockoutEnd           *string         `json:"lockout_end"`
	XCLimitJSON          any             `json:"xc_limit_json"`
	ClientOutcome        *goldenOutcome  `json:"client_outcome"`
	WarningCodes         []string        `json:"warning_codes"`
	CaveatCodes          []string        `json:"caveat_codes"`
}

type goldenRate struct{ Requests, Seconds int64 }

type goldenCanonical struct {
	Number    int64
	PerPeriod string `json:"per_period"`
	Periods   int64
}

type goldenOutcome struct {
	Limited         bool
	First429Request *int64   `json:"first_429_request"`
	First429Seconds *float64 `json:"first_429_seconds"`
	RejectedShare   *float64 `json:"rejected_share"`
}

func (in goldenInput) arguments() Arguments {
	num := func(n json.Number) Value[*big.Float] {
		if n == "" {
			return Value[*big.Float]{}
		}
		return number(n.String())
	}
	text := func(s *string) Value[string] {
		if s == nil {
			return Value[string]{}
		}
		return Known(*s)
	}
	return Arguments{
		Tuple: Tuple{
			Number: num(in.Number), PerPeriod: text(in.PerPeriod), Periods: num(in.Periods),
			BurstMultiplier: num(in.BurstMultiplier), MitigationAction: text(in.MitigationAction),
			BlockDuration: num(in.BlockDuration), BlockUnit: text(in.BlockUnit), Algorithm: text(in.Algorithm),
		},
		OverflowAt: text(in.OverflowAt), ClientRate: num(in.ClientRate),
		EnforcementPoints: num(in.EnforcementPoints), HardCeiling: num(in.HardCeiling),
	}
}

// goldenAnswer puts an evaluation into the golden file's shape.
func goldenAnswer(t *testing.T, e Evaluation) goldenWant {
	t.Helper()
	l := e.Limit
	xc, err := json.Marshal(l.XC())
	if err != nil {
		t.Fatal(err)
	}
	canonical := l.Canonical()
	got := goldenWant{
		WindowSeconds:        l.WindowSeconds(),
		BurstCeiling:         l.BurstCeiling(),
		FirstRejectedRequest: l.FirstRejectedRequest(),
		RequestsPerSecond:    l.DrainRate().PerSeconds(1),
		RequestsPerMinute:    l.DrainRate().PerSeconds(60),
		RequestsPerHour:      l.DrainRate().PerSeconds(3600),
		Normalized:           goldenRate(l.DrainRate()),
		SecondsPerRequest:    Float64(l.SecondsPerRequest()),
		DrainSeconds:         l.DrainSeconds(),
		MaxRequestsPerWindow: l.MaxRequestsPerWindow(),
		LockoutSeconds:       l.LockoutSeconds(),
		OvershootCeiling:     e.OvershootCeiling,
		Canonical:            goldenCanonical{canonical.Number, canonical.PerPeriod.Console(), canonical.Periods},
		WarningCodes:         codes(e.Warnings),
		CaveatCodes:          codes(e.Caveats),
	}
	if err := json.Unmarshal(xc, &got.XCLimitJSON); err != nil {
		t.Fatal(err)
	}
	if l.Blocks() {
		burst := l.BurstAfterLockout()
		got.BurstAfterLockout = &burst
	}
	if e.LockoutEnd != "" {
		got.LockoutEnd = &e.LockoutEnd
	}
	if c := e.Client; c != nil {
		got.ClientOutcome = &goldenOutcome{Limited: c.Limited}
		if c.Limited {
			request, seconds := c.First429Request.Int64(), Float64(c.First429)
			got.ClientOutcome.First429Request, got.ClientOutcome.First429Seconds = &request, &seconds
		}
		if c.RejectedShare != nil {
			share := Float64(c.RejectedShare)
			got.ClientOutcome.RejectedShare = &share
		}
	}
	return got
}

// codes lists the codes of findings; none is an empty list, as in the file.
func codes(findings []Finding) []string {
	list := make([]string, 0, len(findings))
	for _, f := range findings {
		list = append(list, f.Code)
	}
	return list
}

func TestGolden(t *testing.T) {
	file, err := os.Open("testdata/rate_limit.json")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = file.Close() }()
	decoder := json.NewDecoder(file)
	decoder.DisallowUnknownFields() // an attribute that nothing compares would go unseen
	var cases []goldenCase
	if err := decoder.Decode(&cases); err != nil {
		t.Fatal(err)
	}
	if len(cases) != goldenCount {
		t.Errorf("%d cases, want %d", len(cases), goldenCount)
	}
	for _, c := range cases {
		t.Run(c.Name, func(t *testing.T) {
			s, known, problems := c.Input.arguments().Resolve()
			if !known || len(problems) > 0 {
				t.Fatalf("known %v, problems %v", known, problems)
			}
			e := Evaluate(s)
			got, want := reflect.ValueOf(goldenAnswer(t, e)), reflect.ValueOf(c.Want)
			for i := range got.NumField() {
				if g, w := got.Field(i).Interface(), want.Field(i).Interface(); !reflect.DeepEqual(g, w) {
					t.Errorf("%s is %s, want %s", got.Type().Field(i).Name, asJSON(g), asJSON(w))
				}
			}
			if !slices.IsSorted(codes(e.Warnings)) || !slices.IsSorted(codes(e.Caveats)) {
				t.Errorf("findings are not sorted: %v, %v", codes(e.Warnings), codes(e.Caveats))
			}
		})
	}
}

func asJSON(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		return err.Error()
	}
	return string(text)
}
