"""Objects of built-in kinds with marks for what isn't known: the server fills in more than their authors write.

If the types are bundled, everything is known except what the registry fills in when it stores an object. Otherwise a missing field may have
a default, so an expression that reads one can't be evaluated. Maps with the author's keys are known completely, and quantities are as the
server prints them. Source: Kubernetes v1.37, pkg/registry/*/*/strategy.go, PrepareForCreate and PrepareForUpdate.
"""

from __future__ import annotations

from typing import Final

from weighbridge.policies.admission_policies.built_in import wordings
from weighbridge.policies.admission_policies.built_in.objects import in_doubt, read_old, take
from weighbridge.policies.cel.values.values import NotKnownError, PartialMap
from weighbridge.policies.facts import Facts
from weighbridge.policies.ground.fields import amount, text
from weighbridge.policies.ground.objects import GroupVersionKind, JSONObject, JSONValue, Operation, Path, metadata_of

#: Fields whose maps have the author's keys; the server adds none.
_FREE: Final = frozenset({
    "labels", "annotations", "matchLabels", "nodeSelector", "selector", "data", "stringData", "binaryData", "parameters",
})  # fmt: skip
#: Fields whose maps have quantities.
_QUANTITIES: Final = frozenset({
    "limits", "requests", "capacity", "allocatable", "hard", "used", "overhead", "default", "defaultRequest", "max", "min",
    "maxLimitRequestRatio",
})  # fmt: skip
#: Kinds whose objects the server stores as they are written.
_WHOLE: Final = frozenset({"ConfigMap", "Role", "ClusterRole", "ServiceAccount", "PriorityClass"})
#: The fields of a kind that the registry fills in, in addition to status and generation.
_PREPARED: Final[dict[str, tuple[Path, ...]]] = {
    "Job": (("spec", "selector"), ("spec", "template", "metadata", "labels")),
    "Namespace": (("spec", "finalizers"),),
    "Node": (("spec",),),
    "PersistentVolumeClaim": (("spec", "dataSource"), ("spec", "dataSourceRef")),
    "Pod": (("spec", "resources"), ("spec", "topologySpreadConstraints"), ("spec", "affinity")),
}
#: Kinds for which the registry fills in other fields too.
_PARTIAL: Final = frozenset({"Endpoints", "Service"})


def as_stored(obj: JSONValue, gvk: GroupVersionKind, operation: Operation, namespace: str, facts: Facts) -> JSONValue:
    """A sent object as it would be stored, with marks for what isn't known."""
    if not isinstance(obj, dict):
        return obj
    try:
        taken = take(obj, gvk, operation, namespace, facts)
    except NotKnownError:
        return as_known(obj)
    if gvk.kind in _PARTIAL:
        return as_known(taken.object)
    prepared = dict.fromkeys(_PREPARED.get(gvk.kind, ()), wordings.filled_in_of(gvk.kind))
    found = in_doubt(taken.object, {("metadata", "generation"): "metadata.generation", **prepared, **taken.doubts})
    return {**found, "status": PartialMap({}, wordings.STATUS)} if "status" in found else found


def as_old(obj: JSONValue, gvk: GroupVersionKind) -> JSONValue:
    """A stored object. If it comes from a manifest, only the written fields are known."""
    found = read_old(obj, gvk)
    if found is obj or not text(metadata_of(obj), "uid"):
        return as_known(found)
    return found


def as_known(obj: JSONValue) -> JSONValue:
    """An object with marks for what the server may add; other values unchanged."""
    if not isinstance(obj, dict) or obj.get("kind") in _WHOLE:
        return obj
    known = {key: value if key == "metadata" else _known(value, key) for key, value in obj.items() if value is not None}
    return PartialMap(known, wordings.FILLED_IN)


def _known(value: JSONValue, name: str) -> JSONValue:
    if isinstance(value, list):
        return [_known(one, name) for one in value]
    if not isinstance(value, dict):
        return value
    if name in _QUANTITIES and all(amount(one) is not None for one in value.values()):
        return _canonical(value)
    if name in _FREE and all(isinstance(one, str) for one in value.values()):
        return value
    return PartialMap({key: _known(one, key) for key, one in value.items() if one is not None}, wordings.FILLED_IN)


def _canonical(amounts: JSONObject) -> JSONObject:
    """A map of quantities as the server prints them."""
    return {name: found.canonical() for name, one in amounts.items() if (found := amount(one)) is not None}
