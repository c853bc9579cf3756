"""Keeps of a cluster's object what rules and placement read, so that thousands of objects stay small.

Of every object the bookkeeping goes: managedFields, the last applied configuration, of nodes the images and the conditions but readiness,
which are most of their size, of CSINodes all but limits, and of namespaces all but labels.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from policies.fields import items, part, text
from policies.objects import JSONObject, metadata_of

_METADATA: Final = (
    "name",
    "namespace",
    "labels",
    "annotations",
    "uid",
    "creationTimestamp",
    "generation",
    "deletionTimestamp",
    "ownerReferences",
)
_LAST_APPLIED: Final = "kubectl.kubernetes.io/last-applied-configuration"
_NODE_METADATA: Final = ("name", "labels")
_NODE_SPEC: Final = ("taints", "unschedulable")
_NODE_STATUS: Final = ("allocatable", "declaredFeatures")
_CRD_STATUS: Final = ("storedVersions",)


def trim(obj: JSONObject) -> JSONObject:
    """The object without what nobody reads; parts that are kept whole are shared with `obj`."""
    metadata = metadata_of(obj)
    slim: JSONObject = {"apiVersion": obj.get("apiVersion"), "kind": obj.get("kind"), "metadata": _some(metadata, _METADATA)}
    annotations = metadata.get("annotations")
    if isinstance(annotations, dict) and _LAST_APPLIED in annotations:
        slim["metadata"]["annotations"] = {key: text for key, text in annotations.items() if key != _LAST_APPLIED}
    if obj.get("kind") == "Node" and obj.get("apiVersion") == "v1":
        return slim | {"metadata": _some(metadata, _NODE_METADATA)} | _node(obj)
    if obj.get("kind") == "CustomResourceDefinition":
        return slim | {"spec": obj.get("spec"), "status": _some(part(obj, "status"), _CRD_STATUS)}
    if obj.get("kind") == "Namespace" and obj.get("apiVersion") == "v1":
        return slim | {"metadata": _some(metadata, _NODE_METADATA)}
    if obj.get("kind") == "CSINode":
        limits = ((text(driver, "name"), part(driver, "allocatable").get("count")) for driver in items(obj, "spec", "drivers"))
        spec = _csi_limits(tuple((name, count) for name, count in limits if isinstance(count, int)))
        return slim | {"metadata": _some(metadata, _NODE_METADATA), "spec": spec}
    return slim | {key: part for key, part in obj.items() if key not in slim}


@lru_cache(maxsize=1024)
def _csi_limits(limits: tuple[tuple[str, int], ...]) -> JSONObject:
    """The drivers of a CSINode that have limits, one map for all nodes that have the same: there are as many CSINodes as nodes."""
    return {"drivers": [{"name": name, "allocatable": {"count": count}} for name, count in limits]}


def _node(obj: JSONObject) -> JSONObject:
    status = part(obj, "status")
    kept = _some(status, _NODE_STATUS)
    if "allocatable" not in kept and "capacity" in status:
        kept["capacity"] = status["capacity"]
    if "conditions" in status:
        readiness = (entry for entry in items(status, "conditions") if entry.get("type") == "Ready")
        kept["conditions"] = [_some(entry, ("type", "status")) for entry in readiness]
    node = {"spec": _some(part(obj, "spec"), _NODE_SPEC), "status": kept}
    return {part: content for part, content in node.items() if content}


def _some(source: JSONObject, keys: tuple[str, ...]) -> JSONObject:
    return {key: source[key] for key in keys if key in source}
