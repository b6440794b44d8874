package provider

import (
	"fmt"
	"strings"
	"testing"
)

// refusal is a call of a function that should fail, and what should be said.
type refusal struct{ name, call, say string }

// wantRefusals has the engine refuse each of the calls, in one run, on the
// parameter of that name, and in sentences that end once.
func wantRefusals(t *testing.T, parameter string, refusals []refusal) {
	t.Helper()
	var config strings.Builder
	for i, r := range refusals {
		fmt.Fprintf(&config, "output \"x%d\" {\n  value = provider::xcrl::%s\n}\n", i, r.call)
	}
	complaints := strings.Split(refused(t, config.String()), "Error: ")
	for i, r := range refusals {
		t.Run(r.name, func(t *testing.T) {
			about := ""
			for _, complaint := range complaints {
				if strings.Contains(complaint, fmt.Sprintf("in output \"x%d\":", i)) {
					about += complaint
				}
			}
			wantSaid(t, about, r.say, fmt.Sprintf("%q", parameter))
			if strings.Contains(about, "..") {
				t.Errorf("a sentence ends twice: %s", about)
			}
		})
	}
}
