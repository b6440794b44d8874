package calc

import (
	"math/big"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// evaluate evaluates valid arguments.
func evaluate(t *testing.T, a Arguments) Evaluation {
	t.Helper()
	s, known, problems := a.Resolve()
	if !known || len(problems) > 0 {
		t.Fatalf("known %v, problems %v", known, problems)
	}
	return Evaluate(s)
}

// tuple is a limit without Block.
func tuple(num, unit, periods, burst string) Arguments {
	return Arguments{Tuple: Tuple{Number: number(num), PerPeriod: Known(unit), Periods: number(periods), BurstMultiplier: number(burst)}}
}

// locking is such a limit with Block.
func locking(num, unit, periods, burst, duration, blockUnit string) Arguments {
	a := tuple(num, unit, periods, burst)
	a.MitigationAction, a.BlockDuration, a.BlockUnit = Known(Block), number(duration), Known(blockUnit)
	return a
}

func TestWarnings(t *testing.T) {
	client := func(a Arguments, rate string) Arguments {
		a.ClientRate = number(rate)
		return a
	}
	spread := func(a Arguments, points, ceiling string) Arguments {
		a.EnforcementPoints, a.HardCeiling = number(points), number(ceiling)
		return a
	}
	const (
		still    = "Mitigation action Disabled does not switch the limit off: the 101st request of a burst is answered 429 all the same. It only means that no lockout follows; to stop limiting, remove or bypass the limiter."
		smallBy  = ", and one browser opens six connections at once: ordinary page loads will meet 429. Raise burst_multiplier, or write the same rate with a larger number over a longer window."
		origin   = " that the limit allows per "
		take     = ". The origin must be able to take them."
		headroom = ". Raise burst_multiplier to leave room for ordinary bursts."
		comeBack = " that one slot takes to free: a client that comes back at its end may be locked out again by its first request. Block for longer, or raise the rate."
		sharing  = ", and everyone who shares its identifier, such as an office behind one address."
		lower    = ". Lower number or burst_multiplier, or protect the origin elsewhere."
	)
	for name, c := range map[string]struct {
		given Arguments
		want  []Finding
	}{
		"nothing risky":           {tuple("100", "Minutes", "1", "10"), nil},
		"a ceiling that suffices": {spread(tuple("100", "Minutes", "1", "1"), "3", "300"), nil},
		"a client within":         {client(tuple("60", "Minutes", "1", "1"), "1"), nil},
		"Disabled written": {
			with(tuple("100", "Minutes", "1", "1"), func(a *Arguments) { a.MitigationAction = Known("disabled") }),
			[]Finding{{"disabled-still-enforces", still}},
		},
		"burst multiplier 11": {
			tuple("100", "Minutes", "5", "11"),
			[]Finding{{"burst-multiplier-high", "Burst multiplier 11 lets 1100 requests through at once, 11 times the 100" + origin + "5 minutes" + take}},
		},
		"a bucket of 5":     {tuple("5", "Minutes", "1", "1"), []Finding{{"small-bucket", "The bucket takes only 5 requests at once" + smallBy}}},
		"a bucket of 1":     {tuple("1", "Seconds", "1", "1"), []Finding{{"small-bucket", "The bucket takes only 1 request at once" + smallBy}}},
		"a bucket of 6":     {tuple("2", "Minutes", "1", "3"), nil},
		"Block of an hour":  {locking("100", "Minutes", "1", "2", "60", "Minutes"), []Finding{{"long-lockout", "One overflow locks a client out for 1 hour" + sharing}}},
		"Block of 59 min":   {locking("100", "Minutes", "1", "2", "59", "Minutes"), nil},
		"without headroom":  {locking("100", "Minutes", "1", "1", "30", "Seconds"), []Finding{{"block-without-burst-headroom", "Block with burst multiplier 1: the 101st request of a burst locks a client out for 30 seconds" + headroom}}},
		"lockout of a slot": {locking("60", "Hours", "1", "2", "1", "Minutes"), nil},
		"lockout too short": {
			locking("60", "Hours", "1", "2", "59", "Seconds"),
			[]Finding{{"lockout-shorter-than-drain", "The lockout of 59 seconds is shorter than the 60 seconds" + comeBack}},
		},
		"no lockout so long": {
			locking("1", "Hours", "49", "6", "48", "Hours"),
			[]Finding{
				{"lockout-shorter-than-drain", "The lockout of 48 hours is shorter than the 176400 seconds that one slot takes to free: a client that comes back at its end may be locked out again by its first request. No lockout is that long: raise the rate."},
				{"long-lockout", "One overflow locks a client out for 48 hours" + sharing},
			},
		},
		"a slot as long as the longest lockout": {
			locking("1", "Hours", "48", "6", "47", "Hours"),
			[]Finding{
				{"lockout-shorter-than-drain", "The lockout of 47 hours is shorter than the 172800 seconds" + comeBack},
				{"long-lockout", "One overflow locks a client out for 47 hours" + sharing},
			},
		},
		"more points than the ceiling": {
			spread(tuple("100", "Minutes", "1", "1"), "3", "2"),
			[]Finding{{"overshoot-exceeds-hard-ceiling", "Before their counters converge, 3 enforcement points with a burst ceiling of 100 each let up to 300 requests through at once, above the hard ceiling of 2. No limit lets less than one request through at each point: protect the origin elsewhere."}},
		},
		"as many points as the ceiling": {
			spread(tuple("100", "Minutes", "1", "1"), "3", "3"),
			[]Finding{{"overshoot-exceeds-hard-ceiling", "Before their counters converge, 3 enforcement points with a burst ceiling of 100 each let up to 300 requests through at once, above the hard ceiling of 3" + lower}},
		},
		"one point above the ceiling": {
			spread(tuple("100", "Minutes", "1", "1"), "1", "99"),
			[]Finding{{"overshoot-exceeds-hard-ceiling", "An empty bucket lets up to 100 requests through at once, above the hard ceiling of 99" + lower}},
		},
		"several points above the ceiling": {
			spread(tuple("100", "Minutes", "1", "1"), "3", "299"),
			[]Finding{{"overshoot-exceeds-hard-ceiling", "Before their counters converge, 3 enforcement points with a burst ceiling of 100 each let up to 300 requests through at once, above the hard ceiling of 299" + lower}},
		},
		"a client just above": {
			client(tuple("3", "Seconds", "1", "2"), "3.0001"),
			[]Finding{{"client-rate-exceeds-limit", "A client that sends 3.0001 requests per second evenly is faster than the limit of 3 requests per second: 429s begin with request 150007, after 50000.333 seconds. From then on 0.003% of its requests are refused."}},
		},
		"a client far above": {
			client(tuple("100", "Minutes", "5", "1"), "1"),
			[]Finding{{"client-rate-exceeds-limit", "A client that sends 1 request per second evenly is faster than the limit of 100 requests per 5 minutes: 429s begin with request 150, after 149 seconds. From then on 66.667% of its requests are refused."}},
		},
		"a client beyond a float": {
			client(tuple("100", "Minutes", "1", "1"), "1e400"),
			[]Finding{{"client-rate-exceeds-limit", "A client that sends 1e+400 requests per second evenly is faster than the limit of 100 requests per minute: 429s begin with request 101, after 1e-398 seconds. From then on more than 99.999% of its requests are refused."}},
		},
		"a client under Block": {
			client(locking("60", "Minutes", "1", "2", "2", "Minutes"), "119"),
			[]Finding{{"client-rate-exceeds-limit", "A client that sends 119 requests per second evenly is faster than the limit of 60 requests per minute: 429s begin with request 122, after 1.017 seconds. That starts a lockout of 2 minutes, which ends after 121.017 seconds."}},
		},
		"a client refused after a second": {client(locking("1", "Minutes", "1", "1", "1", "Minutes"), "1"), []Finding{
			{"block-without-burst-headroom", "Block with burst multiplier 1: the 2nd request of a burst locks a client out for 1 minute" + headroom},
			{"client-rate-exceeds-limit", "A client that sends 1 request per second evenly is faster than the limit of 1 request per minute: 429s begin with request 2, after 1 second. That starts a lockout of 1 minute, which ends after 61 seconds."},
			{"small-bucket", "The bucket takes only 1 request at once" + smallBy},
		}},
		"token bucket": {
			with(tuple("15", "Seconds", "1", "3"), func(a *Arguments) { a.Algorithm = Known("token_bucket") }),
			[]Finding{{"token-bucket-modelled-as-leaky", "F5 says only that token bucket is stricter than leaky bucket, so it is modelled as a leaky bucket: a burst from empty meets 429 after 45 requests at the latest, perhaps sooner."}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			if got := evaluate(t, c.given).Warnings; !slices.Equal(got, c.want) {
				t.Errorf("warnings\n%q\nwant\n%q", got, c.want)
			}
		})
	}
}

func TestCaveats(t *testing.T) {
	const (
		all429    = "An overflowing request is answered 429 whatever the mitigation action. To stop limiting, remove or bypass the limiter."
		several   = "Every Regional Edge and proxy keeps its own count: a client spread over several of them can get a burst of 45 through at each before the counters converge. F5 publishes no convergence time."
		two       = "Every Regional Edge and proxy keeps its own count: spread over 2 enforcement points, one client can get 90 requests through before the counters converge. F5 publishes no convergence time."
		noWindow  = "No window resets: the bucket drains continuously, and at one enforcement point up to 60 requests can pass within 1 second, a full bucket and every slot that frees meanwhile."
		noMinutes = "No window resets: the bucket drains continuously, and at one enforcement point up to 60 requests can pass within 90 seconds, a full bucket and every slot that frees meanwhile."
		sticks    = "A lockout always lasts 2 minutes, however long the bucket has been empty by then."
	)
	for name, c := range map[string]struct {
		given Arguments
		want  []Finding
	}{
		"always": {tuple("15", "Seconds", "1", "3"), []Finding{
			{"distributed-counting", several}, {"no-fixed-window", noWindow}, {"overflow-returns-429", all429},
		}},
		"several points": {with(tuple("15", "Seconds", "1", "3"), func(a *Arguments) { a.EnforcementPoints = number("2") }), []Finding{
			{"distributed-counting", two}, {"no-fixed-window", noWindow}, {"overflow-returns-429", all429},
		}},
		"Block": {locking("15", "Seconds", "90", "3", "120", "Seconds"), []Finding{
			{"distributed-counting", several}, {"lockout-sticks", sticks}, {"no-fixed-window", noMinutes}, {"overflow-returns-429", all429},
		}},
	} {
		t.Run(name, func(t *testing.T) {
			if got := evaluate(t, c.given).Caveats; !slices.Equal(got, c.want) {
				t.Errorf("caveats\n%q\nwant\n%q", got, c.want)
			}
		})
	}
}

// Findings come sorted, each code at most once and documented, and caveats do
// not depend on what else is asked.
func TestFindingsAreDocumented(t *testing.T) {
	documented := func(codes []Code) (names []string) {
		for _, c := range codes {
			names = append(names, c.Name)
		}
		return names
	}
	warnings, caveats := documented(WarningCodes), documented(CaveatCodes)
	rapid.Check(t, func(t *rapid.T) {
		s := Scenario{
			Limit: anyLimit.Draw(t, "limit"), ActionWritten: rapid.Bool().Draw(t, "action written"),
			EnforcementPoints: within(EnforcementPointsBounds).Draw(t, "points"), HardCeiling: rapid.Int64Range(0, 1e6).Draw(t, "ceiling"),
		}
		if rate := fraction(1e6).Draw(t, "rate"); rate.Sign() > 0 {
			s.ClientRate = rate
		}
		e := Evaluate(s)
		for _, c := range []struct {
			findings []Finding
			list     []string
		}{{e.Warnings, warnings}, {e.Caveats, caveats}} {
			got := codes(c.findings)
			if !slices.IsSorted(got) || len(slices.Compact(slices.Clone(got))) < len(got) {
				t.Fatalf("codes %v are not sorted and different", got)
			}
			for _, code := range got {
				if !slices.Contains(c.list, code) {
					t.Fatalf("%s is not in the list for the docs", code)
				}
			}
		}
	})
	if !slices.IsSorted(warnings) || !slices.IsSorted(caveats) {
		t.Errorf("lists for the docs are not sorted: %v, %v", warnings, caveats)
	}
}

func TestCodesSayWhen(t *testing.T) {
	for _, c := range append(slices.Clone(WarningCodes), CaveatCodes...) {
		when := map[string]string{
			WarnBurstMultiplierHigh: "burst multiplier above 10",
			WarnSmallBucket:         "burst ceiling below 6: one browser opens six connections at once",
		}[c.Name]
		if c.When == "" || when != "" && c.When != when {
			t.Errorf("%s: %q, want %q", c.Name, c.When, when)
		}
	}
}

func TestSortFindings(t *testing.T) {
	got := SortFindings([]Finding{{"b", "1"}, {"a", "2"}, {"b", "0"}})
	if want := []Finding{{"a", "2"}, {"b", "1"}, {"b", "0"}}; !slices.Equal(got, want) {
		t.Errorf("sorted as %v, want %v", got, want)
	}
}

func TestSummary(t *testing.T) {
	for want, given := range map[string]Arguments{
		"100 requests per minute (one slot every 0.6 s), up to 100 at once; overflow is answered 429 without a lockout.": fine(),
		"1 request per hour (one slot every 3600 s), up to 2 at once; overflow is answered 429 without a lockout.":       tuple("1", "Minutes", "60", "2"),
		"8192 requests per second (one slot every 0.0001221 s), up to 819200 at once, counted by token bucket; overflow is answered 429 and locks the client out for 48 hours.": with(
			locking("8192", "Seconds", "1", "100", "48", "Hours"), func(a *Arguments) { a.Algorithm = Known("token_bucket") }),
		"3 requests per 90 seconds (one slot every 30 s), up to 3 at once; overflow is answered 429 and locks the client out for 1 second.": locking("3", "Seconds", "90", "1", "1", "Seconds"),
	} {
		if got := evaluate(t, given).Summary; got != want {
			t.Errorf("summary\n%s\nwant\n%s", got, want)
		}
	}
}

func TestCountAndDuration(t *testing.T) {
	for want, got := range map[string]string{
		"0 requests": Count(0, "request"), "1 request": Count(1, "request"), "2 requests": Count(2, "request"),
		"1 second": Duration(1), "59 seconds": Duration(59), "1 minute": Duration(60), "61 seconds": Duration(61),
		"90 minutes": Duration(5400), "1 hour": Duration(3600), "48 hours": Duration(172800),
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestOrdinals(t *testing.T) {
	for n, want := range map[int64]string{
		1: "1st", 2: "2nd", 3: "3rd", 4: "4th", 10: "10th", 11: "11th", 12: "12th", 13: "13th", 19: "19th", 20: "20th", 21: "21st",
		22: "22nd", 23: "23rd", 100: "100th", 101: "101st", 111: "111th", 112: "112th", 113: "113th", 121: "121st", 819201: "819201st",
	} {
		if got := nth(n); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

func TestDecimal(t *testing.T) {
	for exact, want := range map[string]string{
		"0": "0", "1": "1", "10": "10", "100": "100", "1.5": "1.5", "2/3": "0.667", "0.0999": "0.1", "12.3456": "12.346",
		"0.001": "0.001", "0.00099994": "0.0009999", "1/8192": "0.0001221", "0.00001": "1e-05",
		"999999999999999": "999999999999999", "1e15": "1e+15", "1.23456e20": "1.235e+20", "1e400": "1e+400", "1e-400": "1e-400",
	} {
		if got := Decimal(decimal(exact)); got != want {
			t.Errorf("%s is written %s, want %s", exact, got, want)
		}
	}
}

func TestExactText(t *testing.T) {
	for _, text := range []string{"3.0001", "1", "0.3", "1e+1000", "0.3333333333333333333333333333333333"} {
		if got := ExactText(decimal(text)); got != text {
			t.Errorf("%s is written %s", text, got)
		}
	}
	if got := ExactText(big.NewRat(1, 3)); got != "0."+strings.Repeat("3", SignificantDigits) {
		t.Errorf("1/3 is written %s", got)
	}
}
