"""Some flavors choose nodes and others don't.

If one flavor has no nodeSelector, the scheduler plugin ignores all of them, and the pods run on any node. Give a nodeSelector to each
flavor, or to none.

Source: InftyAI/scheduler-plugins 25a11fd, docs/plugins/resource_fungibility.md.
"""

from weighbridge.policies.families.llmaz.rulebook import Flavors, Said, Violation, flavors


@flavors.warning(good="accepts-a-selector-of-the-only-flavor", bad="warns-of-a-flavor-that-takes-any-node")
def check(flavors: Flavors) -> Said:
    if not any(flavor.node_selector for flavor in flavors):
        return
    for flavor in flavors:
        if not flavor.node_selector:
            message = f"flavor {flavor.name} takes any node, so the labels of the others don't count"
            yield Violation((*flavor.path, "nodeSelector"), message, hint="give each flavor a nodeSelector, or none")
