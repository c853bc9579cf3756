"""The filter NodeVolumeLimits: compares the volumes of a driver that a node can attach with those of the pod.

A node's CSINode has the limit of each driver; without one there is no limit. Volumes of CSI drivers are counted: bound ones by their
handles, others by the class that will make them. Those of in-tree plugins that a driver has taken over aren't counted. From 1.37 on a
driver may require that a node has it (``preventPodSchedulingIfMissing`` of its CSIDriver); a driver without a known CSIDriver doesn't.
Source: Kubernetes v1.37, pkg/scheduler/framework/plugins/nodevolumelimits.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet
from typing import Final

from weighbridge.policies.facts import Node, ObjectStore
from weighbridge.policies.facts.node import HOSTNAME
from weighbridge.policies.ground.fields import flag, items, part, text
from weighbridge.policies.ground.objects import JSONObject, name_of, namespace_of
from weighbridge.policies.ground.records import dataclass, field
from weighbridge.policies.ground.server_release import release
from weighbridge.policies.placement.distinctions import Distinctions
from weighbridge.policies.placement.wordings import TOO_MANY_VOLUMES

_NOT_INSTALLED: Final = " CSI driver is not installed on the node"
_STORAGE, _CSI_NODE, _CSI_DRIVER = "storage.k8s.io", "CSINode", "CSIDriver"


@dataclass(frozen=True, slots=True)
class VolumeLimits:
    """The number of the pod's volumes of each driver, and the limits of nodes that can't take them all; `by_node` has only such nodes.

    `having` has the nodes with each driver that a node of the pod must have.
    """

    wanted: Mapping[str, int] = field(default_factory=dict)
    by_node: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    having: Mapping[str, AbstractSet[str]] = field(default_factory=dict)
    unchecked: tuple[str, ...] = ()

    def check(self, node: Node) -> tuple[str, ...]:
        """The filter's reason. Of several missing drivers the scheduler names any."""
        for driver in self.missing(node):
            return (f"{driver}{_NOT_INSTALLED}",)
        return (TOO_MANY_VOLUMES,) if node.name in self.by_node else ()

    def missing(self, node: Node) -> list[str]:
        """The drivers that a node must have and doesn't; an expected node will have them."""
        return [] if node.is_expected else [driver for driver, nodes in self.having.items() if node.name not in nodes]

    def exceeded(self, node: Node) -> list[tuple[str, int, int]]:
        """The drivers of which the pod has too many volumes for a node, how many it has, and how many the node takes."""
        limits = self.by_node.get(node.name, {})
        return [(driver, count, limits[driver]) for driver, count in self.wanted.items() if count > limits.get(driver, count)]

    def distinguish(self, distinctions: Distinctions) -> None:
        """Add what distinguishes nodes."""
        if self.by_node or self.having:
            distinctions.add_trait({HOSTNAME}, self.check)


def may_be_preempted(reasons: tuple[str, ...]) -> bool:
    """Whether the scheduler tries preemption on a node that this filter refuses: always, even if a driver is missing."""
    return len(reasons) == 1 and (reasons[0] == TOO_MANY_VOLUMES or reasons[0].endswith(_NOT_INSTALLED))


def volume_limits(bound: Iterable[JSONObject], waiting: Iterable[tuple[JSONObject, JSONObject]], store: ObjectStore) -> VolumeLimits:
    """Count the bound volumes and the claims that wait, each with its class, and find the nodes that can't take them."""
    volumes = {(text(source, "driver"), text(source, "volumeHandle")) for source in (part(volume, "spec", "csi") for volume in bound)}
    volumes |= {(text(class_, "provisioner"), f"{namespace_of(claim)}/{name_of(claim)}") for claim, class_ in waiting}
    wanted = Counter(driver for driver, handle in sorted(volumes) if driver and handle)
    if not wanted:
        return VolumeLimits()
    if not store.knows_all(_STORAGE, _CSI_NODE):
        return VolumeLimits(wanted, unchecked=("volumes: how many of them a node can attach isn't known",))
    known = store.read(_STORAGE, _CSI_NODE, _read)
    by_node: dict[str, Mapping[str, int]] = {}
    for driver, count in wanted.items():
        by_node |= {name: limits for name, _, limits in known if limits.get(driver, count) < count}
    having = {driver: {name for name, drivers, _ in known if driver in drivers} for driver in wanted if _is_required(driver, store)}
    return VolumeLimits(wanted, by_node, having)


def _is_required(driver: str, store: ObjectStore) -> bool:
    """Whether nodes without a driver take no pods with its volumes."""
    if not release().requires_csi_drivers:
        return False
    return flag(part(store.get(_STORAGE, _CSI_DRIVER, "", driver), "spec"), "preventPodSchedulingIfMissing")


def _read(obj: JSONObject) -> tuple[str, frozenset[str], dict[str, int]]:
    """A node's name, its drivers, and the limits of those that have one."""
    drivers = items(obj, "spec", "drivers")
    counts = ((text(driver, "name"), part(driver, "allocatable").get("count")) for driver in drivers)
    limits = {driver: count for driver, count in counts if isinstance(count, int) and not isinstance(count, bool)}
    return name_of(obj), frozenset(text(driver, "name") for driver in drivers), limits
