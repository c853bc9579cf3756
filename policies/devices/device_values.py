"""A device as a CEL value: the variable `device` of selectors.

Attributes and capacities are grouped by domain; a name without one has the driver's. A domain that the device doesn't have gives an empty
map, so that only the missing attribute is an error. `in`, `size()` and iteration see only existing domains. Source:
k8s.io/dynamic-resource-allocation v0.36, cel/compile.go (DeviceMatches).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from weighbridge.policies.cel.library import semver
from weighbridge.policies.cel.library.quantity import QuantityValue
from weighbridge.policies.cel.values.values import CelError, MapValue, Value
from weighbridge.policies.devices.slices import Attribute, Device


class DomainMap(MapValue):
    """A map in which every key is found; `has` says which keys exist.

    Readers of values check `__class__`, so it is that of a plain map.
    """

    __slots__ = ()

    @property  # type: ignore[misc]
    def __class__(self) -> type[MapValue]:  # type: ignore[override]
        return MapValue

    def find(self, key: Value) -> tuple[Value, bool]:
        """The value under a key, or an empty map."""
        value, present = MapValue.find(self, key)
        return (value, True) if present else (MapValue(), True)

    def has(self, key: Value) -> bool:
        """Whether the map has the key."""
        return MapValue.find(self, key)[1]


_FIELDS: Final = ("driver", "allowMultipleAllocations", "attributes", "capacity")


def device_value(device: Device) -> MapValue:
    """The value of `device`. Raises CelError for an attribute without a usable value."""
    driver = device.id.driver
    attributes = ((name, _attribute_value(name, attribute)) for name, attribute in device.attributes.items())
    capacity = ((name, QuantityValue(entry.value)) for name, entry in device.capacity.items())
    found = MapValue()
    parts = (driver, device.allows_multiple, _by_domain(attributes, driver), _by_domain(capacity, driver))
    for field, value in zip(_FIELDS, parts, strict=True):
        found.put(field, value)
    return found


def _attribute_value(name: str, attribute: Attribute) -> Value:
    if not attribute.kind:
        raise CelError(f"attribute {name}: unsupported attribute value")
    if attribute.kind != "version":
        return attribute.value
    try:
        return semver.parse(str(attribute.value))
    except CelError as error:
        raise CelError(f"attribute {name}: parse semantic version: {error}") from None


def _by_domain(values: Iterable[tuple[str, Value]], driver: str) -> DomainMap:
    domains: dict[str, MapValue] = {}
    for name, value in values:
        domain, slash, identifier = name.partition("/")
        if not slash:
            domain, identifier = driver, name
        domains.setdefault(domain, MapValue()).put(identifier, value)
    found = DomainMap()
    for domain, inner in domains.items():
        found.put(domain, inner)
    return found
