package rules

import (
	"fmt"
	"math/bits"
	"slices"
	"strings"
)

// Action is what becomes of a request that meets a rule.
type Action uint8

const (
	// Limit counts the request against the rule's limit.
	Limit Action = iota
	// Bypass exempts the request from rate limiting [spec].
	Bypass
)

// String returns the action as configurations write it.
func (a Action) String() string {
	if a == Bypass {
		return "bypass"
	}
	return "limit"
}

// AnyMethod stands for every method in a rule [spec]. No request has it.
const AnyMethod = "ANY"

// Methods lists the methods that a request may have and a rule may name [spec].
var Methods = []string{"GET", "HEAD", "POST", "PUT", "DELETE", "CONNECT", "OPTIONS", "TRACE", "PATCH", "COPY"}

// methodSet is a set of methods: bit i is Methods[i].
type methodSet uint16

var allMethods = methodSet(1)<<len(Methods) - 1

// methodNamed returns the set of a method out of [Methods], or all for
// [AnyMethod].
func methodNamed(name string) methodSet {
	if name == AnyMethod {
		return allMethods
	}
	return 1 << slices.Index(Methods, name)
}

func (m methodSet) covers(o methodSet) bool { return o&^m == 0 }

// first names the first method of a set that is not empty.
func (m methodSet) first() string { return Methods[bits.TrailingZeros16(uint16(m))] }

// String names the methods for people, by what is left out where that is shorter.
func (m methodSet) String() string {
	if m == allMethods {
		return "any method"
	}
	prefix, named := "", m
	if bits.OnesCount16(uint16(m)) > len(Methods)/2 {
		prefix, named = "all but ", allMethods&^m
	}
	var names []string
	for ; named != 0; named &= named - 1 {
		names = append(names, named.first())
	}
	return prefix + strings.Join(names, "|")
}

// Rule is a valid rule as [Resolve] makes it. It takes the requests that satisfy
// all of its parts.
type Rule struct {
	// Name is the rule's name, "" where it has none.
	Name string
	// Action is what the rule does with a request.
	Action Action

	path    pathSet
	domain  domainSet
	methods methodSet
	// group is the API group that a request must belong to; "" for any.
	group string
	// conditions must all hold. They are sorted and each stands once.
	conditions []string
}

// String describes which requests the rule takes, in a few words.
func (r Rule) String() string {
	what := "base path"
	if !r.path.open {
		what = r.methods.String()
	}
	s := fmt.Sprintf("%s %s%s", what, r.domain, r.path.text)
	if r.group != "" {
		s += ", API group " + r.group
	}
	switch n := len(r.conditions); n {
	case 0:
	case 1:
		s += ", 1 condition"
	default:
		s += fmt.Sprintf(", %d conditions", n)
	}
	return s
}

// Matches reports whether the rule takes the request.
func (r Rule) Matches(q Request) bool {
	return r.methods.covers(q.method) &&
		r.path.contains(q.path, q.segments) &&
		r.domain.contains(q.host) &&
		(r.group == "" || slices.Contains(q.groups, r.group)) &&
		subset(r.conditions, q.conditions)
}

// Covers reports whether every request that o takes is one that r takes.
func (r Rule) Covers(o Rule) bool {
	return r.methods.covers(o.methods) && r.coversButMethods(o)
}

// coversButMethods compares everything but the methods. Whoever names no group
// takes all, and the fewer conditions there are, the more requests meet them.
func (r Rule) coversButMethods(o Rule) bool {
	return r.path.covers(o.path) &&
		r.domain.covers(o.domain) &&
		(r.group == "" || r.group == o.group) &&
		subset(r.conditions, o.conditions)
}

// Overlaps reports whether some request is one that both rules take. Groups and
// conditions never keep two rules apart: a request may belong to several groups,
// and different conditions may hold together.
func (r Rule) Overlaps(o Rule) bool {
	if r.methods&o.methods == 0 || !r.domain.meets(o.domain) {
		return false
	}
	var segments [16]string // on the stack: most paths are shorter
	_, meet := r.path.meet(o.path, segments[:0], shortest)
	return meet
}

// common returns a request that two overlapping rules both take, but for its
// method. It has no more groups and conditions than they ask for.
func (r Rule) common(o Rule, fill filler) Request {
	domain := r.domain
	if r.domain.covers(o.domain) {
		domain = o.domain
	}
	q := Request{host: strings.Replace(string(domain), "*", fill.text, 1), groups: []string{r.group, o.group}}
	if domain == "" {
		q.host = fill.text
	}
	q.segments, _ = r.path.meet(o.path, nil, fill)
	q.path = "/" + strings.Join(q.segments, "/")
	q.conditions = slices.Concat(r.conditions, o.conditions)
	slices.Sort(q.conditions)
	q.conditions = slices.Compact(q.conditions)
	return q
}

// taken returns a request that two overlapping rules both take and none of others
// does, and whether there is one. What a filler stands for that no rule names, with
// more segments than any template has, only a rule takes that takes all that both
// of them do.
func (r Rule) taken(o Rule, others []Rule, unnamed filler) (Request, bool) {
	for _, fill := range []filler{shortest, unnamed} {
		q := r.common(o, fill)
		for left := r.methods & o.methods; left != 0; left &= left - 1 {
			q.method = left & -left
			if !slices.ContainsFunc(others, func(other Rule) bool { return other.Matches(q) }) {
				return q, true
			}
		}
	}
	return Request{}, false
}

// unnamed returns a filler of a text that no rule names, with more segments than
// any rule has.
func unnamed(rules []Rule) filler {
	var named strings.Builder
	fill := filler{more: 1}
	for _, r := range rules {
		for _, s := range r.path.segments {
			named.WriteString(s)
		}
		named.WriteString(string(r.domain))
		fill.more = max(fill.more, len(r.path.segments))
	}
	letter := 'x'
	for strings.ContainsRune(named.String(), letter) {
		letter = following(letter)
	}
	fill.text = string(letter)
	return fill
}

// following goes from x to z, then through the digits and to letters that few use.
func following(letter rune) rune {
	switch letter {
	case 'z':
		return '0'
	case '9':
		return 'à'
	}
	return letter + 1
}

// subset reports whether sorted b holds all of sorted a.
func subset(a, b []string) bool {
	for _, s := range a {
		i, found := slices.BinarySearch(b, s)
		if !found {
			return false
		}
		b = b[i+1:]
	}
	return true
}

// FirstMatch returns the index of the first rule that takes the request, and
// whether one does.
func FirstMatch(rules []Rule, q Request) (int, bool) {
	for i := range rules {
		if rules[i].Matches(q) {
			return i, true
		}
	}
	return 0, false
}
