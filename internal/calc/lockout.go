package calc

import "time"

const localTime = "2006-01-02T15:04:05"

// LockoutEnd returns when a lockout ends that starts at overflowAt, an RFC 3339
// time: later by the limit's lockout, with the same offset and the same fraction
// of a second. It reports false for a limit without Block, for any other text
// and for an end after the year 9999.
func (l Limit) LockoutEnd(overflowAt string) (string, bool) {
	if !l.Blocks() || CheckTime("", overflowAt) != nil {
		return "", false
	}
	return addSeconds(overflowAt, l.LockoutSeconds())
}

// addSeconds adds whole seconds to a valid RFC 3339 time. What follows the
// seconds, fraction and offset, is carried over as it is written, so that no
// digit of it is lost. It reports false beyond the year 9999.
func addSeconds(at string, seconds int64) (string, bool) {
	t, err := time.Parse(localTime, at[:len(localTime)])
	t = t.Add(time.Duration(seconds) * time.Second)
	if err != nil || t.Year() > 9999 {
		return "", false
	}
	return t.Format(localTime) + at[len(localTime):], true
}
