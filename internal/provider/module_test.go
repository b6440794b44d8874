package provider

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/xcrl/terraform-provider-xcrl/internal/calc"
	"github.com/xcrl/terraform-provider-xcrl/internal/calc/xcshape"
)

// exampleModules copies the example modules to where a test may change them.
func exampleModules(t *testing.T) string {
	t.Helper()
	folder := t.TempDir()
	if err := os.CopyFS(folder, os.DirFS(filepath.Join("..", "..", "examples", "modules"))); err != nil {
		t.Fatal(err)
	}
	return folder
}

// run runs the engine in a folder and returns what it writes to its standard
// output.
func run(t *testing.T, env []string, folder string, args ...string) (string, error) {
	t.Helper()
	command := exec.Command(os.Getenv("TF_ACC_TERRAFORM_PATH"), args...)
	command.Dir, command.Env = folder, env
	said, err := command.Output()
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		err = fmt.Errorf("%w\n%s", err, exit.Stderr)
	}
	return string(said), err
}

// The module's own tests, as its users run them, and that they can fail.
func TestAccModule_ownTests(t *testing.T) {
	env := withBinary(t)
	folder := filepath.Join(exampleModules(t), "rate-limit")
	if said, err := run(t, env, folder, "test", "-no-color"); err != nil || !strings.Contains(said, "4 passed, 0 failed") {
		t.Errorf("%v\n%s", err, said)
	}
	file := filepath.Join(folder, "tests", "limit.tftest.hcl")
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	wrong := strings.Replace(string(text), "output.burst_ceiling == 30", "output.burst_ceiling == 31", 1)
	if err := os.WriteFile(file, []byte(wrong), 0o600); err != nil {
		t.Fatal(err)
	}
	if said, err := run(t, env, folder, "test", "-no-color"); err == nil || !strings.Contains(said, "1 failed") {
		t.Errorf("a wrong assertion passes: %v\n%s", err, said)
	}
}

// The modules that wire a limit into an XC provider's resource, planned with
// stand-ins: the planned resource is the limit that was judged, and from_xc reads
// it although its id is unknown.
func TestAccModule_wiring(t *testing.T) {
	env := withStandIns(t)
	limits := map[string]struct {
		hcl  string
		want calc.Limit
	}{
		"login": {
			`{ number = 10, per_period = "Minutes", burst_multiplier = 3, mitigation_action = "Block", block_duration = 15, block_unit = "Minutes", hard_ceiling = 30 }`,
			calc.Limit{Number: 10, PerPeriod: calc.Minute, Periods: 1, BurstMultiplier: 3, BlockDuration: 15, BlockUnit: calc.Minute},
		},
		"search": {
			`{ number = 50, per_period = "Seconds", periods = 2, mitigation_action = "Disabled", algorithm = "token_bucket", hard_ceiling = 50 }`,
			calc.Limit{Number: 50, PerPeriod: calc.Second, Periods: 2, BurstMultiplier: 1, Algorithm: calc.TokenBucket},
		},
	}
	folder := exampleModules(t)
	var config strings.Builder
	for name, limit := range limits {
		for _, provider := range []string{"volterra", "f5xc"} {
			fmt.Fprintf(&config, "module \"%[1]s-%[2]s\" {\n  source = \"./rate-limit-%[1]s\"\n  name = %[2]q\n  namespace = \"shop\"\n  limit = %[3]s\n}\n", provider, name, limit.hcl)
		}
	}
	if err := os.WriteFile(filepath.Join(folder, "main.tf"), []byte(config.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"get"}, {"plan", "-input=false", "-out=plan"}} {
		if said, err := run(t, env, folder, args...); err != nil {
			t.Fatalf("%v\n%s", err, said)
		}
	}
	text, err := run(t, env, folder, "show", "-json", "plan")
	if err != nil {
		t.Fatal(err)
	}
	var plan struct {
		PlannedValues struct {
			RootModule struct {
				ChildModules []struct {
					Address   string
					Resources []struct{ Values json.RawMessage }
				} `json:"child_modules"`
			} `json:"root_module"`
		} `json:"planned_values"`
		Checks []struct {
			Address struct {
				Display string `json:"to_display"`
			}
			Status string
		}
	}
	if err := json.Unmarshal([]byte(text), &plan); err != nil {
		t.Fatal(err)
	}
	modules := plan.PlannedValues.RootModule.ChildModules
	if len(modules) != 2*len(limits) {
		t.Fatalf("%d modules are planned, want %d", len(modules), 2*len(limits))
	}
	for _, module := range modules {
		_, name, _ := strings.Cut(module.Address, "-")
		got, known, problems := xcshape.FromXC(string(module.Resources[0].Values))
		if want := limits[name].want; got != want || !known || len(problems) > 0 {
			t.Errorf("%s plans %+v, known %t, problems %v; want %+v", module.Address, got, known, problems, want)
		}
	}
	postconditions := 0
	for _, check := range plan.Checks {
		if strings.HasSuffix(check.Address.Display, "_rate_limiter.this") {
			postconditions++
		}
		if check.Status != "pass" {
			t.Errorf("while planning the check of %s is %s", check.Address.Display, check.Status)
		}
	}
	if postconditions != len(modules) {
		t.Errorf("%d postconditions of resources are planned, want %d", postconditions, len(modules))
	}
}

// withStandIns is [withBinary] with the stand-ins of the XC providers beside ours.
func withStandIns(t *testing.T) []string {
	t.Helper()
	env := withBinary(t)
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	binary, err := os.ReadFile(self)
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	overrides := map[string]string{"xcrl/xcrl": binaryFolder}
	for name, s := range standIns {
		suffix := ""
		if filepath.Ext(self) == ".exe" {
			suffix = ".exe"
		}
		// Copies, since not every system has links.
		if err := os.WriteFile(filepath.Join(folder, name+suffix), binary, 0o700); err != nil {
			t.Fatal(err)
		}
		overrides[s.source] = folder
	}
	cliConfig, err := writeCLIConfig(folder, overrides)
	if err != nil {
		t.Fatal(err)
	}
	return append(env, "TF_CLI_CONFIG_FILE="+cliConfig)
}
