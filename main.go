// Command terraform-provider-xcrl is the Terraform and OpenTofu provider that
// says what an F5 Distributed Cloud (XC) rate limit does.
package main

import (
	"context"
	"flag"
	"log"

	"github.com/hashicorp/terraform-plugin-framework/providerserver"

	"github.com/xcrl/terraform-provider-xcrl/internal/provider"
)

// version is that of the release; the linker sets it.
var version = "dev"

func main() {
	debug := flag.Bool("debug", false, "run the provider for a debugger and print how an engine attaches to it")
	flag.Parse()

	err := providerserver.Serve(context.Background(), provider.New(version), providerserver.ServeOpts{
		Address: "registry.terraform.io/xcrl/xcrl",
		Debug:   *debug,
	})
	if err != nil {
		log.Fatal(err)
	}
}
