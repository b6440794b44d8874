package calc

import (
	"math/big"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// fine is a valid limit with nothing more written than it takes.
func fine() Arguments {
	return Arguments{Tuple: Tuple{Number: number("100"), PerPeriod: Known("Minutes")}}
}

// blocking is a valid limit with Block.
func blocking(duration, unit string) Arguments {
	a := fine()
	a.MitigationAction, a.BlockDuration, a.BlockUnit = Known(Block), number(duration), Known(unit)
	return a
}

// with changes arguments.
func with(a Arguments, change func(*Arguments)) Arguments {
	change(&a)
	return a
}

const unitsAre = "XC counts in Seconds, Minutes and Hours only (SECOND, MINUTE and HOUR in its API). "

const lockoutsAre = "from 1 to 300 Seconds, 1 to 60 Minutes or 1 to 48 Hours"

// Each wrong argument is one problem, on that argument, that says what was
// given, what is allowed, why, and what to write instead.
func TestProblems(t *testing.T) {
	const (
		numberIs  = "but it takes a whole number from 1 to 8192. It is total_number in XC's API, which refuses a limiter outside these bounds. "
		numberFor = "A higher rate takes a shorter window (per_period and periods), as far as 8192 per second, a lower rate a longer window, and a larger burst alone a higher burst_multiplier."
		periodsIs = "but it takes a whole number from 1 to 4294967295. It is period_multiplier in XC's API, an unsigned 32-bit integer in which 0 means unset. For a longer window write a larger per_period, of which Hours is the largest; leave periods out for a window of one period."
		burstIs   = "but it takes a whole number from 1 to 100. It is burst_multiplier in XC's API, which refuses a limiter outside these bounds. Leave it out for 1; for larger bursts at the same rate multiply number and periods by the same factor."
		pointsIs  = "but it takes a whole number from 1 to 1000000. Each Regional Edge or proxy that counts separately is one point. Leave it out to judge a single point."
		ceilingIs = "It is the largest burst, in requests, that the origin can take. Leave it out when no such ceiling is known."
		clientIs  = "but a client is judged by the requests it sends: write a number above 0, such as 0.5 for one request every two seconds, or leave it out."
		timeIs    = "but it takes a date, a time and an offset as RFC 3339 writes them, such as 2026-03-01T10:00:00Z or 2026-03-01T15:30:00.5+05:30. Without an offset the moment is not certain."
		actionIs  = "but XC knows Disabled (429 without a lockout) and Block (429 and a lockout). Disabled does not switch the limit off: for that, remove or bypass the limiter."
		noLockout = " is written, but mitigation_action is Disabled, and XC has no lockout without Block. Write mitigation_action = \"Block\", or remove block_duration and block_unit."
		needs     = "mitigation_action is Block, which locks a client out for a time that has no default: write block_duration and block_unit, " + lockoutsAre + "."
		lockoutIs = ", but XC takes whole numbers " + lockoutsAre + ". "
		nobody    = "To lock nobody out, write mitigation_action = \"Disabled\" without a duration."
		longest   = "The longest lockout is 48 Hours."
		half      = ", but it takes a whole number, " + lockoutsAre + ". Round it yourself, or write a smaller unit where its bounds allow: 30 Minutes for 0.5 Hours."
		plainUnit = "Write Seconds, Minutes or Hours."
	)
	num := func(text string) Arguments {
		return with(fine(), func(a *Arguments) { a.Number = number(text) })
	}
	perPeriod := func(text string) Arguments {
		return with(fine(), func(a *Arguments) { a.PerPeriod = Known(text) })
	}
	for name, c := range map[string]struct {
		given                Arguments
		path, summary, wants string
	}{
		"number missing": {
			with(fine(), func(a *Arguments) { a.Number = Value[*big.Float]{} }), "number", "Missing number",
			"number is required: a whole number from 1 to 8192. It is total_number in XC's API, which refuses a limiter outside these bounds.",
		},
		"number 0":         {num("0"), "number", "Out of bounds: number", "number is 0, " + numberIs + numberFor},
		"number 8193":      {num("8193"), "number", "Out of bounds: number", "number is 8193, " + numberIs + numberFor},
		"number -1":        {num("-1"), "number", "Out of bounds: number", "number is -1, " + numberIs + numberFor},
		"number 1e30":      {num("1e30"), "number", "Out of bounds: number", "number is 1000000000000000000000000000000, " + numberIs + numberFor},
		"number 1e2000":    {num("1e2000"), "number", "Out of bounds: number", "number is 1e+2000, " + numberIs + numberFor},
		"number next to 1": {num("1.00000000000000000000000000000000001"), "number", "Fraction in number", "number is a fraction next to 1, " + numberIs + "Round it yourself: nothing is rounded for you."},
		"number 1.5":       {num("1.5"), "number", "Fraction in number", "number is 1.5, " + numberIs + "Round it yourself: nothing is rounded for you."},
		"per_period DAY":   {perPeriod("DAY"), "per_period", "Unknown unit of time", `per_period is "DAY". ` + unitsAre + "A day is 24 hours. Use Hours with periods 24."},
		"per_period Weekly": {
			perPeriod("Weekly"), "per_period", "Unknown unit of time",
			`per_period is "Weekly". ` + unitsAre + "A week is 168 hours. Use Hours with periods 168.",
		},
		"7 Days": {
			with(perPeriod("Days"), func(a *Arguments) { a.Periods = number("7") }), "per_period", "Unknown unit of time",
			`per_period is "Days". ` + unitsAre + "A day is 24 hours. Use Hours with periods 168.",
		},
		"the most days": {
			with(perPeriod("Days"), func(a *Arguments) { a.Periods = number("178956970") }), "per_period", "Unknown unit of time",
			`per_period is "Days". ` + unitsAre + "A day is 24 hours. Use Hours with periods 4294967280.",
		},
		"a day too many": {
			with(perPeriod("Days"), func(a *Arguments) { a.Periods = number("178956971") }), "per_period", "Unknown unit of time",
			`per_period is "Days". ` + unitsAre + "A day is 24 hours. Use Hours, with periods 4294967295 at most.",
		},
		"per_period Fortnights": {perPeriod("Fortnights"), "per_period", "Unknown unit of time", `per_period is "Fortnights". ` + unitsAre + plainUnit},
		"per_period empty":      {perPeriod(""), "per_period", "Unknown unit of time", `per_period is "". ` + unitsAre + plainUnit},
		"per_period s":          {perPeriod("s"), "per_period", "Unknown unit of time", `per_period is "s". ` + unitsAre + "Write Seconds."},
		"per_period MIN":        {perPeriod("MIN"), "per_period", "Unknown unit of time", `per_period is "MIN". ` + unitsAre + "Write Minutes."},
		"per_period hrs":        {perPeriod("hrs"), "per_period", "Unknown unit of time", `per_period is "hrs". ` + unitsAre + "Write Hours."},
		"per_period missing": {
			with(fine(), func(a *Arguments) { a.PerPeriod = Value[string]{} }), "per_period", "Missing per_period",
			"A limit counts requests per Seconds, Minutes or Hours: write per_period. " + strings.TrimSuffix(unitsAre, " "),
		},
		"periods 0": {with(fine(), func(a *Arguments) { a.Periods = number("0") }), "periods", "Out of bounds: periods", "periods is 0, " + periodsIs},
		"periods 4294967296": {
			with(fine(), func(a *Arguments) { a.Periods = number("4294967296") }), "periods", "Out of bounds: periods",
			"periods is 4294967296, " + periodsIs,
		},
		"burst_multiplier 0": {
			with(fine(), func(a *Arguments) { a.BurstMultiplier = number("0") }), "burst_multiplier", "Out of bounds: burst_multiplier",
			"burst_multiplier is 0, " + burstIs,
		},
		"burst_multiplier 101": {
			with(fine(), func(a *Arguments) { a.BurstMultiplier = number("101") }), "burst_multiplier", "Out of bounds: burst_multiplier",
			"burst_multiplier is 101, " + burstIs,
		},
		"algorithm": {
			with(fine(), func(a *Arguments) { a.Algorithm = Known("LEAKY_BUCKET") }), "algorithm", "Unknown algorithm",
			`algorithm is "LEAKY_BUCKET", but XC knows "leaky_bucket", its default, and "token_bucket", written just so. Leave it out for the default.`,
		},
		"mitigation_action":       {with(fine(), func(a *Arguments) { a.MitigationAction = Known("Off") }), "mitigation_action", "Unknown mitigation action", `mitigation_action is "Off", ` + actionIs},
		"mitigation_action empty": {with(fine(), func(a *Arguments) { a.MitigationAction = Known("") }), "mitigation_action", "Unknown mitigation action", `mitigation_action is "", ` + actionIs},
		"Block without a duration": {
			with(blocking("1", "Hours"), func(a *Arguments) { a.BlockDuration = Value[*big.Float]{} }),
			"block_duration", "Missing block_duration", needs,
		},
		"Block without a unit":     {with(blocking("1", "Hours"), func(a *Arguments) { a.BlockUnit = Value[string]{} }), "block_unit", "Missing block_unit", needs},
		"duration without Block":   {with(fine(), func(a *Arguments) { a.BlockDuration = number("5") }), "block_duration", "No lockout without Block", "block_duration" + noLockout},
		"unit without Block":       {with(fine(), func(a *Arguments) { a.BlockUnit = Known("hour") }), "block_unit", "No lockout without Block", "block_unit" + noLockout},
		"block_unit DAY":           {blocking("1", "DAY"), "block_unit", "Unknown unit of time", `block_unit is "DAY". ` + unitsAre + "A day is 24 hours. Use Hours with block_duration 24."},
		"block_unit 2 days":        {blocking("2", "days"), "block_unit", "Unknown unit of time", `block_unit is "days". ` + unitsAre + "A day is 24 hours. Use Hours with block_duration 48."},
		"block_unit week":          {blocking("1", "week"), "block_unit", "Unknown unit of time", `block_unit is "week". ` + unitsAre + "A week is 168 hours. Use Hours, with block_duration 48 at most."},
		"0 Seconds of lockout":     {blocking("0", "Seconds"), "block_duration", "Out of bounds: block_duration", "block_duration is 0" + lockoutIs + nobody},
		"-1 Hours of lockout":      {blocking("-1", "Hours"), "block_duration", "Out of bounds: block_duration", "block_duration is -1" + lockoutIs + nobody},
		"301 Seconds of lockout":   {blocking("301", "Seconds"), "block_duration", "Out of bounds: block_duration", "block_duration is 301 Seconds" + lockoutIs + "XC's seconds stop at 300, so write 5 or 6 Minutes."},
		"3599 Seconds of lockout":  {blocking("3599", "second"), "block_duration", "Out of bounds: block_duration", "block_duration is 3599 Seconds" + lockoutIs + "XC's seconds stop at 300, so write 59 or 60 Minutes."},
		"3600 Seconds of lockout":  {blocking("3600", "Seconds"), "block_duration", "Out of bounds: block_duration", "block_duration is 3600 Seconds" + lockoutIs + "XC's seconds stop at 300, so write 60 Minutes."},
		"3601 Seconds of lockout":  {blocking("3601", "Seconds"), "block_duration", "Out of bounds: block_duration", "block_duration is 3601 Seconds" + lockoutIs + "XC's seconds stop at 300, so write 1 or 2 Hours."},
		"61 Minutes of lockout":    {blocking("61", "Minutes"), "block_duration", "Out of bounds: block_duration", "block_duration is 61 Minutes" + lockoutIs + "XC's minutes stop at 60, so write 1 or 2 Hours."},
		"90 Minutes of lockout":    {blocking("90", "MINUTE"), "block_duration", "Out of bounds: block_duration", "block_duration is 90 Minutes" + lockoutIs + "XC's minutes stop at 60, so write 1 or 2 Hours."},
		"120 Minutes of lockout":   {blocking("120", "Minutes"), "block_duration", "Out of bounds: block_duration", "block_duration is 120 Minutes" + lockoutIs + "XC's minutes stop at 60, so write 2 Hours."},
		"2880 Minutes of lockout":  {blocking("2880", "Minutes"), "block_duration", "Out of bounds: block_duration", "block_duration is 2880 Minutes" + lockoutIs + "XC's minutes stop at 60, so write 48 Hours."},
		"2881 Minutes of lockout":  {blocking("2881", "Minutes"), "block_duration", "Out of bounds: block_duration", "block_duration is 2881 Minutes" + lockoutIs + longest},
		"172800 Seconds":           {blocking("172800", "Seconds"), "block_duration", "Out of bounds: block_duration", "block_duration is 172800 Seconds" + lockoutIs + "XC's seconds stop at 300, so write 48 Hours."},
		"172801 Seconds":           {blocking("172801", "Seconds"), "block_duration", "Out of bounds: block_duration", "block_duration is 172801 Seconds" + lockoutIs + longest},
		"49 Hours of lockout":      {blocking("49", "Hours"), "block_duration", "Out of bounds: block_duration", "block_duration is 49 Hours" + lockoutIs + longest},
		"1e30 Minutes of lockout":  {blocking("1e30", "Minutes"), "block_duration", "Out of bounds: block_duration", "block_duration is 1000000000000000000000000000000 Minutes" + lockoutIs + longest},
		"1.5 Hours of lockout":     {blocking("1.5", "Hours"), "block_duration", "Fraction in block_duration", "block_duration is 1.5" + half},
		"enforcement_points 0":     {with(fine(), func(a *Arguments) { a.EnforcementPoints = number("0") }), "enforcement_points", "Out of bounds: enforcement_points", "enforcement_points is 0, " + pointsIs},
		"enforcement_points above": {with(fine(), func(a *Arguments) { a.EnforcementPoints = number("1000001") }), "enforcement_points", "Out of bounds: enforcement_points", "enforcement_points is 1000001, " + pointsIs},
		"hard_ceiling 0":           {with(fine(), func(a *Arguments) { a.HardCeiling = number("0") }), "hard_ceiling", "Out of bounds: hard_ceiling", "hard_ceiling is 0, but it takes a whole number of at least 1. " + ceilingIs},
		"hard_ceiling beyond an int64": {
			with(fine(), func(a *Arguments) { a.HardCeiling = number("9223372036854775808") }), "hard_ceiling", "Out of bounds: hard_ceiling",
			"hard_ceiling is 9223372036854775808, but it takes a whole number of at most 9223372036854775807. " + ceilingIs,
		},
		"hard_ceiling 2.5": {
			with(fine(), func(a *Arguments) { a.HardCeiling = number("2.5") }), "hard_ceiling", "Fraction in hard_ceiling",
			"hard_ceiling is 2.5, but it takes a whole number of at least 1. It is the largest burst, in requests, that the origin can take. Round it yourself: nothing is rounded for you.",
		},
		"client rate 0":        {with(fine(), func(a *Arguments) { a.ClientRate = number("0") }), "client_requests_per_second", "Out of bounds: client_requests_per_second", "client_requests_per_second is 0, " + clientIs},
		"client rate negative": {with(fine(), func(a *Arguments) { a.ClientRate = number("-0.5") }), "client_requests_per_second", "Out of bounds: client_requests_per_second", "client_requests_per_second is -0.5, " + clientIs},
		"client rate 1e2000": {
			with(fine(), func(a *Arguments) { a.ClientRate = number("1e2000") }), "client_requests_per_second", "Out of bounds: client_requests_per_second",
			"client_requests_per_second is 1e+2000, but a rate is computed exactly only from 1e-1000 to 1e1000 requests per second. Write the rate of a client that can exist.",
		},
		"overflow_at without an offset": {with(fine(), func(a *Arguments) { a.OverflowAt = Known("2026-03-01T10:00:00") }), "overflow_at", "Not an RFC 3339 time", `overflow_at is "2026-03-01T10:00:00", ` + timeIs},
		"overflow_at empty":             {with(fine(), func(a *Arguments) { a.OverflowAt = Known("") }), "overflow_at", "Not an RFC 3339 time", `overflow_at is "", ` + timeIs},
		"overflow_at at the end of time": {
			with(blocking("1", "Hours"), func(a *Arguments) { a.OverflowAt = Known("9999-12-31T23:00:00Z") }), "overflow_at", "Too late to add a lockout",
			`overflow_at is "9999-12-31T23:00:00Z", and the lockout would end after the year 9999, which RFC 3339 cannot write. Write an earlier time.`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			_, known, problems := c.given.Resolve()
			want := []Problem{{Path{c.path}, c.summary, c.wants}}
			if !known || !reflect.DeepEqual(problems, want) {
				t.Errorf("known %v, problems\n%q\nwant\n%q", known, problems, want)
			}
		})
	}
}

