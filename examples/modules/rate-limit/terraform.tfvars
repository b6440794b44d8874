# The limit that a plan of this folder by itself looks at; a module call passes
# its own.
limit = {
  number            = 10
  per_period        = "Minutes"
  burst_multiplier  = 3
  mitigation_action = "Block"
  block_duration    = 15
  block_unit        = "Minutes"
  hard_ceiling      = 50
}
