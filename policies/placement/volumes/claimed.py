"""Problems of a fitting pod's claims that the scheduler doesn't check: modes that the driver refuses, and zones of volumes.

A claim that has its volume, or may get an existing one, isn't checked.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from weighbridge.policies.facts import Inventory, Node, ObjectStore
from weighbridge.policies.ground.cautions import ONE_NODE_STORAGE, OTHER_ZONE, Caution
from weighbridge.policies.ground.fields import items, part, text, texts
from weighbridge.policies.ground.objects import JSONObject, name_of
from weighbridge.policies.placement.volumes.access_modes import ZONAL, exception_of, refused_mode
from weighbridge.policies.placement.volumes.candidates import candidates, class_name
from weighbridge.policies.placement.volumes.claims import default_class, waits_for_pod

_CLAIM, _VOLUME = "PersistentVolumeClaim", "PersistentVolume"
_ZONE: Final = "topology.kubernetes.io/zone"
_MOST_ZONES: Final = 5


class _Claimed(NamedTuple):
    """A claim for which a driver makes a volume, with the class."""

    claim: JSONObject
    storage_class: JSONObject

    @property
    def provisioner(self) -> str:
        return text(self.storage_class, "provisioner")


def has_doubtful_claims(spec: JSONObject, namespace: str, store: ObjectStore, stored: ObjectStore) -> bool:
    """Whether there may be cautions about a pod's claims; cheaper than working them out."""
    return any(_refused(found) or _is_in_any_zone(found) for found in _to_make(spec, namespace, store, stored))


def doubts_about_claims(
    spec: JSONObject, namespace: str, store: ObjectStore, stored: ObjectStore, nodes: Sequence[Node], inventory: Inventory
) -> Iterator[Caution]:
    """The cautions about the claims of a pod that fits these nodes.

    `store` has new claims as the scheduler finds them, `stored` only the existing objects.
    """
    for found in _to_make(spec, namespace, store, stored):
        claim, driver = name_of(found.claim), f"{found.provisioner} (class {name_of(found.storage_class)})"
        mode = _refused(found)
        if mode:
            unless = exception_of(found.provisioner)
            yield Caution(
                ONE_NODE_STORAGE,
                f"claim {claim} is {mode}, which {driver} refuses{f' {unless}' if unless else ''}: it gets no volume, and the pods wait",
                hint="make the claim ReadWriteOnce, or use a class of a shared file system",
            )
        elif _is_in_any_zone(found):
            yield from _of_zones(claim, driver, _zones(nodes), _zones(inventory.examples(label=_ZONE)))


def _of_zones(claim: str, driver: str, fitting: list[str], known: list[str]) -> Iterator[Caution]:
    others = [zone for zone in known if zone not in fitting]
    if fitting and others:
        yield Caution(
            OTHER_ZONE,
            f"{driver} creates the volume of claim {claim} before the pod has a node: it may be in zone {_either(others)}, and the nodes "
            f"that fit are in zone {_either(fitting)}",
            hint="use a class with volumeBindingMode WaitForFirstConsumer, or with allowedTopologies",
        )


def _either(zones: list[str]) -> str:
    more = len(zones) - _MOST_ZONES
    return " or ".join([*zones[:_MOST_ZONES], *([f"{more} more"] if more > 0 else [])])


def _zones(nodes: Iterable[Node]) -> list[str]:
    return sorted({node.labels[_ZONE] for node in nodes if _ZONE in node.labels})


def _refused(found: _Claimed) -> str:
    spec = part(found.claim, "spec")
    return refused_mode(found.provisioner, texts(spec, "accessModes"), text(spec, "volumeMode"))


def _is_in_any_zone(found: _Claimed) -> bool:
    """Whether the volume is made in a zone without regard to the pod's."""
    storage_class = found.storage_class
    return found.provisioner in ZONAL and not waits_for_pod(storage_class) and not items(storage_class, "allowedTopologies")


def _to_make(spec: JSONObject, namespace: str, store: ObjectStore, stored: ObjectStore) -> Iterator[_Claimed]:
    for volume in items(spec, "volumes"):
        name = text(part(volume, "persistentVolumeClaim"), "claimName")
        claim = store.get("", _CLAIM, namespace, name) if name else None
        if not isinstance(claim, dict):
            continue
        named = text(part(claim, "spec"), "volumeName")
        if named and stored.get("", _VOLUME, "", named) is not None:
            continue
        if text(part(stored.get("", _CLAIM, namespace, name), "spec"), "volumeName"):
            # The claim is bound, or names a volume that nothing makes.
            continue
        storage_class = store.get("storage.k8s.io", "StorageClass", "", class_name(claim) or default_class(claim, store))
        if isinstance(storage_class, dict) and not candidates(claim, name_of(storage_class), stored):
            yield _Claimed(claim, storage_class)
