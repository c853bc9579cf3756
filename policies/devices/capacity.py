"""Consumable capacity: what a request takes of a device's memory, bandwidth or cores, and whether that much is left.

A device that allows multiple allocations is divided among them, and its request policies round requested amounts. Another device isn't
divided; it must only have the requested amount. Steps are counted in whole units: the gate DRAFractionalCapacityRange of 1.37 is off unless
all components of the control plane are as new. Source: k8s.io/dynamic-resource-allocation v0.37, consumable_capacity.go (incubating).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, TypeAlias

from weighbridge.policies.ground.fields import amount, part
from weighbridge.policies.ground.go_text import quote
from weighbridge.policies.ground.objects import JSONValue
from weighbridge.policies.ground.quantity import Format, Quantity, QuantityError
from weighbridge.policies.ground.records import dataclass
from weighbridge.policies.ground.server_release import release

#: Amounts by the name of the capacity.
Amounts: TypeAlias = Mapping[str, Quantity]
_MAX_INT64: Final = 2**63 - 1
_NOT_REPRESENTABLE: Final = "capacity request cannot be represented in the device's range arithmetic"


class CapacityError(Exception):
    """An amount that can't be counted, which ends the search for devices; the text is the allocator's without its beginning."""


@dataclass(frozen=True, slots=True)
class Range:
    """The amounts that can be requested: from `least` in steps up to `most`."""

    least: Quantity | None
    most: Quantity | None
    step: Quantity | None

    @property
    def strides(self) -> tuple[int, int] | None:
        """Where the steps begin and how wide they are, in whole units."""
        if self.step is None or self.step.value() <= 0:
            return None
        return self.least.value() if self.least is not None else 0, self.step.value()


@dataclass(frozen=True, slots=True)
class RequestPolicy:
    """A driver's policy for requests for one capacity."""

    default: Quantity | None
    valid_values: tuple[Quantity, ...]
    valid_range: Range | None

    def forbids(self, wanted: Quantity) -> bool:
        """Whether a rounded amount may not be requested."""
        if self.default is not None and wanted == self.default:
            return False
        if self.valid_range is None:
            return bool(self.valid_values) and wanted not in self.valid_values
        if self.valid_range.most is not None and wanted.compare(self.valid_range.most) > 0:
            return True
        strides = self.valid_range.strides
        return strides is not None and (wanted.value() - strides[0]) % strides[1] != 0


@dataclass(frozen=True, slots=True)
class Capacity:
    """One capacity of a device."""

    value: Quantity
    policy: RequestPolicy | None = None

    def consumed_by(self, wanted: Quantity | None) -> Quantity:
        """What a request takes: the amount that it names, rounded up as the policy says; without an amount the default, or all.

        Raises CapacityError.
        """
        policy = self.policy
        if wanted is None:
            return policy.default if policy is not None and policy.default is not None else self.value
        if policy is None:
            return wanted
        if policy.valid_range is not None and policy.valid_range.least is not None:
            return _rounded_to_range(wanted, policy.valid_range, policy.valid_range.least)
        return next((value for value in policy.valid_values if wanted.compare(value) <= 0), wanted)


def _rounded_to_range(wanted: Quantity, valid: Range, least: Quantity) -> Quantity:
    if wanted.compare(least) < 0:
        return least
    if valid.strides is None:
        return wanted
    start, step = valid.strides
    if release().stops_at_large_amounts and wanted.compare(Quantity.from_int(_MAX_INT64)) > 0:
        raise CapacityError(f"{_NOT_REPRESENTABLE}: request {wanted} exceeds MaxInt64")
    total = start + -(-(wanted.value() - start) // step) * step
    if release().stops_at_large_amounts and total > _MAX_INT64:
        raise CapacityError(f"{_NOT_REPRESENTABLE}: rounding request {wanted} up to the next step passes MaxInt64")
    return Quantity.from_int(total, Format.BINARY_SI)


def fits(capacities: Mapping[str, Capacity], wanted: Amounts, taken: Amounts, taking: Amounts) -> bool:
    """Whether a device can serve a request in addition to what others have `taken` and the pod itself takes (`taking`).

    A request for a capacity that the device doesn't have never fits. Raises CapacityError.
    """
    if not capacities:
        return not wanted
    if any(name not in capacities for name in wanted):
        return False
    consumed = {name: _countable(name, capacity, wanted.get(name)) for name, capacity in capacities.items()}
    try:
        return all(_leaves_room(name, capacity, consumed[name], taken, taking) for name, capacity in capacities.items())
    except QuantityError:
        return False


def _countable(name: str, capacity: Capacity, wanted: Quantity | None) -> Quantity:
    try:
        return capacity.consumed_by(wanted)
    except CapacityError as error:
        raise CapacityError(f"capacity {quote(name)}: {error}") from None


def _leaves_room(name: str, capacity: Capacity, consumed: Quantity, taken: Amounts, taking: Amounts) -> bool:
    if capacity.policy is not None and capacity.policy.forbids(consumed):
        return False
    for others in (taken, taking):
        if name in others:
            consumed = consumed.add(others[name])
    return consumed.compare(capacity.value) <= 0


def consumption(capacities: Mapping[str, Capacity], wanted: Amounts) -> dict[str, Quantity]:
    """What a request takes of each capacity of a divided device."""
    return {name: capacity.consumed_by(wanted.get(name)) for name, capacity in capacities.items()}


def read_capacities(device: JSONValue) -> dict[str, Capacity]:
    """The capacities of a device; one without a readable value is left out."""
    found = {}
    for name, entry in part(device, "capacity").items():
        value = amount(part(entry).get("value"))
        if value is not None:
            found[name] = Capacity(value, _read_policy(part(entry).get("requestPolicy")))
    return found


def _read_policy(value: JSONValue) -> RequestPolicy | None:
    if not isinstance(value, dict):
        return None
    bounds = value.get("validRange")
    listed = value.get("validValues")
    read = [amount(item) for item in listed] if isinstance(listed, list) else []
    return RequestPolicy(
        default=amount(value.get("default")),
        valid_values=tuple(item for item in read if item is not None),
        valid_range=Range(amount(bounds.get("min")), amount(bounds.get("max")), amount(bounds.get("step")))
        if isinstance(bounds, dict)
        else None,
    )
