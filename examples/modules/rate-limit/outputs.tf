output "summary" {
  description = "What the limit does, in a sentence."
  value       = local.evaluated.summary
}

output "requests_per_second" {
  description = "Rate that a steady client may keep up."
  value       = local.evaluated.requests_per_second
}

output "burst_ceiling" {
  description = "Requests that pass at once at one enforcement point."
  value       = local.evaluated.burst_ceiling
}

output "lockout_seconds" {
  description = "How long an overflow locks a client out; 0 if it does not."
  value       = local.evaluated.lockout_seconds
}

output "xc_limit" {
  description = "The limit in the names of XC's API, for a resource of an XC provider. What is not chosen is null."
  value       = local.evaluated.xc_limit
}
