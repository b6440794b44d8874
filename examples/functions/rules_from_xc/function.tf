terraform {
  required_providers {
    xcrl = {
      source = "xcrl/xcrl"
    }
  }
}

# An api_rate_limit as the API answers it. An expression such as
# f5xc_http_loadbalancer.shop or volterra_http_loadbalancer.shop does as well.
locals {
  shop = jsonencode({
    bypass_rate_limiting_rules = {
      bypass_rate_limiting_rules = [{ any_domain = {}, base_path = "/healthz" }]
    }
    server_url_rules = [{
      any_domain          = {}
      base_path           = "/"
      inline_rate_limiter = { threshold = 1000, unit = "MINUTE" }
    }]
    api_endpoint_rules = [{
      any_domain          = {}
      api_endpoint_path   = "/api/login"
      api_endpoint_method = { methods = ["POST"] }
      inline_rate_limiter = { threshold = 10, unit = "MINUTE" }
    }]
  })

  # F5 does not document which list goes first: judge both orders.
  rules = {
    servers_first   = provider::xcrl::rules_from_xc(local.shop)
    endpoints_first = provider::xcrl::rules_from_xc(local.shop, "endpoints_first")
  }
}

data "xcrl_api_rate_limit" "shop" {
  for_each = local.rules
  rules    = each.value
}

# The login rule is dead if the Server URL rules go first.
output "findings" {
  value = { for order, answer in data.xcrl_api_rate_limit.shop : order => answer.findings[*].message }
}
