terraform {
  required_providers {
    xcrl = {
      source = "xcrl/xcrl"
    }
  }
}

variable "login_limit" {
  description = "Limit of the login page, as in XC's console."
  type = object({
    number            = number
    per_period        = string
    periods           = optional(number)
    burst_multiplier  = optional(number)
    mitigation_action = optional(string)
    block_duration    = optional(number)
    block_unit        = optional(string)
  })
  default = {
    number            = 10
    per_period        = "Minutes"
    burst_multiplier  = 3
    mitigation_action = "Block"
    block_duration    = 15
    block_unit        = "Minutes"
  }

  # A data source cannot be read here; a function can be called.
  validation {
    condition     = provider::xcrl::evaluate(var.login_limit).burst_ceiling <= 50
    error_message = "The login page takes 50 requests at once, not ${provider::xcrl::evaluate(var.login_limit).burst_ceiling}."
  }
}

locals {
  limits = {
    login  = var.login_limit
    search = { number = 50, per_period = "Seconds", enforcement_points = 4, hard_ceiling = 150 }
    export = { number = 5, per_period = "Hours", client_requests_per_second = 0.01 }
  }
  evaluated = { for name, limit in local.limits : name => provider::xcrl::evaluate(limit) }
}

# A plain sentence for each limit:
# login = "10 requests per minute (one slot every 6 s), up to 30 at once; …"
output "summaries" {
  value = { for name, limit in local.evaluated : name => limit.summary }
}

# { export = ["client-rate-exceeds-limit", "small-bucket"], login = [],
#   search = ["overshoot-exceeds-hard-ceiling"] }
output "warnings" {
  value = { for name, limit in local.evaluated : name => limit.warnings[*].code }
}

# The limit in the API's names:
# {"total_number":10,"unit":"MINUTE",…,"action_block":{"minutes":{"duration":15}}}
output "login_for_the_api" {
  value = local.evaluated.login.xc_limit_json
}
