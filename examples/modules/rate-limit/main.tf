# A rate limit that a team may choose, within rules that hold for all of them.
#
# The limit is evaluated and its rules are checked while Terraform plans; the
# module makes nothing itself. Its output xc_limit goes into a resource of either
# XC provider: see ../rate-limit-volterra and ../rate-limit-f5xc.
terraform {
  required_version = ">= 1.8"

  required_providers {
    xcrl = {
      source = "xcrl/xcrl"
    }
  }
}

locals {
  evaluated = provider::xcrl::evaluate(var.limit)
}
