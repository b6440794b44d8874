# The API rules of a shop: which limit does a login meet, and can every rule be
# reached?
terraform {
  required_providers {
    xcrl = {
      source = "xcrl/xcrl"
    }
  }
}

locals {
  # In the order of evaluation: what is narrow comes first.
  rules = [
    {
      name    = "health checks"
      path    = "/health/{probe}"
      methods = ["GET", "HEAD"]
      action  = "bypass"
    },
    {
      # Few, and whoever guesses passwords is locked out.
      name    = "login"
      path    = "/api/login"
      methods = ["POST"]
      limit = {
        number            = 10
        per_period        = "Minutes"
        burst_multiplier  = 3
        mitigation_action = "Block"
        block_duration    = 15
        block_unit        = "Minutes"
      }
    },
    {
      # Partners search more than others. The text stands for the matcher that
      # recognises them; equal texts mean equal matchers.
      name       = "search by partners"
      path       = "/api/search"
      methods    = ["GET"]
      conditions = ["client: partner ASNs"]
      limit      = { number = 50, per_period = "Seconds", burst_multiplier = 2 }
    },
    {
      name    = "search"
      path    = "/api/search"
      methods = ["GET"]
      limit   = { number = 5, per_period = "Seconds", burst_multiplier = 4 }
    },
    {
      name    = "a product"
      path    = "/api/catalogue/{product}"
      methods = ["GET"]
      limit   = { number = 100, per_period = "Seconds", burst_multiplier = 2 }
    },
    {
      name      = "catalogue"
      base_path = "/api/catalogue"
      limit     = { number = 20, per_period = "Seconds", burst_multiplier = 2 }
    },
    {
      name      = "everything else"
      base_path = "/"
      limit     = { number = 1000, per_period = "Minutes" }
    },
  ]

  # What must be so, whoever changes the rules: request, and the rule that it
  # meets.
  expected = {
    login         = { method = "POST", path = "/api/login", rule = "login" }
    login_page    = { method = "GET", path = "/api/login", rule = "everything else" }
    search        = { method = "GET", path = "/api/search", rule = "search" }
    product       = { method = "GET", path = "/api/catalogue/4711", rule = "a product" }
    product_image = { method = "GET", path = "/api/catalogue/4711/image", rule = "catalogue" }
    health        = { method = "GET", path = "/health/live", rule = "health checks" }
  }
  cases = keys(local.expected)
}

data "xcrl_api_rate_limit" "shop" {
  rules = local.rules
  requests = [for c in local.cases : {
    method = local.expected[c].method
    domain = "shop.example.com"
    path   = local.expected[c].path
  }]
}

locals {
  matches = zipmap(local.cases, data.xcrl_api_rate_limit.shop.matches)
  login   = data.xcrl_api_rate_limit.shop.limits[local.matches.login.rule]
}

check "every_rule_can_be_reached" {
  assert {
    condition     = length(data.xcrl_api_rate_limit.shop.shadowed) == 0
    error_message = join("\n", [for f in data.xcrl_api_rate_limit.shop.findings : f.message if f.code == "shadowed"])
  }
}

check "requests_meet_their_rules" {
  assert {
    condition = alltrue([for c in local.cases : local.matches[c].name == local.expected[c].rule])
    error_message = join("\n", [for c in local.cases :
      "${local.expected[c].method} ${local.expected[c].path} should meet \"${local.expected[c].rule}\", but meets ${jsonencode(local.matches[c].name)}."
    if local.matches[c].name != local.expected[c].rule])
  }
}

check "logins_are_few" {
  assert {
    condition     = local.matches.login.action == "limit" && local.login.requests_per_minute <= 10 && local.login.lockout_seconds >= 600
    error_message = "A login should meet at most 10 requests per minute and a lockout of 10 minutes or more. It meets: ${local.login.summary}"
  }
}
