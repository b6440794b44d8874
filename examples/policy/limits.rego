# Refuses every rate limit of a plan that has a warning nobody accepted.
# Input: the JSON of a plan, as `terraform show -json` writes it.
package xcrl.limits

import rego.v1

accepted := {"client-rate-exceeds-limit", "long-lockout"}

limits contains limit if {
	some limit in input.prior_state.values.root_module.resources
	limit.type == "xcrl_rate_limit"
}

# Limits inside modules, at any depth.
limits contains limit if {
	walk(input.prior_state.values.root_module, [_, module])
	some child in module.child_modules
	some limit in child.resources
	limit.type == "xcrl_rate_limit"
}

deny contains message if {
	some limit in limits
	some warning in limit.values.warnings
	not warning.code in accepted
	message := sprintf("%s: %s", [limit.address, warning.message])
}
