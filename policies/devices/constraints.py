"""Constraints among the devices of a claim: the same value of an attribute, or all different ones.

They get every device that is tried and every one that is given back, in the allocator's order, and answer as it does. Before 1.37 the
distinct constraint remembers only the latest value of each request, and forgets it as soon as any device of the request is given back.
Source: k8s.io/dynamic-resource-allocation v0.36, allocator_incubating.go (matchAttributeConstraint), constraint.go.
"""

from __future__ import annotations

from typing import Protocol

from weighbridge.policies.devices.claims import AttributeRule
from weighbridge.policies.devices.slices import Attribute, Device
from weighbridge.policies.ground.server_release import release


class Constraint(Protocol):
    """The checks before a device is taken."""

    def add(self, request: str, subrequest: str, device: Device) -> bool:
        """Add a device to those that have been taken, if it can join them. Returns whether it can."""
        ...

    def remove(self, request: str, subrequest: str) -> None:
        """Remove the device that was added last for a request."""
        ...


def constraint_for(rule: AttributeRule) -> Constraint:
    """The constraint of a rule, with its state during one search."""
    if not rule.is_distinct:
        return _Matching(rule)
    return _Distinct(rule) if release().tells_all_devices_apart else _DistinctLatest(rule)


def attribute_of(device: Device, name: str) -> Attribute | None:
    """An attribute by its full name; one of the driver's own may be published without its domain."""
    found = device.attributes.get(name)
    if found is not None:
        return found
    domain, slash, identifier = name.partition("/")
    return device.attributes.get(identifier) if slash and domain == device.id.driver else None


def _concerns(rule: AttributeRule, request: str, subrequest: str) -> bool:
    return not rule.requests or request in rule.requests or (bool(subrequest) and f"{request}/{subrequest}" in rule.requests)


class _Matching:
    def __init__(self, rule: AttributeRule) -> None:
        self._rule = rule
        self._value: Attribute | None = None
        self._devices = 0

    def add(self, request: str, subrequest: str, device: Device) -> bool:
        if not _concerns(self._rule, request, subrequest):
            return True
        found = attribute_of(device, self._rule.attribute)
        if found is None:
            return False
        if self._devices == 0:
            self._value = found
        elif not found.kind or found != self._value:
            return False
        self._devices += 1
        return True

    def remove(self, request: str, subrequest: str) -> None:
        if _concerns(self._rule, request, subrequest):
            self._devices -= 1


class _Distinct:
    def __init__(self, rule: AttributeRule) -> None:
        self._rule = rule
        self._met: list[Attribute] = []

    def add(self, request: str, subrequest: str, device: Device) -> bool:
        if not _concerns(self._rule, request, subrequest):
            return True
        found = attribute_of(device, self._rule.attribute)
        if found is None or (self._met and (not found.kind or found in self._met)):
            return False
        self._met.append(found)
        return True

    def remove(self, request: str, subrequest: str) -> None:
        if _concerns(self._rule, request, subrequest):
            self._met.pop()


class _DistinctLatest:
    """The distinct constraint before 1.37."""

    def __init__(self, rule: AttributeRule) -> None:
        self._rule = rule
        self._latest: dict[str, Attribute] = {}
        self._devices = 0

    def add(self, request: str, subrequest: str, device: Device) -> bool:
        if not _concerns(self._rule, request, subrequest):
            return True
        found = attribute_of(device, self._rule.attribute)
        if found is None:
            return False
        if self._devices and self._latest and (not found.kind or found in self._latest.values()):
            return False
        self._latest[request] = found
        self._devices += 1
        return True

    def remove(self, request: str, subrequest: str) -> None:
        if _concerns(self._rule, request, subrequest):
            self._latest.pop(request, None)
            self._devices -= 1
