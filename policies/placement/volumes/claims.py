"""The claims behind a pod's volumes: which are bound, which wait for the pod's node, and which keep the pod from being looked at.

What the cluster's objects can't tell (a kind that isn't all known) is said, not guessed. Source: Kubernetes v1.36,
pkg/scheduler/framework/plugins/volumebinding and volumezone (PreFilter); component-helpers/storage/volume.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from policies.facts import ObjectStore
from policies.fields import items, part, text
from policies.objects import JSONObject, JSONValue, metadata_of, name_of, namespace_of
from policies.placement.spelling import closest
from policies.placement.volumes.capacity import EVERYWHERE, Room, room_for
from policies.placement.volumes.limits import VolumeLimits, volume_limits
from policies.pods.admission import AdmittedPod

UNBOUND = "pod has unbound immediate PersistentVolumeClaims"
_MADE_LATER = "the claim is made once the pod is there, and the scheduler asks again then"
_CLAIM, _VOLUME = "PersistentVolumeClaim", "PersistentVolume"
_STORAGE, _CLASS = "storage.k8s.io", "StorageClass"
_BIND_COMPLETED = "pv.kubernetes.io/bind-completed"
_CLASS_ANNOTATION, _DEFAULT_CLASS = "volume.beta.kubernetes.io/storage-class", "storageclass.kubernetes.io/is-default-class"


@dataclass(frozen=True, slots=True)
class NewVolume:
    """A claim that waits for the pod's node, its class, and where there is room for a volume that is made for it."""

    claim: JSONObject
    storage_class: JSONObject
    room: Room


@dataclass(slots=True)
class PodVolumes:
    """A pod's claims: the volumes of those that are bound, and those that wait for a node.

    `refusal` is what the scheduler says before it looks at any node, empty where it does look; `hints` are words for people about it.
    """

    bound: list[JSONObject] = field(default_factory=list)
    waiting: list[NewVolume] = field(default_factory=list)
    limits: VolumeLimits = field(default_factory=VolumeLimits)
    available: list[JSONObject] = field(default_factory=list)
    refusal: str = ""
    hints: list[str] = field(default_factory=list)
    unchecked: list[str] = field(default_factory=list)


def volumes_of(pod: AdmittedPod, store: ObjectStore) -> PodVolumes:
    """Look a pod's claims up; after a refusal nothing else is said."""
    volumes = PodVolumes()
    claims = _claims(pod, store, volumes)
    if not claims:
        return volumes
    if not volumes.refusal:
        _sort_claims(claims, store, volumes)
    if not volumes.refusal:
        _look_volumes_up([claim for claim in claims if is_bound(claim)], store, volumes)
    if volumes.waiting:
        if store.knows_all("", _VOLUME):
            volumes.available = list(store.list("", _VOLUME))
        elif any(not provisions(new.storage_class) for new in volumes.waiting):
            volumes.unchecked.append("volumes: the cluster's PersistentVolumes aren't known")
            volumes.waiting = [new for new in volumes.waiting if provisions(new.storage_class)]
    volumes.limits = volume_limits(volumes.bound, ((new.claim, new.storage_class) for new in volumes.waiting), store)
    volumes.unchecked += volumes.limits.unchecked
    return volumes


def class_name(claim: JSONObject) -> str:
    """The storage class that a claim or a volume names."""
    annotations = part(metadata_of(claim), "annotations")
    if _CLASS_ANNOTATION in annotations:
        return text(annotations, _CLASS_ANNOTATION)
    return text(part(claim, "spec"), "storageClassName")


def is_bound(claim: JSONObject) -> bool:
    """Whether a claim has its volume and the binding is complete."""
    return bool(text(part(claim, "spec"), "volumeName")) and _BIND_COMPLETED in part(metadata_of(claim), "annotations")


def provisions(storage_class: JSONObject) -> bool:
    """Whether volumes of a class are made on demand."""
    return text(storage_class, "provisioner") not in ("", "kubernetes.io/no-provisioner")


def _claims(pod: AdmittedPod, store: ObjectStore, volumes: PodVolumes) -> list[JSONObject]:
    """The claims that the pod's volumes name; the first that isn't fit to be used refuses the pod."""
    claims = []
    # Volumes that name a claim are checked for existence before those whose claim is made with the pod.
    named = sorted(items(pod.spec, "volumes"), key=lambda volume: not part(volume, "persistentVolumeClaim"))
    for volume in named:
        made_with_pod = not part(volume, "persistentVolumeClaim")
        if made_with_pod and not isinstance(volume.get("ephemeral"), dict):
            continue
        name = f"{pod.name}-{text(volume, 'name')}" if made_with_pod else text(part(volume, "persistentVolumeClaim"), "claimName")
        claim = store.get("", _CLAIM, pod.namespace, name)
        if claim is None and not store.knows_all("", _CLAIM):
            volumes.unchecked.append(f"PersistentVolumeClaim {name}: the cluster's claims aren't known")
            continue
        volumes.refusal = volumes.refusal or _unusable(claim, name, made_with_pod=made_with_pod)
        if claim is None:
            volumes.hints.append(_MADE_LATER if made_with_pod else _no_claim(name, pod.namespace, store))
        claims.append(claim)
    return claims