// A count that is refused has no product in hours.
func TestDaysOfWrongCount(t *testing.T) {
	for _, count := range []string{"0", "-1", "1.5", "1e30"} {
		_, _, problems := Tuple{Number: number("1"), PerPeriod: Known("Days"), Periods: number(count)}.Resolve()
		if n := len(problems); n != 2 || !strings.HasSuffix(problems[1].Detail, " A day is 24 hours. Use Hours.") {
			t.Errorf("%s days: %v", count, problems)
		}
	}
}

// Everything that is wrong is said at once.
func TestProblemsAreGathered(t *testing.T) {
	for name, c := range map[string]struct {
		given Arguments
		want  []string
	}{
		"Block alone":               {with(fine(), func(a *Arguments) { a.MitigationAction = Known("block") }), []string{"block_duration", "block_unit"}},
		"a lockout without Block":   {with(blocking("5", "Hours"), func(a *Arguments) { a.MitigationAction = Known("DISABLED") }), []string{"block_duration", "block_unit"}},
		"too long without Block":    {with(blocking("49", "Hours"), func(a *Arguments) { a.MitigationAction = Value[string]{} }), []string{"block_duration", "block_unit", "block_duration"}},
		"a wrong action keeps both": {with(blocking("49", "Hours"), func(a *Arguments) { a.MitigationAction = Known("Lock") }), []string{"mitigation_action", "block_duration"}},
		"301 of a wrong unit":       {blocking("301", "x"), []string{"block_unit", "block_duration"}},
		"300 of a wrong unit":       {blocking("300", "x"), []string{"block_unit"}},
		"everything": {Arguments{
			Tuple: Tuple{
				Number: number("0"), PerPeriod: Known("x"), Periods: number("0"), BurstMultiplier: number("0"),
				MitigationAction: Known("x"), BlockDuration: number("0"), BlockUnit: Known("x"), Algorithm: Known("x"),
			},
			OverflowAt: Known("x"), ClientRate: number("0"), EnforcementPoints: number("0"), HardCeiling: number("0"),
		}, ArgumentNames},
		"nothing written": {Arguments{}, []string{"number", "per_period"}},
	} {
		t.Run(name, func(t *testing.T) {
			_, known, problems := c.given.Resolve()
			got := paths(problems)
			want := slices.Sorted(slices.Values(c.want))
			if !known || !slices.Equal(got, want) {
				t.Errorf("known %v, problems on %v, want %v", known, got, want)
			}
		})
	}
}

