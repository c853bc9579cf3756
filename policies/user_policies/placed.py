"""The nodes that could run an object's pods, as policies see them. Only the parts that policies name are computed."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

from weighbridge.policies.facts import Inventory, Node
from weighbridge.policies.ground.findings import PodPlacement
from weighbridge.policies.ground.memory import Memory
from weighbridge.policies.ground.objects import JSONObject


def placement_data(placement: PodPlacement | None, inventory: Inventory | None, wanted: frozenset[str]) -> JSONObject:
    """The wanted parts of `placement`; without pods they are empty."""
    if placement is None or inventory is None:
        return {"outlook": "", "reason": "", "nearest": [], "pod": "", "nodes": [], "rejected": []}
    found: JSONObject = {
        "outlook": str(placement.outlook),
        "reason": placement.message,
        "nearest": list(placement.nearest),
        "pod": placement.pod,
    }
    if "nodes" in wanted:
        found["nodes"] = list(_nodes(placement.nodes.feasible, inventory))
    if "rejected" in wanted:
        rejected = placement.nodes.rejected
        described = zip(_nodes(rejected, inventory), rejected.values(), strict=True)
        found["rejected"] = [{"name": node["name"], "labels": node["labels"], "reasons": list(why)} for node, why in described]
    return found


def _nodes(names: Iterable[str], inventory: Inventory) -> Iterable[JSONObject]:
    """Nodes by their names; each is described only once for an inventory."""
    described: Memory = inventory.once("nodes as policies see them", Memory)
    for name in names:
        yield described.once(name, partial(_described, name, inventory.node(name)))


def _described(name: str, node: Node | None) -> JSONObject:
    if node is None:
        return {"name": name, "labels": {}, "taints": [], "allocatable": {}}
    return {
        "name": name,
        "labels": dict(node.labels),
        "taints": [{"key": taint.key, "value": taint.value, "effect": taint.effect} for taint in node.taints],
        "allocatable": {resource: str(amount) for resource, amount in node.allocatable.items()},
    }
