"""Small clusters with devices, and the verdict on a pod in them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from weighbridge.policies.devices import DeviceRefusal, Devices, SchedulingAbortedError, Silent, Solution
from weighbridge.policies.facts import Node, ObjectStore
from weighbridge.policies.ground.objects import JSONObject

GROUP = "resource.k8s.io"
ABORT = 'running "DynamicResources" filter plugin: '


def node(name: str = "n0", allocatable: Mapping[str, str] | None = None, **labels: str) -> Node:
    return Node.from_object({"metadata": {"name": name, "labels": labels}, "status": {"allocatable": dict(allocatable or {})}})


def _object(kind: str, name: str, **parts: Any) -> JSONObject:
    return {"apiVersion": f"{GROUP}/v1", "kind": kind, "metadata": {"name": name}, **parts}


def device(name: str, *, capacity: Mapping[str, Any] | None = None, **attributes: Any) -> JSONObject:
    """A device; attributes of the driver's own are given by name, amounts of capacity as texts or whole entries."""
    kinds = {bool: "bool", int: "int", str: "string"}
    found: JSONObject = {"name": name, "attributes": {key: {kinds[type(value)]: value} for key, value in attributes.items()}}
    if capacity:
        found["capacity"] = {key: value if isinstance(value, dict) else {"value": value} for key, value in capacity.items()}
    return found


def gpus(count: int, **attributes: Any) -> list[JSONObject]:
    return [device(f"gpu-{index}", **attributes) for index in range(count)]


def slice_of(
    devices: Iterable[JSONObject],
    name: str = "s",
    *,
    on: str = "n0",
    driver: str = "gpu.amd.com",
    pool: str = "",
    generation: int = 1,
    count: int = 1,
    **spec: Any,
) -> JSONObject:
    """A slice on one node, or wherever `spec` says."""
    where = {} if {"allNodes", "nodeSelector", "perDeviceNodeSelection"} & spec.keys() else {"nodeName": on}
    pool_part = {"name": pool or on, "generation": generation, "resourceSliceCount": count}
    return _object(
        "ResourceSlice", f"{driver}-{on}-{name}", spec={"driver": driver, "pool": pool_part, "devices": list(devices), **where, **spec}
    )


def device_class(name: str, *expressions: str, resource: str = "") -> JSONObject:
    spec: JSONObject = {"selectors": [{"cel": {"expression": expression}} for expression in expressions]}
    return _object("DeviceClass", name, spec=spec | ({"extendedResourceName": resource} if resource else {}))


AMD = device_class("amd", 'device.driver == "gpu.amd.com"')
ANY = device_class("any")


def wish(count: int | str = 1, class_name: str = "amd", *, where: str = "", **more: Any) -> JSONObject:
    """A number of devices of a class, or "All"."""
    found: JSONObject = {"deviceClassName": class_name, **more}
    found |= {"allocationMode": "All"} if count == "All" else {"allocationMode": "ExactCount", "count": count}
    return found | ({"selectors": [{"cel": {"expression": where}}]} if where else {})


def claim(*requests: JSONObject, name: str = "c", constraints: Iterable[JSONObject] = (), **status: Any) -> JSONObject:
    """A claim of simple requests (named r0, r1 and so on) or of requests that have a name."""
    named = [item if "name" in item else {"name": f"r{index}", "exactly": item} for index, item in enumerate(requests)]
    found = _object("ResourceClaim", name, spec={"devices": {"requests": named, "constraints": list(constraints)}})
    found["metadata"]["namespace"] = "default"
    return found | ({"status": status} if status else {})


def first_of(*wishes: JSONObject, name: str = "r0") -> JSONObject:
    """A request with alternatives, of which the first that works counts."""
    return {"name": name, "firstAvailable": [{"name": "abcdefgh"[index], **item} for index, item in enumerate(wishes)]}


def held(driver: str, pool: str, *devices: str, name: str = "held", **result: Any) -> JSONObject:
    """A claim of another pod with allocated devices."""
    results = [{"request": "r0", "driver": driver, "pool": pool, "device": item, **result} for item in devices]
    return claim(name=name, allocation={"devices": {"results": results}})


def pod(*claims: str, requests: Mapping[str, str] | None = None) -> JSONObject:
    """A pod with claims and, in its one container, resources."""
    entries = [{"name": f"entry-{index}", "resourceClaimName": name} for index, name in enumerate(claims)]
    container = {"name": "main", "resources": {"requests": dict(requests or {})}}
    return {"metadata": {"name": "p"}, "spec": {"containers": [container], "resourceClaims": entries}}


def store_of(objects: Iterable[JSONObject]) -> ObjectStore:
    store = ObjectStore(objects)
    store.complete(besides=[(GROUP, kind) for kind in ("DeviceClass", "ResourceSlice", "ResourceClaim", "ResourceClaimTemplate")])
    return store


def solve(objects: Iterable[JSONObject], asking: JSONObject, on: Node | None = None) -> Solution:
    """The verdict on a node for a pod that isn't refused or left waiting."""
    devices = Devices.of(store_of([AMD, ANY, *objects]))
    requests = devices.requests_of(asking, "default")
    assert not isinstance(requests, (DeviceRefusal, Silent)), requests
    return devices.solve(requests, on or node())


def answer(objects: Iterable[JSONObject], *claims: JSONObject, on: Node | None = None) -> str:
    """The reason against a pod with these claims (nothing if it fits), or the error that stops its scheduling."""
    asking = pod(*(item["metadata"]["name"] for item in claims))
    try:
        return solve([*objects, *claims], asking, on).reason
    except SchedulingAbortedError as error:
        return str(error)


def picked(objects: Iterable[JSONObject], *claims: JSONObject, on: Node | None = None) -> list[str]:
    """The devices that a pod with these claims gets, as ``request=device``."""
    found = solve([*objects, *claims], pod(*(item["metadata"]["name"] for item in claims)), on)
    return [f"{item.request}={item.device.device}" for item in found.devices]
