package emptyprovider

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	xcrl "github.com/xcrl/terraform-provider-xcrl/internal/provider"
)

// measured are the providers to measure, the one to compare with first.
var measured = []struct {
	name, pkg string
	new       func() provider.Provider
}{
	{"empty", "github.com/xcrl/terraform-provider-xcrl/internal/emptyprovider/serve", New},
	{"xcrl", "github.com/xcrl/terraform-provider-xcrl", xcrl.New("bench")},
}

// BenchmarkReadDataSource makes whole ReadDataSource calls at the framework's
// server, in-process.
func BenchmarkReadDataSource(b *testing.B) {
	ctx := context.Background()
	var resp datasource.SchemaResponse
	xcrl.NewRateLimitDataSource().Schema(ctx, datasource.SchemaRequest{}, &resp)
	object, ok := resp.Schema.Type().TerraformType(ctx).(tftypes.Object)
	if !ok {
		b.Fatal("a schema is no object")
	}
	values := map[string]tftypes.Value{}
	for name, t := range object.AttributeTypes {
		values[name] = tftypes.NewValue(t, nil)
	}
	values["number"] = tftypes.NewValue(tftypes.Number, 100)
	values["per_period"] = tftypes.NewValue(tftypes.String, "Minutes")
	values["burst_multiplier"] = tftypes.NewValue(tftypes.Number, 5)
	config, err := tfprotov6.NewDynamicValue(object, tftypes.NewValue(object, values))
	if err != nil {
		b.Fatal(err)
	}
	for _, m := range measured {
		b.Run(m.name, func(b *testing.B) {
			server := providerserver.NewProtocol6(m.new())()
			request := &tfprotov6.ReadDataSourceRequest{TypeName: m.name + "_rate_limit", Config: &config}
			b.ReportAllocs()
			for b.Loop() {
				resp, err := server.ReadDataSource(ctx, request)
				if err != nil || len(resp.Diagnostics) > 0 {
					b.Fatal(err, resp)
				}
			}
		})
	}
}

// BenchmarkPlan plans 1000 instances of the data source, and one, with the
// provider as a process of its own; it needs an engine. It reports the spread
// between the fastest and the slowest plan and, where /proc tells, the
// provider's largest resident memory.
func BenchmarkPlan(b *testing.B) {
	engine := os.Getenv("XCRL_ENGINE")
	if engine == "" {
		b.Fatal("no engine to plan with: set XCRL_ENGINE, or run `make bench`")
	}
	for _, instances := range []int{1, 1000} {
		for _, m := range measured {
			b.Run(fmt.Sprintf("%d/%s", instances, m.name), func(b *testing.B) {
				folder := b.TempDir()
				binary := filepath.Join(folder, "terraform-provider-"+m.name)
				build := exec.Command("go", "build", "-trimpath", "-buildvcs=false", "-ldflags", "-s -w", "-o", binary, m.pkg)
				build.Env = append(os.Environ(), "CGO_ENABLED=0")
				if said, err := build.CombinedOutput(); err != nil {
					b.Fatalf("%v\n%s", err, said)
				}
				write(b, filepath.Join(folder, "cli.tfrc"), fmt.Sprintf("provider_installation {\n  dev_overrides {\n    \"xcrl/%s\" = %q\n  }\n  direct {}\n}\n", m.name, folder))
				write(b, filepath.Join(folder, "main.tf"), fmt.Sprintf(`terraform {
  required_providers {
    %[1]s = {
      source = "xcrl/%[1]s"
    }
  }
}
data "%[1]s_rate_limit" "x" {
  count            = %[2]d
  number           = count.index + 1
  per_period       = "Minutes"
  burst_multiplier = 5
}
output "numbers" {
  value = length(data.%[1]s_rate_limit.x[*].number)
}
`, m.name, instances))
				var fastest, slowest time.Duration
				var resident int
				for b.Loop() {
					start := time.Now()
					resident = max(resident, plan(b, engine, folder, binary))
					took := time.Since(start)
					if fastest == 0 {
						fastest = took
					}
					fastest, slowest = min(fastest, took), max(slowest, took)
				}
				b.ReportMetric(fastest.Seconds(), "s-fastest")
				b.ReportMetric(slowest.Seconds(), "s-slowest")
				b.ReportMetric(float64(resident)/1024, "MB-resident")
			})
		}
	}
}

// plan plans a folder and returns the largest resident memory of the process
// that runs the binary, in KiB; 0 where /proc does not tell.
func plan(b *testing.B, engine, folder, binary string) int {
	b.Helper()
	command := exec.Command(engine, "plan", "-input=false", "-lock=false", "-no-color", "-refresh=true")
	command.Dir = folder
	command.Env = append(os.Environ(), "TF_CLI_CONFIG_FILE="+filepath.Join(folder, "cli.tfrc"), "CHECKPOINT_DISABLE=1")
	var said bytes.Buffer
	command.Stdout, command.Stderr = &said, &said
	if err := command.Start(); err != nil {
		b.Fatal(err)
	}
	done := make(chan error, 1)
	go func() { done <- command.Wait() }()
	peak := 0
	for {
		select {
		case err := <-done:
			if err != nil || !strings.Contains(said.String(), "numbers") {
				b.Fatalf("%v\n%s", err, said.String())
			}
			return peak
		case <-time.After(50 * time.Millisecond):
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
				n, _ := strconv.Atoi(fields[1])
				return n
			}
		}
	}
	return 0
}

func write(b *testing.B, path, text string) {
	b.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		b.Fatal(err)
	}
}
