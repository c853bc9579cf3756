"""Nodes that aren't there but may come: those that the configuration declares, and those of autoscalers' pools.

Nobody knows such a node to the last byte, so it only ever softens a verdict: of cpu, memory, ephemeral storage and pods it has as much as
is asked for unless something is said of them, of everything else what is said. What pools say is read by `karpenter` and `machine_groups`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from policies.facts.autoscaling.karpenter import NODE_POOL, nodes_of_pool
from policies.facts.autoscaling.machine_groups import MACHINE_GROUPS, node_of_group
from policies.facts.mentions import Mentions
from policies.facts.node import HOSTNAME, Node
from policies.facts.store import ObjectStore
from policies.objects import JSONObject

_OS: Final = "kubernetes.io/os"


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
