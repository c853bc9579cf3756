"""Nodes that aren't there but may come: those that the configuration declares, those of autoscalers' pools, and those of before.

The exact size of such a node isn't known, so it only ever softens a verdict: of cpu, memory, ephemeral storage and pods it has as much as
is asked for unless something is said of them, of everything else what is said. What pools say is read by `karpenter` and `machine_groups`.
Nodes without any description are the matter of `prospects`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
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

_OS: Final = "kubernetes.io/os"
_OF_KARPENTER: Final = "karpenter.sh/nodepool"


def declared_node(
    name: str, *, labels: Mapping[str, str], taints: Iterable[Mapping[str, str]], allocatable: Mapping[str, str | int | float]
) -> Node:
    """A node as the configuration declares it; it runs Linux unless its labels say otherwise."""
    return Node.expected(name, {HOSTNAME: name, _OS: "linux", **labels}, list(map(dict, taints)), allocatable)


def nodes_of_pools(store: ObjectStore, pod: JSONObject | None = None) -> list[Node]:
    """The nodes that the pools in a store may bring, under their pools' names.

    A pool that leaves a label open gives several nodes of one name, one for each value that `pod` mentions.
    """
    mentions = Mentions.of(pod)
    nodes = [node for pool in store.list(*NODE_POOL) for node in nodes_of_pool(pool, mentions)]
    for group, kind in MACHINE_GROUPS:
        nodes += filter(None, map(node_of_group, store.list(group, kind)))
    return nodes


def nodes_to_come(facts: Facts, pod: JSONObject | None = None) -> list[Node]:
    """The nodes that pools may bring, and those of before that may come back."""
    return [*nodes_of_pools(facts.objects, pod), *_returning(facts)]


def _returning(facts: Facts) -> list[Node]:
    """Nodes of before whose pool is a provider's, or that an autoscaler may bring again; Karpenter's pools speak for themselves."""
    if not facts.former:
        return []
    is_scaled, knows_pools = has_autoscaler(facts.objects), facts.objects.knows_all(*NODE_POOL)
    return [
        replace(node, name=f"a node such as {node.name}, which was there before,")
        for node in facts.former
        if (is_scaled or any(map(provider_of, node.labels))) and not (knows_pools and _OF_KARPENTER in node.labels)
    ]