// paths lists where problems are, sorted.
func paths(problems []Problem) []string {
	list := make([]string, 0, len(problems))
	for _, p := range problems {
		list = append(list, p.Path.String())
	}
	slices.Sort(list)
	return list
}

// everything is a valid scenario in which every argument is written.
func everything() Arguments {
	a := blocking("60", "minutes")
	a.Periods, a.BurstMultiplier, a.Algorithm = number("4294967295"), number("100"), Known("token_bucket")
	a.OverflowAt, a.ClientRate = Known("2026-03-01T10:00:00Z"), number("0.3")
	a.EnforcementPoints, a.HardCeiling = number("1000000"), number("9223372036854775807")
	return a
}

func TestResolve(t *testing.T) {
	for name, c := range map[string]struct {
		given Arguments
		want  Scenario
	}{
		"the defaults": {fine(), Scenario{
			Limit:             Limit{Number: 100, PerPeriod: Minute, Periods: 1, BurstMultiplier: 1, Algorithm: LeakyBucket},
			EnforcementPoints: 1,
		}},
		"everything written": {everything(), Scenario{
			Limit: Limit{
				Number: 100, PerPeriod: Minute, Periods: 4294967295, BurstMultiplier: 100, Algorithm: TokenBucket,
				BlockDuration: 60, BlockUnit: Minute,
			},
			ActionWritten: true, OverflowAt: "2026-03-01T10:00:00Z", ClientRate: big.NewRat(3, 10),
			EnforcementPoints: 1000000, HardCeiling: 9223372036854775807,
		}},
		"Disabled written": {with(fine(), func(a *Arguments) { a.MitigationAction = Known("disabled") }), Scenario{
			Limit:         Limit{Number: 100, PerPeriod: Minute, Periods: 1, BurstMultiplier: 1},
			ActionWritten: true, EnforcementPoints: 1,
		}},
		"the least of everything": {with(blocking("1", "SECOND"), func(a *Arguments) {
			a.Number, a.Periods, a.BurstMultiplier = number("1"), number("1"), number("1")
			a.EnforcementPoints, a.HardCeiling, a.ClientRate = number("1"), number("1"), number("1e-1000")
		}), Scenario{
			Limit:         Limit{Number: 1, PerPeriod: Minute, Periods: 1, BurstMultiplier: 1, BlockDuration: 1, BlockUnit: Second},
			ActionWritten: true, ClientRate: decimal("1e-1000"), EnforcementPoints: 1, HardCeiling: 1,
		}},
		"the largest number, and whole in other words": {with(fine(), func(a *Arguments) { a.Number = number("8.192e3") }), Scenario{
			Limit: Limit{Number: 8192, PerPeriod: Minute, Periods: 1, BurstMultiplier: 1}, EnforcementPoints: 1,
		}},
		"the latest time with Block": {with(blocking("1", "Hours"), func(a *Arguments) { a.OverflowAt = Known("9999-12-31T22:59:59.9Z") }), Scenario{
			Limit:         Limit{Number: 100, PerPeriod: Minute, Periods: 1, BurstMultiplier: 1, BlockDuration: 1, BlockUnit: Hour},
			ActionWritten: true, OverflowAt: "9999-12-31T22:59:59.9Z", EnforcementPoints: 1,
		}},
	} {
		t.Run(name, func(t *testing.T) {
			got, known, problems := c.given.Resolve()
			if !known || len(problems) > 0 || !reflect.DeepEqual(got, c.want) {
				t.Errorf("known %v, problems %v, scenario\n%+v\nwant\n%+v", known, problems, got, c.want)
			}
			limit, known, problems := c.given.Tuple.Resolve()
			if !known || len(problems) > 0 || limit != c.want.Limit {
				t.Errorf("known %v, problems %v, limit %+v, want %+v", known, problems, limit, c.want.Limit)
			}
		})
	}
	for unit, longest := range map[string]string{"Seconds": "300", "Minutes": "60", "Hours": "48"} {
		if _, _, problems := blocking(longest, unit).Resolve(); len(problems) > 0 {
			t.Errorf("%s %s of lockout: %v", longest, unit, problems)
		}
	}
}

