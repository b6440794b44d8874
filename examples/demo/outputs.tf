output "login" {
  value = {
    summary             = data.xcrl_rate_limit.login.summary
    requests_per_minute = data.xcrl_rate_limit.login.requests_per_minute
    burst_ceiling       = data.xcrl_rate_limit.login.burst_ceiling
    first_429_seconds   = data.xcrl_rate_limit.login.client_outcome.first_429_seconds
    lockout_end         = data.xcrl_rate_limit.login.lockout_end
    warnings            = data.xcrl_rate_limit.login.warnings[*].message
  }
}

output "api" {
  value = {
    summary             = data.xcrl_rate_limit.api.summary
    requests_per_second = data.xcrl_rate_limit.api.requests_per_second
    burst_ceiling       = data.xcrl_rate_limit.api.burst_ceiling
    first_429_seconds   = data.xcrl_rate_limit.api.client_outcome.first_429_seconds
    rejected_share      = data.xcrl_rate_limit.api.client_outcome.rejected_share
    overshoot_ceiling   = data.xcrl_rate_limit.api.overshoot_ceiling
    warnings            = data.xcrl_rate_limit.api.warnings[*].message
  }
}
