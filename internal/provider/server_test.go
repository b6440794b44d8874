package provider

import (
	"context"
	"runtime"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// What a call leaves behind is let go of, so that memory does not grow with
// calls; and calls that are being answered are not cancelled by it.
func TestServer_letsGoOfCalls(t *testing.T) {
	limit := tftypes.NewValue(
		tftypes.Object{AttributeTypes: map[string]tftypes.Type{"number": tftypes.Number, "per_period": tftypes.String}},
		map[string]tftypes.Value{"number": tftypes.NewValue(tftypes.Number, 5), "per_period": tftypes.NewValue(tftypes.String, "Hours")},
	)
	argument, err := tfprotov6.NewDynamicValue(tftypes.DynamicPseudoType, limit)
	if err != nil {
		t.Fatal(err)
	}
	s := NewServer("test")
	type key struct{}
	freed := make(chan bool, 4*releaseEvery)
	for range 2 * releaseEvery {
		held := &[1024]byte{}
		runtime.AddCleanup(held, func(bool) { freed <- true }, true)
		ctx := context.WithValue(context.Background(), key{}, held)
		resp, err := s.CallFunction(ctx, &tfprotov6.CallFunctionRequest{Name: "evaluate", Arguments: []*tfprotov6.DynamicValue{&argument}})
		if err != nil || resp.Error != nil {
			t.Fatal(err, resp)
		}
	}
	runtime.GC()
	for n := range releaseEvery {
		select {
		case <-freed:
		case <-time.After(10 * time.Second):
			t.Fatalf("only %d contexts of calls were freed", n)
		}
	}
}
