"""Routing is switched off, and the route stays.

aim-engine makes the HTTPRoute and never removes it while the service is there: it can still be reached. Delete the HTTPRoute by hand.

Source: aim-engine v0.2.1 internal/aimservice/httproute.go.
"""

from __future__ import annotations

from weighbridge.policies.families.aim.kinds import OLD
from weighbridge.policies.families.aim.predictions.names import runtime_name
from weighbridge.policies.families.aim.rulebook import Given, Said, Violation, objects
from weighbridge.policies.families.family import spec_of
from weighbridge.policies.ground.objects import Operation, lookup


@objects.warning(
    kinds=("AIMService",),
    good="accepts-a-route-that-is-switched-on",
    bad="warns-of-a-route-that-stays",
)
def check(given: Given) -> Said:
    if given.request.operation is not Operation.UPDATE or not isinstance(given.request.old_object, dict) or given.group == OLD:
        return
    before, now = (lookup(spec_of(obj), ("routing", "enabled")) for obj in (given.request.old_object, given.object))
    if before is True and now is not True:
        namespace = given.namespace
        made = runtime_name(given.name, namespace)
        yield Violation(
            ("spec", "routing", "enabled"),
            f"HTTPRoute {made} stays, and the service can still be reached",
            hint=f"afterwards: kubectl delete httproute {made} -n {namespace}",
        )
