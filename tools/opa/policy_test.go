// Package opa runs the example policy of examples/policy with OPA on the JSON of
// a real plan. It is a module of its own, so that the provider does not require
// OPA.
package opa

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/open-policy-agent/opa/v1/rego"
)

const config = `terraform {
  required_providers {
    xcrl = {
      source = "xcrl/xcrl"
    }
  }
}
data "xcrl_rate_limit" "fine" {
  number           = 100
  per_period       = "Minutes"
  burst_multiplier = 5
}
# Its warning is one that the policy accepts.
data "xcrl_rate_limit" "accepted" {
  number            = 100
  per_period        = "Minutes"
  burst_multiplier  = 2
  mitigation_action = "Block"
  block_duration    = 1
  block_unit        = "Hours"
}
data "xcrl_rate_limit" "refused" {
  number     = 5
  per_period = "Minutes"
}
`

const inModule = `
module "nested" {
  source = "./nested"
}
`

func TestPolicy(t *testing.T) {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	engine := os.Getenv("XCRL_ENGINE")
	if engine == "" {
		t.Fatal("no engine to plan with: set XCRL_ENGINE, or run `make test-policy`")
	}
	folder := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	cliConfig := write("cli.tfrc", `provider_installation {
  dev_overrides {
    "xcrl/xcrl" = "`+filepath.ToSlash(folder)+`"
  }
  direct {}
}
`)
	run := func(dir, name string, args ...string) []byte {
		command := exec.Command(name, args...)
		command.Dir = dir
		command.Env = append(os.Environ(), "TF_CLI_CONFIG_FILE="+cliConfig, "CHECKPOINT_DISABLE=1", "CGO_ENABLED=0")
		said, err := command.Output()
		if err != nil {
			t.Fatalf("%s %v: %v\n%s", name, args, err, said)
		}
		return said
	}
	write("main.tf", config+inModule)
	write("nested/main.tf", config)
	run(root, "go", "build", "-buildvcs=false", "-o", filepath.Join(folder, "terraform-provider-xcrl"), ".")
	run(folder, engine, "get")
	run(folder, engine, "plan", "-input=false", "-out=plan.bin")

	var plan any
	if err := json.Unmarshal(run(folder, engine, "show", "-json", "plan.bin"), &plan); err != nil {
		t.Fatal(err)
	}
	result, err := rego.New(
		rego.Query("data.xcrl.limits.deny"),
		rego.Load([]string{filepath.Join(root, "examples", "policy", "limits.rego")}, nil),
		rego.Input(plan),
	).Eval(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	const why = ": The bucket takes only 5 requests at once, and one browser opens six connections at once: ordinary page loads will meet 429. Raise burst_multiplier, or write the same rate with a larger number over a longer window."
	want := []any{"data.xcrl_rate_limit.refused" + why, "module.nested.data.xcrl_rate_limit.refused" + why}
	if got := result[0].Expressions[0].Value; !reflect.DeepEqual(got, want) {
		t.Errorf("the policy denies\n%v, want\n%v", got, want)
	}
}
