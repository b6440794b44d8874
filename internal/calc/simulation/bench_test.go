package simulation

import (
	"fmt"
	"math/big"
	"testing"
	"time"

	"golang.org/x/time/rate"

	"github.com/xcrl/terraform-provider-xcrl/internal/calc"
)

// BenchmarkYear runs a year at 10000 requests per second in closed form, with a
// timeline of 1000 steps.
func BenchmarkYear(b *testing.B) {
	const year = 31_536_000
	run := Run{
		Limit:             calc.Limit{Number: 100, PerPeriod: calc.Second, Periods: 1, BurstMultiplier: 3},
		Traffic:           []Phase{{big.NewRat(year, 1), big.NewRat(10_000, 1)}},
		EnforcementPoints: 1,
		StepSeconds:       big.NewRat(year/1000, 1),
	}
	for _, c := range []struct {
		name     string
		hours    int64
		rate     *big.Rat
		lockouts int
	}{
		{"Disabled", 0, big.NewRat(10_000, 1), 0},
		{"Block", 1, big.NewRat(10_000, 1), 8760},
		// A third has 34 digits as engines write it, and needs big integers.
		{"Disabled34Digits", 0, third(10_000), 0},
		{"Block34Digits", 1, third(10_000), 8760},
	} {
		b.Run(c.name, func(b *testing.B) {
			run := run
			run.Limit.BlockDuration, run.Limit.BlockUnit = c.hours, calc.Hour
			run.Traffic = []Phase{{run.Traffic[0].Seconds, c.rate}}
			b.ReportAllocs()
			for b.Loop() {
				r, problems := Simulate(run)
				if problems != nil || len(r.Timeline) != 1000 || len(r.Lockouts) != c.lockouts {
					b.Fatal(problems, len(r.Lockouts))
				}
			}
		})
	}
}

// BenchmarkPlayed plays 10 million requests beside golang.org/x/time/rate, which
// is driven with the same times but judges in floats and locks a mutex.
func BenchmarkPlayed(b *testing.B) {
	const requests, perSecond = 10_000_000, 10_000
	limit := calc.Limit{Number: 1000, PerPeriod: calc.Second, Periods: 1, BurstMultiplier: 3}
	report := func(b *testing.B) {
		b.Helper()
		b.ReportMetric(float64(b.N)*requests/b.Elapsed().Seconds()/1e6, "Mreq/s")
	}
	for _, points := range []int64{2, 100} {
		for _, perSecond := range []*big.Rat{big.NewRat(perSecond, 1), third(3*perSecond - 1)} {
			name := fmt.Sprintf("xcrl/points=%d/integer=%t", points, perSecond.IsInt())
			b.Run(name, func(b *testing.B) {
				run := Run{
					Limit:             limit,
					Traffic:           []Phase{{new(big.Rat).Quo(big.NewRat(requests, 1), perSecond), perSecond}},
					EnforcementPoints: points,
					SyncSeconds:       big.NewRat(1, 1),
				}
				b.ReportAllocs()
				for b.Loop() {
					if r, problems := Simulate(run); problems != nil || r.Offered != requests {
						b.Fatal(problems)
					}
				}
				report(b)
			})
		}
	}
	b.Run("x-time-rate", func(b *testing.B) {
		start := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
		b.ReportAllocs()
		for b.Loop() {
			l := rate.NewLimiter(rate.Limit(limit.Number), int(limit.BurstCeiling()))
			for k := range requests {
				l.AllowN(start.Add(time.Duration(k)*(time.Second/perSecond)), 1)
			}
		}
		report(b)
	})
}
