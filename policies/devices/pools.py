"""Pools as one node sees them: which slices count, whether they are complete, and whether they fit together.

Only a pool's newest generation counts. A pool with missing slices is being updated, and one whose devices or counters contradict each other
is invalid. Devices of neither can be allocated, and both stop a request for all devices. The order of pools, slices and devices is the
order in which devices are tried. Source: k8s.io/dynamic-resource-allocation v0.36, pools_incubating.go.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from collections.abc import Set as AbstractSet
from functools import cached_property
from operator import itemgetter
from typing import TypeAlias

from weighbridge.policies.devices.node_selection import UnreadableSelectorError
from weighbridge.policies.devices.slices import CounterSet, PoolId, Slice
from weighbridge.policies.facts.inventory import Inventory
from weighbridge.policies.facts.node import Node
from weighbridge.policies.ground.records import dataclass, field, replace
from weighbridge.policies.ground.server_release import release


@dataclass(frozen=True, slots=True, eq=False)
class Pool:
    """One pool. `slices` are those with devices for the node; `elsewhere` are the others, whose devices may draw on the same counters."""

    id: PoolId
    is_incomplete: bool = False
    invalid: str = ""
    slices: tuple[Slice, ...] = ()
    elsewhere: tuple[Slice, ...] = ()
    counter_sets: Mapping[str, CounterSet] = field(default_factory=dict)

    @property
    def is_invalid(self) -> bool:
        """Whether its devices or counters contradict each other; `invalid` says how."""
        return bool(self.invalid)

    @property
    def is_passed_over(self) -> bool:
        """Whether its devices are ignored."""
        return self.is_invalid or (self.is_incomplete and release().passes_over_bad_pools)

    @property
    def counted_as(self) -> Hashable:
        """The key by which its counters are kept."""
        return self.id if release().counts_pools_by_driver else self.id.pool

    @property
    def has_binding_conditions(self) -> bool:
        """Whether a device here becomes ready only after it has been allocated; such pools come last."""
        return any(device.has_binding_conditions for found in self.slices for device in found.devices)


#: A slice and its position among all slices.
_Numbered: TypeAlias = tuple[int, Slice]


class PoolSelectionError(ValueError):
    """A slice's node selector can't be read; the message is the scheduler's."""


class SliceIndex:
    """All slices of a cluster, by their node and by their pool."""

    def __init__(self, slices: Iterable[Slice]) -> None:
        self.slices = tuple(slices)
        self._on_node: dict[str, list[Slice]] = {}
        self._anywhere: list[_Numbered] = []
        self._counters: dict[PoolId, list[_Numbered]] = {}
        self._of_pool: dict[PoolId, list[Slice]] = {}
        self._nodes_of_pool: dict[PoolId, set[str]] = {}
        for number, found in enumerate(self.slices):
            self._of_pool.setdefault(found.pool, []).append(found)
            if found.counter_sets:
                self._counters.setdefault(found.pool, []).append((number, found))
            elif found.nodes.node_name:
                self._on_node.setdefault(found.nodes.node_name, []).append(found)
                self._nodes_of_pool.setdefault(found.pool, set()).add(found.nodes.node_name)
            else:
                self._anywhere.append((number, found))

    def concerned(self, inventory: Inventory) -> Iterable[Node]:
        """The nodes that may have slices which not every node has."""
        if self._anywhere:
            return inventory.nodes
        return (node for name in self._on_node if (node := inventory.node(name)) is not None)

    def nodes_of(self, pool: PoolId) -> AbstractSet[str]:
        """The names of the nodes that have slices of a pool only for themselves."""
        return self._nodes_of_pool.get(pool, frozenset())

    def pools_for(self, node: Node) -> tuple[Pool, ...]:
        """The pools that matter to a node, in the order in which they are tried. Raises PoolSelectionError.

        Before 1.37 shared counters are for all nodes. A pool of which a node has only counters matters only if it is incomplete or invalid.
        """
        found: dict[PoolId, list[Slice]] = {}
        for candidate in self._on_node.get(node.name, ()):
            _add_newest(found, candidate)
        reached = [entry for entry in self._anywhere if _is_for(entry[1], node)]
        by_node = release().gathers_pools_by_node
        if by_node:
            reached += [entry for entry in self._stated_counters if _is_for(entry[1], node)]
        else:
            with_devices = {*found, *(candidate.pool for _, candidate in reached)}
            reached += [entry for pool in with_devices for entry in self._counters.get(pool, ())]
        for _, candidate in sorted(reached, key=itemgetter(0)):
            _add_newest(found, candidate)
        pools = [pool for id_, slices in found.items() if (pool := self._pool(id_, slices)) is not None]
        if not by_node:
            pools += [pool for pool in self._troubled if pool.id not in found]
        return tuple(sorted(pools, key=lambda pool: (pool.has_binding_conditions, pool.id)))

    @cached_property
    def _stated_counters(self) -> list[_Numbered]:
        """The slices with counters that say for which nodes they are."""
        return [entry for entries in self._counters.values() for entry in entries if entry[1].nodes.is_stated]

    @cached_property
    def _troubled(self) -> list[Pool]:
        """The incomplete and invalid pools among those with counters, as a node without their devices sees them."""
        found: dict[PoolId, list[Slice]] = {}
        for entries in self._counters.values():
            for _, candidate in entries:
                _add_newest(found, candidate)
        pools = (self._pool(id_, slices) for id_, slices in found.items())
        return [pool for pool in pools if pool is not None and (pool.is_incomplete or pool.is_invalid)]

    def _pool(self, id_: PoolId, slices: list[Slice]) -> Pool | None:
        """One pool; `None` if a newer generation, of which the node has no slices, has replaced it."""
        expected = slices[0].slice_count
        if not release().passes_over_bad_pools:
            return replace(_checked(id_, slices, []), is_incomplete=len(slices) != expected)
        if len(slices) == expected:
            return _checked(id_, slices, [])
        generation = slices[0].generation
        if any(other.generation > generation for other in self._of_pool[id_]):
            return None
        everything = [other for other in self._of_pool[id_] if other.generation == generation]
        if len(everything) != expected:
            return Pool(id_, is_incomplete=True)
        names = {known.name for known in slices}
        return _checked(id_, slices, [other for other in everything if other.name not in names])