// makeUnknown has, for each argument by its name, what makes it unknown.
var makeUnknown = map[string]func(*Arguments){
	ArgNumber:            func(a *Arguments) { a.Number = Unknown[*big.Float]() },
	ArgPerPeriod:         func(a *Arguments) { a.PerPeriod = Unknown[string]() },
	ArgPeriods:           func(a *Arguments) { a.Periods = Unknown[*big.Float]() },
	ArgBurstMultiplier:   func(a *Arguments) { a.BurstMultiplier = Unknown[*big.Float]() },
	ArgMitigationAction:  func(a *Arguments) { a.MitigationAction = Unknown[string]() },
	ArgBlockDuration:     func(a *Arguments) { a.BlockDuration = Unknown[*big.Float]() },
	ArgBlockUnit:         func(a *Arguments) { a.BlockUnit = Unknown[string]() },
	ArgAlgorithm:         func(a *Arguments) { a.Algorithm = Unknown[string]() },
	ArgOverflowAt:        func(a *Arguments) { a.OverflowAt = Unknown[string]() },
	ArgClientRate:        func(a *Arguments) { a.ClientRate = Unknown[*big.Float]() },
	ArgEnforcementPoints: func(a *Arguments) { a.EnforcementPoints = Unknown[*big.Float]() },
	ArgHardCeiling:       func(a *Arguments) { a.HardCeiling = Unknown[*big.Float]() },
}

