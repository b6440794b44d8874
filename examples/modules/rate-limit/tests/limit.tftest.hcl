# `terraform test` or `tofu test` in the module's folder plans each run; nothing
# is made.

variables {
  limit = {
    number            = 10
    per_period        = "Minutes"
    burst_multiplier  = 3
    mitigation_action = "Block"
    block_duration    = 15
    block_unit        = "Minutes"
    hard_ceiling      = 30
  }
}

run "fits_the_origin" {
  command = plan

  assert {
    condition     = output.burst_ceiling == 30
    error_message = "The burst ceiling is ${output.burst_ceiling}."
  }

  assert {
    condition     = output.lockout_seconds == 900
    error_message = "The lockout lasts ${output.lockout_seconds} seconds."
  }

  assert {
    condition     = output.xc_limit.action_block.minutes.duration == 15
    error_message = "XC is told of another lockout."
  }

  assert {
    condition     = output.xc_limit.disabled == null && output.xc_limit.leaky_bucket != null
    error_message = "XC is told of other choices."
  }
}

run "fast_enough" {
  command = plan

  variables {
    limit = {
      number           = 50
      per_period       = "Seconds"
      burst_multiplier = 4
      hard_ceiling     = 200
    }
  }

  assert {
    condition     = output.requests_per_second >= 50
    error_message = "Search needs 50 requests per second, and this gives ${output.requests_per_second}."
  }
}

run "above_the_hard_ceiling" {
  command = plan

  variables {
    limit = {
      number             = 10
      per_period         = "Minutes"
      burst_multiplier   = 3
      hard_ceiling       = 30
      enforcement_points = 2
    }
  }

  expect_failures = [var.limit]
}

run "with_a_warning" {
  command = plan

  variables {
    limit = {
      number       = 5
      per_period   = "Seconds"
      hard_ceiling = 30
    }
  }

  expect_failures = [var.limit]
}
