// Command terraform-provider-xcrl is the Terraform and OpenTofu provider that
// says what an F5 Distributed Cloud (XC) rate limit does.
package main

import (
	"flag"
	"log"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6/tf6server"

	"github.com/xcrl/terraform-provider-xcrl/internal/provider"
)

// version is that of the release; the linker sets it.
var version = "dev"

func main() {
	debug := flag.Bool("debug", false, "run the provider for a debugger and print how an engine attaches to it")
	flag.Parse()

	var options []tf6server.ServeOpt
	if *debug {
		options = append(options, tf6server.WithManagedDebug())
	}
	err := tf6server.Serve("registry.terraform.io/xcrl/xcrl", func() tfprotov6.ProviderServer {
		return provider.NewServer(version)
	}, options...)
	if err != nil {
		log.Fatal(err)
	}
}
