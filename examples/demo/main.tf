# Two limits of a shop, read before anything is applied.
terraform {
  required_providers {
    xcrl = {
      source = "xcrl/xcrl"
    }
  }
}

# Logins: few, and whoever guesses passwords is locked out.
data "xcrl_rate_limit" "login" {
  number            = 10
  per_period        = "Minutes"
  burst_multiplier  = 3
  mitigation_action = "Block"
  block_duration    = 15
  block_unit        = "Minutes"

  client_requests_per_second = 0.5
  overflow_at                = "2026-03-01T10:00:00Z"
}

# The public API: bursts are welcome, as far as the origin can take them.
data "xcrl_rate_limit" "api" {
  number           = 50
  per_period       = "Seconds"
  burst_multiplier = 4

  client_requests_per_second = 60
  enforcement_points         = 12
  hard_ceiling               = 3000
}

check "api_fits_the_origin" {
  assert {
    condition     = data.xcrl_rate_limit.api.overshoot_ceiling <= data.xcrl_rate_limit.api.hard_ceiling
    error_message = "Before counters converge ${data.xcrl_rate_limit.api.overshoot_ceiling} requests can reach the origin, which takes ${data.xcrl_rate_limit.api.hard_ceiling}."
  }
}
