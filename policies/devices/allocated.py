"""The devices that the allocated claims of a cluster hold: whole devices, and shares of divided ones.

Devices given with admin access count as free. Source: kubernetes v1.36, scheduler/framework/plugins/dynamicresources/
allocateddevices.go; k8s.io/dynamic-resource-allocation v0.36, structured/internal/allocatedstate.go.
"""

from __future__ import annotations

from collections.abc import Iterable

from weighbridge.policies.devices.claims import Claim
from weighbridge.policies.devices.slices import DeviceId
from weighbridge.policies.ground.quantity import Quantity
from weighbridge.policies.ground.records import dataclass, field


@dataclass(slots=True)
class Ledger:
    """The consumed capacity of each device. An entry without amounts means that the device is in use."""

    amounts: dict[DeviceId, dict[str, Quantity]] = field(default_factory=dict)

    def of(self, device: DeviceId) -> dict[str, Quantity]:
        """What is consumed of a device."""
        return self.amounts.get(device, {})

    def __contains__(self, device: DeviceId) -> bool:
        return device in self.amounts

    def add(self, device: DeviceId, consumed: dict[str, Quantity]) -> None:
        """Count one more user."""
        entry = self.amounts.setdefault(device, {})
        for name, amount in consumed.items():
            entry[name] = entry[name].add(amount) if name in entry else amount

    def take_back(self, device: DeviceId, consumed: dict[str, Quantity]) -> None:
        """Count one user less; an entry without users is removed."""
        entry = self.amounts[device]
        for name, amount in consumed.items():
            entry[name] = entry[name].sub(amount)
        if all(amount.is_zero() for amount in entry.values()):
            del self.amounts[device]


@dataclass(slots=True)
class Allocated:
    """Devices that are held by claims."""

    whole: set[DeviceId] = field(default_factory=set)
    shared: set[DeviceId] = field(default_factory=set)
    capacity: Ledger = field(default_factory=Ledger)

    def holds(self, device: DeviceId) -> bool:
        """Whether a claim has the device or a share of it."""
        return device in self.whole or device in self.shared or device in self.capacity


def allocated_by(claims: Iterable[Claim]) -> Allocated:
    """The devices that these claims hold."""
    found = Allocated()
    for claim in claims:
        for allotted in claim.allocation.devices if claim.allocation is not None else ():
            if allotted.admin_access:
                continue
            if allotted.share is None:
                found.whole.add(allotted.device)
                continue
            found.shared.add(allotted.device)
            if allotted.consumed is not None:
                found.capacity.add(allotted.device, dict(allotted.consumed))
    return found
