package rules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/xcrl/terraform-provider-xcrl/internal/calc"
)

// The codes of findings, warnings and caveats about rules.
const (
	CodeShadowed          = "shadowed"
	CodeOverlap           = "overlap"
	WarnDuplicateName     = "duplicate-name"
	CaveatFirstMatchOrder = "first-match-order"
)

// FindingCodes lists the codes of findings, sorted by name.
var FindingCodes = []calc.Code{
	{Name: CodeOverlap, When: "an earlier rule takes some of the rule's requests, and neither contains the other"},
	{Name: CodeShadowed, When: "earlier rules take all of the rule's requests"},
}

// WarningCodes lists the codes of warnings, sorted by name.
var WarningCodes = []calc.Code{{Name: WarnDuplicateName, When: "several rules have the same name"}}

// CaveatCodes lists the codes of caveats, sorted by name.
var CaveatCodes = []calc.Code{{Name: CaveatFirstMatchOrder, When: "always"}}

// Finding is something about a rule that depends on the rules before it.
type Finding struct {
	calc.Finding
	// Rule is the index of the rule.
	Rule int
	// CoveredBy holds the indices of the earlier rules that the finding is about,
	// in order.
	CoveredBy []int
}

// Analysis is what can be said of a list of rules without any request.
type Analysis struct {
	// Shadowed holds the indices of the rules that no request can reach, in order.
	Shadowed []int
	// Findings are sorted by rule; a rule has at most one.
	Findings []Finding
	// SuggestedOrder holds the indices of all rules in an order in which every rule
	// that lies strictly inside another comes before it. Otherwise it keeps to the
	// given order, and it is that order where no rule is shadowed.
	SuggestedOrder []int
}

// Analyze compares every two rules once: its time grows with the square of their
// number.
func Analyze(rules []Rule) Analysis {
	wider := make([][]bool, len(rules)) // wider[i][j]: i covers j, but for methods
	for i := range rules {
		wider[i] = make([]bool, len(rules))
		for j := range rules {
			wider[i][j] = rules[i].coversButMethods(rules[j])
		}
	}
	covers := func(i, j int) bool { return wider[i][j] && rules[i].methods.covers(rules[j].methods) }

	a := Analysis{Shadowed: []int{}, Findings: []Finding{}, SuggestedOrder: suggestOrder(len(rules), covers)}
	dead := make([]bool, len(rules))
	fill := unnamed(rules)
	for j := range rules {
		if by := shadowing(rules[:j], wider, rules[j], j); by != nil {
			dead[j] = true
			a.Shadowed = append(a.Shadowed, j)
			// What is dead below one wider rule may be dead above it too.
			still := shadowing(rules[:by[0]], wider, rules[j], j)
			a.Findings = append(a.Findings, Finding{calc.Finding{Code: CodeShadowed, Message: shadowMessage(rules, j, by, still)}, j, by})
			continue
		}
		var by []int
		var example Request
		var before []Rule // that take requests of this one
		for i := range j {
			// A rule that no request reaches takes none from this one either.
			if dead[i] || !rules[i].Overlaps(rules[j]) {
				continue
			}
			if !covers(i, j) && !covers(j, i) {
				if q, ok := rules[i].taken(rules[j], before, fill); ok {
					if by == nil {
						example = q
					}
					by = append(by, i)
				}
			}
			before = append(before, rules[i])
		}
		if by != nil {
			a.Findings = append(a.Findings, Finding{calc.Finding{Code: CodeOverlap, Message: overlapMessage(rules, j, by, example)}, j, by})
		}
	}
	return a
}

// shadowing returns which of the rules before it leave a rule, which has index j,
// nothing: the first one that covers it, else those that together take all its
// methods, each of which takes some that the ones before it leave. It returns nil
// where the rule can be reached.
func shadowing(before []Rule, wider [][]bool, rule Rule, j int) []int {
	left := rule.methods
	var together []int
	for i := range before {
		if !wider[i][j] {
			continue
		}
		if before[i].methods.covers(rule.methods) {
			return []int{i}
		}
		if before[i].methods&left != 0 {
			left &^= before[i].methods
			together = append(together, i)
		}
	}
	if left != 0 {
		return nil
	}
	return together
}

// suggestOrder sorts n rules so that one that lies strictly inside another comes
// before it; of those that may go next, the smallest index goes.
func suggestOrder(n int, covers func(i, j int) bool) []int {
	inside := make([]int, n) // how many rules inside this one are not placed yet
	contains := func(i, j int) bool { return covers(i, j) && !covers(j, i) }
	for i := range n {
		for j := range n {
			if contains(i, j) {
				inside[i]++
			}
		}
	}
	order := make([]int, 0, n)
	for len(order) < n {
		next := 0
		for inside[next] != 0 {
			next++
		}
		inside[next] = -1
		order = append(order, next)
		for i := range n {
			if contains(i, next) {
				inside[i]--
			}
		}
	}
	return order
}

