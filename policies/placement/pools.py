"""Pools that may add nodes for one pod: those whose nodes would fit, with what their limits leave, and why the others don't help."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Final

from weighbridge.policies.facts import Node, ObjectStore
from weighbridge.policies.facts.autoscaling.limits import NODES, PoolLimits, pool_limits, with_what_is_left
from weighbridge.policies.facts.autoscaling.machine_groups import CAPACITY, MACHINE_GROUPS
from weighbridge.policies.facts.tolerations import untolerated
from weighbridge.policies.placement.dynamic_resources import PodDevices
from weighbridge.policies.placement.filters import Filter, PodFilters
from weighbridge.policies.placement.nearest_labels import PLURALS, differences
from weighbridge.policies.placement.nearest_resources import amount_text, lacking

#: The most pools that are named, and the most causes of each.
_MOST_POOLS, _MOST_CAUSES = 3, 3
#: The beginnings of the names of Cluster API's pools.
_MACHINES: Final = tuple(f"{kind} " for _, kind in MACHINE_GROUPS)
#: The beginning of the names of former nodes, whose pools have their own lines.
_FORMER: Final = "a node such as "


def that_would_do(filters: PodFilters, devices: PodDevices, expected: Iterable[Node], store: ObjectStore, wanted: int = 1) -> list[str]:
    """The expected nodes that take a pod. If their pool's limits leave too little now for `wanted` pods, what is left follows."""
    fitting = (node.name for node in expected if not (filters.check(node) or filters.feature_check(node)) and devices.allows(node))
    return with_what_is_left(fitting, filters.pod.requests, store, wanted)


def that_would_not(filters: PodFilters, expected: Iterable[Node], store: ObjectStore) -> list[str]:
    """Why expected nodes and pools don't help a pod that fits none, a line for each."""
    by_name: dict[str, list[Node]] = {}
    for node in expected:
        if not node.name.startswith(_FORMER):
            by_name.setdefault(node.name, []).append(node)
    limits = {found.pool: found for found in pool_limits(store)}
    closed = [f"{name} can't help: {why}" for name, why in _closed(limits.values(), by_name)]
    # Only the lines that are shown are worked out.
    lines = [_line(filters, name, nodes, limits.get(name)) for name, nodes in islice(by_name.items(), _MOST_POOLS)]
    more = len(by_name) + len(closed) - _MOST_POOLS
    return [*[*lines, *closed][:_MOST_POOLS], *([f"{more} more pools can't help"] if more > 0 else [])]


def _line(filters: PodFilters, name: str, nodes: Iterable[Node], limits: PoolLimits | None) -> str:
    """What keeps the pod off the nearest node of a pool."""
    causes = min((list(_causes(filters, node, limits)) for node in nodes), key=len)
    return f"{name} can't help: {', '.join(causes[:_MOST_CAUSES]) or 'its nodes lack devices that the pod claims'}"


def _causes(filters: PodFilters, node: Node, limits: PoolLimits | None) -> Iterator[str]:
    refusing = set(filters.refusing(node))
    if Filter.TAINT_TOLERATION in refusing:
        yield from (f"the pod doesn't tolerate its taint {taint}" for taint in untolerated(filters.pod.tolerations, node.taints))
    if Filter.NODE_AFFINITY in refusing:
        yield from (f"its nodes {PLURALS[verb]} {rest}" for verb, rest in differences(filters.affinity, node, ()))
    for name in lacking(filters.pod, filters.by_devices, node):
        has, wanted = node.amounts.get(name, 0), amount_text(name, filters.pod.requests[name])
        by_limit = limits is not None and limits.most.get(name) == has
        if by_limit:
            yield f"its limit of {amount_text(name, has)} {name} is less than the {wanted} requested"
        else:
            yield f"its nodes have {f'{amount_text(name, has)} of the {wanted} requested' if has else 'no'} {name}"
    if Filter.VOLUME_BINDING in refusing:
        yield "its nodes can't reach the pod's volumes"
    for other in refusing - {Filter.TAINT_TOLERATION, Filter.NODE_AFFINITY, Filter.NODE_RESOURCES_FIT, Filter.VOLUME_BINDING}:
        yield f"the scheduler's filter {other} rejects its nodes"


def _closed(limits: Iterable[PoolLimits], described: Iterable[str]) -> Iterator[tuple[str, str]]:
    """The pools that add no node: because of their limits, or because cluster-autoscaler doesn't know their first node."""
    known = set(described)
    for found in limits:
        zero = next((name for name in (NODES, "cpu", "memory") if found.most.get(name) == 0), "")
        if found.pool in known:
            continue
        if zero:
            yield found.pool, f"its limit is 0 {zero}"
        elif found.pool.startswith(_MACHINES) and not found.used.get(NODES):
            yield found.pool, f"it lacks the annotations {CAPACITY}cpu and memory, without which it isn't scaled up from zero"
