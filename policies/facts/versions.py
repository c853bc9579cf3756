"""Converts objects in older versions of their API to the shape that the readers know.

In v1beta1 of ``resource.k8s.io`` the fields of a request are at its own level, and a device's traits under `basic`; v1beta2 equals v1.
Karpenter's NodePools (v1beta1), Cluster API's groups of machines (v1beta1, v1beta2) and PodGroups (v1alpha2, v1alpha3) differ only in
fields that aren't read, and Kueue's queues (v1beta1) in the name of the field for the cohort, of which both are read. Other versions of
these kinds aren't known. Sources: k8s.io/api resource v1beta1 and v1, scheduling v1alpha2 to v1beta1; karpenter `pkg/apis`, cluster-api
`api/core`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeAlias

from weighbridge.policies.facts.kinds import PLACEMENT_KINDS
from weighbridge.policies.ground.fields import items, part
from weighbridge.policies.ground.objects import GroupVersionKind, JSONObject

_Conversion: TypeAlias = Callable[[JSONObject], JSONObject]

_VERSIONS: Final = {(kind.gvk.group, kind.gvk.kind): kind.versions for kind in PLACEMENT_KINDS if kind.older}
#: The fields of a request that v1beta1 has at its own level.
_WISH: Final = ("deviceClassName", "selectors", "allocationMode", "count", "adminAccess", "tolerations", "capacity")


def in_known_shape(obj: JSONObject, gvk: GroupVersionKind) -> JSONObject | None:
    """The object in the shape that the readers know, itself if it has that already; `None` if its version isn't known."""
    versions = _VERSIONS.get((gvk.group, gvk.kind))
    if versions is None or gvk.version == versions[0]:
        return obj
    if gvk.version not in versions:
        return None
    convert = _CONVERSIONS.get((gvk.group, gvk.version, gvk.kind))
    return obj if convert is None else {**convert(obj), "apiVersion": f"{gvk.group}/{versions[0]}"}


def _claim(obj: JSONObject) -> JSONObject:
    return {**obj, "spec": _claim_spec(part(obj, "spec"))}


def _template(obj: JSONObject) -> JSONObject:
    spec = part(obj, "spec")
    return {**obj, "spec": {**spec, "spec": _claim_spec(part(spec, "spec"))}}


def _claim_spec(spec: JSONObject) -> JSONObject:
    devices = part(spec, "devices")
    return {**spec, "devices": {**devices, "requests": [_request(request) for request in items(devices, "requests")]}}


def _request(request: JSONObject) -> JSONObject:
    if "deviceClassName" not in request:
        return request
    wish = {key: value for key, value in request.items() if key in _WISH}
    return {**{key: value for key, value in request.items() if key not in wish}, "exactly": wish}


def _slice(obj: JSONObject) -> JSONObject:
    spec = part(obj, "spec")
    if "devices" not in spec:
        return obj
    devices = [
        {**{key: value for key, value in device.items() if key != "basic"}, **part(device, "basic")} for device in items(spec, "devices")
    ]
    return {**obj, "spec": {**spec, "devices": devices}}


_CONVERSIONS: Final[dict[tuple[str, str, str], _Conversion]] = {
    ("resource.k8s.io", "v1beta1", "ResourceClaim"): _claim,
    ("resource.k8s.io", "v1beta1", "ResourceClaimTemplate"): _template,
    ("resource.k8s.io", "v1beta1", "ResourceSlice"): _slice,
}
