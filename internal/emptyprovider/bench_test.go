package emptyprovider

import (
	"context"
	"fmt"
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
	engine := engine(b)
	for _, instances := range []int{1, 1000} {
		for _, m := range measured {
			b.Run(fmt.Sprintf("%d/%s", instances, m.name), func(b *testing.B) {
				folder, binary := install(b, m.name, m.pkg, fmt.Sprintf(`
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
					said, peak := plan(b, engine, folder, binary)
					if !strings.Contains(said, fmt.Sprintf("numbers = %d", instances)) {
						b.Fatal(said)
					}
					resident = max(resident, peak)
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
