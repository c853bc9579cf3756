"""The nodes with GPUs that a service's pods may go to, by the node selector and the node affinity that the operator gives them."""

from __future__ import annotations

from weighbridge.policies.facts import Node
from weighbridge.policies.families.llmkube.predictions.predicted_service import Service
from weighbridge.policies.ground.fields import part
from weighbridge.policies.placement.node_affinity import NodeAffinity


def gpu_nodes(service: Service) -> list[tuple[Node, int]]:
    """The nodes that a pod's selector matches and that have enough GPUs for it: one of each shape, with the number of such nodes."""
    inventory, gpus = service.facts.inventory, service.gpus
    if inventory is None or service.deployment is None or gpus.count <= 0:
        return []
    wanted = NodeAffinity.of_spec(part(service.deployment, "spec", "template", "spec"))
    differ = bool(wanted.labels & set(inventory.own.labels)) or gpus.resource in inventory.own.amounts or wanted.names() is not None
    nodes = (
        [(node, 1) for node in inventory.nodes]
        if differ
        else [(inventory.example(shape), size) for shape, size in inventory.shapes.items()]
    )
    return [(node, size) for node, size in nodes if node.amounts.get(gpus.resource, 0) >= gpus.count and not wanted.check(node)]
