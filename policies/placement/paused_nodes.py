"""Finds nodes that take no pods now and could run a pod after a temporary taint or cordon is removed.

Source: Kubernetes v1.36, pkg/scheduler.
"""

from __future__ import annotations

from itertools import islice
from typing import Final

from weighbridge.policies.facts import Facts, Node
from weighbridge.policies.facts.autoscaling.former import PASSING_TAINTS
from weighbridge.policies.ground.fields import items, part
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.policies.placement.placement import place

_MOST_NAMED: Final = 3


def paused_nodes(pod: JSONObject, facts: Facts, namespace: str) -> list[str]:
    """The nodes that could run a pod, which no node can run now, except for a temporary taint or cordon; at most three names."""
    inventory = facts.inventory
    if inventory is not None and not inventory.once(paused_nodes, lambda: any(map(_is_paused, inventory.examples()))):
        return []
    spec = part(pod, "spec")
    put_up_with = [*items(spec, "tolerations"), *({"key": key, "operator": "Exists"} for key in PASSING_TAINTS)]
    placement = place({**pod, "spec": {**spec, "tolerations": put_up_with}}, facts, namespace=namespace)
    return list(islice(placement.nodes.fitting, _MOST_NAMED))


def _is_paused(node: Node) -> bool:
    return node.unschedulable or any(taint.key in PASSING_TAINTS for taint in node.taints)
