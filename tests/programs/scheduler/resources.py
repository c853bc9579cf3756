"""The API paths of a cluster's objects, and how to create one exactly as it is written.

The server changes new objects, and no controller corrects that here: a Node gets a taint, a status that is a subresource is dropped, and an
object in use gets a finalizer.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from tests.programs.scheduler.api import MERGE_PATCH, Api, CallError


@dataclass(frozen=True, slots=True)
class Resource:
    """The place of a kind in the API."""

    prefix: str
    plural: str
    namespaced: bool = False
    status_apart: bool = False

    def collection(self, namespace: str) -> str:
        """The path under which the kind's objects are listed and created."""
        return f"{self.prefix}/namespaces/{namespace}/{self.plural}" if self.namespaced else f"{self.prefix}/{self.plural}"


_CORE, _DEVICES, _STORAGE = "/api/v1", "/apis/resource.k8s.io/v1", "/apis/storage.k8s.io/v1"
RESOURCES = {
    "Namespace": Resource(_CORE, "namespaces"),
    "Node": Resource(_CORE, "nodes"),
    "PersistentVolume": Resource(_CORE, "persistentvolumes", status_apart=True),
    "PersistentVolumeClaim": Resource(_CORE, "persistentvolumeclaims", namespaced=True, status_apart=True),
    "Pod": Resource(_CORE, "pods", namespaced=True),
    "PriorityClass": Resource("/apis/scheduling.k8s.io/v1", "priorityclasses"),
    "RuntimeClass": Resource("/apis/node.k8s.io/v1", "runtimeclasses"),
    "StorageClass": Resource(_STORAGE, "storageclasses"),
    "CSIDriver": Resource(_STORAGE, "csidrivers"),
    "CSINode": Resource(_STORAGE, "csinodes"),
    "CSIStorageCapacity": Resource(_STORAGE, "csistoragecapacities", namespaced=True),
    "LimitRange": Resource(_CORE, "limitranges", namespaced=True),
    "ResourceQuota": Resource(_CORE, "resourcequotas", namespaced=True, status_apart=True),
    "DeviceClass": Resource(_DEVICES, "deviceclasses"),
    "ResourceSlice": Resource(_DEVICES, "resourceslices"),
    "DeviceTaintRule": Resource(_DEVICES, "devicetaintrules", status_apart=True),
    "ResourceClaim": Resource(_DEVICES, "resourceclaims", namespaced=True, status_apart=True),
    "ResourceClaimTemplate": Resource(_DEVICES, "resourceclaimtemplates", namespaced=True),
}


def namespace_of(obj: dict[str, Any]) -> str:
    """The namespace an object is created in."""
    return str(obj["metadata"].get("namespace", "default"))


def path_of(obj: dict[str, Any]) -> str:
    """The path of the object once it exists."""
    return f"{RESOURCES[obj['kind']].collection(namespace_of(obj))}/{obj['metadata']['name']}"


def create(api: Api, obj: dict[str, Any]) -> None:
    """Creates the object as it is written, status and all. Raises CallError when the server refuses it."""
    resource = RESOURCES[obj["kind"]]
    api.must("POST", resource.collection(namespace_of(obj)), obj)
    if resource.status_apart and "status" in obj:
        put_status(api, obj)
    if obj["kind"] == "Node":
        # kube-apiserver taints new nodes as not ready, and a controller would remove the taint.
        taints = obj.get("spec", {}).get("taints", [])
        api.must("PATCH", path_of(obj), {"spec": {"taints": taints}}, content_type=MERGE_PATCH)


def put_status(api: Api, obj: dict[str, Any]) -> None:
    """Writes the object's status."""
    api.must("PATCH", f"{path_of(obj)}/status", {"status": obj["status"]}, content_type=MERGE_PATCH)


def create_all(api: Api, objects: Iterable[dict[str, Any]]) -> None:
    """Creates the objects, and the namespaces that some of them are in."""
    objects = list(objects)
    spaces = [obj for obj in objects if obj["kind"] == "Namespace"]
    others = [obj for obj in objects if obj["kind"] != "Namespace"]
    written = {obj["metadata"]["name"] for obj in spaces}
    missing = {namespace_of(obj) for obj in others if RESOURCES[obj["kind"]].namespaced} - written
    made = ({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}} for name in sorted(missing))
    api.each(lambda space: _ensure_namespace(api, space), [*spaces, *made])
    api.each(lambda obj: create(api, obj), others)


def _ensure_namespace(api: Api, space: dict[str, Any]) -> None:
    """Namespaces stay after a cluster, since they can't be deleted without a controller."""
    answer = api.call("POST", "/api/v1/namespaces", space)
    if answer.code == 409:
        labels = space["metadata"].get("labels", {})
        api.must("PATCH", f"/api/v1/namespaces/{space['metadata']['name']}", {"metadata": {"labels": labels}}, content_type=MERGE_PATCH)
    elif not answer.ok:
        raise CallError(f"namespace {space['metadata']['name']}: {answer.message}")


def delete_all(api: Api, objects: Iterable[dict[str, Any]]) -> None:
    """Deletes the objects except namespaces; objects that are gone already are no error."""
    api.each(lambda obj: _delete(api, obj), [obj for obj in objects if obj["kind"] != "Namespace"])


def _delete(api: Api, obj: dict[str, Any]) -> None:
    answer = api.call("DELETE", f"{path_of(obj)}?gracePeriodSeconds=0")
    if not answer.ok and answer.code != 404:
        raise CallError(f"DELETE {path_of(obj)}: {answer.code} {answer.message}")
