package calc

import (
	"strings"

	"github.com/hbollon/go-edlib"
)

// otherNames says what is meant by XC's names in the API [spec] and by words
// that people use for the same things.
var otherNames = map[string]string{
	"total_number":      ArgNumber,
	"threshold":         ArgNumber,
	"unit":              ArgPerPeriod,
	"period_multiplier": ArgPeriods,
	"action":            ArgMitigationAction,
	"disabled":          ArgMitigationAction,
	"action_block":      ArgMitigationAction,
	"leaky_bucket":      ArgAlgorithm,
	"token_bucket":      ArgAlgorithm,
	"duration":          ArgBlockDuration,
	"rate":              "requests_per_second",
	"rps":               "requests_per_second",
}

// NearestName returns which of the names was most likely meant by a given one
// that is not among them: one that differs by few letters, or one that contains
// the given name or is contained in it. XC's own names stand for ours; letter
// case does not count, nor do hyphens and spaces instead of underscores. Of
// equally near names the first is returned. It reports false where none is near.
func NearestName(given string, names []string) (string, bool) {
	given = strings.NewReplacer("-", "_", " ", "_").Replace(asciiLower(given))
	if ours, ok := otherNames[given]; ok {
		given = ours
	}
	nearest, least := "", tooFar
	for _, name := range names {
		if d := nameDistance(given, name); d < least {
			nearest, least = name, d
		}
	}
	return nearest, least < tooFar
}

// tooFar is more than any distance at which a name is still suggested.
const tooFar = 1 << 10

// nameDistance returns the number of edits between two names when they touch at
// most a third of the letters. A name that begins with the other counts as two
// edits at most and one that contains it as three, from three letters on.
func nameDistance(a, b string) int {
	short, long := a, b
	if len(short) > len(long) {
		short, long = long, short
	}
	distance := tooFar
	if len(short) >= 3 {
		switch strings.Index(long, short) {
		case -1:
		case 0:
			distance = 2
		default:
			distance = 3
		}
	}
	if 3*(len(long)-len(short)) > len(long) {
		return distance
	}
	// A swap of two neighbours is one edit here.
	if edits := edlib.OSADamerauLevenshteinDistance(a, b); 3*edits <= len(long) {
		distance = min(distance, edits)
	}
	return distance
}
