"""ResourceClaims: the devices that a pod requests, and those allocated to it.

A request is for devices of one class, or a list of such wishes, of which the first that can be met is taken (`firstAvailable`). The
defaults of the API server (one device, ExactCount) are filled in. Source: resource.k8s.io/v1 ResourceClaim.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from weighbridge.policies.devices.node_selection import NodeSelector, read_selector
from weighbridge.policies.devices.slices import DeviceId
from weighbridge.policies.facts.tolerations import Toleration, read_tolerations
from weighbridge.policies.ground.fields import amounts, flag, items, part, text, texts, whole
from weighbridge.policies.ground.objects import JSONObject, JSONValue, metadata_of, name_of, namespace_of
from weighbridge.policies.ground.quantity import Quantity
from weighbridge.policies.ground.records import dataclass, replace

EXACT_COUNT: Final = "ExactCount"
ALL: Final = "All"


@dataclass(frozen=True, slots=True, eq=False)
class DeviceWish:
    """Devices of one class; `name` is that of the request or, in a list, of the subrequest. A selector of an unknown kind is `None`."""

    name: str
    class_name: str
    mode: str
    count: int
    admin_access: bool
    selectors: tuple[str | None, ...]
    tolerations: tuple[Toleration, ...]
    capacity: Mapping[str, Quantity]


@dataclass(frozen=True, slots=True, eq=False)
class DeviceRequest:
    """One request; `is_list` distinguishes a list with one wish from a single wish. A request of an unknown kind has no wishes."""

    name: str
    wishes: tuple[DeviceWish, ...]
    is_list: bool


@dataclass(frozen=True, slots=True)
class AttributeRule:
    """A constraint: the devices of some requests (of all, if none is named) must agree or differ in an attribute."""

    attribute: str
    requests: frozenset[str]
    is_distinct: bool


@dataclass(frozen=True, slots=True)
class Allotted:
    """One device of an allocation; `share` is set if the device has several users, with what this one consumes."""

    device: DeviceId
    admin_access: bool
    share: str | None
    consumed: Mapping[str, Quantity] | None
    binding_has_failed: bool


@dataclass(frozen=True, slots=True)
class Allocation:
    """The devices allocated to a claim; without a selector they can be used on every node."""

    selector: NodeSelector | None
    devices: tuple[Allotted, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Claim:
    """One claim. A constraint of an unknown kind is `None`. `is_new` says that the API server hasn't accepted it yet."""

    namespace: str
    name: str
    requests: tuple[DeviceRequest, ...]
    constraints: tuple[AttributeRule | None, ...] = ()
    allocation: Allocation | None = None
    consumers: int = 0
    is_new: bool = False

    def __str__(self) -> str:
        return f"{self.namespace}/{self.name}" if self.namespace else self.name


def read_claim(obj: JSONObject) -> Claim:
    """Read a ResourceClaim. Without a uid it comes from a manifest, not from a cluster."""
    claim = claim_of(part(obj, "spec"), namespace_of(obj), name_of(obj), part(obj, "status"))
    return replace(claim, is_new="uid" not in metadata_of(obj) and claim.allocation is None)


def claim_of(spec: JSONObject, namespace: str, name: str, status: JSONValue = None) -> Claim:
    """A claim from its spec, which a template has too."""
    devices = part(spec, "devices")
    return Claim(
        namespace=namespace,
        name=name,
        requests=tuple(_read_request(item) for item in items(devices, "requests")),
        constraints=tuple(_read_constraint(item) for item in items(devices, "constraints")),
        allocation=_read_allocation(part(status)),
        consumers=len(items(status, "reservedFor")),
    )


def _read_request(obj: JSONObject) -> DeviceRequest:
    name = text(obj, "name")
    alternatives = items(obj, "firstAvailable")
    if alternatives:
        return DeviceRequest(name, tuple(_read_wish(item, text(item, "name")) for item in alternatives), is_list=True)
    exactly = obj.get("exactly")
    return DeviceRequest(name, (_read_wish(exactly, name),) if isinstance(exactly, dict) else (), is_list=False)


def _read_wish(obj: JSONObject, name: str) -> DeviceWish:
    mode = text(obj, "allocationMode") or EXACT_COUNT
    return DeviceWish(
        name=name,
        class_name=text(obj, "deviceClassName"),
        mode=mode,
        # NB: the API server fills in the count of ExactCount only if it is missing or zero.
        count=whole(obj, "count") or 1,
        admin_access=flag(obj, "adminAccess"),
        selectors=read_selectors(obj),
        tolerations=read_tolerations(obj.get("tolerations")),
        capacity=amounts(obj, "capacity", "requests"),
    )


def read_selectors(obj: JSONValue) -> tuple[str | None, ...]:
    """The CEL expressions of a request or a class."""
    return tuple(text(part(item, "cel"), "expression") if isinstance(item.get("cel"), dict) else None for item in items(obj, "selectors"))


def _read_constraint(obj: JSONObject) -> AttributeRule | None:
    for key in ("matchAttribute", "distinctAttribute"):
        if isinstance(obj.get(key), str):
            return AttributeRule(obj[key], frozenset(texts(obj, "requests")), is_distinct=key == "distinctAttribute")
    return None


def _read_allocation(status: JSONObject) -> Allocation | None:
    allocation = status.get("allocation")
    if not isinstance(allocation, dict):
        return None
    results = items(part(allocation, "devices"), "results")
    return Allocation(
        selector=read_selector(allocation.get("nodeSelector")),
        devices=tuple(_read_allotted(item, items(status, "devices")) for item in results),
    )


def _read_allotted(obj: JSONObject, reports: list[JSONObject]) -> Allotted:
    device = DeviceId(text(obj, "driver"), text(obj, "pool"), text(obj, "device"))
    return Allotted(
        device=device,
        admin_access=flag(obj, "adminAccess"),
        share=text(obj, "shareID") if isinstance(obj.get("shareID"), str) else None,
        consumed=amounts(obj, "consumedCapacity") if isinstance(obj.get("consumedCapacity"), dict) else None,
        binding_has_failed=bool(obj.get("bindingConditions")) and _has_failed(obj, device, reports),
    )


def _has_failed(obj: JSONObject, device: DeviceId, reports: list[JSONObject]) -> bool:
    """Whether the driver says that an allocated device can't be bound."""
    failures = texts(obj, "bindingFailureConditions")
    for report in reports:
        if DeviceId(text(report, "driver"), text(report, "pool"), text(report, "device")) != device:
            continue
        if text(report, "shareID") == text(obj, "shareID"):
            conditions = items(report, "conditions")
            return any(text(item, "type") in failures and text(item, "status") == "True" for item in conditions)
    return False
