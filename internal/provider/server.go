package provider

import (
	"context"
	"sync"
	"sync/atomic"

	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
)

// server answers the protocol's calls and lets go of them afterwards. The
// framework's server keeps the context of every call, some 20 KB with its
// loggers, until the engine stops the provider, so that a plan with thousands of
// calls would take hundreds of megabytes.
type server struct {
	tfprotov6.ProviderServer

	// calls is held for reading by each call that is being answered.
	calls    sync.RWMutex
	answered atomic.Int64
}

// releaseEvery is after how many calls the server lets go of them.
const releaseEvery = 256

// NewServer returns the provider's server for protocol 6.
func NewServer(version string) tfprotov6.ProviderServer {
	return &server{ProviderServer: providerserver.NewProtocol6(New(version)())()}
}

// ValidateDataResourceConfig implements [tfprotov6.DataSourceServer].
func (s *server) ValidateDataResourceConfig(ctx context.Context, req *tfprotov6.ValidateDataResourceConfigRequest) (*tfprotov6.ValidateDataResourceConfigResponse, error) {
	return answer(ctx, s, req, s.ProviderServer.ValidateDataResourceConfig)
}

// ReadDataSource implements [tfprotov6.DataSourceServer].
func (s *server) ReadDataSource(ctx context.Context, req *tfprotov6.ReadDataSourceRequest) (*tfprotov6.ReadDataSourceResponse, error) {
	return answer(ctx, s, req, s.ProviderServer.ReadDataSource)
}

// CallFunction implements [tfprotov6.FunctionServer].
func (s *server) CallFunction(ctx context.Context, req *tfprotov6.CallFunctionRequest) (*tfprotov6.CallFunctionResponse, error) {
	return answer(ctx, s, req, s.ProviderServer.CallFunction)
}

// answer makes a call, then lets go of earlier ones when it is time.
func answer[Request, Response any](ctx context.Context, s *server, req Request, call func(context.Context, Request) (Response, error)) (Response, error) {
	s.calls.RLock()
	resp, err := call(ctx, req)
	s.calls.RUnlock()
	if err == nil && s.answered.Add(1)%releaseEvery == 0 {
		err = s.release(ctx)
	}
	return resp, err
}

// release has the framework's server cancel and forget the calls that it knows
// of. It waits until none is being answered, so that it cancels nothing that
// anybody waits for.
func (s *server) release(ctx context.Context) error {
	s.calls.Lock()
	defer s.calls.Unlock()
	_, err := s.StopProvider(ctx, &tfprotov6.StopProviderRequest{})
	return err
}
