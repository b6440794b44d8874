package rules

import (
	"strconv"
	"strings"
)

// variable stands for a {name} segment of a template: it takes any one segment
// that is not empty [model]. No literal segment can be a slash.
const variable = "/"

// pathSet is a set of request paths: those that begin with a base path, compared
// as plain text [model], or those that a template takes.
type pathSet struct {
	// text is the base path or the template as written.
	text string
	// open is whether this is a base path, so that anything may follow.
	open bool
	// head is the longest text that every path of the set begins with.
	head string
	// segments are the parts between slashes, without the empty one in front of
	// the first slash. Where the set is open, the last is only the beginning of one.
	segments []string
}

func basePath(text string) pathSet {
	return pathSet{text: text, open: true, head: text, segments: splitPath(text)}
}

// template reads a valid template: see templateFault.
func template(text string) pathSet {
	p := pathSet{text: text, segments: splitPath(text)}
	p.head, _, _ = strings.Cut(text, "{")
	for i, s := range p.segments {
		if strings.HasPrefix(s, "{") {
			p.segments[i] = variable
		}
	}
	return p
}

// splitPath returns the segments of a path that begins with a slash.
func splitPath(path string) []string { return strings.Split(path[1:], "/") }

// templateFault says what is wrong with the braces of a template, or nothing: a
// {name} must be a whole segment and must have a name.
func templateFault(text string) string {
	for s := range strings.SplitSeq(text, "/") {
		opened, closed := strings.Count(s, "{"), strings.Count(s, "}")
		switch {
		case opened == 0 && closed == 0:
		case opened > closed:
			return "the segment " + strconv.Quote(s) + " opens a brace that it does not close"
		case closed > opened:
			return "the segment " + strconv.Quote(s) + " closes a brace that it does not open"
		case s == "{}":
			return "the segment {} has no name between its braces"
		case opened > 1 || s[0] != '{' || s[len(s)-1] != '}':
			return "in the segment " + strconv.Quote(s) + " the braces do not enclose the segment as one name"
		}
	}
	return ""
}

func (p pathSet) contains(path string, segments []string) bool {
	if p.open {
		return strings.HasPrefix(path, p.text)
	}
	if len(p.segments) != len(segments) {
		return false
	}
	for i, s := range p.segments {
		if !takes(s, segments[i]) {
			return false
		}
	}
	return true
}

// covers reports whether every path of o is one of p. A template never covers a
// base path, below which paths have any number of segments.
func (p pathSet) covers(o pathSet) bool {
	if p.open {
		return strings.HasPrefix(o.head, p.text)
	}
	// A template takes another one exactly when it takes its segments as they
	// stand: the mark of a variable is a segment that no literal equals.
	return !o.open && p.contains(o.text, o.segments)
}

// takes reports whether a segment of a template takes a segment of a path.
func takes(s, segment string) bool {
	return s == segment || s == variable && segment != ""
}

// filler is what stands in an example for what rules leave open.
type filler struct {
	// text stands for a variable.
	text string
	// more is how many segments follow where any may. Above 0, text also follows the
	// beginning of a segment.
	more int
}

// shortest makes the shortest examples.
var shortest = filler{text: "x"}

// meet appends to dst the segments of a path that lies in both sets, and reports
// whether there is one.
func (p pathSet) meet(o pathSet, dst []string, fill filler) ([]string, bool) {
	if o.open {
		p, o = o, p
	}
	if o.open {
		if len(p.text) < len(o.text) {
			p, o = o, p
		}
		dst = append(dst, p.segments...)
		for range fill.more {
			dst[len(dst)-1] += fill.text
			dst = append(dst, "")
		}
		return dst, strings.HasPrefix(p.text, o.text)
	}
	if len(p.segments) > len(o.segments) || !p.open && len(p.segments) != len(o.segments) {
		return nil, false
	}
	for i, s := range o.segments {
		if i < len(p.segments) {
			var ok bool
			if s, ok = join(p.segments[i], s, p.open && i == len(p.segments)-1, fill); !ok {
				return nil, false
			}
		}
		if s == variable {
			s = fill.text
		}
		dst = append(dst, s)
	}
	return dst, true
}

// join returns a segment that both a and b take, of which a may be only the
// beginning, and reports whether there is one.
func join(a, b string, beginning bool, fill filler) (string, bool) {
	switch {
	case beginning && strings.HasPrefix(b, a):
		return b, true
	case takes(b, a):
		if beginning && fill.more > 0 {
			a += fill.text
		}
		return a, true
	case takes(a, b):
		return b, true
	}
	return "", false
}

// domainSet is a set of host names in lower case: all of them when empty, those
// below a name when it begins with "*.", else a single one.
type domainSet string

func (d domainSet) contains(host string) bool {
	if suffix, wildcard := strings.CutPrefix(string(d), "*"); wildcard {
		return len(host) > len(suffix) && strings.HasSuffix(host, suffix)
	}
	return d == "" || string(d) == host
}

// covers reports whether every host of o is one of d: a wildcard takes a narrower
// wildcard as it takes a host, and no name is empty.
func (d domainSet) covers(o domainSet) bool { return d.contains(string(o)) }

// meets reports whether some host is in both: of two that share one, one covers
// the other.
func (d domainSet) meets(o domainSet) bool { return d.covers(o) || o.covers(d) }
