"""The filters VolumeBinding and VolumeZone: whether the pod's volumes can be reached from a node, or found for it.

A bound volume is where its node affinity and its zone labels say. A claim that waits for the node gets an available volume or, if the class
makes volumes on demand, one in the topologies that the class allows. Source: Kubernetes v1.36,
pkg/scheduler/framework/plugins/volumebinding and volumezone.
"""

from __future__ import annotations

from weighbridge.policies.facts import Node
from weighbridge.policies.facts.selectors import Requirement, Term, read_terms
from weighbridge.policies.ground.fields import items, part, text, text_map, texts
from weighbridge.policies.ground.objects import JSONObject, metadata_of, name_of
from weighbridge.policies.ground.records import dataclass
from weighbridge.policies.placement.distinctions import Distinctions
from weighbridge.policies.placement.volumes.candidates import choose, wanted_size
from weighbridge.policies.placement.volumes.claims import NewVolume, PodVolumes, provisions
from weighbridge.policies.placement.wordings import ELSEWHERE, NO_ROOM, NONE_FREE, OTHER_ZONE

_ZONES = {
    "failure-domain.beta.kubernetes.io/zone": "topology.kubernetes.io/zone",
    "failure-domain.beta.kubernetes.io/region": "topology.kubernetes.io/region",
    "topology.kubernetes.io/zone": "topology.kubernetes.io/zone",
    "topology.kubernetes.io/region": "topology.kubernetes.io/region",
}
_SELECTED_NODE = "volume.kubernetes.io/selected-node"


@dataclass(frozen=True, slots=True)
class _Volume:
    """A volume, with the nodes that can reach it; `terms` is `None` if all can."""

    obj: JSONObject
    terms: tuple[Term, ...] | None

    @classmethod
    def of(cls, obj: JSONObject) -> _Volume:
        required = part(obj, "spec", "nodeAffinity").get("required")
        return cls(obj, read_terms(items(required, "nodeSelectorTerms")) if isinstance(required, dict) else None)

    def reaches(self, node: Node) -> bool:
        return self.terms is None or any(term.is_readable and term.matches(node.labels) for term in self.terms)


class VolumeFilters:
    """The volumes of one pod, checked for one node after the other."""

    def __init__(self, volumes: PodVolumes) -> None:
        self._bound = [_Volume.of(obj) for obj in volumes.bound]
        self._available = {name_of(obj): _Volume.of(obj) for new in volumes.waiting for obj in new.volumes}
        self._waiting = sorted(volumes.waiting, key=lambda new: wanted_size(new.claim).as_approximate_float())
        self._zones = [
            (key, frozenset(zones))
            for obj in volumes.bound
            for key, value in text_map(metadata_of(obj), "labels").items()
            # The scheduler ignores a label that it can't read as a list of zones.
            if key in _ZONES and all(zones := value.split("__"))
        ]

    def distinguish(self, distinctions: Distinctions) -> None:
        """Add what distinguishes nodes."""
        distinctions.add_terms(term for volume in (*self._bound, *self._available.values()) for term in volume.terms or ())
        for new in self._waiting:
            distinctions.add_terms(Term(tuple(term), ()) for term in _allowed(new.storage_class))
            distinctions.names.add(text(part(metadata_of(new.claim), "annotations"), _SELECTED_NODE))
            new.topology.distinguish(distinctions)
        for key, values in self._zones:
            for value in values:
                distinctions.add_value(key, value)
                distinctions.add_value(_ZONES[key], value)

    def wished_labels(self) -> dict[str, str]:
        """Labels of a node that reaches the volumes, as far as they are known."""
        labels: dict[str, str] = {}
        terms = [term.expressions for volume in self._bound for term in (volume.terms or ())[:1]]
        terms += [tuple(wanted) for new in self._waiting for wanted in _allowed(new.storage_class)[:1]]
        for wanted in (wanted for term in terms for wanted in term):
            if wanted.operator == "In" and wanted.values:
                labels.setdefault(wanted.key, wanted.values[0])
        for key, values in self._zones:
            labels.setdefault(key, min(values))
        return labels

    def check(self, node: Node) -> tuple[str, ...]:
        """The reasons of VolumeBinding, which can be two, or else that of VolumeZone."""
        if not (self._bound or self._waiting):
            return ()
        reasons = [] if all(volume.reaches(node) for volume in self._bound) else [ELSEWHERE]
        to_make = self._not_found(node)
        missing = NONE_FREE if to_make is None else next(filter(None, (_cannot_be_made(new, node) for new in to_make)), "")
        if missing:
            reasons.append(missing)
        return tuple(reasons) or self._zone_check(node)

    def _not_found(self, node: Node) -> list[NewVolume] | None:
        """The volumes that have to be made after waiting claims have got existing ones.

        The smaller claims choose first, each the smallest volume that suits. `None` if a claim has been promised to another node.
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
            volume = self._free_volume(new, node, taken)
            if volume is None:
                unmet.append(new)
            else:
                taken.add(name_of(volume))
        return promised + unmet

    def _free_volume(self, new: NewVolume, node: Node, taken: set[str]) -> JSONObject | None:
        def reaches(volume: JSONObject) -> bool:
            return self._available[name_of(volume)].reaches(node)

        return choose(new.claim, new.volumes, taken=taken, reaches=reaches)

    def _zone_check(self, node: Node) -> tuple[str, ...]:
        if not any(key in node.labels for key in _ZONES):
            return ()
        inside = all(node.labels.get(key, node.labels.get(_ZONES[key])) in values for key, values in self._zones)
        return () if inside else (OTHER_ZONE,)


def _allowed(storage_class: JSONObject) -> list[list[Requirement]]:
    """The topologies in which a class makes volumes: alternatives, each of labels with their values."""
    return [
        [Requirement(text(wanted, "key"), "In", texts(wanted, "values")) for wanted in items(term, "matchLabelExpressions")]
        for term in items(storage_class, "allowedTopologies")
    ]


def _cannot_be_made(new: NewVolume, node: Node) -> str:
    """Why no volume can be created for a node; empty if one can."""
    if not provisions(new.storage_class) or not _is_allowed(new.storage_class, node):
        return NONE_FREE
    return "" if new.topology.is_at(node) else NO_ROOM


def _is_allowed(storage_class: JSONObject, node: Node) -> bool:
    topologies = _allowed(storage_class)
    return not topologies or any(term and all(wanted.holds(node.labels) for wanted in term) for term in topologies)
