terraform {
  required_providers {
    xcrl = {
      source = "xcrl/xcrl"
    }
  }
}

locals {
  # The answer of XC's API to GET …/rate_limiters/login. A resource or data source
  # of either XC provider is passed as it is: from_xc(volterra_rate_limiter.login).
  login = <<-JSON
    {
      "metadata": {"name": "login", "namespace": "shop"},
      "spec": {
        "limits": [{
          "total_number": 10, "unit": "MINUTE", "burst_multiplier": 3,
          "action_block": {"minutes": {"duration": 15}}
        }]
      }
    }
  JSON

  # The limiter of a load balancer, with what the volterra provider leaves unset.
  load_balancer = {
    rate_limiter = [{ total_number = 500, unit = "HOUR", burst_multiplier = 2, period_multiplier = 0, action_block = [] }]
  }
}

# { number = 10, per_period = "Minutes", periods = 1, burst_multiplier = 3,
#   mitigation_action = "Block", block_duration = 15, block_unit = "Minutes",
#   algorithm = "leaky_bucket" }
output "login" {
  value = provider::xcrl::from_xc(local.login)
}

# The answer is an argument of evaluate as it is: 900, in seconds.
output "login_lockout" {
  value = provider::xcrl::evaluate(provider::xcrl::from_xc(local.login)).lockout_seconds
}

# What else is asked about the limit is merged in: 4000 requests at once.
output "load_balancer_overshoot" {
  value = provider::xcrl::evaluate(merge(provider::xcrl::from_xc(local.load_balancer), {
    enforcement_points = 4
  })).overshoot_ceiling
}
