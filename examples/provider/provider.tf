terraform {
  required_providers {
    xcrl = {
      source = "xcrl/xcrl"
    }
  }
}

# What does 100 requests per minute with burst multiplier 5 really do?
data "xcrl_rate_limit" "api" {
  number           = 100
  per_period       = "Minutes"
  burst_multiplier = 5

  lifecycle {
    postcondition {
      condition     = self.burst_ceiling <= 500
      error_message = "The origin takes 500 requests at once, not ${self.burst_ceiling}."
    }
  }
}

output "api" {
  value = data.xcrl_rate_limit.api.summary
}
