"""Nodes that are equal for one pod, judged together.

The inventory knows which nodes share a shape. A pod that depends on labels that are each node's own, or on names, splits shapes further.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Mapping
from functools import partial
from typing import Protocol

from weighbridge.policies.facts import Inventory, Node
from weighbridge.policies.facts.inventory import Partition
from weighbridge.policies.ground.records import dataclass
from weighbridge.policies.placement.distinctions import Distinctions, Trait
from weighbridge.policies.placement.filters import PodFilters
from weighbridge.policies.placement.wordings import NARROWED_AWAY


@dataclass(slots=True)
class Group:
    """Nodes with one verdict: one of them, their number, and the reasons against them."""

    node: Node
    size: int
    reasons: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Verdicts:
    """The verdict on every node: the group of each, and the groups.

    `apart` are the nodes with a group of their own, if all others are grouped by their shape in the inventory; else `None`.
    """

    group_of: Mapping[str, Hashable]
    groups: dict[Hashable, Group]
    apart: frozenset[str] | None = None

    @property
    def fits(self) -> bool:
        """Whether some node fits."""
        return any(not group.reasons for group in self.groups.values())

    @property
    def fitting(self) -> Iterator[str]:
        """The nodes that fit, in the inventory's order."""
        fitting = {key for key, group in self.groups.items() if not group.reasons}
        if not fitting:
            return iter(())
        return (name for name, key in self.group_of.items() if key in fitting)

    @property
    def feasible(self) -> list[str]:
        """The nodes that fit, as a list."""
        return list(self.fitting)

    @property
    def count(self) -> int:
        """How many nodes fit."""
        return sum(group.size for group in self.groups.values() if not group.reasons)

    @property
    def rejected(self) -> dict[str, tuple[str, ...]]:
        """Every other node with the reasons against it."""
        reasons = {key: group.reasons for key, group in self.groups.items() if group.reasons}
        return {name: reasons[key] for name, key in self.group_of.items() if key in reasons}


class DeviceFilter(Protocol):
    """The filter DynamicResources of one pod."""

    def check(self, node: Node) -> tuple[str, ...]:
        """The filter's reason."""

    def partition(self, inventory: Inventory) -> Partition:
        """The nodes by shape, and by their devices as the pod sees them."""

    def distinguish(self, distinctions: Distinctions) -> None:
        """Add what distinguishes nodes apart from their devices."""


def judge(filters: PodFilters, inventory: Inventory, devices: DeviceFilter | None = None) -> Verdicts:
    """Run a pod's filters over an inventory; nodes that the pod's affinity doesn't name aren't filtered at all.

    `devices` is given for a pod that needs devices.
    """
    distinctions = filters.distinctions()
    if devices is not None:
        devices.distinguish(distinctions)
    shapes = inventory.by_shape if devices is None else devices.partition(inventory)
    group_of, groups, apart = _grouped(filters, inventory, shapes, distinctions)
    for group in groups.values():
        if filters.names is not None and group.node.name not in filters.names:
            group.reasons = (NARROWED_AWAY,)
        else:
            group.reasons = filters.check(group.node)
        if devices is not None:
            group.reasons = group.reasons or devices.check(group.node)
        group.reasons = group.reasons or filters.feature_check(group.node)
    return Verdicts(group_of, groups, apart if shapes is inventory.by_shape else None)


def _grouped(
    filters: PodFilters, inventory: Inventory, shapes: Partition, distinctions: Distinctions
) -> tuple[Mapping[str, Hashable], dict[Hashable, Group], frozenset[str] | None]:
    """The nodes by shape, and by those of their own labels and amounts that matter to this pod; and the nodes that are alone in a group."""
    labels = {key: values for key, values in distinctions.values.items() if key in inventory.own.labels}
    requests = [(name, wanted) for name, wanted in filters.pod.requests.items() if inventory.divides(name, wanted)]
    traits = [trait for looked_at, trait in distinctions.traits if not inventory.own.labels.isdisjoint(looked_at)]
    traits += [partial(_has_less, name, wanted) for name, wanted in requests]
    if traits or None in labels.values():
        return *_told_apart(inventory, shapes, labels, traits, distinctions.names), None
    singled_out = {name for name in distinctions.names if name in inventory.shape_of}
    for label, values in labels.items():
        singled_out.update(inventory.with_label(label, values or set()))
    return *_singled_out(inventory, shapes, singled_out), frozenset(singled_out)


def _singled_out(inventory: Inventory, shapes: Partition, names: set[str]) -> tuple[Mapping[str, Hashable], dict[Hashable, Group]]:
    """The nodes by shape, with a few separate ones that the pod mentions."""
    shape_of = shapes.shape_of
    groups: dict[Hashable, Group] = {shape: Group(shapes.examples[shape], size, ()) for shape, size in shapes.sizes.items()}
    if not names:
        return shape_of, groups
    for shape, left in Counter(shape_of[name] for name in names).items():
        group = groups[shape]
        group.size -= left
        if not group.size:
            del groups[shape]
        elif group.node.name in names:
            group.node = next(node for node in inventory.nodes if shape_of[node.name] == shape and node.name not in names)
    groups.update((node.name, Group(node, 1, ())) for node in map(inventory.node, sorted(names)) if node is not None)
    return {**shape_of, **{name: name for name in names}}, groups


def _told_apart(
    inventory: Inventory,
    shapes: Partition,
    labels: Mapping[str, set[str] | None],
    traits: list[Trait],
    names: set[str],
) -> tuple[Mapping[str, Hashable], dict[Hashable, Group]]:
    """The nodes by shape and by all that the pod distinguishes."""
    group_of: dict[str, Hashable] = {}
    groups: dict[Hashable, Group] = {}
    for node in inventory.nodes:
        told: list[Hashable] = [node.name if node.name in names else None]
        for label, values in labels.items():
            value = node.labels.get(label)
            # All values that the pod doesn't mention count as one.
            told.append(value if values is None or value in values else None)
        told += [trait(node) for trait in traits]
        key = (shapes.shape_of[node.name], *told)
        group_of[node.name] = key
        group = groups.setdefault(key, Group(node, 0, ()))
        group.size += 1
    return group_of, groups


def _has_less(resource: str, wanted: int, node: Node) -> bool:
    return wanted > node.amounts.get(resource, 0)
