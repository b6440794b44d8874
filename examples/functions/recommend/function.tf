terraform {
  required_providers {
    xcrl = {
      source = "xcrl/xcrl"
    }
  }
}

locals {
  # 2.5 requests a second, and never more than 100 at once over four enforcement
  # points that count separately.
  search = provider::xcrl::recommend({
    requests_per_second = 2.5
    hard_ceiling        = 100
    enforcement_points  = 4
  })
}

# { number = 5, per_period = "Seconds", periods = 2, burst_multiplier = 5,
#   requests_per_second = 2.5, burst_ceiling = 25, exact = true }
output "search" {
  value = local.search
}

# evaluate takes the arguments of a limit and nothing else, so pick them.
output "search_summary" {
  value = provider::xcrl::evaluate({
    for name in ["number", "per_period", "periods", "burst_multiplier"] : name => local.search[name]
  }).summary
}

# One tuple for each service, with bursts of at most 60. Where no whole numbers
# give the rate, the answer stays below it: 3 requests per 14 seconds for 0.215.
output "services" {
  value = {
    for service, rate in { login = 0.05, search = 40, export = 0.215 } :
    service => provider::xcrl::recommend({ requests_per_second = rate, burst = 60 })
  }
}
