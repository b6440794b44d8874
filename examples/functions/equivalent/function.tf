terraform {
  required_providers {
    xcrl = {
      source = "xcrl/xcrl"
    }
  }
}

locals {
  minute = { number = 60, per_period = "Minutes" }
}

# true: both let 60 requests through at once and drain one a second.
output "same_limit_written_otherwise" {
  value = provider::xcrl::equivalent(local.minute, { number = 60, per_period = "Seconds", periods = 60 })
}

# true: the burst multiplier makes up for the shorter window.
output "same_burst" {
  value = provider::xcrl::equivalent(local.minute, { number = 30, per_period = "Seconds", periods = 30, burst_multiplier = 2 })
}

# false: the rate is the same, but this one lets 1 request through at once, not 60.
output "same_rate_only" {
  value = provider::xcrl::equivalent(local.minute, { number = 1, per_period = "Seconds" })
}
