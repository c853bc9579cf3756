"""The fields of slices, claims and classes that a release keeps: its API server drops the fields of features that are off by default.

Without these fields a device has no taints, counters, shares or conditions, and a class has no extended resource. Source: kubernetes v1.35,
pkg/registry/resource/{resourceslice,resourceclaim,deviceclass}/strategy.go (dropDisabledFields), pkg/api/resourceclaimspec/util.go.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from typing import TypeVar

from weighbridge.policies.ground.objects import JSONObject, JSONValue
from weighbridge.policies.ground.server_release import ServerRelease, release

_Read = TypeVar("_Read")
#: Gives a copy of an object without some fields.
_Keep = Callable[[JSONObject, ServerRelease], JSONObject]


def as_kept(read: Callable[[JSONObject], _Read], keep: _Keep) -> Callable[[JSONObject], _Read]:
    """A reader of objects as the release in force keeps them. It is the same function each time, so that a store remembers its results."""
    return _reader(read, keep, release())


@cache
def _reader(read: Callable[[JSONObject], _Read], keep: _Keep, server: ServerRelease) -> Callable[[JSONObject], _Read]:
    return read if _keeps_all(server) else lambda obj: read(keep(obj, server))


def kept_slice(obj: JSONObject, server: ServerRelease) -> JSONObject:
    """A ResourceSlice as it is stored."""
    of_spec = () if server.keeps_device_counters else ("sharedCounters", "perDeviceNodeSelection")
    of_device = tuple(_of_device(server))
    spec = _without(obj.get("spec"), of_spec)
    return {**obj, "spec": _each(spec, "devices", lambda device: _kept_device(device, of_device, server))}


def _of_device(server: ServerRelease) -> Iterator[str]:
    if not server.keeps_device_taints:
        yield "taints"
    if not server.keeps_device_counters:
        yield from ("consumesCounters", "nodeName", "nodeSelector", "allNodes")
    if not server.shares_devices:
        yield "allowMultipleAllocations"
    if not server.binds_devices_late:
        yield from ("bindingConditions", "bindingFailureConditions", "bindsToNode")


def _kept_device(device: JSONValue, fields: tuple[str, ...], server: ServerRelease) -> JSONValue:
    found = _without(device, fields)
    if server.shares_devices or not isinstance(found, dict) or not isinstance(found.get("capacity"), dict):
        return found
    return {**found, "capacity": {name: _without(entry, ("requestPolicy",)) for name, entry in found["capacity"].items()}}


def kept_claim(obj: JSONObject, server: ServerRelease) -> JSONObject:
    """A ResourceClaim as it is stored."""
    kept = {**obj, "spec": _kept_spec(obj.get("spec"), server)}
    status = obj.get("status")
    allocation = status.get("allocation") if isinstance(status, dict) else None
    if not isinstance(status, dict) or not isinstance(allocation, dict):
        return kept
    fields: tuple[str, ...] = () if server.shares_devices else ("shareID", "consumedCapacity")
    fields += () if server.binds_devices_late else ("bindingConditions", "bindingFailureConditions")
    devices = _each(allocation.get("devices"), "results", lambda result: _without(result, fields))
    return {**kept, "status": {**status, "allocation": {**allocation, "devices": devices}}}


def _kept_spec(spec: JSONValue, server: ServerRelease) -> JSONValue:
    if not isinstance(spec, dict):
        return spec
    of_wish: tuple[str, ...] = () if server.keeps_device_taints else ("tolerations",)
    of_wish += () if server.shares_devices else ("capacity",)
    of_constraint = () if server.shares_devices else ("distinctAttribute",)

    def kept_request(request: JSONValue) -> JSONValue:
        found = _each(request, "firstAvailable", lambda wish: _without(wish, of_wish))
        return {**found, "exactly": _without(found["exactly"], of_wish)} if isinstance(found, dict) and "exactly" in found else found

    devices = _each(spec.get("devices"), "requests", kept_request)
    return {**spec, "devices": _each(devices, "constraints", lambda rule: _without(rule, of_constraint))}


def kept_class(obj: JSONObject, server: ServerRelease) -> JSONObject:
    """A DeviceClass as it is stored."""
    return {**obj, "spec": _without(obj.get("spec"), () if server.maps_extended_resources else ("extendedResourceName",))}


def _keeps_all(server: ServerRelease) -> bool:
    of_devices = server.keeps_device_taints and server.keeps_device_counters and server.shares_devices and server.binds_devices_late
    return of_devices and server.maps_extended_resources


def _without(value: JSONValue, fields: tuple[str, ...]) -> JSONValue:
    return {key: item for key, item in value.items() if key not in fields} if isinstance(value, dict) else value


def _each(value: JSONValue, key: str, change: Callable[[JSONValue], JSONValue]) -> JSONValue:
    """A copy of the object in which each entry of a list is changed."""
    if not isinstance(value, dict) or not isinstance(value.get(key), list):
        return value
    return {**value, key: [change(entry) for entry in value[key]]}
