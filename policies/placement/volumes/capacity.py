"""Storage capacity: whether a driver that reports free storage has enough for a new volume that a node can reach.

Drivers opt in with their CSIDriver; CSIStorageCapacity objects say how much there is, of which class and for which nodes. One object must
have enough for one volume; it doesn't matter that two volumes share it. Source: Kubernetes v1.36,
pkg/scheduler/framework/plugins/volumebinding (hasEnoughCapacity); KEP-1472.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Final

from weighbridge.policies.facts import Node, ObjectStore
from weighbridge.policies.facts.selectors import labels_of, selects
from weighbridge.policies.ground.fields import amount, flag, items, part, text, text_map
from weighbridge.policies.ground.objects import JSONObject, name_of
from weighbridge.policies.ground.records import dataclass, field
from weighbridge.policies.placement.distinctions import Distinctions

_STORAGE: Final = "storage.k8s.io"


@dataclass(frozen=True, slots=True)
class VolumeTopology:
    """The nodes that can reach enough storage for one new volume; `is_everywhere` if the driver reports no capacity."""

    is_everywhere: bool = True
    labels: frozenset[str] = frozenset()
    exact: dict[tuple[str, ...], set[tuple[str, ...]]] = field(default_factory=dict)
    selectors: tuple[JSONObject, ...] = ()

    def is_at(self, node: Node) -> bool:
        """Whether a node can reach enough of it."""
        if self.is_everywhere:
            return True
        for keys, found in self.exact.items():
            if tuple(node.labels.get(key) for key in keys) in found:
                return True
        return any(selects(selector, node.labels) for selector in self.selectors)

    def distinguish(self, distinctions: Distinctions) -> None:
        """Add what distinguishes nodes."""
        if not self.is_everywhere:
            distinctions.add_trait(self.labels, self._trait)

    def _trait(self, node: Node) -> Hashable:
        return self.is_at(node)


EVERYWHERE: Final = VolumeTopology()


def topology_for(claim: JSONObject, storage_class: JSONObject, store: ObjectStore) -> VolumeTopology | None:
    """The nodes that can reach enough storage for the volume of a claim; `None` if that can't be known."""
    wanted = amount(part(claim, "spec", "resources", "requests").get("storage"))
    if wanted is None:
        return EVERYWHERE
    driver = store.get(_STORAGE, "CSIDriver", "", text(storage_class, "provisioner"))
    if driver is None:
        return EVERYWHERE if store.knows_all(_STORAGE, "CSIDriver") else None
    if not flag(part(driver, "spec"), "storageCapacity"):
        return EVERYWHERE
    if not store.knows_all(_STORAGE, "CSIStorageCapacity"):
        return None
    selectors = [
        capacity["nodeTopology"]
        for capacity in store.where(_STORAGE, "CSIStorageCapacity", _class_of, name_of(storage_class))
        if isinstance(capacity.get("nodeTopology"), dict) and _most(capacity) >= wanted.value()
    ]
    exact: dict[tuple[str, ...], set[tuple[str, ...]]] = {}
    for labels in (text_map(selector, "matchLabels") for selector in selectors if not items(selector, "matchExpressions")):
        exact.setdefault(tuple(sorted(labels)), set()).add(tuple(labels[key] for key in sorted(labels)))
    others = tuple(selector for selector in selectors if items(selector, "matchExpressions"))
    looked_at = frozenset(label for selector in selectors for label in labels_of(selector))
    return VolumeTopology(is_everywhere=False, labels=looked_at, exact=exact, selectors=others)


def _class_of(capacity: JSONObject) -> str:
    return text(capacity, "storageClassName")


def _most(capacity: JSONObject) -> int:
    """The largest volume that an object has room for; negative if it doesn't say."""
    stated = capacity.get("maximumVolumeSize")
    most = amount(capacity.get("capacity") if stated is None else stated)
    return -1 if most is None else most.value()
