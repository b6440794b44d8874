package simulation

import (
	"math/big"
	"strings"
	"testing"
)

func TestAt(t *testing.T) {
	tests := map[string]struct {
		start   string
		seconds *big.Rat
		want    string
	}{
		"nothing later":          {"2026-03-01T10:00:00Z", big.NewRat(0, 1), "2026-03-01T10:00:00Z"},
		"whole seconds":          {"2026-03-01T10:00:00Z", big.NewRat(3661, 1), "2026-03-01T11:01:01Z"},
		"the offset stays":       {"2026-03-28T23:30:00+05:30", big.NewRat(86400, 1), "2026-03-29T23:30:00+05:30"},
		"an offset of zero":      {"2026-03-01T10:00:00-00:00", big.NewRat(1, 1), "2026-03-01T10:00:01-00:00"},
		"fractions add up":       {"2026-03-01T10:00:00.75Z", big.NewRat(1, 2), "2026-03-01T10:00:01.25Z"},
		"no trailing zeros":      {"2026-03-01T10:00:00.50Z", big.NewRat(1, 2), "2026-03-01T10:00:01Z"},
		"rounded to nanoseconds": {"2026-03-01T10:00:00Z", big.NewRat(2, 3), "2026-03-01T10:00:00.666666667Z"},
		"halves go up":           {"2026-03-01T10:00:00Z", big.NewRat(5, 10_000_000_000), "2026-03-01T10:00:00.000000001Z"},
		"up to the next year":    {"2026-12-31T23:59:59.9Z", big.NewRat(999_999_999_9, 100_000_000_000), "2027-01-01T00:00:00Z"},
		"digits beyond those":    {"2026-03-01T10:00:00.0000000004Z", big.NewRat(1, 10_000_000_000), "2026-03-01T10:00:00.000000001Z"},
		"beyond a Duration":      {"2026-03-01T10:00:00Z", big.NewRat(7000*31_556_952, 1), "9026-03-01T22:00:00Z"},
		"the last moment":        {"9999-12-31T23:59:58-08:00", big.NewRat(1, 1), "9999-12-31T23:59:59-08:00"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			got, err := At(tt.start, tt.seconds)
			if err != nil || got != tt.want {
				t.Errorf("got %q, %v, want %q", got, err, tt.want)
			}
		})
	}
}

func TestAtErrors(t *testing.T) {
	tests := map[string]struct {
		start   string
		seconds *big.Rat
		want    string
	}{
		"no time":          {"soon", big.NewRat(1, 1), `start_at is "soon"`},
		"after 9999":       {"9999-12-31T23:59:59Z", big.NewRat(1, 1), "1 s later is after the year 9999"},
		"rounds into then": {"9999-12-31T23:59:59.9999999999Z", new(big.Rat), "after the year 9999"},
		"beyond all years": {"2026-03-01T10:00:00Z", big.NewRat(MaxSeconds, 1), "run a shorter time"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			got, err := At(tt.start, tt.seconds)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %q, %v, want an error with %q", got, err, tt.want)
			}
		})
	}
}
