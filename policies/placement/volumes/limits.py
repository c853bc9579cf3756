"""The filter NodeVolumeLimits: compares the volumes of a driver that a node can attach with those of the pod.

A node's CSINode has the limit of each driver; without one there is no limit. Volumes of CSI drivers are counted: bound ones by their
handles, others by the class that will make them. Those of in-tree plugins that a driver has taken over aren't counted. Source: Kubernetes
v1.36, pkg/scheduler/framework/plugins/nodevolumelimits.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from weighbridge.policies.facts import Node, ObjectStore
from weighbridge.policies.facts.node import HOSTNAME
from weighbridge.policies.ground.fields import items, part, text
from weighbridge.policies.ground.objects import JSONObject, name_of, namespace_of
from weighbridge.policies.ground.records import dataclass, field
from weighbridge.policies.placement.distinctions import Distinctions

TOO_MANY_VOLUMES = "node(s) exceed max volume count"
_STORAGE, _CSI_NODE = "storage.k8s.io", "CSINode"


@dataclass(frozen=True, slots=True)
class VolumeLimits:
    """The number of the pod's volumes of each driver, and the limits of nodes that can't take them all; `by_node` has only such nodes."""

    wanted: Mapping[str, int] = field(default_factory=dict)
    by_node: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    unchecked: tuple[str, ...] = ()

    def check(self, node: Node) -> tuple[str, ...]:
        """The filter's reason."""
        return (TOO_MANY_VOLUMES,) if node.name in self.by_node else ()

    def exceeded(self, node: Node) -> list[tuple[str, int, int]]:
        """The drivers of which the pod has too many volumes for a node, how many it has, and how many the node takes."""
        limits = self.by_node.get(node.name, {})
        return [(driver, count, limits[driver]) for driver, count in self.wanted.items() if count > limits.get(driver, count)]

    def distinguish(self, distinctions: Distinctions) -> None:
        """Add what distinguishes nodes."""
        if self.by_node:
            distinctions.add_trait({HOSTNAME}, lambda node: node.name in self.by_node)


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
        by_node |= {name: limits for name, limits in known if limits.get(driver, count) < count}
    return VolumeLimits(wanted, by_node)


def _read(obj: JSONObject) -> tuple[str, dict[str, int]]:
    counts = ((text(driver, "name"), part(driver, "allocatable").get("count")) for driver in items(obj, "spec", "drivers"))
    return name_of(obj), {driver: count for driver, count in counts if isinstance(count, int) and not isinstance(count, bool)}
