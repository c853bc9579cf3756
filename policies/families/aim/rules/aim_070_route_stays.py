"""Routing is switched off, but the route stays.

aim-engine never removes the HTTPRoute as long as the service exists, so clients can still reach the service. Delete the HTTPRoute
by hand.

Source: aim-engine v0.2.1, internal/aimservice/httproute.go.
"""

from weighbridge.policies.families.aim.kinds import NEW
from weighbridge.policies.families.aim.predictions.names import runtime_name
from weighbridge.policies.families.aim.rulebook import Given, Said, SpecChange, Violation, changes, part


@changes.warning(kinds=("AIMService",), good="accepts-a-route-that-is-switched-on", bad="warns-of-a-route-that-stays")
def check(change: SpecChange, given: Given) -> Said:
    before, now = (part(spec, "routing").get("enabled") for spec in change)
    if given.group == NEW and before is True and now is not True:
        route = runtime_name(given.name, given.namespace)
        yield Violation(
            ("spec", "routing", "enabled"),
            f"HTTPRoute {route} stays, and the service can still be reached",
            hint=f"afterwards: kubectl delete httproute {route} -n {given.namespace}",
        )