// Whatever is unknown in a valid configuration defers it and raises no problem:
// an unknown may still turn out to be null, so it is neither missing nor too much.
func TestUnknownDefersWithoutProblem(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := rapid.SampledFrom([]Arguments{fine(), everything()}).Draw(t, "arguments")
		names := rapid.SliceOfNDistinct(rapid.SampledFrom(ArgumentNames), 1, -1, rapid.ID[string]).Draw(t, "unknown")
		for _, name := range names {
			makeUnknown[name](&a)
		}
		if _, known, problems := a.Resolve(); known || len(problems) > 0 {
			t.Fatalf("unknown %v: known %v, problems %v", names, known, problems)
		}
	})
}

func TestEachUnknownArgument(t *testing.T) {
	disabled := with(fine(), func(a *Arguments) { a.MitigationAction = Known(Disabled) })
	for _, name := range ArgumentNames {
		t.Run(name, func(t *testing.T) {
			for description, a := range map[string]Arguments{
				"the rest defaults": fine(), "Disabled": disabled, "everything written": everything(),
			} {
				makeUnknown[name](&a)
				if _, known, problems := a.Resolve(); known || len(problems) > 0 {
					t.Errorf("%s: known %v, problems %v", description, known, problems)
				}
				if _, known, problems := a.Tuple.Resolve(); known == slices.Contains(TupleNames, name) || len(problems) > 0 {
					t.Errorf("%s: tuple known %v, problems %v", description, known, problems)
				}
			}
		})
	}
}

