"""Finds the existing volume that a claim gets: the smallest that suits, or the one that is reserved for it.

Source: Kubernetes v1.36, component-helpers/storage/volume (FindMatchingVolume), which both the volume controller and kube-scheduler use.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from typing import Final

from weighbridge.policies.facts import ObjectStore
from weighbridge.policies.facts.selectors import selects
from weighbridge.policies.ground.fields import part, text, text_map, texts
from weighbridge.policies.ground.objects import JSONObject, metadata_of, name_of, namespace_of
from weighbridge.policies.ground.quantity import Quantity
from weighbridge.policies.pods.requests import read_amounts

_CLASS_ANNOTATION: Final = "volume.beta.kubernetes.io/storage-class"
_NOTHING: Final = Quantity.from_int(0)
_NOBODY: Final = ("", "")


def class_name(claim: JSONObject) -> str:
    """The storage class that a claim or a volume names."""
    annotations = part(metadata_of(claim), "annotations")
    if _CLASS_ANNOTATION in annotations:
        return text(annotations, _CLASS_ANNOTATION)
    return text(part(claim, "spec"), "storageClassName")


def wanted_size(claim: JSONObject) -> Quantity:
    """The size that a claim requests."""
    return read_amounts(part(claim, "spec", "resources", "requests")).get("storage", _NOTHING)


def candidates(claim: JSONObject, storage_class: str, store: ObjectStore) -> list[JSONObject]:
    """The volumes of a class that a claim may get: one that is reserved for it, then the unbound ones.

    Bound volumes, which are most, are left out.
    """
    found: list[JSONObject] = []
    for holder in ((namespace_of(claim), name_of(claim)), _NOBODY):
        found += store.where("", "PersistentVolume", _filed_under, (storage_class, holder))
    return [volume for volume in found if suits(volume, claim) and (is_reserved_for(volume, claim) or _is_open_to(volume, claim))]


def choose(
    claim: JSONObject,
    volumes: Iterable[JSONObject],
    *,
    taken: Collection[str] = (),
    reaches: Callable[[JSONObject], bool] = lambda _: True,
) -> JSONObject | None:
    """The volume that a claim gets of those that it may get; `None` if none suits.

    `taken` are the names of volumes that other claims of the pod get; `reaches` says whether a volume can be reached from the node.
    """
    fitting = []
    for volume in volumes:
        if name_of(volume) in taken:
            continue
        if is_reserved_for(volume, claim):
            return volume if reaches(volume) else None
        if reaches(volume):
            fitting.append(volume)
    return min(fitting, key=lambda volume: _capacity(volume).as_approximate_float(), default=None)


def _filed_under(volume: JSONObject) -> tuple[str, tuple[str, str]] | None:
    """The class of a volume, and the claim for which it is reserved; `None` for a released volume, which can't be bound again."""
    holder = part(volume, "spec", "claimRef")
    if not holder and text(part(volume, "status"), "phase") != "Available":
        return None
    return class_name(volume), (text(holder, "namespace"), text(holder, "name"))


def suits(volume: JSONObject, claim: JSONObject) -> bool:
    """Whether size, mode and attributes of a volume suit a claim, whether or not it is reserved for it."""
    spec, wanted = part(volume, "spec"), part(claim, "spec")
    return (
        _capacity(volume).compare(wanted_size(claim)) >= 0
        and (text(spec, "volumeMode") or "Filesystem") == (text(wanted, "volumeMode") or "Filesystem")
        and text(spec, "volumeAttributesClassName") == text(wanted, "volumeAttributesClassName")
        and metadata_of(volume).get("deletionTimestamp") is None
    )


def is_reserved_for(volume: JSONObject, claim: JSONObject) -> bool:
    """Whether a volume is reserved for this claim."""
    holder = part(volume, "spec", "claimRef")
    if text(holder, "name") != name_of(claim) or text(holder, "namespace") != namespace_of(claim):
        return False
    return not text(holder, "uid") or text(holder, "uid") == text(metadata_of(claim), "uid")


def has_modes(volume: JSONObject, claim: JSONObject) -> bool:
    """Whether a volume has all access modes that a claim requests."""
    return set(texts(part(claim, "spec"), "accessModes")) <= set(texts(part(volume, "spec"), "accessModes"))


def _is_open_to(volume: JSONObject, claim: JSONObject) -> bool:
    """Whether a claim may get an unbound volume."""
    wanted = part(claim, "spec")
    chosen = wanted.get("selector") is None or selects(wanted["selector"], text_map(metadata_of(volume), "labels"))
    return not part(volume, "spec", "claimRef") and chosen and has_modes(volume, claim)


def _capacity(volume: JSONObject) -> Quantity:
    return read_amounts(part(volume, "spec", "capacity")).get("storage", _NOTHING)
