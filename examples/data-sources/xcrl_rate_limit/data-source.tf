terraform {
  required_providers {
    xcrl = {
      source = "xcrl/xcrl"
    }
  }
}

# Ten logins a minute, bursts of thirty, and a lockout of a quarter of an hour.
data "xcrl_rate_limit" "login" {
  number            = 10
  per_period        = "Minutes"
  burst_multiplier  = 3
  mitigation_action = "Block"
  block_duration    = 15
  block_unit        = "Minutes"

  # What happens to a client that sends a request every two seconds, and when a
  # lockout ends that starts at ten o'clock.
  client_requests_per_second = 0.5
  overflow_at                = "2026-03-01T10:00:00Z"

  # What distributed counting lets through, against what the origin can take.
  enforcement_points = 12
  hard_ceiling       = 500
}

check "login_limit" {
  assert {
    condition     = length(data.xcrl_rate_limit.login.warnings) == 0
    error_message = join("\n", data.xcrl_rate_limit.login.warnings[*].message)
  }
}

output "summary" {
  value = data.xcrl_rate_limit.login.summary
}

output "first_429_seconds" {
  value = data.xcrl_rate_limit.login.client_outcome.first_429_seconds
}

output "lockout_end" {
  value = data.xcrl_rate_limit.login.lockout_end
}

output "for_the_api" {
  value = data.xcrl_rate_limit.login.xc_limit_json
}
