"""ResourceSlices: the devices that drivers publish in pools, with the properties of each.

A slice has devices or shared counters, never both. Slices and devices are compared by identity, since search and caches use them as keys.
Source: resource.k8s.io/v1 ResourceSlice.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Final

from weighbridge.policies.devices.capacity import Capacity, read_capacities
from weighbridge.policies.devices.node_selection import NodeSelection, read_selection
from weighbridge.policies.facts.tolerations import Taint, read_taints
from weighbridge.policies.ground.fields import amounts, flag, items, part, text, whole
from weighbridge.policies.ground.objects import JSONObject, JSONValue, name_of
from weighbridge.policies.ground.quantity import Quantity
from weighbridge.policies.ground.records import dataclass


@dataclass(frozen=True, slots=True)
class Attribute:
    """The value of one attribute; `kind` is the name of the API's field, empty if the value is of an unknown kind."""

    kind: str
    value: str | int | bool = ""


@dataclass(frozen=True, slots=True, order=True)
class PoolId:
    """A driver's pool."""

    driver: str
    pool: str

    def __str__(self) -> str:
        return f"{self.driver}/{self.pool}"


@dataclass(frozen=True, slots=True)
class DeviceId:
    """One device of the cluster."""

    driver: str
    pool: str
    device: str

    def __str__(self) -> str:
        return f"{self.driver}/{self.pool}/{self.device}"


@dataclass(frozen=True, slots=True)
class Consumption:
    """What a device draws from one counter set of its pool."""

    counter_set: str
    counters: Mapping[str, Quantity]


@dataclass(frozen=True, slots=True, eq=False)
class Device:
    """One device of a slice; `nodes` counts only if the slice leaves the selection of nodes to its devices.

    `looks` is equal for devices that selectors can't distinguish; `build` for devices that differ only in attributes.
    """

    id: DeviceId
    attributes: Mapping[str, Attribute]
    capacity: Mapping[str, Capacity]
    taints: tuple[Taint, ...]
    consumes: tuple[Consumption, ...]
    nodes: NodeSelection
    allows_multiple: bool
    has_binding_conditions: bool
    looks: str
    build: str


@dataclass(frozen=True, slots=True)
class CounterSet:
    """Counters that the devices of a pool share."""

    name: str
    counters: Mapping[str, Quantity]


@dataclass(frozen=True, slots=True, eq=False)
class Slice:
    """One ResourceSlice."""

    name: str
    pool: PoolId
    generation: int
    slice_count: int
    nodes: NodeSelection
    selects_per_device: bool
    devices: tuple[Device, ...]
    counter_sets: tuple[CounterSet, ...]


#: The fields of a device that selectors see, and those that matter apart from attributes.
_LOOKS: Final = ("attributes", "capacity", "allowMultipleAllocations")
_BUILD: Final = ("capacity", "allowMultipleAllocations", "taints", "consumesCounters", "bindingConditions")


def read_slice(obj: JSONObject) -> Slice:
    """Read a ResourceSlice; values that no API server would have stored are left out."""
    spec = part(obj, "spec")
    pool = PoolId(text(spec, "driver"), text(part(spec, "pool"), "name"))
    return Slice(
        name=name_of(obj),
        pool=pool,
        generation=whole(part(spec, "pool"), "generation"),
        slice_count=whole(part(spec, "pool"), "resourceSliceCount"),
        nodes=read_selection(spec),
        selects_per_device=flag(spec, "perDeviceNodeSelection"),
        devices=tuple(_read_device(item, pool) for item in items(spec, "devices")),
        counter_sets=tuple(CounterSet(text(item, "name"), _read_counters(item)) for item in items(spec, "sharedCounters")),
    )


def _read_device(device: JSONObject, pool: PoolId) -> Device:
    return Device(
        id=DeviceId(pool.driver, pool.pool, text(device, "name")),
        attributes={name: _read_attribute(value) for name, value in part(device, "attributes").items()},
        capacity=read_capacities(device),
        taints=read_taints(device.get("taints")),
        consumes=tuple(Consumption(text(item, "counterSet"), _read_counters(item)) for item in items(device, "consumesCounters")),
        nodes=read_selection(device),
        allows_multiple=flag(device, "allowMultipleAllocations"),
        has_binding_conditions=bool(device.get("bindingConditions")),
        looks=sys.intern(repr((pool.driver, *map(device.get, _LOOKS)))),
        build=sys.intern(repr((pool.driver, *map(device.get, _BUILD)))),
    )


def _read_attribute(value: JSONValue) -> Attribute:
    for kind, types in (("int", int), ("bool", bool), ("string", str), ("version", str)):
        found = part(value).get(kind)
        if isinstance(found, types) and (kind == "bool") is isinstance(found, bool):
            return Attribute(kind, found)
    return Attribute("")


def _read_counters(obj: JSONObject) -> dict[str, Quantity]:
    return amounts({name: part(entry).get("value") for name, entry in part(obj, "counters").items()})
