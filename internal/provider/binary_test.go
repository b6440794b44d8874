package provider

import (
	"context"
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-framework/providerserver"
)

func TestMain(m *testing.M) {
	name := strings.TrimSuffix(filepath.Base(os.Args[0]), ".exe")
	if s, ok := standIns[name]; ok {
		err := providerserver.Serve(context.Background(), func() provider.Provider { return s }, providerserver.ServeOpts{Address: "registry.terraform.io/" + s.source})
		if err != nil {
			log.Fatal(err)
		}
		return
	}
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
	return writeCLIConfig(binaryFolder, map[string]string{"xcrl/xcrl": binaryFolder})
})

// writeCLIConfig writes a CLI configuration that takes providers, by source, out
// of folders.
func writeCLIConfig(folder string, overrides map[string]string) (name string, err error) {
	var text strings.Builder
	text.WriteString("provider_installation {\n  dev_overrides {\n")
	for source, from := range overrides {
		fmt.Fprintf(&text, "    %q = %q\n", source, from)
	}
	text.WriteString("  }\n  direct {}\n}\n")
	name = filepath.Join(folder, "cli.tfrc")
	return name, os.WriteFile(name, []byte(text.String()), 0o600)
}

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
