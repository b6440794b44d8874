package rules

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// The property tests compare the package with brute force over a universe of
// requests, in which every part has values that no rule names. They read rules in
// a way of their own, by regular expressions.

var (
	domains   = []string{"", "", "example.com", "A.Example.com", "*.example.com", "*.b.example.com", "x.b.example.com"}
	hosts     = []string{"example.com", "a.example.com", "unnamed.example.com", "x.b.example.com", "unnamed.b.example.com", "unnamed.test"}
	basePaths = []string{"/", "/a", "/a/", "/a/b", "/ab"}
	templates = []string{"/a", "/a/", "/ab", "/a/b", "/a//b", "/{x}", "/{x}/", "/a/{x}", "/{x}/b", "/{x}/{y}"}
	// Methods that the rules do not tell apart have one witness.
	methodLists = [][]string{nil, {"GET"}, {"POST"}, {"GET", "PUT"}, {"GET", "POST", "PUT"}, {AnyMethod}, Methods}
	someMethods = []string{"GET", "POST", "PUT", "PATCH"}
	labelSets   = [][]string{{}, {"p"}, {"q"}, {"p", "q"}, {"unnamed"}}
	paths       = allPaths()
)

// allPaths returns one path out of each set that the vocabulary of base paths and
// templates tells apart, out of all with up to four segments of named parts and of
// parts that no rule names.
func allPaths() []string {
	segments := []string{"", "a", "b", "ab", "_", "a_", "b_", "ab_"}
	level, all := []string{""}, []string{}
	for range 4 {
		var longer []string
		for _, p := range level {
			for _, s := range segments {
				longer = append(longer, p+"/"+s)
			}
		}
		level, all = longer, append(all, longer...)
	}
	seen, distinct := map[string]bool{}, []string{}
	for _, p := range all {
		var signature strings.Builder
		for _, b := range basePaths {
			fmt.Fprint(&signature, pathPattern(plainRule{BasePath: b}).MatchString(p))
		}
		for _, t := range templates {
			fmt.Fprint(&signature, pathPattern(plainRule{Path: t}).MatchString(p))
		}
		if !seen[signature.String()] {
			seen[signature.String()] = true
			distinct = append(distinct, p)
		}
	}
	return distinct
}

var patterns = map[string]*regexp.Regexp{}

func pattern(text string) *regexp.Regexp {
	if patterns[text] == nil {
		patterns[text] = regexp.MustCompile(text)
	}
	return patterns[text]
}

func pathPattern(r plainRule) *regexp.Regexp {
	if r.BasePath != "" {
		return pattern("^" + regexp.QuoteMeta(r.BasePath))
	}
	quoted := regexp.QuoteMeta(r.Path)
	return pattern("^" + regexp.MustCompile(`\\\{[a-z]+\\\}`).ReplaceAllString(quoted, "[^/]+") + "$")
}

func domainPattern(r plainRule) *regexp.Regexp {
	if r.Domain == "" {
		return pattern("")
	}
	return pattern("(?i)^" + strings.Replace(regexp.QuoteMeta(r.Domain), `\*`, ".+", 1) + "$")
}

// takes reports whether the rule takes the request, part by part.
func (r plainRule) takes(q plainRequest) bool {
	listed := r.Methods == nil || slices.Contains(r.Methods, AnyMethod) || slices.Contains(r.Methods, q.Method)
	if r.InvertMethods == listed || !pathPattern(r).MatchString(q.Path) || !domainPattern(r).MatchString(q.Domain) {
		return false
	}
	for _, c := range r.Conditions {
		if !slices.Contains(q.Conditions, c) {
			return false
		}
	}
	return r.APIGroup == "" || slices.Contains(q.APIGroups, r.APIGroup)
}

