"""Keeps only the parts of a cluster's object that rules and placement read.

So thousands of objects remain small, and unneeded secrets aren't kept. Every object loses its bookkeeping: managedFields and the last
applied configuration. Nodes also lose most of their size: the images, the conditions except readiness, and the annotations except those of
HAMi's devices. CSINodes keep only their drivers with limits, and namespaces only labels. Other kinds that placement reads keep only the
fields that it reads.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Final

from weighbridge.policies.facts.read_fields import READ_FIELDS, fields, is_read, only
from weighbridge.policies.ground.fields import items, part, text
from weighbridge.policies.ground.objects import GroupVersionKind, JSONObject, metadata_of

_METADATA: Final = (
    "name", "namespace", "labels", "annotations", "uid", "creationTimestamp", "generation", "deletionTimestamp", "ownerReferences",
)  # fmt: skip
_LAST_APPLIED: Final = "kubectl.kubernetes.io/last-applied-configuration"
_NODE_METADATA: Final = ("name", "labels")
_NODE_SPEC: Final = ("taints", "unschedulable")
_NODE_STATUS: Final = ("allocatable", "declaredFeatures")
_CRD_STATUS: Final = ("storedVersions",)


def only_read(*paths: str) -> Callable[[JSONObject], JSONObject]:
    """A function that keeps only the name and these fields of an object."""
    tree = fields("apiVersion", "kind", "metadata.name", "metadata.namespace", *paths)

    def keep(obj: JSONObject) -> JSONObject:
        kept: JSONObject = only(obj, tree)
        return kept

    return keep


def trim(obj: JSONObject) -> JSONObject:
    """The object without the parts that aren't read; parts that are kept whole are shared with `obj`."""
    gvk = GroupVersionKind.from_object(obj)
    group_kind = (gvk.group, gvk.kind) if gvk is not None else ("", "")
    metadata = metadata_of(obj)
    slim: JSONObject = {"apiVersion": obj.get("apiVersion"), "kind": obj.get("kind")}
    match group_kind:
        case ("", "Node"):
            return slim | {"metadata": _some(metadata, _NODE_METADATA) | _registered(metadata)} | _node(obj)
        case ("", "Namespace"):
            return slim | {"metadata": _some(metadata, _NODE_METADATA)}
        case ("storage.k8s.io", "CSINode"):
            return slim | {"metadata": _some(metadata, _NODE_METADATA), "spec": _csi_node(obj)}
        case ("apiextensions.k8s.io", "CustomResourceDefinition"):
            kept = {"spec": obj.get("spec"), "status": _some(part(obj, "status"), _CRD_STATUS)}
            return slim | {"metadata": _metadata(metadata, group_kind)} | kept
    slim["metadata"] = _metadata(metadata, group_kind)
    read = READ_FIELDS.get(group_kind)
    return slim | {key: part for key, part in (obj if read is None else only(obj, read)).items() if key not in slim}


def _registered(metadata: JSONObject) -> JSONObject:
    """The annotations of a node by which HAMi registers its devices."""
    from weighbridge.policies.facts.registered_devices import registers

    found = registers(metadata.get("annotations"))
    return {"annotations": found} if found else {}


def _metadata(metadata: JSONObject, group_kind: tuple[str, str]) -> JSONObject:
    """The metadata that is read; kinds whose read fields are known also keep the annotations that are read."""
    kept = _some(metadata, _METADATA)
    annotations = kept.get("annotations")
    if isinstance(annotations, dict):
        is_known = group_kind in READ_FIELDS
        left = {key: text for key, text in annotations.items() if (is_read(*group_kind, key) if is_known else key != _LAST_APPLIED)}
        if left or not is_known:
            kept["annotations"] = left
        else:
            del kept["annotations"]
    return kept


def _csi_node(obj: JSONObject) -> JSONObject:
    limits = ((text(driver, "name"), part(driver, "allocatable").get("count")) for driver in items(obj, "spec", "drivers"))
    return _csi_drivers(tuple((name, count if isinstance(count, int) else None) for name, count in limits))


@lru_cache(maxsize=1024)
def _csi_drivers(limits: tuple[tuple[str, int | None], ...]) -> JSONObject:
    """The drivers of a CSINode with their limits. Equal ones share one map, since there are as many CSINodes as nodes."""
    return {"drivers": [{"name": name} | ({} if count is None else {"allocatable": {"count": count}}) for name, count in limits]}


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
