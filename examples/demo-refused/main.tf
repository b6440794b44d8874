# A limit that the plan refuses: the same rate as 50 per second, but written with
# a burst that the origin cannot take.
terraform {
  required_providers {
    xcrl = {
      source = "xcrl/xcrl"
    }
  }
}

data "xcrl_rate_limit" "api" {
  number           = 3000
  per_period       = "Minutes"
  burst_multiplier = 4
}

# Stands for the resource that would apply the limit.
resource "terraform_data" "limiter" {
  input = data.xcrl_rate_limit.api.xc_limit_json

  lifecycle {
    precondition {
      condition     = data.xcrl_rate_limit.api.burst_ceiling <= 3000
      error_message = "The origin takes 3000 requests at once, but this limit lets ${data.xcrl_rate_limit.api.burst_ceiling} through. Write it over a shorter window: 50 per Seconds has the same rate."
    }
  }
}