// universe holds every request.
var universe = func() (all []plainRequest) {
	for _, p := range paths {
		for _, h := range hosts {
			for _, m := range someMethods {
				for _, c := range labelSets {
					for _, g := range labelSets {
						all = append(all, plainRequest{m, h, p, c, g})
					}
				}
			}
		}
	}
	return all
}()

// drawRule draws a rule, out of so few parts that rules meet often.
func drawRule(t *rapid.T) plainRule {
	r := plainRule{
		Domain:     rapid.SampledFrom(domains).Draw(t, "domain"),
		Conditions: rapid.SampledFrom([][]string{nil, nil, {"p"}, {"q"}, {"q", "p"}}).Draw(t, "conditions"),
	}
	if rapid.Bool().Draw(t, "server URL") {
		r.BasePath = rapid.SampledFrom(basePaths).Draw(t, "base path")
		r.APIGroup = rapid.SampledFrom([]string{"", "", "p", "q"}).Draw(t, "group")
		return r
	}
	r.Path = rapid.SampledFrom(templates).Draw(t, "path")
	r.Methods = rapid.SampledFrom(methodLists).Draw(t, "methods")
	r.InvertMethods = r.Methods != nil && len(r.Methods) < 4 && r.Methods[0] != AnyMethod && rapid.Bool().Draw(t, "invert")
	return r
}

// truth is what brute force finds out about rules.
type truth struct {
	reached        []bool
	covers, shared [][]bool
	before         [][]bool // rule i takes, as the first of all, requests of rule j
	taken          [][]bool // by rule, by request
}

func bruteForce(rules []plainRule) truth {
	n := len(rules)
	w := truth{reached: make([]bool, n), covers: make([][]bool, n), shared: make([][]bool, n), before: make([][]bool, n), taken: make([][]bool, n)}
	for i, r := range rules {
		w.covers[i], w.shared[i], w.before[i] = make([]bool, n), make([]bool, n), make([]bool, n)
		// Each part is judged once, not once for each request.
		byPath, byHost := map[string]bool{}, map[string]bool{}
		for _, p := range paths {
			byPath[p] = pathPattern(r).MatchString(p)
		}
		for _, h := range hosts {
			byHost[h] = domainPattern(r).MatchString(h)
		}
		w.taken[i] = make([]bool, len(universe))
		for k, q := range universe {
			w.taken[i][k] = byPath[q.Path] && byHost[q.Domain] && r.takes(q)
		}
	}
	for i := range rules {
		for j := range rules {
			w.covers[i][j] = true
			for k, taken := range w.taken[j] {
				w.shared[i][j] = w.shared[i][j] || taken && w.taken[i][k]
				w.covers[i][j] = w.covers[i][j] && (!taken || w.taken[i][k])
			}
		}
	}
	for k := range universe {
		for i := range rules {
			if !w.taken[i][k] {
				continue
			}
			w.reached[i] = true
			for j := i + 1; j < n; j++ {
				w.before[i][j] = w.before[i][j] || w.taken[j][k]
			}
			break
		}
	}
	return w
}

// contains reports whether rule j lies strictly inside rule i.
func (w truth) contains(i, j int) bool { return w.covers[i][j] && !w.covers[j][i] }

// all reports whether the rules in by take all requests of rule j, and whether each
// takes some that the ones before it leave.
func (w truth) all(j int, by []int) (all, eachTakesSome bool) {
	some := make([]bool, len(by))
	all = true
	for k, taken := range w.taken[j] {
		if !taken {
			continue
		}
		first := slices.IndexFunc(by, func(i int) bool { return w.taken[i][k] })
		if first < 0 {
			all = false
			continue
		}
		some[first] = true
	}
	return all, !slices.Contains(some, false)
}

