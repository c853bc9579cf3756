"""The filters VolumeBinding and VolumeZone: can the pod's volumes be reached from a node, or found for it?

A bound volume is where its node affinity and its zone labels say. A claim that waits for the node gets an available volume or, where the
class makes volumes on demand, one in the topologies that the class allows. Source: Kubernetes v1.36,
pkg/scheduler/framework/plugins/volumebinding and volumezone.
"""

from __future__ import annotations

from dataclasses import dataclass

from policies.facts import Node
from policies.fields import items, part, text, text_map, texts
from policies.objects import JSONObject, metadata_of, name_of
from policies.placement.distinctions import Distinctions
from policies.placement.volumes.claims import NewVolume, PodVolumes, class_name, is_reserved_for, provisions
from policies.pods.requests import read_amounts
from policies.quantity import Quantity
from policies.selectors import Requirement, Term, read_terms, selects

ELSEWHERE = "node(s) didn't match PersistentVolume's node affinity"
NONE_FREE = "node(s) didn't find available persistent volumes to bind"
NO_ROOM = "node(s) did not have enough free storage"
OTHER_ZONE = "node(s) had no available volume zone"
_ZONES = {
    "failure-domain.beta.kubernetes.io/zone": "topology.kubernetes.io/zone",
    "failure-domain.beta.kubernetes.io/region": "topology.kubernetes.io/region",
    "topology.kubernetes.io/zone": "topology.kubernetes.io/zone",
    "topology.kubernetes.io/region": "topology.kubernetes.io/region",
}
_SELECTED_NODE = "volume.kubernetes.io/selected-node"
_NOTHING = Quantity.from_int(0)


@dataclass(frozen=True, slots=True)
class _Volume:
    """A volume, with the nodes that can reach it; `terms` is `None` where all can."""

    obj: JSONObject
    terms: tuple[Term, ...] | None

    @classmethod
    def of(cls, obj: JSONObject) -> _Volume:
        required = part(obj, "spec", "nodeAffinity").get("required")
        return cls(obj, read_terms(items(required, "nodeSelectorTerms")) if isinstance(required, dict) else None)

    def reaches(self, node: Node) -> bool:
        return self.terms is None or any(term.is_readable and term.matches(node.labels) for term in self.terms)


