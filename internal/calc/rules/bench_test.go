package rules

import (
	"fmt"
	"testing"
)

// manyRules returns rules of every kind that meet often, beyond what XC takes.
func manyRules(n int) []Rule {
	plain := make([]plainRule, n)
	for i := range plain {
		service := i * 7 % 20
		r := &plain[i]
		switch i % 5 {
		case 0:
			*r = plainRule{Path: fmt.Sprintf("/api/v1/service%d/{id}/orders", service), Methods: []string{"GET", "POST"}}
		case 1:
			*r = plainRule{Path: "/api/{version}/{service}/{id}/orders", Methods: []string{"PUT"}, InvertMethods: i%2 == 0, Domain: "*.example.com"}
		case 2:
			*r = plainRule{BasePath: fmt.Sprintf("/api/v1/service%d", service), APIGroup: "public", Conditions: []string{"asn", "header"}}
		case 3:
			*r = plainRule{Path: fmt.Sprintf("/api/v1/{service}/%d/orders", i), Domain: fmt.Sprintf("host%d.example.com", service), Conditions: []string{"header"}}
		case 4:
			*r = plainRule{BasePath: "/api/v1/", Conditions: []string{fmt.Sprint("client", i)}, Action: "bypass"}
		}
		r.Name = fmt.Sprint("rule", i)
	}
	rules, _, _ := Resolve(known(plain...))
	return rules
}

func BenchmarkAnalyze(b *testing.B) {
	for _, n := range []int{60, 150, 300, 600} {
		rules := manyRules(n)
		b.Run(fmt.Sprintf("rules=%d", n), func(b *testing.B) {
			for b.Loop() {
				Analyze(rules)
			}
		})
	}
}

// BenchmarkFirstMatch matches requests of which most meet none of the rules.
func BenchmarkFirstMatch(b *testing.B) {
	for _, n := range []int{60, 300} {
		rules := manyRules(n)
		plain := make([]plainRequest, 1000)
		for i := range plain {
			plain[i] = plainRequest{
				Method: Methods[i%len(Methods)], Domain: fmt.Sprintf("host%d.example.com", i%50), Path: fmt.Sprintf("/api/v1/service%d/%d/items", i%30, i),
				Conditions: []string{"header"}, APIGroups: []string{"internal"},
			}
		}
		requests := resolvedRequests(b, plain)
		b.Run(fmt.Sprintf("rules=%d/requests=%d", n, len(requests)), func(b *testing.B) {
			for b.Loop() {
				for _, q := range requests {
					FirstMatch(rules, q)
				}
			}
		})
	}
}

// BenchmarkResolve reads a full configuration of XC.
func BenchmarkResolve(b *testing.B) {
	arguments := known(make([]plainRule, 60)...)
	for i := range arguments {
		arguments[i] = known(plainRule{Path: fmt.Sprintf("/api/v1/{service}/%d/orders", i), Methods: []string{"GET", "POST"}, Conditions: []string{"header"}})[0]
	}
	for b.Loop() {
		Resolve(arguments)
	}
}
