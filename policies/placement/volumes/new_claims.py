"""The state of claims that are created together with a pod, after admission and controllers and before the pod is scheduled.

The API server gives a claim the default class. If the class waits for the first consumer, kube-scheduler binds the claim. Otherwise the
volume controller binds it to an existing volume, or the class's provisioner makes one. Without either it stays unbound, and so does the
pod. Source: Kubernetes v1.36, pkg/controller/volume/persistentvolume (syncUnboundClaim) and the admission plugin DefaultStorageClass.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from weighbridge.policies.facts import ObjectStore
from weighbridge.policies.ground.fields import items, part, text, texts
from weighbridge.policies.ground.objects import JSONObject, JSONValue, metadata_of, name_of
from weighbridge.policies.ground.records import dataclass
from weighbridge.policies.placement.volumes.candidates import candidates, choose, class_name, has_modes, is_reserved_for, suits
from weighbridge.policies.placement.volumes.claims import BIND_COMPLETED, default_class, provisions, waits_for_pod

_VOLUME: Final = ("", "PersistentVolume")
_CLASS: Final = ("storage.k8s.io", "StorageClass")


@dataclass(frozen=True, slots=True)
class NewClaims:
    """New claims and the volumes that they get. `unknown` names claims whose state isn't known, and `unchecked` says why."""

    objects: Sequence[JSONObject] = ()
    unknown: frozenset[str] = frozenset()
    unchecked: Sequence[str] = ()


def bind(claims: Iterable[JSONObject], store: ObjectStore) -> NewClaims:
    """The claims as the scheduler finds them; they must name their namespaces."""
    objects: list[JSONObject] = []
    unknown: set[str] = set()
    unchecked: list[str] = []
    taken: set[str] = set()
    for claim in (_with_class(claim, store) for claim in claims):
        ignorance = _ignorance(claim, store)
        if ignorance:
            unknown.add(name_of(claim))
            unchecked.append(f"PersistentVolumeClaim {name_of(claim)}: {ignorance}")
            continue
        storage_class = store.get(*_CLASS, "", class_name(claim))
        volume = _volume(claim, storage_class, store, taken)
        if volume is None and _is_provisioned(claim, storage_class):
            volume = _made(claim, storage_class)
            unchecked.append(
                f"PersistentVolumeClaim {name_of(claim)}: class {name_of(storage_class)} creates the volume before the pod has a node, so "
                "which nodes reach it isn't known"
            )
        if volume is None:
            objects.append(claim)
        else:
            taken.add(name_of(volume))
            objects += _bound(claim, volume)
    return NewClaims(objects, frozenset(unknown), unchecked)


def _with_class(claim: JSONObject, store: ObjectStore) -> JSONObject:
    name = default_class(claim, store) if not class_name(claim) else ""
    return {**claim, "spec": {**part(claim, "spec"), "storageClassName": name}} if name else claim


def _ignorance(claim: JSONObject, store: ObjectStore) -> str:
    """Why a claim's state can't be predicted; empty if it can."""
    name, named = class_name(claim), text(part(claim, "spec"), "volumeName")
    may_have_class = name or part(claim, "spec").get("storageClassName") is None
    storage_class = store.get(*_CLASS, "", name)
    if storage_class is None and may_have_class and not store.knows_all(*_CLASS):
        return "the cluster's storage classes aren't known"
    if named and store.get(*_VOLUME, "", named) is not None:
        return ""
    is_others_work = waits_for_pod(storage_class) or _is_provisioned(claim, storage_class)
    return "" if store.knows_all(*_VOLUME) or (is_others_work and not named) else "the cluster's volumes aren't known"


def _volume(claim: JSONObject, storage_class: JSONValue, store: ObjectStore, taken: set[str]) -> JSONObject | None:
    """The volume to which the controller binds the claim; `None` if there is none or the scheduler binds it."""
    name = text(part(claim, "spec"), "volumeName")
    if name:
        volume = store.get(*_VOLUME, "", name)
        return volume if isinstance(volume, dict) and name not in taken and _may_be_had(volume, claim) else None
    if waits_for_pod(storage_class):
        return None
    return choose(claim, candidates(claim, class_name(claim), store), taken=taken)


def _may_be_had(volume: JSONObject, claim: JSONObject) -> bool:
    """Whether a claim can be bound to the volume that it names."""
    is_free = not part(volume, "spec", "claimRef") or is_reserved_for(volume, claim)
    return is_free and class_name(volume) == class_name(claim) and suits(volume, claim) and has_modes(volume, claim)


def _is_provisioned(claim: JSONObject, storage_class: JSONValue) -> bool:
    """Whether a provisioner makes a volume for the claim without waiting for a pod."""
    if not isinstance(storage_class, dict) or waits_for_pod(storage_class) or text(part(claim, "spec"), "volumeName"):
        return False
    return provisions(storage_class)


def _made(claim: JSONObject, storage_class: JSONValue) -> JSONObject:
    """The volume that a provisioner makes, somewhere in the topologies that the class allows."""
    terms = [
        {
            "matchExpressions": [
                {"key": text(wanted, "key"), "operator": "In", "values": list(texts(wanted, "values"))}
                for wanted in items(term, "matchLabelExpressions")
            ]
        }
        for term in items(storage_class, "allowedTopologies")
    ]
    spec: JSONObject = {
        "accessModes": list(texts(part(claim, "spec"), "accessModes")),
        "capacity": part(claim, "spec", "resources", "requests"),
        "storageClassName": name_of(storage_class),
        "csi": {"driver": text(storage_class, "provisioner"), "volumeHandle": name_of(claim)},
    }
    if terms:
        spec["nodeAffinity"] = {"required": {"nodeSelectorTerms": terms}}
    return {"apiVersion": "v1", "kind": "PersistentVolume", "metadata": {"name": f"pvc-{name_of(claim)}"}, "spec": spec}


def _bound(claim: JSONObject, volume: JSONObject) -> list[JSONObject]:
    """A claim and a volume that are bound to each other."""
    metadata = metadata_of(claim)
    holder = {"apiVersion": "v1", "kind": "PersistentVolumeClaim", "name": name_of(claim), "namespace": metadata.get("namespace", "")}
    annotations = {**part(metadata, "annotations"), BIND_COMPLETED: "yes"}
    return [
        {
            **claim,
            "metadata": {**metadata, "annotations": annotations},
            "spec": {**part(claim, "spec"), "volumeName": name_of(volume)},
            "status": {"phase": "Bound"},
        },
        {**volume, "spec": {**part(volume, "spec"), "claimRef": holder}, "status": {"phase": "Bound"}},
    ]