func TestAgainstBruteForce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		plain := rapid.SliceOfN(rapid.Custom(drawRule), 1, 6).Draw(t, "rules")
		rules := resolved(t, plain)
		w := bruteForce(plain)
		for i := range rules {
			for j := range rules {
				if got := rules[i].Covers(rules[j]); got != w.covers[i][j] {
					t.Fatalf("%v covers %v: %v, brute force says %v", rules[i], rules[j], got, w.covers[i][j])
				}
				if got := rules[i].Overlaps(rules[j]); got != w.shared[i][j] {
					t.Fatalf("%v overlaps %v: %v, brute force says %v", rules[i], rules[j], got, w.shared[i][j])
				}
			}
		}
		a := Analyze(rules)
		byRule := map[int]Finding{}
		for _, f := range a.Findings {
			byRule[f.Rule] = f
		}
		var shadowed []int
		for j := range rules {
			f := byRule[j]
			if w.reached[j] {
				var by []int
				for i := range j {
					if w.before[i][j] && !w.covers[i][j] && !w.covers[j][i] {
						by = append(by, i)
					}
				}
				if !slices.Equal(f.CoveredBy, by) || (f.Code == CodeOverlap) != (by != nil) {
					t.Fatalf("rule %d: %s by %v, want overlap by %v", j, f.Code, f.CoveredBy, by)
				}
				continue
			}
			shadowed = append(shadowed, j)
			single := slices.IndexFunc(rules[:j], func(r Rule) bool { return r.Covers(rules[j]) })
			all, eachTakesSome := w.all(j, f.CoveredBy)
			if f.Code != CodeShadowed || !all || !eachTakesSome || !slices.IsSorted(f.CoveredBy) ||
				single >= 0 && !slices.Equal(f.CoveredBy, []int{single}) || f.CoveredBy[len(f.CoveredBy)-1] >= j {
				t.Fatalf("rule %d: %s by %v (first single one %d)", j, f.Code, f.CoveredBy, single)
			}
		}
		if !slices.Equal(a.Shadowed, shadowed) {
			t.Fatalf("shadowed %v, brute force says %v", a.Shadowed, shadowed)
		}
		checkOrder(t, plain, w, a)
	})
}

// checkOrder builds the suggested order from the words that define it, and looks
// at what becomes of the rules in it. A rule that a wider one shadowed can still be
// shadowed by one that takes the same requests, or by rules inside it that go first
// and together take all its methods; by a wider rule it no longer is.
func checkOrder(t *rapid.T, plain []plainRule, w truth, a Analysis) {
	var order []int
	for range plain {
		for i := range plain {
			free := !slices.Contains(order, i)
			for j := range plain {
				free = free && (!w.contains(i, j) || slices.Contains(order, j))
			}
			if free {
				order = append(order, i)
				break
			}
		}
	}
	if !slices.Equal(a.SuggestedOrder, order) {
		t.Fatalf("suggested order %v, want %v", a.SuggestedOrder, order)
	}
	if len(a.Shadowed) == 0 && !slices.IsSorted(order) {
		t.Fatalf("nothing is shadowed, but the suggested order is %v", order)
	}
	moved := make([]plainRule, len(plain))
	for to, from := range order {
		moved[to] = plain[from]
	}
	for _, f := range Analyze(resolved(t, moved)).Findings {
		if f.Code == CodeShadowed && len(f.CoveredBy) == 1 && w.contains(order[f.CoveredBy[0]], order[f.Rule]) {
			t.Fatalf("in the suggested order %v, a wider rule still shadows: %s", order, f.Message)
		}
	}
}

func TestMatchesAgainstBruteForce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		plain := rapid.SliceOfN(rapid.Custom(drawRule), 1, 6).Draw(t, "rules")
		q := rapid.SampledFrom(universe).Draw(t, "request")
		got, ok := FirstMatch(resolved(t, plain), resolvedRequests(t, []plainRequest{q})[0])
		want := slices.IndexFunc(plain, func(r plainRule) bool { return r.takes(q) })
		if ok != (want >= 0) || ok && got != want {
			t.Fatalf("%+v meets rule %d (%v), brute force says %d", q, got, ok, want)
		}
	})
}
