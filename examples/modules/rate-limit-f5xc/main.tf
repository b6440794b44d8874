# Wires a limit that ../rate-limit has judged into a rate_limiter of XC.
#
# Needs the provider robinmordasiewicz/f5xc. This repository does not: its tests never
# plan this folder with that provider, only with a stand-in of the same blocks.
terraform {
  required_version = ">= 1.8"

  required_providers {
    f5xc = {
      source = "robinmordasiewicz/f5xc"
    }
    xcrl = {
      source = "xcrl/xcrl"
    }
  }
}

variable "name" {
  description = "Name of the rate limiter."
  type        = string
}

variable "namespace" {
  description = "Namespace of the rate limiter."
  type        = string
}

variable "limit" {
  description = "The limit, as ../rate-limit takes it."
  type        = any
}

module "limit" {
  source = "../rate-limit"
  limit  = var.limit
}

resource "f5xc_rate_limiter" "this" {
  name      = var.name
  namespace = var.namespace

  limits {
    total_number      = module.limit.xc_limit.total_number
    unit              = module.limit.xc_limit.unit
    period_multiplier = module.limit.xc_limit.period_multiplier
    burst_multiplier  = module.limit.xc_limit.burst_multiplier

    # What is not chosen is null in xc_limit, and null[*] is an empty list: each
    # of these blocks is there once or not at all.
    dynamic "leaky_bucket" {
      for_each = module.limit.xc_limit.leaky_bucket[*]
      content {}
    }
    dynamic "token_bucket" {
      for_each = module.limit.xc_limit.token_bucket[*]
      content {}
    }

    # This provider has its blocks as single nested objects.
    dynamic "disabled" {
      for_each = module.limit.xc_limit.disabled[*]
      content {}
    }
    dynamic "action_block" {
      for_each = module.limit.xc_limit.action_block[*]
      content {
        dynamic "hours" {
          for_each = action_block.value.hours[*]
          content {
            duration = hours.value.duration
          }
        }
        dynamic "minutes" {
          for_each = action_block.value.minutes[*]
          content {
            duration = minutes.value.duration
          }
        }
        dynamic "seconds" {
          for_each = action_block.value.seconds[*]
          content {
            duration = seconds.value.duration
          }
        }
      }
    }
  }

  lifecycle {
    # XC is given what was judged. That is known while planning, although the
    # resource has no id yet.
    postcondition {
      condition     = provider::xcrl::equivalent(provider::xcrl::from_xc(self), var.limit)
      error_message = "The rate limiter is not the limit that was judged."
    }
  }
}

output "summary" {
  description = "What the limit does, in a sentence."
  value       = module.limit.summary
}
