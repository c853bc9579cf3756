"""The claims of a pod's volumes: which are bound, which wait for the pod's node, and which stop scheduling of the pod.

What the cluster's objects don't show (a kind that isn't completely known) is reported, not guessed. The exception is the room for volumes
of claims that aren't stored yet, which may change until they are. Source: Kubernetes v1.36, pkg/scheduler/framework/plugins/volumebinding
and volumezone (PreFilter); component-helpers/storage/volume.
"""

from __future__ import annotations

from collections.abc import Sequence

from weighbridge.policies.facts import ObjectStore
from weighbridge.policies.facts.store import names_of
from weighbridge.policies.ground.fields import items, part, text, texts
from weighbridge.policies.ground.objects import JSONObject, JSONValue, metadata_of, name_of
from weighbridge.policies.ground.records import dataclass, field
from weighbridge.policies.ground.spelling import MOST_SEARCHED, close_matches
from weighbridge.policies.placement.volumes.access_modes import refused_mode
from weighbridge.policies.placement.volumes.candidates import candidates, class_name
from weighbridge.policies.placement.volumes.capacity import EVERYWHERE, VolumeTopology, topology_for
from weighbridge.policies.placement.volumes.limits import VolumeLimits, volume_limits
from weighbridge.policies.pods.admission import AdmittedPod

UNBOUND = "pod has unbound immediate PersistentVolumeClaims"
_MADE_LATER = "the claim is created after the pod; then the scheduler tries again"
_CLAIM, _VOLUME = "PersistentVolumeClaim", "PersistentVolume"
_STORAGE, _CLASS = "storage.k8s.io", "StorageClass"
_CLASSES = ((_STORAGE, _CLASS),)
#: The annotation that the volume controller writes on a bound claim.
BIND_COMPLETED = "pv.kubernetes.io/bind-completed"
_DEFAULT_CLASS = ("storageclass.kubernetes.io/is-default-class", "storageclass.beta.kubernetes.io/is-default-class")


@dataclass(frozen=True, slots=True)
class NewVolume:
    """A claim that waits for the pod's node, with its class, the nodes with room for a new volume, and the volumes that it may get."""

    claim: JSONObject
    storage_class: JSONObject
    topology: VolumeTopology
    volumes: Sequence[JSONObject] = ()


@dataclass(slots=True)
class PodVolumes:
    """A pod's claims: the volumes of those that are bound, and those that wait for a node.

    `refusal` is the scheduler's message if it checks no node, else empty; `hints` explain it to people.
    `absent` names missing claims, `unready` claims that can't be used yet.
    """

    bound: list[JSONObject] = field(default_factory=list)
    waiting: list[NewVolume] = field(default_factory=list)
    limits: VolumeLimits = field(default_factory=VolumeLimits)
    refusal: str = ""
    hints: list[str] = field(default_factory=list)
    absent: list[str] = field(default_factory=list)
    unready: list[str] = field(default_factory=list)
    unchecked: list[str] = field(default_factory=list)


def volumes_of(pod: AdmittedPod, store: ObjectStore) -> PodVolumes:
    """Look up a pod's claims. After a refusal no node is checked."""
    volumes = PodVolumes()
    claims = _claims(pod, store, volumes)
    _sort_claims(claims, store, volumes)
    if not volumes.refusal:
        _look_volumes_up([claim for claim in claims if is_bound(claim)], store, volumes)
    if volumes.waiting and not store.knows_all("", _VOLUME) and any(not provisions(new.storage_class) for new in volumes.waiting):
        volumes.unchecked.append("volumes: the cluster's PersistentVolumes aren't known")
        volumes.waiting = [new for new in volumes.waiting if provisions(new.storage_class)]
    volumes.limits = volume_limits(volumes.bound, ((new.claim, new.storage_class) for new in volumes.waiting), store)
    if volumes.bound or not all(is_new(new.claim) for new in volumes.waiting):
        volumes.unchecked += volumes.limits.unchecked
    return volumes


def is_bound(claim: JSONObject) -> bool:
    """Whether a claim has its volume and the binding is complete."""
    return bool(text(part(claim, "spec"), "volumeName")) and BIND_COMPLETED in part(metadata_of(claim), "annotations")


def provisions(storage_class: JSONObject) -> bool:
    """Whether volumes of a class are created on demand."""
    return text(storage_class, "provisioner") not in ("", "kubernetes.io/no-provisioner")


def is_new(claim: JSONObject) -> bool:
    """Whether no API server has stored the claim yet."""
    metadata = metadata_of(claim)
    return not ("uid" in metadata or "creationTimestamp" in metadata or part(claim, "status"))


def waits_for_pod(storage_class: JSONValue) -> bool:
    """Whether claims of a class are bound only when a pod with them gets a node."""
    return text(storage_class, "volumeBindingMode") == "WaitForFirstConsumer"


def default_class(claim: JSONObject, store: ObjectStore) -> str:
    """The class that the API server gives to a new claim that names none; the newest of several, then the first by name."""
    if part(claim, "spec").get("storageClassName") is not None or part(claim, "status"):
        return ""
    return store.once(_CLASSES, default_class, lambda: _default_of(store))


def _default_of(store: ObjectStore) -> str:
    by_name = sorted(filter(_is_default, store.list(_STORAGE, _CLASS)), key=name_of)
    return name_of(max(by_name, key=lambda found: str(metadata_of(found).get("creationTimestamp") or ""), default={}))


def _is_default(storage_class: JSONObject) -> bool:
    annotations = part(metadata_of(storage_class), "annotations")
    return any(annotations.get(name) == "true" for name in _DEFAULT_CLASS)


