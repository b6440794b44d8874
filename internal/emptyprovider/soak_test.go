//go:build soak

package emptyprovider

import (
	"fmt"
	"strings"
	"testing"
)

// The provider answers thousands of times in one process, rightly, and its
// memory does not grow with the calls: ten times the work may take no more than
// half as much memory again, which is what the collector leaves to chance.
func TestSoak(t *testing.T) {
	engine := engine(t)
	peaks := map[int]int{}
	for _, scale := range []int{1, 10} {
		instances, calls := 500*scale, 2000*scale
		folder, binary := install(t, "xcrl", "github.com/xcrl/terraform-provider-xcrl", fmt.Sprintf(`
data "xcrl_rate_limit" "x" {
  count            = %[1]d
  number           = count.index + 1
  per_period       = "Minutes"
  burst_multiplier = 5
}
output "read" {
  value = sum([for i, x in data.xcrl_rate_limit.x : x.burst_ceiling == 5 * (i + 1) && length(x.warnings) == (i == 0 ? 1 : 0) ? 1 : 0])
}
output "called" {
  value = sum(flatten([for a in range(%[2]d) : [for b in range(1000) :
    provider::xcrl::evaluate({ number = b + 1, per_period = "Hours", periods = 1000 * a + b + 1 }).window_seconds == 3600 * (1000 * a + b + 1) ? 1 : 0
  ]]))
}
`, instances, calls/1000))
		said, peak := plan(t, engine, folder, binary)
		for _, want := range []string{fmt.Sprintf("read   = %d", instances), fmt.Sprintf("called = %d", calls)} {
			if !strings.Contains(said, want) {
				t.Errorf("the plan does not say %q:\n%.2000s", want, said)
			}
		}
		peaks[scale] = peak
		t.Logf("%d instances and %d calls: at most %d KiB resident", instances, calls, peak)
	}
	if peaks[1] == 0 {
		t.Fatal("the memory of the provider's process could not be read: this test needs /proc")
	}
	if 2*peaks[10] > 3*peaks[1] {
		t.Errorf("memory grew from %d to %d KiB", peaks[1], peaks[10])
	}
}
