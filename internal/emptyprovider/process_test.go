package emptyprovider

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// engine is the path of the engine to measure with.
func engine(tb testing.TB) string {
	tb.Helper()
	path := os.Getenv("XCRL_ENGINE")
	if path == "" {
		tb.Fatal("no engine to plan with: set XCRL_ENGINE, or use the make target")
	}
	return path
}

// install builds a provider, as it is released, into a folder with a
// configuration that uses it.
func install(tb testing.TB, name, pkg, config string) (folder, binary string) {
	tb.Helper()
	folder = tb.TempDir()
	binary = filepath.Join(folder, "terraform-provider-"+name)
	build := exec.Command("go", "build", "-trimpath", "-buildvcs=false", "-ldflags", "-s -w", "-o", binary, pkg)
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if said, err := build.CombinedOutput(); err != nil {
		tb.Fatalf("%v\n%s", err, said)
	}
	write(tb, filepath.Join(folder, "cli.tfrc"), fmt.Sprintf(`provider_installation {
  dev_overrides {
    "xcrl/%s" = %q
  }
  direct {}
}
`, name, folder))
	write(tb, filepath.Join(folder, "main.tf"), fmt.Sprintf(`terraform {
  required_providers {
    %[1]s = {
      source = "xcrl/%[1]s"
    }
  }
}
%[2]s`, name, config))
	return folder, binary
}

func write(tb testing.TB, path, text string) {
	tb.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		tb.Fatal(err)
	}
}

// plan plans a folder and returns what the engine says, and the largest resident
// memory in KiB of the process that runs the binary; 0 where /proc does not tell.
func plan(tb testing.TB, engine, folder, binary string) (said string, peak int) {
	tb.Helper()
	command := exec.Command(engine, "plan", "-input=false", "-lock=false", "-no-color")
	command.Dir = folder
	command.Env = append(os.Environ(), "TF_CLI_CONFIG_FILE="+filepath.Join(folder, "cli.tfrc"), "CHECKPOINT_DISABLE=1")
	var output bytes.Buffer
	command.Stdout, command.Stderr = &output, &output
	if err := command.Start(); err != nil {
		tb.Fatal(err)
	}
	done := make(chan error, 1)
	go func() { done <- command.Wait() }()
	for {
		select {
		case err := <-done:
			if err != nil {
				tb.Fatalf("%v\n%s", err, output.String())
			}
			return output.String(), peak
		case <-time.After(20 * time.Millisecond):
			peak = max(peak, residentPeak(binary))
		}
	}
}

// residentPeak looks in /proc for the process that runs a binary and returns its
// largest resident memory so far, in KiB.
func residentPeak(binary string) int {
	links, err := filepath.Glob("/proc/[0-9]*/exe")
	if err != nil {
		return 0
	}
	for _, link := range links {
		if target, err := os.Readlink(link); err != nil || target != binary {
			continue
		}
		status, err := os.ReadFile(filepath.Join(filepath.Dir(link), "status"))
		if err != nil {
			return 0
		}
		for line := range strings.Lines(string(status)) {
			if fields := strings.Fields(line); len(fields) == 3 && fields[0] == "VmHWM:" {
				n, err := strconv.Atoi(fields[1])
				if err != nil {
					return 0
				}
				return n
			}
		}
	}
	return 0
}
