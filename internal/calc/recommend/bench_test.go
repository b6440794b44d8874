package recommend_test

import (
	"testing"

	"github.com/xcrl/terraform-provider-xcrl/internal/calc/recommend"
)

// BenchmarkRecommend includes the worst cases: every number is tried when there
// is no answer, and long decimals make long integers.
func BenchmarkRecommend(b *testing.B) {
	for name, t := range map[string]recommend.Target{
		"simple":              target("10", "0.01", 100, 0),
		"34 digits":           target("0.3333333333333333333333333333333333", "0.01", 800000, 0),
		"none":                target("0.3333333333333333333333333333333333", "0", 0, 0),
		"none, ceiling":       target("0.03333333333333333333333333333333331", "1e-34", 800000, 0),
		"none, long":          target("1.000000000000000000000000000000001e-9", "1.234567890123456789012345678901234e-1000", 800000, 0),
		"low ceiling":         target("7000.1", "1e-5", 4000, 0),
		"every rate a record": target("0.9999999999999999999999999999999999", "0", 8191, 0),
		"above every one":     target("1e1000", "0.01", 800000, 0),
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				recommend.Recommend(t)
			}
		})
	}
}
