package calc

import (
	"strings"
	"testing"
	"time"
)

func TestLockoutEnd(t *testing.T) {
	day := Limit{Number: 1, PerPeriod: Second, Periods: 1, BurstMultiplier: 1, BlockDuration: 24, BlockUnit: Hour}
	for at, want := range map[string]string{
		"2026-03-01T10:00:00Z":                         "2026-03-02T10:00:00Z",
		"2024-02-28T23:59:59.5+05:30":                  "2024-02-29T23:59:59.5+05:30",
		"2025-12-31T23:30:00-23:59":                    "2026-01-01T23:30:00-23:59",
		"2026-03-01T10:00:00.000-00:00":                "2026-03-02T10:00:00.000-00:00",
		"2026-03-01T10:00:00.123456789012345678901Z":   "2026-03-02T10:00:00.123456789012345678901Z",
		"0000-01-01T00:00:00Z":                         "0000-01-02T00:00:00Z",
		"9999-12-30T23:59:59.999999999999999999+00:00": "9999-12-31T23:59:59.999999999999999999+00:00",
	} {
		if got, ok := day.LockoutEnd(at); !ok || got != want {
			t.Errorf("%s and a day are %s, %v; want %s", at, got, ok, want)
		}
	}
	for _, at := range []string{"9999-12-31T00:00:00Z", "tomorrow", ""} {
		if got, ok := day.LockoutEnd(at); ok {
			t.Errorf("%q and a day are %s", at, got)
		}
	}
	day.BlockDuration = 0
	if got, ok := day.LockoutEnd("2026-03-01T10:00:00Z"); ok {
		t.Errorf("without Block a lockout ends at %s", got)
	}
}

// isTime reports whether text is an RFC 3339 time: one that comes out the same
// when it is written again, with whatever fraction and sign of a zero offset.
func isTime(text string) bool {
	parsed, err := time.Parse(time.RFC3339Nano, text)
	if err != nil || !strings.HasPrefix(text, parsed.Format(localTime)) {
		return false
	}
	offset := text[len(localTime):]
	if strings.HasPrefix(offset, ".") {
		offset = strings.TrimLeft(offset[1:], "0123456789")
	}
	zone := parsed.Format("Z07:00")
	return offset == zone && !strings.Contains(zone, "24:") || zone == "Z" && (offset == "+00:00" || offset == "-00:00")
}

// FuzzLockoutEnd: whatever is taken for a time is one, and its lockout ends so
// much later with fraction and offset as they were written.
func FuzzLockoutEnd(f *testing.F) {
	for _, text := range []string{
		"2026-03-01T10:00:00Z", "2026-03-01T15:30:00.5+05:30", "2026-03-01T15:30:00.50000000000000001-00:00",
		"2026-02-29T00:00:00Z", "2024-02-29T00:00:00Z", "9999-12-31T23:59:59Z", "0000-01-01T00:00:00+23:59",
		"2026-03-01T10:00:00", "2026-03-01 10:00:00Z", "2026-03-01t10:00:00z", "2026-03-01T10:00:00,5Z", "2026-03-01T10:00:00.Z",
		"2026-03-01T1:00:00Z", "2026-03-01T24:00:00Z", "2026-03-01T10:00:60Z", "2026-03-01T10:00:00+24:00", "2026-03-01T10:00:00+05:60",
		"2026-13-01T10:00:00Z", "2026-03-01T10:00Z", "2026-03-01", "", "now", "2026-03-01T10:00:00+0530", "2026-03-01T10:00:00Z ", "+2026-03-01T10:00:00Z",
	} {
		f.Add(text, uint8(90))
	}
	f.Fuzz(func(t *testing.T, at string, minutes uint8) {
		l := Limit{Number: 1, PerPeriod: Second, Periods: 1, BurstMultiplier: 1, BlockDuration: int64(minutes)%60 + 1, BlockUnit: Minute}
		problem := CheckTime("overflow_at", at)
		end, ok := l.LockoutEnd(at)
		if !isTime(at) {
			if problem == nil || ok {
				t.Fatalf("%q is taken for a time; the lockout ends at %q", at, end)
			}
			return
		}
		if problem != nil {
			t.Fatalf("%q: %s", at, problem.Detail)
		}
		if !ok {
			if at < "9999-12-31T23:00:00" {
				t.Fatalf("%q has no end", at)
			}
			return
		}
		parsed, _ := time.Parse(time.RFC3339Nano, at)
		parsedEnd, err := time.Parse(time.RFC3339Nano, end)
		if err != nil || parsedEnd.Sub(parsed) != time.Duration(l.LockoutSeconds())*time.Second {
			t.Fatalf("%q and %d s are %q: %v", at, l.LockoutSeconds(), end, err)
		}
		if end[len(localTime):] != at[len(localTime):] {
			t.Fatalf("%q became %q, with another fraction or offset", at, end)
		}
	})
}