def _is_for(candidate: Slice, node: Node) -> bool:
    """Whether a slice has devices for a node."""
    try:
        if candidate.nodes.is_stated:
            return candidate.nodes.matches(node)
    except UnreadableSelectorError as error:
        selector = candidate.nodes.selector
        raise PoolSelectionError(
            f"gather pool information: failed to perform node selection for slice {candidate.name}: "
            f"failed to parse node selector {selector}: {error}"
        ) from None
    return candidate.selects_per_device and _has_device_for(candidate, node)


def _has_device_for(candidate: Slice, node: Node) -> bool:
    for device in candidate.devices:
        try:
            if device.nodes.matches(node):
                return True
        except UnreadableSelectorError as error:
            raise PoolSelectionError(
                f"gather pool information: failed to perform node selection for device {device.id.device} in slice {candidate.name}: "
                f"failed to parse node selector {device.nodes.selector}: {error}"
            ) from None
    return False


def _add_newest(found: dict[PoolId, list[Slice]], candidate: Slice) -> None:
    known = found.get(candidate.pool)
    if known is None or candidate.generation > known[0].generation:
        found[candidate.pool] = [candidate]
    elif candidate.generation == known[0].generation:
        known.append(candidate)


def _checked(id_: PoolId, slices: list[Slice], elsewhere: list[Slice]) -> Pool:
    """A complete pool, or an invalid one."""
    slices = sorted(slices, key=lambda found: found.name)
    with_devices = tuple(found for found in slices if not found.counter_sets)
    sets = _counter_sets((*slices, *elsewhere))
    repeated = _repeated_device(with_devices)
    if repeated:
        return Pool(id_, invalid=f"duplicate device name {repeated}")
    if sets is None or not _counters_exist(sets, (*slices, *elsewhere)):
        return Pool(id_, invalid="counters")
    return Pool(id_, slices=with_devices, elsewhere=tuple(found for found in elsewhere if not found.counter_sets), counter_sets=sets)


def _counter_sets(slices: Iterable[Slice]) -> dict[str, CounterSet] | None:
    """The counter sets by name; `None` if two have the same name."""
    sets: dict[str, CounterSet] = {}
    for found in slices:
        for counters in found.counter_sets:
            if counters.name in sets:
                return None
            sets[counters.name] = counters
    return sets


def _repeated_device(slices: Iterable[Slice]) -> str:
    """The first name that two devices have; mostly empty."""
    seen: set[str] = set()
    for name in (device.id.device for found in slices for device in found.devices):
        if name in seen:
            return name
        seen.add(name)
    return ""


def _counters_exist(sets: Mapping[str, CounterSet], slices: Iterable[Slice]) -> bool:
    """Whether all counters exist on which devices draw."""
    return all(
        drawn.counter_set in sets and drawn.counters.keys() <= sets[drawn.counter_set].counters.keys()
        for found in slices
        for device in found.devices
        for drawn in device.consumes
    )
