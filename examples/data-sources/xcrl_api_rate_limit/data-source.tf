terraform {
  required_providers {
    xcrl = {
      source = "xcrl/xcrl"
    }
  }
}

# The login has a limit of its own, above the rule that takes everything else.
data "xcrl_api_rate_limit" "shop" {
  rules = [
    {
      name      = "health"
      base_path = "/healthz"
      action    = "bypass"
    },
    {
      name    = "login"
      path    = "/api/login"
      methods = ["POST"]
      limit   = { number = 10, per_period = "Minutes" }
    },
    {
      name      = "everything"
      base_path = "/"
      limit     = { number = 1000, per_period = "Minutes" }
    },
  ]

  # Which rule does each of these meet?
  requests = [
    { method = "POST", domain = "shop.example.com", path = "/api/login" },
    { method = "GET", domain = "shop.example.com", path = "/healthz/live" },
  ]

  lifecycle {
    postcondition {
      condition     = length(self.shadowed) == 0
      error_message = join("\n", [for f in self.findings : f.message if f.code == "shadowed"])
    }
  }
}

output "who_meets_what" {
  value = data.xcrl_api_rate_limit.shop.matches
}

output "limit_of_the_login" {
  value = data.xcrl_api_rate_limit.shop.limits[data.xcrl_api_rate_limit.shop.matches[0].rule].summary
}
