// Command serve serves the empty provider to an engine.
package main

import (
	"context"
	"log"

	"github.com/hashicorp/terraform-plugin-framework/providerserver"

	"github.com/xcrl/terraform-provider-xcrl/internal/emptyprovider"
)

func main() {
	err := providerserver.Serve(context.Background(), emptyprovider.New, providerserver.ServeOpts{
		Address: "registry.terraform.io/xcrl/empty",
	})
	if err != nil {
		log.Fatal(err)
	}
}
