"""Shared counters: how much of a device can still be given to new partitions.

Counters are kept by the name of the pool alone, as the allocator keeps them: if two drivers have pools with the same name, the first one
sets the amounts. A counter that allocated devices have overdrawn blocks every device that draws on the pool. Source:
k8s.io/dynamic-resource-allocation v0.36, allocator_incubating.go (checkAvailableCounters).
"""

from __future__ import annotations

from collections.abc import Hashable

from weighbridge.policies.devices.allocated import Allocated
from weighbridge.policies.devices.pools import Pool
from weighbridge.policies.devices.slices import Device
from weighbridge.policies.ground.quantity import Quantity

_Counters = dict[tuple[str, str], Quantity]
_NOTHING = Quantity.from_int(0)


class CounterLedger:
    """What one search has drawn from the counters of the node's pools."""

    def __init__(self, allocated: Allocated) -> None:
        self._allocated = allocated
        self._available: dict[Hashable, _Counters] = {}
        self._drawn: dict[Hashable, _Counters] = {}

    def draw(self, device: Device, pool: Pool) -> bool:
        """Draw what a device consumes. If that is too much, nothing is drawn."""
        name = pool.counted_as
        if name not in self._available:
            self._available[name] = self._left(pool)
        drawn = self._drawn.setdefault(name, {})
        for key, amount in _consumed(device):
            drawn[key] = drawn[key].add(amount) if key in drawn else amount
        if all(amount.compare(drawn.get(key, _NOTHING)) >= 0 for key, amount in self._available[name].items()):
            return True
        self.give_back(device, pool)
        return False

    def give_back(self, device: Device, pool: Pool) -> None:
        """Undo a `draw`."""
        drawn = self._drawn[pool.counted_as]
        for key, amount in _consumed(device):
            drawn[key] = drawn[key].sub(amount)

    def _left(self, pool: Pool) -> _Counters:
        """What allocated devices on any node leave of the counters."""
        left = {(found.name, name): amount for found in pool.counter_sets.values() for name, amount in found.counters.items()}
        for found in (*pool.slices, *pool.elsewhere):
            for device in found.devices:
                if self._allocated.holds(device.id):
                    for key, amount in _consumed(device):
                        if key in left:
                            left[key] = left[key].sub(amount)
        return left


def _consumed(device: Device) -> list[tuple[tuple[str, str], Quantity]]:
    return [((drawn.counter_set, name), amount) for drawn in device.consumes for name, amount in drawn.counters.items()]
