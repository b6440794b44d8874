terraform {
  required_providers {
    xcrl = {
      source = "xcrl/xcrl"
    }
  }
}

# A client at a login: a minute of ordinary use, then a script that tries ten
# passwords a second for two minutes, then ordinary use again.
data "xcrl_simulation" "login" {
  limit = {
    number            = 10
    per_period        = "Minutes"
    burst_multiplier  = 3
    mitigation_action = "Block"
    block_duration    = 1
    block_unit        = "Minutes"
  }

  traffic = [
    { seconds = 60, requests_per_second = 0.1 },
    { seconds = 120, requests_per_second = 10 },
    { seconds = 120, requests_per_second = 0.1 },
  ]

  # Turns lockouts into times of day, and makes a timeline of 30 steps.
  start_at     = "2026-03-01T10:00:00Z"
  step_seconds = 10
}

check "password_guessing" {
  assert {
    condition     = data.xcrl_simulation.login.accepted <= 100
    error_message = "${data.xcrl_simulation.login.accepted} requests get through, guesses and others."
  }
}

output "chart" {
  value = data.xcrl_simulation.login.chart
}

output "first_429_seconds" {
  value = data.xcrl_simulation.login.first_429_seconds
}

output "locked_out" {
  value = [for l in data.xcrl_simulation.login.lockouts : "${l.start_at} to ${l.end_at}"]
}
