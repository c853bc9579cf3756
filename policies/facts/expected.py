"""Nodes that may be added: those that the configuration declares, those of autoscalers' pools, and former ones.

The exact size of such a node isn't known, so it can only soften a verdict. Unless stated, it has as much cpu, memory, ephemeral storage and
pods as a pod requests, and nothing else. `karpenter` and `machine_groups` read pools. `prospects` is about nodes without any description.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from weighbridge.policies.facts.autoscaling.autoscalers import has_autoscaler
from weighbridge.policies.facts.autoscaling.karpenter import NODE_POOL, nodes_of_pool
from weighbridge.policies.facts.autoscaling.machine_groups import MACHINE_GROUPS, node_of_group
from weighbridge.policies.facts.autoscaling.pool_labels import provider_of
from weighbridge.policies.facts.mentions import Mentions
from weighbridge.policies.facts.node import HOSTNAME, Node
from weighbridge.policies.facts.snapshot import Facts
from weighbridge.policies.facts.store import ObjectStore
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.policies.ground.records import replace

_POOLS: Final = (NODE_POOL, *MACHINE_GROUPS)
_OS: Final = "kubernetes.io/os"
_OF_KARPENTER: Final = "karpenter.sh/nodepool"


def declared_node(
    name: str, *, labels: Mapping[str, str], taints: Iterable[Mapping[str, str]], allocatable: Mapping[str, str | int | float]
) -> Node:
    """A node as the configuration declares it; it runs Linux unless its labels say otherwise."""
    return Node.expected(name, {HOSTNAME: name, _OS: "linux", **labels}, list(map(dict, taints)), allocatable)


def nodes_of_pools(store: ObjectStore, pod: JSONObject | None = None) -> Sequence[Node]:
    """The nodes that the pools in a store may add, named after their pools.

    If a pool leaves a label open, several nodes have its name: one for each value that `pod` mentions. Pods that mention the same values
    share the nodes, until a pool changes.
    """
    mentions = Mentions.of(pod)
    return store.once(_POOLS, (nodes_of_pools, *mentions.values.items()), lambda: _nodes_of_pools(store, mentions))


def _nodes_of_pools(store: ObjectStore, mentions: Mentions) -> Sequence[Node]:
    nodes = [node for pool in store.list(*NODE_POOL) for node in nodes_of_pool(pool, mentions)]
    for group, kind in MACHINE_GROUPS:
        nodes += filter(None, map(node_of_group, store.list(group, kind)))
    return nodes


def nodes_to_come(facts: Facts, pod: JSONObject | None = None) -> list[Node]:
    """The nodes that pools may add, and former nodes that may come back."""
    return [*nodes_of_pools(facts.objects, pod), *_returning(facts)]


def _returning(facts: Facts) -> list[Node]:
    """Former nodes that a provider's pool or an autoscaler may add again, except those of Karpenter's pools if these are known."""
    if not facts.former:
        return []
    is_scaled, knows_pools = has_autoscaler(facts.objects), facts.objects.knows_all(*NODE_POOL)
    return [
        replace(node, name=f"a node such as {node.name}, which was there before,", is_expected=True)
        for node in facts.former
        if (is_scaled or any(map(provider_of, node.labels))) and not (knows_pools and _OF_KARPENTER in node.labels)
    ]
