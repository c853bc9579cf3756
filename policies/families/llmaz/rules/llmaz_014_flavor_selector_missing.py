"""Some flavors choose nodes and others do not.

The scheduler plugin passes over all of them as soon as one has no nodeSelector: pods then run on any node.

Source: InftyAI/scheduler-plugins docs/plugins/resource_fungibility.md.
"""

from __future__ import annotations

from weighbridge.policies.families.llmaz.rulebook import Given, Said, Violation, objects
from weighbridge.policies.families.llmaz.subject.flavors import flavors_of


@objects.warning(
    kinds=("OpenModel",),
    good="accepts-a-selector-of-the-only-flavor",
    bad="warns-of-a-flavor-that-takes-any-node",
)
def check(given: Given) -> Said:
    flavors = flavors_of(given.object)
    if any(flavor.node_selector for flavor in flavors):
        for flavor in flavors:
            if not flavor.node_selector:
                message = f"flavor {flavor.name} takes any node, so the labels of the others don't count"
                yield Violation((*flavor.path, "nodeSelector"), message, hint="give each flavor a nodeSelector, or none")