// What is known is judged although something else is not: only what holds
// whatever the unknown turns out to be.
func TestKnownIsCheckedBesideUnknown(t *testing.T) {
	for name, c := range map[string]struct {
		given Arguments
		want  []string
	}{
		"a wrong number":                 {with(fine(), func(a *Arguments) { a.Number, a.PerPeriod = number("0"), Unknown[string]() }), []string{"number"}},
		"49 of an unknown unit":          {with(blocking("49", ""), func(a *Arguments) { a.BlockUnit = Unknown[string]() }), nil},
		"300 of an unknown unit":         {with(blocking("300", ""), func(a *Arguments) { a.BlockUnit = Unknown[string]() }), nil},
		"301 of an unknown unit":         {with(blocking("301", ""), func(a *Arguments) { a.BlockUnit = Unknown[string]() }), []string{"block_duration"}},
		"0 of an unknown unit":           {with(blocking("0", ""), func(a *Arguments) { a.BlockUnit = Unknown[string]() }), []string{"block_duration"}},
		"unknown of a wrong unit":        {with(blocking("1", "DAY"), func(a *Arguments) { a.BlockDuration = Unknown[*big.Float]() }), []string{"block_unit"}},
		"Block with an unknown duration": {with(fine(), func(a *Arguments) { a.MitigationAction, a.BlockDuration = Known(Block), Unknown[*big.Float]() }), []string{"block_unit"}},
		"a lockout too long":             {with(blocking("61", "Minutes"), func(a *Arguments) { a.MitigationAction = Unknown[string]() }), []string{"block_duration"}},
		"a wrong time":                   {with(fine(), func(a *Arguments) { a.OverflowAt, a.Number = Known("now"), Unknown[*big.Float]() }), []string{"overflow_at"}},
	} {
		t.Run(name, func(t *testing.T) {
			_, known, problems := c.given.Resolve()
			if got := paths(problems); known || !slices.Equal(got, c.want) {
				t.Errorf("known %v, problems on %v, want %v", known, got, c.want)
			}
		})
	}
	unit := with(blocking("301", ""), func(a *Arguments) { a.BlockUnit = Unknown[string]() })
	if _, _, problems := unit.Resolve(); !strings.HasPrefix(problems[0].Detail, "block_duration is 301, but") ||
		!strings.HasSuffix(problems[0].Detail, " The longest lockout is 48 Hours.") {
		t.Errorf("%q, want no unit named", problems[0].Detail)
	}
}

// Only ASCII letters change, from the first to the last.
func TestASCIILower(t *testing.T) {
	if got, want := asciiLower("@AZ[`az{ÀÉ"), "@az[`az{ÀÉ"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestArgumentNames(t *testing.T) {
	if len(ArgumentNames) != len(makeUnknown) || !slices.Equal(ArgumentNames[:len(TupleNames)], TupleNames) {
		t.Errorf("arguments %v, of which the tuple has %v", ArgumentNames, TupleNames)
	}
}
