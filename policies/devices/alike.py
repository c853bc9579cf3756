"""Groups nodes whose devices are the same for the allocator: its result on one of them is its result on all.

Drivers publish what is each device's own (a UUID, an address) among its attributes. So an attribute with very many values distinguishes
devices only for requests that read it, and a node's slices are compared without such values. Slices that several nodes share are compared
by identity. Devices that claims hold are added node by node.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from functools import cached_property

from weighbridge.policies.devices.allocated import Allocated
from weighbridge.policies.devices.node_selection import UnreadableSelectorError
from weighbridge.policies.devices.pools import Pool, PoolSelectionError, SliceIndex
from weighbridge.policies.devices.slices import Device, PoolId, Slice
from weighbridge.policies.facts.inventory import Inventory, Partition
from weighbridge.policies.facts.node import Node

# An attribute is each device's own if it has more values than the first number, and more than one value for as many devices as the second
# says.
_FEW_VALUES, _DEVICES_PER_VALUE = 16, 16
#: The number for a node without pools.
NOTHING = 0


class SliceShapes:
    """The devices of nodes, as numbers: equal if the devices differ only in what is each one's own."""

    def __init__(self, index: SliceIndex) -> None:
        self.index = index
        self._numbers: dict[Hashable, int] = {(): NOTHING}
        self._slices: dict[int, Hashable] = {}
        self._known: dict[str, tuple[Node, int]] = {}

    @cached_property
    def own(self) -> frozenset[str]:
        """The names, without domain, of the attributes that are each device's own."""
        values: dict[str, set[Hashable]] = {}
        holders: dict[str, int] = {}
        for device in (device for found in self.index.slices for device in found.devices):
            for name, attribute in device.attributes.items():
                values.setdefault(name, set()).add(attribute)
                holders[name] = holders.get(name, 0) + 1
        return frozenset(_bare(name) for name, seen in values.items() if len(seen) > max(_FEW_VALUES, holders[name] // _DEVICES_PER_VALUE))

    def of(self, node: Node) -> int:
        """The number for a node's devices."""
        known = self._known.get(node.name)
        if known is None or known[0] is not node:
            known = self._known[node.name] = (node, self._numbers.setdefault(self._key(node), len(self._numbers)))
        return known[1]

    def devices_of(self, node: Node) -> Iterator[Device]:
        """The devices of slices that are the node's alone, in the order in which they are tried."""
        try:
            pools = self.index.pools_for(node)
        except PoolSelectionError:
            return
        for found in (found for pool in pools for found in pool.slices if found.nodes.node_name):
            yield from found.devices

    def _key(self, node: Node) -> Hashable:
        try:
            pools = self.index.pools_for(node)
        except PoolSelectionError as error:
            return str(error)
        # Only whether names of pools are equal matters: counters are kept by them.
        names = [pool.counted_as for pool in pools]
        return tuple((names.index(pool.counted_as), self._of_pool(pool, node)) for pool in pools)

    def _of_pool(self, pool: Pool, node: Node) -> Hashable:
        sets = tuple((name, tuple((key, str(left)) for key, left in found.counters.items())) for name, found in pool.counter_sets.items())
        slices = tuple(self._of_slice(found, node) for found in pool.slices)
        return pool.id.driver, pool.is_incomplete, pool.is_invalid, sets, slices, tuple(map(id, pool.elsewhere))

    def _of_slice(self, found: Slice, node: Node) -> Hashable:
        if found.selects_per_device:
            return id(found), tuple(_reaches(device, node) for device in found.devices)
        if not found.nodes.node_name:
            return id(found)
        key = self._slices.get(id(found))
        if key is None:
            key = self._slices[id(found)] = tuple(map(self._of_device, found.devices))
        return key

    def _of_device(self, device: Device) -> Hashable:
        seen = ((name, None if _bare(name) in self.own else attribute) for name, attribute in device.attributes.items())
        return self._numbers.setdefault((device.build, frozenset(seen)), len(self._numbers))


class NodesAlike:
    """Partitions of inventories by shape, devices, and what claims hold."""

    def __init__(self, shapes: SliceShapes, allocated: Allocated) -> None:
        self._shapes = shapes
        self._allocated = allocated
        self._held: dict[str, tuple[Node, Hashable]] = {}
        self._last: dict[bool, tuple[Inventory, Partition]] = {}

    def tells_apart(self, attributes: Iterable[str]) -> bool:
        """Whether one of these attributes (named without domain) is each device's own."""
        return not self._shapes.own.isdisjoint(attributes)

    def partition(self, inventory: Inventory, *, apart: bool = False) -> Partition:
        """The nodes of an inventory by shape and devices; with `apart` every node that has devices is a separate part."""
        known = self._last.get(apart)
        if known is None or known[0] is not inventory:
            known = self._last[apart] = inventory, self._partition(inventory, apart=apart)
        return known[1]

    def _partition(self, inventory: Inventory, *, apart: bool) -> Partition:
        shape_of: dict[str, Hashable] = dict(inventory.shape_of)
        sizes: dict[Hashable, int] = dict(inventory.by_shape.sizes)
        examples = dict(inventory.by_shape.examples)
        for node in self._shapes.index.concerned(inventory):
            number, shape = self._shapes.of(node), shape_of[node.name]
            if number == NOTHING:
                continue
            key: Hashable = (shape, number, node.name if apart else self._held_on(node))
            shape_of[node.name] = key
            sizes[shape] -= 1
            sizes[key] = sizes.get(key, 0) + 1
            examples.setdefault(key, node)
        for shape in inventory.shapes:
            if not sizes[shape]:
                del sizes[shape], examples[shape]
            elif shape_of[examples[shape].name] is not shape:
                examples[shape] = next(node for node in inventory.nodes if shape_of[node.name] is shape)
        return Partition(shape_of, sizes, examples)

    def _held_on(self, node: Node) -> Hashable:
        """The devices of a node that claims hold, by their positions, and how much of each."""
        if node.name not in self._touched:
            return None
        known = self._held.get(node.name)
        if known is None or known[0] is not node:
            known = self._held[node.name] = (node, tuple(self._uses(node)))
        return known[1]

    def _uses(self, node: Node) -> Iterator[Hashable]:
        allocated = self._allocated
        for place, device in enumerate(self._shapes.devices_of(node)):
            if allocated.holds(device.id):
                amounts = tuple((name, str(amount)) for name, amount in allocated.capacity.of(device.id).items())
                yield place, device.id in allocated.whole, device.id in allocated.shared, amounts

    @cached_property
    def _touched(self) -> frozenset[str]:
        """The nodes with own devices that claims hold."""
        held = {*self._allocated.whole, *self._allocated.shared, *self._allocated.capacity.amounts}
        pools = {PoolId(device.driver, device.pool) for device in held}
        return frozenset(name for pool in pools for name in self._shapes.index.nodes_of(pool))


def _bare(name: str) -> str:
    return name.rpartition("/")[2]


def _reaches(device: Device, node: Node) -> Hashable:
    try:
        return device.nodes.matches(node)
    except UnreadableSelectorError as error:
        return str(error)
