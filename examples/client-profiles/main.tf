terraform {
  required_providers {
    xcrl = {
      source = "xcrl/xcrl"
    }
  }
}

# Three clients at one limit, before it goes live.
locals {
  limit = {
    number            = 20
    per_period        = "Seconds"
    burst_multiplier  = 3
    mitigation_action = "Block"
    block_duration    = 30
    block_unit        = "Seconds"
  }
}

# An ordinary client: six pages of 40 requests each, ten seconds apart, and one
# request a second in between.
data "xcrl_simulation" "checkout" {
  limit = local.limit
  traffic = flatten([for page in range(6) : [
    { seconds = 0.4, requests_per_second = 100 },
    { seconds = 9.6, requests_per_second = 1 },
  ]])
  step_seconds = 1

  lifecycle {
    postcondition {
      condition     = length(self.lockouts) == 0 && self.rejected_429 == 0
      error_message = "A customer at the checkout meets 429 after ${coalesce(self.first_429_seconds, 0)} seconds."
    }
  }
}

# A misbehaving one: for two minutes it retries 50 times a second, whatever it is
# answered.
data "xcrl_simulation" "crawler" {
  limit = local.limit
  traffic = [
    { seconds = 30, requests_per_second = 2 },
    { seconds = 120, requests_per_second = 50 },
    { seconds = 30, requests_per_second = 2 },
  ]
  step_seconds = 1
  start_at     = "2026-03-01T10:00:00Z"

  lifecycle {
    postcondition {
      condition     = self.accepted_share < 0.1
      error_message = "A crawler gets ${self.accepted} of its ${self.offered} requests through."
    }
  }
}

# A load spike: a sale opens, and an office full of customers behind one address
# reaches four enforcement points. That these converge every two seconds is an
# assumption of ours; F5 publishes no figure.
data "xcrl_simulation" "sale" {
  limit = local.limit
  traffic = [
    { seconds = 20, requests_per_second = 15 },
    { seconds = 5, requests_per_second = 150 },
    { seconds = 65, requests_per_second = 15 },
  ]
  enforcement_points = 4
  sync_seconds       = 2
  step_seconds       = 1
}

# What a spike costs is a decision, so the plan warns and does not fail.
check "sale" {
  assert {
    condition     = max(data.xcrl_simulation.sale.timeline[*].accepted...) <= 200
    error_message = "The origin takes 200 requests a second."
  }
  assert {
    condition     = alltrue([for l in data.xcrl_simulation.sale.lockouts : l.end_seconds <= 60])
    error_message = "Half a minute after the spike the office is still locked out."
  }
}

output "charts" {
  value = {
    checkout = data.xcrl_simulation.checkout.chart
    crawler  = data.xcrl_simulation.crawler.chart
    sale     = data.xcrl_simulation.sale.chart
  }
}

output "crawler_locked_out_until" {
  value = data.xcrl_simulation.crawler.lockouts[*].end_at
}

output "sale_overshoot" {
  value = data.xcrl_simulation.sale.overshoot
}

# The same as a picture, with the provider hashicorp/local:
#
# resource "local_file" "crawler" {
#   filename = "crawler.svg"
#   content  = provider::xcrl::timeline_svg(data.xcrl_simulation.crawler.timeline)
# }
