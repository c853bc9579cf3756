"""The limits of pools: what a pool may have in total, what it has, and what is left for pods that are requested together.

Karpenter compares the resources of a NodePool's nodes, from `status.resources`, with `spec.limits`, and launches no instance whose capacity
exceeds what is left. cluster-autoscaler and Cluster API limit the number of nodes. The present nodes may be removed again, so only the
limit itself excludes a node. Sources: kubernetes-sigs/karpenter 2266468 (`pkg/apis/v1/nodepool.go`, `Limits.ExceededBy`;
`pkg/controllers/provisioning/scheduling/scheduler.go`, `filterByRemainingResources`); kubernetes/autoscaler,
`cluster-autoscaler/cloudprovider/clusterapi` (`clusterapi_nodegroup.go`, `IncreaseSize`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from weighbridge.policies.facts.autoscaling.cluster_autoscaler import cluster_autoscaler
from weighbridge.policies.facts.autoscaling.karpenter import NODE_POOL
from weighbridge.policies.facts.autoscaling.machine_groups import MACHINE_GROUPS, MAXIMUM_SIZE, is_scaled
from weighbridge.policies.facts.node import Node, counted
from weighbridge.policies.facts.store import ObjectStore
from weighbridge.policies.ground.fields import amounts, part, text_map, whole
from weighbridge.policies.ground.objects import JSONObject, name_of
from weighbridge.policies.ground.quantity import Format, Quantity
from weighbridge.policies.ground.records import dataclass, field, replace

#: The name under which the number of nodes is limited.
NODES: Final = "nodes"
_POOL_LABEL: Final = "karpenter.sh/nodepool"


@dataclass(frozen=True, slots=True)
class PoolLimits:
    """The limits of a pool by resource, as the scheduler counts, and of `NODES`; `used` is the total of its present nodes."""

    pool: str
    most: Mapping[str, int]
    used: Mapping[str, int] = field(default_factory=dict)

    def left(self, resource: str) -> int | None:
        """What is left of a limit now; `None` if there is none."""
        return max(0, self.most[resource] - self.used.get(resource, 0)) if resource in self.most else None

    def room_for(self, requests: Mapping[str, int], wanted: int) -> int:
        """The number of equal pods for which the pool's limits leave room now, if their nodes were as small as possible."""
        room = [left // count for name, count in requests.items() if count > 0 and (left := self.left(name)) is not None]
        return min([wanted, *room, *([0] if self.left(NODES) == 0 else [])])

    def spent(self, requests: Mapping[str, int], wanted: int = 1) -> str:
        """Why the limits leave no room now for `wanted` equal pods together; empty if they do."""
        room = self.room_for(requests, wanted)
        if room >= wanted:
            return ""
        if self.left(NODES) == 0:
            return f"it has as many nodes as it may have, {self.most[NODES]}"
        name = min((name for name in requests if name in self.most and requests[name] > 0), key=lambda name: self._room(name, requests))
        limit = f"its limit of {_amount(name, self.most[name])} {name}"
        if room:
            return f"{limit} leaves room for {room} of {wanted}"
        left = self.left(name) or 0
        return f"{limit} leaves {_amount(name, left)} now" if left else f"{limit} is used up now"

    def _room(self, name: str, requests: Mapping[str, int]) -> int:
        return (self.left(name) or 0) // requests[name]


def pool_limits(store: ObjectStore) -> Iterator[PoolLimits]:
    """The limits of the pools in a store, under the names that their nodes have in `expected`."""
    yield from store.read(*NODE_POOL, limits_of_pool)
    for kind in MACHINE_GROUPS:
        yield from filter(None, store.read(*kind, _limits_of_group))
    scaler = cluster_autoscaler(store)
    for group_of_cloud in scaler.groups if scaler is not None else ():
        used = {NODES: group_of_cloud.registered or 0}
        yield PoolLimits(f"node group {group_of_cloud.short_name}", {NODES: group_of_cloud.most}, used)


def with_what_is_left(names: Iterable[str], requests: Mapping[str, int], store: ObjectStore, wanted: int = 1) -> list[str]:
    """Names of pools, each once. If a pool's limits leave too little now for `wanted` equal pods, what is left follows the name."""
    named = dict.fromkeys(names)
    limits = (found for found in pool_limits(store) if found.pool in named) if named else ()
    spent = {found.pool: why for found in limits if (why := found.spent(requests, wanted))}
    return [f"{name} ({spent[name]})" if name in spent else name for name in named]


def limits_of_pool(pool: JSONObject) -> PoolLimits:
    """The limits of a NodePool; a static one has as many nodes as its `replicas`."""
    most = _counts(amounts(pool, "spec", "limits"))
    if "replicas" in part(pool, "spec"):
        most[NODES] = min(whole(part(pool, "spec"), "replicas"), most.get(NODES, 2**31))
    return PoolLimits(f"NodePool {name_of(pool)}", most, _counts(amounts(pool, "status", "resources")))


def _limits_of_group(group: JSONObject) -> PoolLimits | None:
    """The limits of a group of machines; `None` for one that isn't scaled."""
    if not is_scaled(group):
        return None
    most = text_map(group, "metadata", "annotations").get(MAXIMUM_SIZE, "")
    used = {NODES: whole(part(group, "spec"), "replicas")}
    return PoolLimits(f"{group.get('kind')} {name_of(group)}", {NODES: int(most)} if most.isdecimal() else {}, used)


def within_limits(nodes: Iterable[Node], store: ObjectStore) -> list[Node]:
    """The declared nodes that the limits of their pools allow; a node's pool is found by its labels."""
    read: dict[str, Mapping[str, int]] = {}
    return [held for node in nodes if (held := _held(node, store, read)) is not None]


def _held(node: Node, store: ObjectStore, read: dict[str, Mapping[str, int]]) -> Node | None:
    name = node.labels.get(_POOL_LABEL, "")
    if name and name not in read:
        pool = store.get(*NODE_POOL, "", name)
        read[name] = limits_of_pool(pool).most if isinstance(pool, dict) else {}
    most = read.get(name, {})
    if most.get(NODES) == 0:
        return None
    over = {name: limit for name, limit in most.items() if node.amounts.get(name, 0) > limit}
    if not over:
        return node
    texts = {name: Quantity.parse(f"{limit}m") if name == "cpu" else Quantity.from_int(limit) for name, limit in over.items()}
    return replace(node, allocatable={**node.allocatable, **texts}, amounts={**node.amounts, **over})


def _counts(found: Mapping[str, Quantity]) -> dict[str, int]:
    return {name: counted(name, amount) for name, amount in found.items()}


def _amount(resource: str, count: int) -> str:
    if resource == "cpu":
        return str(Quantity.parse(f"{count}m"))
    return str(Quantity.from_int(count, Format.BINARY_SI if resource == "memory" and count % 1024 == 0 else Format.DECIMAL_SI))
