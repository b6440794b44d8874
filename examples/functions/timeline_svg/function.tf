terraform {
  required_providers {
    xcrl = {
      source = "xcrl/xcrl"
    }
  }
}

# Twice what the limit allows: first the bucket fills, then every other request is
# answered 429.
data "xcrl_simulation" "search" {
  limit        = { number = 100, per_period = "Seconds", burst_multiplier = 5 }
  traffic      = [{ seconds = 10, requests_per_second = 200 }]
  step_seconds = 0.5
}

# Write it to a file and open that in a browser, for example with the provider
# hashicorp/local.
output "picture" {
  value = provider::xcrl::timeline_svg(data.xcrl_simulation.search.timeline)
}
