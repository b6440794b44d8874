package calc

import (
	"encoding/json"
	"math/big"
	"testing"
)

func TestXC(t *testing.T) {
	for want, given := range map[string]Arguments{
		`{"total_number":15,"unit":"SECOND","period_multiplier":2,"burst_multiplier":3,"leaky_bucket":{},"disabled":{}}`:                             tuple("15", "Seconds", "2", "3"),
		`{"total_number":1,"unit":"HOUR","period_multiplier":1,"burst_multiplier":1,"leaky_bucket":{},"action_block":{"hours":{"duration":48}}}`:     locking("1", "Hours", "1", "1", "48", "Hours"),
		`{"total_number":1,"unit":"MINUTE","period_multiplier":1,"burst_multiplier":1,"leaky_bucket":{},"action_block":{"minutes":{"duration":60}}}`: locking("1", "Minutes", "1", "1", "60", "Minutes"),
		`{"total_number":1,"unit":"SECOND","period_multiplier":4294967295,"burst_multiplier":1,"token_bucket":{},"action_block":{"seconds":{"duration":1}}}`: with(
			locking("1", "Seconds", "4294967295", "1", "1", "Seconds"), func(a *Arguments) { a.Algorithm = Known("token_bucket") }),
	} {
		got, err := json.Marshal(evaluate(t, given).Limit.XC())
		if err != nil || string(got) != want {
			t.Errorf("%s, %v; want %s", got, err, want)
		}
	}
}

// An answer that was not asked for is absent, not zero.
func TestEvaluateOnlyWhatIsAsked(t *testing.T) {
	for name, given := range map[string]Arguments{
		"nothing asked":  fine(),
		"without Block":  with(fine(), func(a *Arguments) { a.OverflowAt = Known("2026-03-01T10:00:00Z") }),
		"without a time": blocking("1", "Hours"),
	} {
		if e := evaluate(t, given); e.LockoutEnd != "" || e.Client != nil {
			t.Errorf("%s: lockout ends at %q, client %v", name, e.LockoutEnd, e.Client)
		}
	}
	s, _, _ := everything().Resolve()
	if e := Evaluate(s); e.Scenario != s {
		t.Errorf("the scenario changed from %+v to %+v", s, e.Scenario)
	}
}

// ordinary is what people ask of limits: some only the limit itself, some also a
// client, a lockout's end or the origin's ceiling.
func ordinary() map[string]Arguments {
	api := with(tuple("100", "Minutes", "1", "3"), func(a *Arguments) { a.EnforcementPoints, a.HardCeiling = number("4"), number("2000") })
	login := with(locking("10", "Minutes", "1", "3", "15", "Minutes"), func(a *Arguments) { a.OverflowAt = Known("2026-03-01T10:00:00Z") })
	client := func(a *Arguments) { a.ClientRate = number("2.5") }
	return map[string]Arguments{
		"plain": fine(), "api": api, "api-client": with(api, client), "block": login, "block-client": with(login, client),
	}
}

func BenchmarkEvaluate(b *testing.B) {
	for name, given := range ordinary() {
		b.Run(name, func(b *testing.B) {
			s, _, _ := given.Resolve()
			b.ReportAllocs()
			for b.Loop() {
				Evaluate(s)
			}
		})
	}
}

func BenchmarkResolve(b *testing.B) {
	for name, given := range ordinary() {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				given.Resolve()
			}
		})
	}
}

// One evaluation stays within the allocations it is meant to take.
func TestEvaluateAllocations(t *testing.T) {
	const most = 60
	for name, given := range ordinary() {
		s, _, _ := given.Resolve()
		if got := testing.AllocsPerRun(100, func() { Evaluate(s) }); got > most {
			t.Errorf("%s: %v allocations, more than %d", name, got, most)
		}
	}
}

func BenchmarkBucketTake(b *testing.B) {
	b.ReportAllocs()
	bucket, at, step := NewBucket(Limit{Number: 100, PerPeriod: Minute, Periods: 1, BurstMultiplier: 3}), new(big.Rat), big.NewRat(2, 5)
	for b.Loop() {
		if _, err := bucket.Take(at); err != nil {
			b.Fatal(err)
		}
		at.Add(at, step)
	}
}
