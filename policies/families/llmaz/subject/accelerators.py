"""Which resources stand for accelerators, and which of them the nodes serve on which a flavor may run."""

from __future__ import annotations

from policies.facts import Facts
from policies.facts.accelerators import vendor_of_resource
from policies.families.llmaz.subject.flavors import Flavor
from policies.objects import JSONObject


def accelerators_of(amounts: JSONObject) -> list[str]:
    """The names of accelerators among amounts of resources."""
    return [name for name in amounts if vendor_of_resource(name)]


def served_with(flavor: Flavor, facts: Facts) -> dict[str, list[str]]:
    """The accelerators of nodes with all labels of a flavor, each with the names of these nodes."""
    found: dict[str, list[str]] = {}
    for node in facts.inventory.nodes if facts.inventory is not None else ():
        if not node.takes_pods or any(node.labels.get(key) != value for key, value in flavor.node_selector.items()):
            continue
        for name, count in node.allocatable.items():
            if vendor_of_resource(name) and count.sign() > 0:
                found.setdefault(name, []).append(node.name)
    return found
