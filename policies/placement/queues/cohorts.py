"""The most that Kueue's ClusterQueues may use of each flavor while nothing is used: their own quotas, and what their cohorts lend.

Cohorts form trees. A Cohort adds its own quota; a cohort without an object has none. `lendingLimit` limits what a node lends to the others
of its parent, `borrowingLimit` what it borrows from them. Stopped ClusterQueues lend too. Source: Kueue v0.19,
pkg/cache/scheduler/resource_node.go (updateCohortResourceNode, accumulateFromChild, potentialAvailable) and pkg/cache/hierarchy
(getOrCreateCohort, HasCycle).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final, TypeAlias

from weighbridge.policies.facts import ObjectStore
from weighbridge.policies.ground.fields import amounts, items, part, text
from weighbridge.policies.ground.objects import JSONObject, name_of
from weighbridge.policies.ground.quantity import Quantity
from weighbridge.policies.ground.records import dataclass

GROUP: Final = "kueue.x-k8s.io"
CLUSTER_QUEUE, COHORT = "ClusterQueue", "Cohort"
_KINDS: Final = ((GROUP, CLUSTER_QUEUE), (GROUP, COHORT))
_ZERO: Final = Quantity.from_int(0)

#: A flavor and a resource.
Of: TypeAlias = tuple[str, str]


@dataclass(slots=True)
class _Node:
    """A ClusterQueue or a cohort: its quotas with their limits, and the total quota of all below it."""

    parent: str
    quotas: Mapping[Of, Mapping[str, Quantity]]
    subtree: dict[Of, Quantity]

    def kept(self, of: Of) -> Quantity:
        """The quota that isn't lent to the others of the parent."""
        limit = self.quotas.get(of, {}).get("lendingLimit")
        return _ZERO if limit is None else _greater(_ZERO, self.subtree.get(of, _ZERO).sub(limit))


@dataclass(frozen=True, slots=True)
class Quotas:
    """The quotas of all ClusterQueues and cohorts."""

    queues: Mapping[str, _Node]
    cohorts: Mapping[str, _Node]

    def looping(self, queue: str) -> str:
        """A cohort above a ClusterQueue that is its own ancestor, or empty."""
        seen: set[str] = set()
        name = self.queues[queue].parent if queue in self.queues else ""
        while name and name not in seen:
            seen.add(name)
            name = self.cohorts[name].parent
        return name

    def most(self, queue: str, of: Of) -> Quantity:
        """The most that a ClusterQueue without a loop above it may use."""
        above = [self.queues[queue]]
        while above[-1].parent:
            above.append(self.cohorts[above[-1].parent])
        most = above.pop().subtree.get(of, _ZERO)
        for node in reversed(above):
            most = node.kept(of).add(most)
            limit = node.quotas.get(of, {}).get("borrowingLimit")
            if limit is not None:
                most = _lesser(most, node.subtree.get(of, _ZERO).add(limit))
        return most


def quotas_of(store: ObjectStore) -> Quotas:
    """The quotas of a cluster's queues; the store remembers them."""
    return store.once(_KINDS, quotas_of, lambda: _read(store))


def cohort_of(queue: JSONObject) -> str:
    """The cohort of a ClusterQueue, by its names in v1beta2 and v1beta1."""
    spec = part(queue, "spec")
    return text(spec, "cohortName") or text(spec, "cohort")


def _read(store: ObjectStore) -> Quotas:
    queues = {name_of(queue): _node(queue, cohort_of(queue)) for queue in store.list(GROUP, CLUSTER_QUEUE)}
    cohorts = {name_of(cohort): _node(cohort, text(part(cohort, "spec"), "parentName")) for cohort in store.list(GROUP, COHORT)}
    for named in (*queues.values(), *list(cohorts.values())):
        if named.parent and named.parent not in cohorts:
            cohorts[named.parent] = _Node("", {}, {})
    for node in (*queues.values(), *_upwards(cohorts)):
        if node.parent:
            above = cohorts[node.parent].subtree
            above |= {of: above.get(of, _ZERO).add(quota.sub(node.kept(of))) for of, quota in node.subtree.items()}
    return Quotas(queues, cohorts)


def _node(obj: JSONObject, parent: str) -> _Node:
    quotas = dict(_quotas(obj))
    return _Node(parent, quotas, {of: found.get("nominalQuota", _ZERO) for of, found in quotas.items()})


def _quotas(obj: JSONObject) -> Iterator[tuple[Of, Mapping[str, Quantity]]]:
    for group in items(obj, "spec", "resourceGroups"):
        for flavor in items(group, "flavors"):
            for resource in items(flavor, "resources"):
                yield (text(flavor, "name"), text(resource, "name")), amounts({"found": resource}, "found")


def _upwards(cohorts: Mapping[str, _Node]) -> Iterator[_Node]:
    """The cohorts, each after all below it, without those in loops."""
    waiting = dict.fromkeys(cohorts, 0)
    for node in cohorts.values():
        if node.parent:
            waiting[node.parent] += 1
    ready = [name for name, number in waiting.items() if not number]
    while ready:
        node = cohorts[ready.pop()]
        yield node
        if node.parent:
            waiting[node.parent] -= 1
            if not waiting[node.parent]:
                ready.append(node.parent)


def _greater(one: Quantity, other: Quantity) -> Quantity:
    return one if one.compare(other) > 0 else other


def _lesser(one: Quantity, other: Quantity) -> Quantity:
    return one if one.compare(other) < 0 else other
