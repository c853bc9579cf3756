"""The resources of which a pod requests more than any node has, and the node that has the most of each.

Accelerators are shown with the names of their products.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from weighbridge.policies.facts import Inventory, Node
from weighbridge.policies.facts.accelerators import MIG, WHOLE_GPU, slicing_text, vendor_of_resource
from weighbridge.policies.facts.hami import HOW_TO_SHOW, managed
from weighbridge.policies.ground.quantity import Format, Quantity
from weighbridge.policies.ground.spelling import closest
from weighbridge.policies.pods.admission import AdmittedPod
from weighbridge.policies.pods.requests import MAX_COUNT


def absent_resources(pod: AdmittedPod, by_devices: frozenset[str], inventory: Inventory) -> dict[str, str]:
    """The resources that no node has, each with a line that names the nearest one."""
    examples = list(inventory.examples())
    return {
        name: f"no node has {name}{_extended(name) or _instead(name, examples) or _unserved(name, inventory)}"
        for name in pod.requests
        if name not in by_devices and not inventory.surely_has(name, 1) and _most(name, inventory) <= 0
    }


class Share(NamedTuple):
    """The amount of a scarce resource on a node; the note names the product, if it is known."""

    resource: str
    text: str
    note: str


def share_of(name: str, node: Node, wanted: int) -> Share:
    """The amounts of the requested resources on a node."""
    text = f"{amount_text(name, node.amounts.get(name, 0))} of the {amount_text(name, wanted)} requested {name}"
    return Share(name, text, node.product_note(name))


def scarce_resources(pod: AdmittedPod, inventory: Inventory) -> Iterator[tuple[Share, str]]:
    """For each resource of which no node has enough, the share of the best node, by itself and as a line."""
    for name, wanted in pod.requests.items():
        most = None if inventory.surely_has(name, wanted) else inventory.richest(name)
        if most is not None and 0 < most.amounts.get(name, 0) < wanted <= MAX_COUNT:
            share = share_of(name, most, wanted)
            yield share, f"{most.name} has {share.text}{share.note}"


def _most(name: str, inventory: Inventory) -> int:
    richest = inventory.richest(name)
    return 0 if richest is None else richest.amounts.get(name, 0)


def lacking(pod: AdmittedPod, by_devices: frozenset[str], node: Node) -> Iterator[str]:
    """The resources of which one node has too little."""
    for name, wanted in pod.requests.items():
        has = node.amounts.get(name, 0)
        if wanted > has and not (has <= 0 and name in by_devices):
            yield name


def amount_text(resource: str, count: int) -> str:
    """A counted amount as people write it: `500m`, `16Gi`, `8`."""
    if resource == "cpu":
        return str(Quantity.parse(f"{count}m"))
    binary = resource in ("memory", "ephemeral-storage") or resource.startswith("hugepages-")
    return str(Quantity.from_int(count, Format.BINARY_SI if binary and count % 1024 == 0 else Format.DECIMAL_SI))


def _instead(name: str, examples: list[Node]) -> str:
    """The resource with a spelling similar to the missing one's, or else the other GPUs, with the most that one node has."""
    most: dict[str, Node] = {}
    for node in examples:
        for other, count in node.amounts.items():
            if "/" in other and count > _count(most, other):
                most[other] = node
    nearest = closest(name, most) if "/" in name else ""
    if not nearest and name.startswith(MIG):
        nearest = WHOLE_GPU
    if nearest not in most:
        return ""
    node = most[nearest]
    cut = next(filter(None, (slicing_text(held, name) for held in node.accelerators)), "")
    return f"; {node.name} has {node.amounts[nearest]} {nearest}{node.product_note(nearest)}{f', {cut}' if cut else ''}"


def _extended(name: str) -> str:
    """The text about a resource that a scheduler's extender manages."""
    return f"; {HOW_TO_SHOW}" if managed([name]) else ""


def _unserved(name: str, inventory: Inventory) -> str:
    """A node whose labels name such an accelerator although it offers none: most likely its device plugin doesn't run."""
    vendor = vendor_of_resource(name)
    there = [(shape, held) for (maker, _), shapes in inventory.accelerators.items() if maker == vendor for shape, held in shapes.items()]
    if not there:
        return ""
    shape, held = max(there, key=lambda found: inventory.shapes[found[0]])
    more = inventory.shapes[shape] - 1
    names = inventory.example(shape).name + (f" and {more} more" if more else "")
    return f", though {names} {'have' if more else 'has'} {held.product} by the label {held.label}"


def _count(most: Mapping[str, Node], resource: str) -> int:
    return most[resource].amounts[resource] if resource in most else 0