def _claims(pod: AdmittedPod, store: ObjectStore, volumes: PodVolumes) -> list[JSONObject]:
    """The claims that the pod's volumes name; the first that can't be used refuses the pod."""
    claims = []
    # Claims that volumes name are checked for existence before those that are created with the pod.
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
        unusable = _unusable(claim, name, pod, made_with_pod=made_with_pod)
        if not unusable:
            claims.append(claim)
            continue
        volumes.refusal = volumes.refusal or unusable
        if claim is None and not made_with_pod:
            volumes.absent.append(name)
            volumes.hints.append(_no_claim(name, pod.namespace, store, may_search=len(volumes.hints) < MOST_SEARCHED))
        else:
            volumes.unready.append(name)
            volumes.hints.append(_MADE_LATER if claim is None else _gone(claim, name, pod, made_with_pod=made_with_pod))
    return claims


def _unusable(claim: JSONValue, name: str, pod: AdmittedPod, *, made_with_pod: bool) -> str:
    if claim is None:
        if made_with_pod:
            return f'waiting for ephemeral volume controller to create the persistentvolumeclaim "{name}"'
        return f'persistentvolumeclaim "{name}" not found'
    if text(part(claim, "status"), "phase") == "Lost":
        volume = text(part(claim, "spec"), "volumeName")
        return f'persistentvolumeclaim "{name}" bound to non-existent persistentvolume "{volume}"'
    if metadata_of(claim).get("deletionTimestamp") is not None:
        return f'persistentvolumeclaim "{name}" is being deleted'
    if made_with_pod and not _is_made_for(claim, pod):
        return f"PVC {pod.namespace}/{name} was not created for pod {pod.namespace}/{pod.name} (pod is not owner)"
    return ""


def _is_made_for(claim: JSONObject, pod: AdmittedPod) -> bool:
    """Whether a claim with the name of a pod's own one is that one; a claim that isn't stored yet is.

    The scheduler compares the uid of the pod, which isn't known here.
    """
    owners = [owner for owner in items(metadata_of(claim), "ownerReferences") if owner.get("controller") is True]
    return is_new(claim) or any(text(owner, "kind") == "Pod" and text(owner, "name") == pod.name for owner in owners)


def _sort_claims(claims: list[JSONObject], store: ObjectStore, volumes: PodVolumes) -> None:
    """Sort out the claims that wait for a node; one that should already be bound refuses the pod."""
    for claim in claims:
        if is_bound(claim):
            continue
        name = class_name(claim) or default_class(claim, store)
        storage_class = store.get(_STORAGE, _CLASS, "", name)
        names_volume = bool(text(part(claim, "spec"), "volumeName"))
        if not names_volume and storage_class is None and name and not store.knows_all(_STORAGE, _CLASS):
            volumes.unchecked.append(f"StorageClass {name}: the cluster's storage classes aren't known")
        elif not names_volume and waits_for_pod(storage_class):
            topology = topology_for(claim, storage_class, store) if provisions(storage_class) else EVERYWHERE
            if topology is None and not is_new(claim):
                volumes.unchecked.append(f"StorageClass {name}: whether its driver has room left isn't known")
            free = candidates(claim, name, store) if store.knows_all("", _VOLUME) else ()
            volumes.waiting.append(NewVolume(claim, storage_class, topology or EVERYWHERE, free))
        else:
            volumes.refusal = volumes.refusal or UNBOUND
            volumes.unready.append(name_of(claim))
            volumes.hints.append(_waits(claim, name, storage_class, store, may_search=len(volumes.hints) < MOST_SEARCHED))


def _nearest(name: str, names: Sequence[str]) -> str:
    """The most similar name; empty if none differs in a few letters only."""
    return next(iter(close_matches(name, names, n=1, cutoff=0.75)), "")


def _no_claim(name: str, namespace: str, store: ObjectStore, *, may_search: bool) -> str:
    nearest = _nearest(name, names_of(store, "", _CLAIM, namespace)) if may_search else ""
    return f"no claim {name} in namespace {namespace}" + (f"; there is {nearest}" if nearest else "")


def _gone(claim: JSONObject, name: str, pod: AdmittedPod, *, made_with_pod: bool) -> str:
    if made_with_pod and not _is_made_for(claim, pod):
        return f"claim {name} has the name of the pod's own claim, but wasn't created for the pod; rename the volume or the pod"
    if metadata_of(claim).get("deletionTimestamp") is None:
        return f"claim {name} has lost its volume; create the claim and the volume again"
    return f"claim {name} is being deleted; create it again once no pod uses it and it is gone"


def _waits(claim: JSONObject, name: str, storage_class: JSONValue, store: ObjectStore, *, may_search: bool) -> str:
    subject = f"claim {name_of(claim)}"
    volume = text(part(claim, "spec"), "volumeName")
    if volume:
        return f"{subject} names volume {volume}, but the two aren't bound"
    if not name:
        default = "" if any(map(_is_default, store.list(_STORAGE, _CLASS))) else ", and the cluster has no default one"
        return f"{subject} has no storage class{default}; name one in the claim, or create a volume for it"
    if storage_class is None:
        nearest = _nearest(name, names_of(store, _STORAGE, _CLASS)) if may_search else ""
        return f"{subject} waits for its volume: storage class {name} doesn't exist" + (f"; there is {nearest}" if nearest else "")
    if not provisions(storage_class):
        return f"{subject} waits for its volume: class {name} creates none, and no free volume fits"
    driver = text(storage_class, "provisioner")
    mode = refused_mode(driver, texts(part(claim, "spec"), "accessModes"), text(part(claim, "spec"), "volumeMode"))
    if mode:
        return f"{subject} gets no volume: it is {mode}, which {driver} (class {name}) refuses"
    return f"{subject} waits for its volume: class {name} binds before the pod has a node"


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
