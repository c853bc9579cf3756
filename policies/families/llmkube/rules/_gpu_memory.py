"""The memory of the GPUs on the nodes that a service's pods may go to, by the node selector and affinity that the operator gives them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from weighbridge.policies.facts import Inventory, Node
from weighbridge.policies.facts.accelerators.memory import known_memory
from weighbridge.policies.families.llmkube.predictions.predicted_service import Service
from weighbridge.policies.families.llmkube.subject.gpu import PodGpus
from weighbridge.policies.families.weights import GIB
from weighbridge.policies.ground.content import content_of
from weighbridge.policies.ground.expressions import expression
from weighbridge.policies.ground.fields import part
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.policies.placement.node_affinity import NodeAffinity

#: The memory in the name of an NVIDIA GPU's partition: ``3g.40gb``.
_PARTITION: Final = expression(r"\d+g\.(\d+)gb(?:[.+].*)?")


def most_memory_for(service: Service, used: int) -> tuple[Node, int] | None:
    """The node with the most memory on `used` of a pod's GPUs, and that memory in bytes, among the nodes that the pod may go to.

    `None` if there is no such node, or the memory of one isn't known. Remembered for all pods that select alike, until a node changes.
    """
    inventory, gpus = service.facts.inventory, service.gpus
    if inventory is None or service.deployment is None or gpus.count <= 0:
        return None
    spec = part(service.deployment, "spec", "template", "spec")
    selection = content_of([spec.get("nodeSelector"), part(spec, "affinity").get("nodeAffinity")])
    if selection is None:
        return _most_memory(inventory, spec, gpus, used)
    key = (most_memory_for, selection, gpus.resource, gpus.count, gpus.profile, used)
    return service.facts.objects.once((("", "Node"),), key, lambda: _most_memory(inventory, spec, gpus, used), by=(inventory,))


def memory_on(node: Node, gpus: PodGpus, inventory: Inventory, count: int) -> int:
    """The bytes of memory of that many GPUs of a node; 0 if they aren't known."""
    partition = _PARTITION.fullmatch(gpus.profile)
    return int(partition[1]) * GIB * count if partition is not None else known_memory(inventory, node, gpus.resource, count)


def _most_memory(inventory: Inventory, spec: JSONObject, gpus: PodGpus, used: int) -> tuple[Node, int] | None:
    found = [(node, memory_on(node, gpus, inventory, used)) for node in _gpu_nodes(inventory, spec, gpus)]
    return max(found, key=lambda held: held[1], default=None) if all(size for _, size in found) else None


def _gpu_nodes(inventory: Inventory, spec: JSONObject, gpus: PodGpus) -> list[Node]:
    """The nodes that a pod's selector matches and that have enough GPUs for it, one of each shape where all of a shape are alike."""
    wanted = NodeAffinity.of_spec(spec)
    nodes = _candidates(wanted, inventory, gpus.resource)
    return [node for node in nodes if node.amounts.get(gpus.resource, 0) >= gpus.count and not wanted.check(node)]


def _candidates(wanted: NodeAffinity, inventory: Inventory, resource: str) -> Iterable[Node]:
    """The nodes to look at: the few that the pod names by a label of their own, such as the host name, or one of each shape, or all."""
    if not inventory.own.labels.isdisjoint(wanted.selector):
        return (node for node, _ in inventory.with_labels(wanted.selector))
    differ = wanted.differs_within_shapes(inventory) or resource in inventory.own.amounts
    return inventory.nodes if differ else map(inventory.example, inventory.shapes)