// shadowMessage says why no request reaches rule j, and what to do about it. Still
// are the rules that would take all of it if it stood above those in by.
func shadowMessage(rules []Rule, j int, by, still []int) string {
	come, takes := "comes", "takes every request that it would"
	switch {
	case len(by) > 1:
		come, takes = "come", "together take all of its methods"
	case rules[j].Covers(rules[by[0]]):
		takes = "takes exactly the same requests"
	}
	message := fmt.Sprintf("%s can never match: %s %s first and %s.", label(rules, j), labels(rules, by, "and"), come, takes)
	bypassed := !slices.ContainsFunc(by, func(i int) bool { return rules[i].Action != Bypass })
	if bypassed && rules[j].Action == Limit {
		message += " Its requests bypass rate limiting."
	}
	if still != nil {
		message += fmt.Sprintf(" Above that %s together take all of its methods.", labels(rules, still, "and"))
		by = still
	}
	return message + " " + shadowRemedy(rules, j, by)
}

// shadowRemedy says what to do about a rule j that the rules in by leave nothing.
func shadowRemedy(rules []Rule, j int, by []int) string {
	movable := !slices.ContainsFunc(by, func(i int) bool { return rules[j].Covers(rules[i]) })
	switch {
	case movable:
		return fmt.Sprintf("Move rules[%d] above rules[%d], or remove it.", j, by[0])
	case len(by) == 1:
		return "Remove one of the two."
	}
	return fmt.Sprintf("Remove rules[%d], or take the methods that it is meant for out of those rules.", j)
}

// overlapMessage says which requests of rule j go to earlier rules, by an example
// of what the first of these takes, and what to do about it.
func overlapMessage(rules []Rule, j int, by []int, example Request) string {
	first := by[0]
	host := ""
	if rules[first].domain != "" || rules[j].domain != "" {
		host = example.host
	}
	such := fmt.Sprintf("%s %s%s", example.method.first(), host, example.path)
	if rules[first].group != rules[j].group || !slices.Equal(rules[first].conditions, rules[j].conditions) {
		such += ", where it meets the groups and conditions of both"
	}
	remedy := fmt.Sprintf("Neither contains the other, so the order decides. If rules[%d] shall have such requests, move it above rules[%d]; else leave it.", j, first)
	if rules[first].Action == Bypass && rules[j].Action == Bypass {
		remedy = "Both exempt it from rate limiting, so there is nothing to do."
	}
	return fmt.Sprintf("%s does not get all its requests: what %s takes too goes there first, such as %s. %s",
		label(rules, j), labels(rules, by, "or"), such, remedy)
}

// name names a rule by its index and its name.
func name(rules []Rule, i int) string {
	s := fmt.Sprintf("rules[%d]", i)
	if rules[i].Name != "" {
		s += fmt.Sprintf(" %q", rules[i].Name)
	}
	return s
}

// label names a rule by its index, its name and what it takes.
func label(rules []Rule, i int) string { return fmt.Sprintf("%s (%s)", name(rules, i), rules[i]) }

// labels gives the labels of the first three rules of a list, and how many more
// there are.
func labels(rules []Rule, list []int, conjunction string) string {
	return enumerate(rules, list, conjunction, label)
}

func enumerate(rules []Rule, list []int, conjunction string, call func([]Rule, int) string) string {
	var parts []string
	for _, i := range list[:min(len(list), 3)] {
		parts = append(parts, call(rules, i))
	}
	if more := len(list) - len(parts); more > 0 {
		parts = append(parts, fmt.Sprintf("%d more", more))
	}
	last := len(parts) - 1
	if last == 0 {
		return parts[0]
	}
	return strings.Join(parts[:last], ", ") + " " + conjunction + " " + parts[last]
}

// Warnings lists what is risky about the rules apart from their order, sorted by
// code.
func Warnings(rules []Rule) []calc.Finding {
	named := map[string][]string{}
	for i, r := range rules {
		named[r.Name] = append(named[r.Name], fmt.Sprintf("rules[%d]", i))
	}
	out := []calc.Finding{}
	for _, r := range rules {
		if at := named[r.Name]; r.Name != "" && len(at) > 1 {
			out = append(out, calc.Finding{Code: WarnDuplicateName, Message: fmt.Sprintf(
				"%s are all named %q: a finding or a match that names it does not say which one is meant. Give each rule a name of its own.", strings.Join(at, ", "), r.Name)})
			delete(named, r.Name)
		}
	}
	return out
}

// OfLimits gathers what is said of the rules' limits, said[i] of that of rule i,
// sorted by code. What is said of several limits alike stands once and names their
// rules.
func OfLimits(rules []Rule, said [][]calc.Finding) []calc.Finding {
	about := map[calc.Finding][]int{}
	out := []calc.Finding{}
	for i, findings := range said {
		for _, f := range findings {
			if about[f] == nil {
				out = append(out, f)
			}
			about[f] = append(about[f], i)
		}
	}
	for i, f := range out {
		out[i].Message = enumerate(rules, about[f], "and", name) + ": " + f.Message
	}
	return calc.SortFindings(out)
}

// Caveats lists what is true of every list of rules, sorted by code.
func Caveats(rules []Rule) []calc.Finding {
	base, endpoint := 0, 0
	for _, r := range rules {
		switch {
		case r.Action == Bypass:
		case r.path.open:
			base++
		default:
			endpoint++
		}
	}
	message := "Rules are evaluated first-match in the order given here. XC keeps Server URL rules and API endpoint rules in two lists"
	if base > 0 && endpoint > 0 {
		message += fmt.Sprintf(", here %s and %s", calc.Count(int64(base), "rule"), calc.Count(int64(endpoint), "rule"))
	}
	return []calc.Finding{{Code: CaveatFirstMatchOrder, Message: message +
		", and does not document which of them goes first: where a request could meet a rule of either, test it on the load balancer."}}
}
