"""The severity of a finding that no node could run a pod with its devices.

It is a warning if a suitable node is expected, if an autoscaler may add one, or if the pod waits for a volume. Otherwise it is an error,
with the entry of `expectedNodes` that would allow the object.
"""

from __future__ import annotations

from weighbridge.policies.config import Configuration
from weighbridge.policies.config.expected import entry_text
from weighbridge.policies.facts import Facts
from weighbridge.policies.facts.autoscaling.limits import within_limits
from weighbridge.policies.facts.autoscaling.prospects import groups_in_backoff, prospects
from weighbridge.policies.facts.expected import nodes_to_come
from weighbridge.policies.families.rule import Violation
from weighbridge.policies.ground.findings import Severity
from weighbridge.policies.ground.records import replace
from weighbridge.policies.placement.outcome import Placement
from weighbridge.policies.placement.wordings import NO_ROOM, NONE_FREE


def node_may_come(resource: str, count: int, facts: Facts, config: Configuration) -> bool:
    """Whether a node with that amount of a resource is expected, or may come from an autoscaler whose nodes aren't known."""
    if most_expected(resource, facts, config) >= count or prospects(facts):
        return True
    return any(node.amounts.get(resource, 0) >= count for node in nodes_to_come(facts))


def most_expected(resource: str, facts: Facts, config: Configuration) -> int:
    """The largest amount of a resource that the configuration expects on one node, within the limits of pools."""
    declared = within_limits(config.declared_nodes, facts.objects)
    return max([config.expected_resources.get(resource, 0), *(node.amounts.get(resource, 0) for node in declared)])


def weighed(
    violation: Violation,
    placement: Placement,
    resource: str,
    count: int,
    what: str,
    facts: Facts,
    config: Configuration,
    *,
    waits: bool = False,
) -> Violation:
    """The violation with its severity and hint; `what` is its message without the nodes, `waits` says that it waits for new volumes."""
    later = list(placement.on_expected)
    if not later and config.expected_resources.get(resource, 0) >= count:
        later = ["nodes that expectedResources declares"]
    if later:
        return replace(violation, severity=Severity.WARNING, hint=f"not there now, but {' and '.join(later)} could run them")
    if NONE_FREE in placement.message or NO_ROOM in placement.message or waits:
        return replace(violation, severity=Severity.WARNING, hint=f"the pods wait until another volume can be had; {violation.hint}")
    wish = placement.wish
    if wish is not None:
        violation = replace(violation, configuration=entry_text(wish.name, wish.labels, wish.allocatable, config.expected_nodes))
    if placement.prospects:
        message = f"{what} now; {' and '.join(placement.prospects)} may bring one"
        return replace(violation, severity=Severity.WARNING, message=message, hint="")
    return replace(violation, hint="; ".join(filter(None, [violation.hint, *groups_in_backoff(facts)])))
