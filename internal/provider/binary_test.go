package provider

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"testing"
)

func TestMain(m *testing.M) {
	code := m.Run()
	if binaryFolder != "" {
		_ = os.RemoveAll(binaryFolder)
	}
	os.Exit(code)
}

// binaryFolder holds the provider's binary once one is built.
var binaryFolder string

// builtBinary builds the provider and a CLI configuration that takes it from
// there, and returns that configuration's path.
var builtBinary = sync.OnceValues(func() (cliConfig string, err error) {
	if binaryFolder, err = os.MkdirTemp("", "xcrl"); err != nil {
		return "", err
	}
	name := "terraform-provider-xcrl"
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	build := exec.Command("go", "build", "-buildvcs=false", "-o", filepath.Join(binaryFolder, name), ".")
	build.Dir = filepath.Join("..", "..")
	if said, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("go build: %w\n%s", err, said)
	}
	cliConfig = filepath.Join(binaryFolder, "cli.tfrc")
	text := fmt.Sprintf("provider_installation {\n  dev_overrides {\n    \"xcrl/xcrl\" = %q\n  }\n  direct {}\n}\n", binaryFolder)
	return cliConfig, os.WriteFile(cliConfig, []byte(text), 0o600)
})

// withBinary returns the environment in which the engine, which is then the one
// that TF_ACC_TERRAFORM_PATH names, runs configurations with the provider as it
// is shipped: built, in a process of its own, without init.
func withBinary(t *testing.T) (env []string) {
	t.Helper()
	if err := engine(); err != nil {
		t.Fatal(err)
	}
	cliConfig, err := builtBinary()
	if err != nil {
		t.Fatal(err)
	}
	return slices.Clip(append(os.Environ(), "TF_CLI_CONFIG_FILE="+cliConfig, "TF_IN_AUTOMATION=1", "CHECKPOINT_DISABLE=1"))
}
