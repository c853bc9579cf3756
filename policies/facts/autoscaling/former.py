"""Nodes that were in the cluster before. Only they show what the nodes of a pool that is scaled to zero look like.

The latest node of each shape is remembered, without temporary taints and marks. Sources of these taints:
the node's conditions in k8s.io/api/core/v1 and cloud-provider/api, Karpenter, Cilium, and cluster-autoscaler.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import Final

from weighbridge.policies.facts.node import Node
from weighbridge.policies.facts.node_shapes import Own, shape_key
from weighbridge.policies.facts.tolerations import Taint
from weighbridge.policies.ground.records import replace

#: The number of shapes that are remembered.
MOST: Final = 64
#: Taints that a node has only for some time: while it is cordoned, starts, lacks something, or is about to be removed.
PASSING_TAINTS: Final = (
    "node.kubernetes.io/unschedulable",
    "node.kubernetes.io/not-ready",
    "node.kubernetes.io/unreachable",
    "node.kubernetes.io/memory-pressure",
    "node.kubernetes.io/disk-pressure",
    "node.kubernetes.io/pid-pressure",
    "node.kubernetes.io/network-unavailable",
    "node.kubernetes.io/out-of-service",
    "node.cloudprovider.kubernetes.io/uninitialized",
    "node.cloudprovider.kubernetes.io/shutdown",
    "node.cilium.io/agent-not-ready",
    "karpenter.sh/unregistered",
    "karpenter.sh/disrupted",
    "ToBeDeletedByClusterAutoscaler",
    "DeletionCandidateOfClusterAutoscaler",
)


def remember(former: Iterable[Node], gone: Iterable[Node], own: Own) -> tuple[Node, ...]:
    """The former nodes after others have been removed too, the latest last: for each shape only the latest node."""
    by_shape: dict[Hashable, Node] = {}
    for node in (*former, *map(_at_rest, gone)):
        key = shape_key(node, own)
        by_shape.pop(key, None)
        by_shape[key] = node
    return tuple(by_shape.values())[-MOST:]


def _at_rest(node: Node) -> Node:
    return replace(node, ready=True, unschedulable=False, taints=tuple(taint for taint in node.taints if not _is_passing(taint)))


def _is_passing(taint: Taint) -> bool:
    return taint.key in PASSING_TAINTS
