variable "limit" {
  description = "The limit as in XC's console, and what it has to fit: hard_ceiling is the largest burst that the origin takes, from enforcement_points that count separately."
  type = object({
    number             = number
    per_period         = string
    periods            = optional(number)
    burst_multiplier   = optional(number)
    mitigation_action  = optional(string)
    block_duration     = optional(number)
    block_unit         = optional(string)
    algorithm          = optional(string)
    hard_ceiling       = number
    enforcement_points = optional(number)
  })

  # What the origin takes. A limit that XC would not take fails here too, in the
  # provider's own words.
  validation {
    condition     = provider::xcrl::evaluate(var.limit).overshoot_ceiling <= var.limit.hard_ceiling
    error_message = "This limit could let more requests through at once than the ${var.limit.hard_ceiling} that the origin takes: lower number or burst_multiplier."
  }

  # Nothing risky that is not meant: of the warnings, two only inform and one is
  # the rule above. The rule above has also said why where there is no answer.
  validation {
    condition = try(length(setsubtract(provider::xcrl::evaluate(var.limit).warnings[*].code, [
      "disabled-still-enforces",
      "overshoot-exceeds-hard-ceiling",
      "token-bucket-modelled-as-leaky",
    ])) == 0, true)
    error_message = try(join(" ", provider::xcrl::evaluate(var.limit).warnings[*].message), "No answer.")
  }
}