def _unusable(claim: JSONValue, name: str, *, made_with_pod: bool) -> str:
    if claim is None:
        if made_with_pod:
            return f'waiting for ephemeral volume controller to create the persistentvolumeclaim "{name}"'
        return f'persistentvolumeclaim "{name}" not found'
    if text(part(claim, "status"), "phase") == "Lost":
        volume = text(part(claim, "spec"), "volumeName")
        return f'persistentvolumeclaim "{name}" bound to non-existent persistentvolume "{volume}"'
    if metadata_of(claim).get("deletionTimestamp") is not None:
        return f'persistentvolumeclaim "{name}" is being deleted'
    return ""


def _sort_claims(claims: list[JSONObject], store: ObjectStore, volumes: PodVolumes) -> None:
    """File the claims that wait for a node; one that should be bound by now refuses the pod."""
    for claim in claims:
        if is_bound(claim):
            continue
        name = class_name(claim) or _default_class(claim, store)
        storage_class = store.get(_STORAGE, _CLASS, "", name)
        if text(part(claim, "spec"), "volumeName"):
            volumes.refusal = UNBOUND
            volumes.hints.append(f"claim {name_of(claim)} names its volume, but the two aren't bound yet")
        elif storage_class is None and name and not store.knows_all(_STORAGE, _CLASS):
            volumes.unchecked.append(f"StorageClass {name}: the cluster's storage classes aren't known")
        elif text(storage_class, "volumeBindingMode") == "WaitForFirstConsumer":
            room = room_for(claim, storage_class, store) if provisions(storage_class) else EVERYWHERE
            if room is None:
                volumes.unchecked.append(f"StorageClass {name}: whether its driver has room left isn't known")
            volumes.waiting.append(NewVolume(claim, storage_class, room or EVERYWHERE))
        else:
            volumes.refusal = UNBOUND
            volumes.hints.append(_waits(claim, name, storage_class))


def _no_claim(name: str, namespace: str, store: ObjectStore) -> str:
    nearest = closest(name, map(name_of, store.list("", _CLAIM, namespace)))
    return f"no claim {name} in namespace {namespace}" + (f"; there is {nearest}" if nearest else "")


def _waits(claim: JSONObject, name: str, storage_class: JSONValue) -> str:
    if not name:
        return f"claim {name_of(claim)} has no storage class, so somebody has to make a volume for it"
    if storage_class is None:
        return f"claim {name_of(claim)} waits for its volume: there is no storage class {name}"
    return f"claim {name_of(claim)} waits for its volume: class {name} binds before the pod has a node"


def _default_class(claim: JSONObject, store: ObjectStore) -> str:
    """The class that the API server gives to a new claim that names none; the newest of several, then the first by name."""
    if part(claim, "spec").get("storageClassName") is not None or part(claim, "status"):
        return ""
    defaults = [found for found in store.list(_STORAGE, _CLASS) if part(metadata_of(found), "annotations").get(_DEFAULT_CLASS) == "true"]
    by_name = sorted(defaults, key=name_of)
    return name_of(max(by_name, key=lambda found: str(metadata_of(found).get("creationTimestamp") or ""), default={}))


def _look_volumes_up(claims: list[JSONObject], store: ObjectStore, volumes: PodVolumes) -> None:
    for claim in claims:
        name = text(part(claim, "spec"), "volumeName")
        volume = store.get("", _VOLUME, "", name)
        if volume is not None:
            volumes.bound.append(volume)
        elif store.knows_all("", _VOLUME):
            volumes.refusal = volumes.refusal or f'persistentvolume "{name}" not found'
        else:
            volumes.unchecked.append(f"PersistentVolume {name}: the cluster's volumes aren't known")


def is_reserved_for(volume: JSONObject, claim: JSONObject) -> bool:
    """Whether a volume is set aside for this claim."""
    holder = part(volume, "spec", "claimRef")
    if text(holder, "name") != name_of(claim) or text(holder, "namespace") != namespace_of(claim):
        return False
    return not text(holder, "uid") or text(holder, "uid") == text(metadata_of(claim), "uid")
