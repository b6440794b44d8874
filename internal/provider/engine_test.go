package provider

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
)

// engine finds the engine that acceptance tests run on: what XCRL_ENGINE names,
// else terraform on PATH. It sets up the acceptance-test library for it, which
// would otherwise download one.
var engine = sync.OnceValue(func() error {
	name := os.Getenv("XCRL_ENGINE")
	if name == "" {
		name = "terraform"
	}
	binary, err := exec.LookPath(name)
	if err != nil {
		return fmt.Errorf("no engine to test with: set XCRL_ENGINE to a terraform or tofu binary, or run `make test`, which builds one: %w", err)
	}
	if binary, err = filepath.Abs(binary); err != nil {
		return err
	}
	// A configuration file that the environment names but does not have makes an
	// engine print a warning in which the library looks for the version.
	if err = os.Unsetenv("TF_CLI_CONFIG_FILE"); err != nil {
		return err
	}
	version, err := exec.Command(binary, "version").Output()
	if err != nil {
		return fmt.Errorf("%s version: %w", binary, err)
	}
	settings := map[string]string{"TF_ACC_TERRAFORM_PATH": binary}
	if strings.HasPrefix(string(version), "OpenTofu") {
		settings["TF_ACC_PROVIDER_HOST"] = "registry.opentofu.org"
		settings["TF_ACC_PROVIDER_NAMESPACE"] = "hashicorp"
	}
	for key, value := range settings {
		if err = os.Setenv(key, value); err != nil {
			return err
		}
	}
	return nil
})

// runInEngine runs a test case in the engine, with the provider served from the
// test's own process.
func runInEngine(t *testing.T, test resource.TestCase) {
	t.Helper()
	if err := engine(); err != nil {
		t.Fatal(err)
	}
	test.ProtoV6ProviderFactories = map[string]func() (tfprotov6.ProviderServer, error){
		"xcrl": func() (tfprotov6.ProviderServer, error) { return NewServer("test"), nil },
	}
	resource.UnitTest(t, test)
}

// state is what a configuration leaves behind once it is applied.
type state struct {
	outputs map[string]any
	// data holds the attributes of data sources by address.
	data map[string]map[string]any
}

// CheckState gathers the state; it implements [statecheck.StateCheck].
func (s *state) CheckState(_ context.Context, req statecheck.CheckStateRequest, _ *statecheck.CheckStateResponse) {
	for name, output := range req.State.Values.Outputs {
		s.outputs[name] = output.Value
	}
	if req.State.Values.RootModule == nil {
		return
	}
	for _, r := range req.State.Values.RootModule.Resources {
		s.data[r.Address] = r.AttributeValues
	}
}

// applied applies a configuration in the engine and returns its state. Numbers
// are json.Number: the text that the engine wrote.
func applied(t *testing.T, config string) state {
	t.Helper()
	s := state{outputs: map[string]any{}, data: map[string]map[string]any{}}
	runInEngine(t, resource.TestCase{Steps: []resource.TestStep{{
		Config:            config,
		ConfigStateChecks: []statecheck.StateCheck{&s},
	}}})
	return s
}

var (
	errNotRefused = errors.New("the engine took a configuration that it should refuse")
	space         = regexp.MustCompile(`[\s│╷╵]+`)
)

// refused has the engine refuse a configuration and returns everything that it
// says, with white space and frames folded into single spaces.
func refused(t *testing.T, config string) string {
	t.Helper()
	said := ""
	runInEngine(t, resource.TestCase{
		ErrorCheck: func(err error) error {
			said = space.ReplaceAllString(err.Error(), " ")
			return nil
		},
		Steps: []resource.TestStep{{Config: config, Check: nil}},
	})
	if said == "" {
		t.Fatal(errNotRefused)
	}
	return said
}

// wantSaid asserts that the engine said each of the texts.
func wantSaid(t *testing.T, said string, texts ...string) {
	t.Helper()
	for _, text := range texts {
		if !strings.Contains(said, text) {
			t.Errorf("the engine did not say %q; it said:\n%s", text, said)
		}
	}
}

// hcl writes a JSON value as an HCL expression. JSON objects and lists are HCL
// already; only template markers in strings need care.
func hcl(t *testing.T, value any) string {
	t.Helper()
	text, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return strings.NewReplacer("${", "$${", "%{", "%%{").Replace(string(text))
}
