output "login" {
  value = {
    rule    = local.matches.login.name
    summary = local.login.summary
    burst   = local.login.burst_ceiling
  }
}

output "matches" {
  value = { for c in local.cases : "${local.expected[c].method} ${local.expected[c].path}" => local.matches[c].name }
}

output "findings" {
  value = data.xcrl_api_rate_limit.shop.findings[*].message
}

output "warnings" {
  value = data.xcrl_api_rate_limit.shop.warnings[*].message
}