class VolumeFilters:
    """The volumes of one pod, held against one node after the other."""

    def __init__(self, volumes: PodVolumes) -> None:
        self._bound = [_Volume.of(obj) for obj in volumes.bound]
        self._available = [_Volume.of(obj) for obj in volumes.available]
        self._waiting = sorted(volumes.waiting, key=lambda new: _wanted(new.claim).as_approximate_float())
        self._zones = [
            (key, frozenset(value.split("__")))
            for obj in volumes.bound
            for key, value in text_map(metadata_of(obj), "labels").items()
            if key in _ZONES
        ]

    def distinguish(self, distinctions: Distinctions) -> None:
        """Add what nodes are told apart by."""
        distinctions.add_terms(term for volume in (*self._bound, *self._available) for term in volume.terms or ())
        for new in self._waiting:
            distinctions.add_terms(Term(tuple(term), ()) for term in _allowed(new.storage_class))
            distinctions.names.add(text(part(metadata_of(new.claim), "annotations"), _SELECTED_NODE))
            new.room.distinguish(distinctions)
        for key, values in self._zones:
            for value in values:
                distinctions.add_value(key, value)
                distinctions.add_value(_ZONES[key], value)

    def check(self, node: Node) -> tuple[str, ...]:
        """The reasons of VolumeBinding (it can give two), or else the one of VolumeZone."""
        reasons = [] if all(volume.reaches(node) for volume in self._bound) else [ELSEWHERE]
        to_make = self._not_found(node)
        missing = NONE_FREE if to_make is None else next(filter(None, (_cannot_be_made(new, node) for new in to_make)), "")
        if missing:
            reasons.append(missing)
        return tuple(reasons) or self._zone_check(node)

    def _not_found(self, node: Node) -> list[NewVolume] | None:
        """The volumes that have to be made, after every waiting claim has got what there is: the smaller ones choose first, each the
        smallest volume that will do. `None` where a claim has been promised to another node.
        """
        promised: list[NewVolume] = []
        unmet: list[NewVolume] = []
        taken: set[str] = set()
        for new in self._waiting:
            selected = part(metadata_of(new.claim), "annotations").get(_SELECTED_NODE)
            if selected is not None:
                if selected != node.name:
                    return None
                promised.append(new)
                continue
            volume = self._free_volume(new.claim, new.storage_class, node, taken)
            if volume is None:
                unmet.append(new)
            else:
                taken.add(name_of(volume))
        return promised + unmet

    def _free_volume(self, claim: JSONObject, storage_class: JSONObject, node: Node, taken: set[str]) -> JSONObject | None:
        fitting = []
        for volume in self._available:
            obj = volume.obj
            if class_name(obj) != name_of(storage_class) or name_of(obj) in taken or not _suits(obj, claim):
                continue
            if is_reserved_for(obj, claim):
                return obj if volume.reaches(node) else None
            if not part(obj, "spec", "claimRef") and _is_open_to(obj, claim) and volume.reaches(node):
                fitting.append(obj)
        return min(fitting, key=lambda obj: _capacity(obj).as_approximate_float(), default=None)

    def _zone_check(self, node: Node) -> tuple[str, ...]:
        if not any(key in node.labels for key in _ZONES):
            return ()
        inside = all(node.labels.get(key, node.labels.get(_ZONES[key])) in values for key, values in self._zones)
        return () if inside else (OTHER_ZONE,)


def _suits(volume: JSONObject, claim: JSONObject) -> bool:
    """Whether size, mode and attributes of a volume do for a claim, be it set aside for it or not."""
    spec, wanted = part(volume, "spec"), part(claim, "spec")
    return (
        _capacity(volume).compare(_wanted(claim)) >= 0
        and (text(spec, "volumeMode") or "Filesystem") == (text(wanted, "volumeMode") or "Filesystem")
        and text(spec, "volumeAttributesClassName") == text(wanted, "volumeAttributesClassName")
        and metadata_of(volume).get("deletionTimestamp") is None
    )


def _is_open_to(volume: JSONObject, claim: JSONObject) -> bool:
    """Whether a volume that nobody has may go to a claim."""
    wanted = part(claim, "spec")
    chosen = wanted.get("selector") is None or selects(wanted["selector"], text_map(metadata_of(volume), "labels"))
    modes = set(texts(wanted, "accessModes")) <= set(texts(part(volume, "spec"), "accessModes"))
    return text(part(volume, "status"), "phase") == "Available" and chosen and modes


def _wanted(claim: JSONObject) -> Quantity:
    return read_amounts(part(claim, "spec", "resources", "requests")).get("storage", _NOTHING)


def _capacity(volume: JSONObject) -> Quantity:
    return read_amounts(part(volume, "spec", "capacity")).get("storage", _NOTHING)


def _allowed(storage_class: JSONObject) -> list[list[Requirement]]:
    """The topologies in which a class makes volumes: alternatives of labels with their values."""
    return [
        [Requirement(text(wanted, "key"), "In", texts(wanted, "values")) for wanted in items(term, "matchLabelExpressions")]
        for term in items(storage_class, "allowedTopologies")
    ]


def _cannot_be_made(new: NewVolume, node: Node) -> str:
    """Why a volume can't be made for a node; empty where it can."""
    if not provisions(new.storage_class) or not _is_allowed(new.storage_class, node):
        return NONE_FREE
    return "" if new.room.is_at(node) else NO_ROOM


def _is_allowed(storage_class: JSONObject, node: Node) -> bool:
    topologies = _allowed(storage_class)
    return not topologies or any(term and all(wanted.holds(node.labels) for wanted in term) for term in topologies)
