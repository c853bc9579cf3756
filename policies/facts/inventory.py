"""The cluster's nodes, in an inventory that never changes.

`with_node` and `without_node` return the next one, which shares almost everything with it. Results for a node are true for all nodes of its
shape, unless they depend on what is each node's own.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import cached_property
from typing import TYPE_CHECKING, TypeVar

from weighbridge.policies.facts.node import Node
from weighbridge.policies.facts.node_shapes import Grouping, NodeShape, Own
from weighbridge.policies.ground.memory import Memory
from weighbridge.policies.ground.records import dataclass

if TYPE_CHECKING:
    from weighbridge.policies.facts.accelerators import Accelerator

_Result = TypeVar("_Result")


@dataclass(frozen=True, slots=True)
class Partition:
    """Nodes grouped into parts that needn't be distinguished: the part of each node by name, the sizes of the parts, and a node of each."""

    shape_of: Mapping[str, Hashable]
    sizes: Mapping[Hashable, int]
    examples: Mapping[Hashable, Node]


class Inventory:
    """The nodes of a cluster. An inventory without nodes is a cluster without nodes; if nothing is known, there is no inventory."""

    def __init__(self, nodes: Iterable[Node] | Grouping) -> None:
        self._grouping = nodes if isinstance(nodes, Grouping) else Grouping.of(nodes)
        self._richest: dict[str, Node | None] = {}
        self._names_by_value: dict[str, dict[str, list[str]]] = {}
        self._asked: set[str] = set()
        self._memory = Memory()

    def once(self, key: Hashable, work_out: Callable[[], _Result]) -> _Result:
        """The result of `work_out`, which is called only once. It may depend only on these nodes."""
        return self._memory.once(key, work_out)

    def with_node(self, node: Node) -> Inventory:
        """The inventory with a node added, or replaced in its place; the same inventory if nothing about the node is new."""
        if self._grouping.nodes.get(node.name) == node:
            return self
        grouping = self._grouping.copy()
        grouping.add(node)
        if len(grouping.sizes) > grouping.most_shapes:
            grouping = Grouping.of(grouping.nodes.values())
        return Inventory(grouping)

    def without_node(self, name: str) -> Inventory:
        """The inventory without a node; the same inventory if there is none of that name."""
        if name not in self._grouping.nodes:
            return self
        grouping = self._grouping.copy()
        grouping.remove(name)
        return Inventory(grouping)

    @cached_property
    def nodes(self) -> tuple[Node, ...]:
        """All nodes, in the order in which they were first seen."""
        return tuple(self._grouping.nodes.values())

    @property
    def by_name(self) -> Mapping[str, Node]:
        """All nodes by their names."""
        return self._grouping.nodes

    def node(self, name: str) -> Node | None:
        """The node with a name, or `None`."""
        return self._grouping.nodes.get(name)

    def __len__(self) -> int:
        return len(self._grouping.nodes)

    @property
    def shape_of(self) -> Mapping[str, NodeShape]:
        """The shape of every node by the node's name, in the nodes' order."""
        return self._grouping.shape_of

    @property
    def shapes(self) -> Mapping[NodeShape, int]:
        """The shapes, with how many nodes have each."""
        return self._grouping.sizes

    def example(self, shape: NodeShape) -> Node:
        """A node of a shape."""
        return self._grouping.nodes[self._grouping.examples[shape]]

    @cached_property
    def by_shape(self) -> Partition:
        """The nodes by shape."""
        sizes: dict[Hashable, int] = dict(self.shapes.items())
        return Partition(self.shape_of, sizes, {shape: self.example(shape) for shape in self.shapes})

    @property
    def own(self) -> Own:
        """The labels and amounts in which nodes of one shape may differ."""
        return self._grouping.own

    def divides(self, resource: str, wanted: int) -> bool:
        """Whether nodes of one shape may differ in having `wanted` of a resource."""
        if resource not in self.own.amounts:
            return False
        return any(least < wanted <= most for least, most in self._ranges_of(resource))

    def surely_has(self, resource: str, wanted: int) -> bool:
        """Whether all nodes of at least one shape have `wanted` of a resource, as far as that is known without reading each node."""
        if resource not in self.own.amounts:
            return any(node.amounts.get(resource, 0) >= wanted for node in self.examples())
        return any(least >= wanted for least, _ in self._ranges_of(resource))

    def _ranges_of(self, resource: str) -> Iterable[tuple[int, int]]:
        return (found[resource] for found in self._grouping.ranges.values())

    def least(self, shape: NodeShape, resource: str) -> int:
        """The least that the nodes of a shape have of a resource, as far as that is known without reading each node."""
        found = self._grouping.ranges[shape].get(resource)
        return found[0] if found is not None else self.example(shape).amounts.get(resource, 0)

    @cached_property
    def names_by_shape(self) -> Mapping[NodeShape, Sequence[str]]:
        """The names of the nodes of each shape, in the nodes' order."""
        found: dict[NodeShape, list[str]] = {}
        for name, shape in self.shape_of.items():
            found.setdefault(shape, []).append(name)
        return found

    def values_in(self, shape: NodeShape, label: str) -> frozenset[str]:
        """The values of a label that the nodes of a shape have."""
        if label not in self.own.labels:
            labels = self.example(shape).labels
            return frozenset([labels[label]] if label in labels else [])
        nodes = self._grouping.nodes
        return self.once(
            (Inventory.values_in, shape, label),
            lambda: frozenset(labels[label] for name in self.names_by_shape[shape] if label in (labels := nodes[name].labels)),
        )

    def richest(self, resource: str) -> Node | None:
        """A node that has the most of a resource, even if that is 0; `None` if there are no nodes."""
        if resource not in self._richest:
            most = max(self.examples(resource=resource), key=lambda node: node.amounts.get(resource, 0), default=None)
            self._richest[resource] = most
        return self._richest[resource]

    def with_label(self, label: str, values: AbstractSet[str]) -> list[str]:
        """The nodes, by name, that have one of these values of a label."""
        names = self._names_by_value.get(label)
        if names is None and label not in self._asked:
            # The next inventory may replace this one before another call, and one search is quicker than an index.
            self._asked.add(label)
            return [name for name, node in self._grouping.nodes.items() if node.labels.get(label) in values]
        if names is None:
            names = self._names_by_value[label] = {}
            for name, node in self._grouping.nodes.items():
                if label in node.labels:
                    names.setdefault(node.labels[label], []).append(name)
        return [name for value in values for name in names.get(value, ())]

    def examples(self, *, label: str = "", resource: str = "") -> Iterable[Node]:
        """Enough nodes to see every value of a label and every amount of a resource: one of each shape, or all."""
        if label in self.own.labels or resource in self.own.amounts:
            return self.nodes
        return map(self.example, self.shapes)

    def counted(self, *, label: str = "", resource: str = "") -> Iterable[tuple[Node, int]]:
        """The nodes of `examples`, each with the number of nodes for which it is the example."""
        if label in self.own.labels or resource in self.own.amounts:
            return ((node, 1) for node in self.nodes)
        return ((self.example(shape), size) for shape, size in self.shapes.items())

    def with_labels(self, labels: Mapping[str, str]) -> Iterator[tuple[Node, int]]:
        """The nodes that have all of these labels: one of each shape, with the number of such nodes.

        Amounts that may differ within a shape (`own`) are only those of the given node.
        """
        own = next((key for key in labels if key in self.own.labels), None)
        nodes = self.counted()
        if own is not None:
            nodes = ((self._grouping.nodes[name], 1) for name in self.with_label(own, {labels[own]}))
        return ((node, size) for node, size in nodes if all(node.labels.get(key) == value for key, value in labels.items()))

    @cached_property
    def offers(self) -> dict[str, int]:
        """Extended resources (those with a domain) of nodes that take pods, with the most that any one node has of each."""
        return _most(node for node in self.examples() if node.takes_pods)

    @cached_property
    def held_back(self) -> dict[str, int]:
        """The same for nodes that are cordoned or not ready."""
        return _most(node for node in self.examples() if not node.takes_pods)

    @cached_property
    def accelerators(self) -> dict[tuple[str, str], dict[NodeShape, Accelerator]]:
        """The accelerators that labels name, by vendor and model: the shapes whose nodes have them, and the label."""
        found: dict[tuple[str, str], dict[NodeShape, Accelerator]] = {}
        for shape in self.shapes:
            for held in self.example(shape).accelerators:
                found.setdefault((held.vendor, held.model), {}).setdefault(shape, held)
        return found

    def nodes_with(self, resource: str) -> Sequence[Node]:
        """The nodes on which at least one of an extended resource is allocatable."""
        if resource not in self.offers and resource not in self.held_back:
            return ()
        return self.once((Inventory.nodes_with, resource), lambda: [node for node in self.nodes if node.amounts.get(resource, 0) > 0])


def _most(nodes: Iterable[Node]) -> dict[str, int]:
    most: dict[str, int] = {}
    for node in nodes:
        for name, amount in node.allocatable.items():
            if "/" in name and amount.value() > 0:
                most[name] = max(most.get(name, 0), amount.value())
    return most
