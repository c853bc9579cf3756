"""Which resources are accelerators, and which of them are on the nodes that a flavor selects."""

from __future__ import annotations

from typing import NamedTuple

from weighbridge.policies.config import Configuration
from weighbridge.policies.facts import Facts
from weighbridge.policies.facts.accelerators import vendor_of_resource
from weighbridge.policies.families.llmaz.subject.flavors import Flavor
from weighbridge.policies.ground.objects import JSONObject


class Spread(NamedTuple):
    """The resource name of the GPUs, the number of GPUs that the model is spread over, and the number of nodes with them."""

    resource: str
    amount: int
    nodes: int


def accelerators_of(amounts: JSONObject) -> list[str]:
    """The names of accelerators among amounts of resources."""
    return [name for name in amounts if vendor_of_resource(name)]


def spread_over(flavor: Flavor | None, facts: Facts, config: Configuration) -> Spread | None:
    """The GPUs for the `TP` of a flavor without GPUs; `None` if they aren't clear, or may not be filled in."""
    wanted = flavor.params.get("TP", "") if flavor is not None else ""
    if flavor is None or flavor.accelerators or not (wanted.isascii() and wanted.isdigit() and len(wanted) < 4 and int(wanted)):
        return None
    served = served_with(flavor, facts)
    name = next(iter(served), "")
    return Spread(name, int(wanted), served[name]) if len(served) == 1 and config.fills_in_resource(name) else None


def served_with(flavor: Flavor, facts: Facts) -> dict[str, int]:
    """The accelerators of the nodes that have all labels of a flavor, each with the number of its nodes."""
    found: dict[str, int] = {}
    for node, size in facts.inventory.with_labels(flavor.node_selector) if facts.inventory is not None else ():
        for name, count in node.allocatable.items() if node.takes_pods else ():
            if vendor_of_resource(name) and count.sign() > 0:
                found[name] = found.get(name, 0) + size
    return found


def served_by(facts: Facts) -> list[str]:
    """The accelerators of the nodes, by name."""
    return sorted(name for name in facts.inventory.offers if vendor_of_resource(name)) if facts.inventory is not None else []
