package rules

import (
	"strings"
	"testing"
)

// FuzzPaths holds two base paths or templates against paths made from them.
func FuzzPaths(f *testing.F) {
	for _, s := range []string{"/", "/a", "/a/", "/a//b", "/{x}", "/{x}/b", "/a/{x}", "/{x", "/}{", "/{}", "", "a", "/a?b", "/{a}{b}", "/é/{ü}"} {
		f.Add(s, "/a/b", true, false)
		f.Add("/{x}/b", s, false, false)
	}
	f.Fuzz(func(t *testing.T, one, other string, oneOpen, otherOpen bool) {
		a, ok := fuzzed(one, oneOpen)
		if !ok {
			return
		}
		b, ok := fuzzed(other, otherOpen)
		if !ok {
			return
		}
		// A path of b in all that b leaves open, with a character that neither has.
		unnamed := '~'
		for strings.ContainsRune(one+other, unnamed) {
			unnamed++
		}
		fresh := string(unnamed)
		var path string
		for _, s := range b.segments {
			if s == variable {
				s = fresh
			}
			path += "/" + s
		}
		if b.open {
			path += fresh + strings.Repeat("/"+fresh, strings.Count(one, "/")+1)
		}
		if !b.contains(path, splitPath(path)) {
			t.Fatalf("%q does not take %q", other, path)
		}
		if got, want := a.covers(b), a.contains(path, splitPath(path)); got != want {
			t.Errorf("%q covers %q: %v, but takes %q: %v", one, other, got, path, want)
		}
		for _, fill := range []filler{shortest, {fresh, len(a.segments) + len(b.segments)}} {
			segments, meet := a.meet(b, nil, fill)
			if _, swapped := b.meet(a, nil, fill); meet != swapped || a.covers(b) && !meet {
				t.Errorf("%q meets %q: %v, the other way %v, covers %v", one, other, meet, swapped, a.covers(b))
			}
			if path := "/" + strings.Join(segments, "/"); meet && (!a.contains(path, segments) || !b.contains(path, segments)) {
				t.Errorf("%q is said to be in both %q and %q", path, one, other)
			}
		}
	})
}

// fuzzed reads a base path or a template as configurations do.
func fuzzed(text string, open bool) (pathSet, bool) {
	rule := plainRule{Path: text}
	if open {
		rule = plainRule{BasePath: text}
	}
	rules, _, problems := Resolve(known(rule))
	return rules[0].path, len(problems) == 0
}
