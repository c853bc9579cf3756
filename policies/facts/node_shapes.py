"""Groups nodes by shape, so that a result is computed once for all nodes of a shape. These differ only in what is each node's own.

A node's own are its name, `kubernetes.io/hostname`, a machine's id, the memory to the kilobyte: labels and amounts that have too many
values among the nodes to describe a kind of node.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable

from weighbridge.policies.facts.node import HOSTNAME, Node
from weighbridge.policies.ground.records import dataclass

# A label (or an amount) is each node's own if it has more values than the first number, and more than one value for as many nodes as the
# second says.
_FEW_VALUES, _NODES_PER_VALUE = 16, 16


@dataclass(frozen=True, slots=True)
class Own:
    """What is each node's own: the labels and the resources in whose values nodes of one shape may differ.

    Resources with a domain (GPUs) and the number of pods are never among them.
    """

    labels: frozenset[str]
    amounts: frozenset[str]

    @classmethod
    def of(cls, nodes: Iterable[Node]) -> Own:
        """The labels and resources that have too many values among these nodes to describe a kind of node."""
        nodes = tuple(nodes)
        labels = (item for node in nodes for item in node.labels.items())
        amounts = (item for node in nodes for item in node.amounts.items() if "/" not in item[0] and item[0] != "pods")
        return cls(_varied(labels) | {HOSTNAME}, _varied(amounts))


@dataclass(frozen=True, slots=True, eq=False)
class NodeShape:
    """The shape of nodes that differ only in what is each node's own; compared by identity."""

    key: Hashable


class Grouping:
    """Nodes by name and by shape, to which nodes can be added and removed. What is each node's `own` isn't part of a shape."""

    def __init__(self, nodes: Iterable[Node], own: Own) -> None:
        self.nodes: dict[str, Node] = {}
        self.own = own
        self.shape_of: dict[str, NodeShape] = {}
        self.sizes: dict[NodeShape, int] = {}
        self.examples: dict[NodeShape, str] = {}
        self.by_key: dict[Hashable, NodeShape] = {}
        #: For each shape the least and the most amount of resources that are each node's own; not narrowed when a node is removed.
        self.ranges: dict[NodeShape, dict[str, tuple[int, int]]] = {}
        for node in nodes:
            self.add(node)
        # With more shapes than this, a label that nodes shared may have become each node's own.
        self.most_shapes = 2 * len(self.sizes) + 2 * _FEW_VALUES

    @classmethod
    def of(cls, nodes: Iterable[Node]) -> Grouping:
        """Group nodes by what they share."""
        nodes = tuple(nodes)
        return cls(nodes, Own.of(nodes))

    def copy(self) -> Grouping:
        """A copy that can be changed; nodes and shapes themselves are shared."""
        other = Grouping((), self.own)
        other.nodes, other.shape_of = dict(self.nodes), dict(self.shape_of)
        other.sizes, other.examples = dict(self.sizes), dict(self.examples)
        other.by_key, other.ranges, other.most_shapes = dict(self.by_key), dict(self.ranges), self.most_shapes
        return other

    def add(self, node: Node) -> None:
        """Add a node, or replace the one with its name."""
        if node.name in self.nodes:
            self._leave_shape(node.name)
        key = shape_key(node, self.own)
        shape = self.by_key.get(key)
        if shape is None:
            shape = self.by_key[key] = NodeShape(key)
            self.examples[shape] = node.name
        self.nodes[node.name] = node
        self.shape_of[node.name] = shape
        self.sizes[shape] = self.sizes.get(shape, 0) + 1
        self._widen(shape, node)

    def _widen(self, shape: NodeShape, node: Node) -> None:
        known, changed = self.ranges.get(shape), {}
        for resource in self.own.amounts:
            amount = node.amounts.get(resource, 0)
            least, most = (amount, amount) if known is None else known[resource]
            if known is None or not least <= amount <= most:
                changed[resource] = min(least, amount), max(most, amount)
        if known is None or changed:
            # The existing one may belong to earlier inventories too.
            self.ranges[shape] = {**(known or {}), **changed}

    def remove(self, name: str) -> None:
        """Remove a node, which must be here."""
        self._leave_shape(name)
        del self.nodes[name], self.shape_of[name]

    def _leave_shape(self, name: str) -> None:
        shape = self.shape_of[name]
        self.sizes[shape] -= 1
        if not self.sizes[shape]:
            del self.sizes[shape], self.examples[shape], self.by_key[shape.key], self.ranges[shape]
        elif self.examples[shape] == name:
            self.examples[shape] = next(other for other, held in self.shape_of.items() if held is shape and other != name)


def _varied(items: Iterable[tuple[str, Hashable]]) -> frozenset[str]:
    """The keys that have too many values to distinguish kinds of nodes."""
    values: dict[str, set[Hashable]] = {}
    holders: dict[str, int] = {}
    for key, value in items:
        values.setdefault(key, set()).add(value)
        holders[key] = holders.get(key, 0) + 1
    return frozenset(key for key, seen in values.items() if len(seen) > max(_FEW_VALUES, holders[key] // _NODES_PER_VALUE))


def shape_key(node: Node, own: Own) -> Hashable:
    """A node without its name and the values that are its own. Whether it has such a label or resource counts."""
    return (
        frozenset((name, None if name in own.amounts else count) for name, count in node.amounts.items()),
        frozenset((key, None if key in own.labels else value) for key, value in node.labels.items()),
        frozenset(node.taints),
        node.unschedulable,
        node.ready,
        node.declared_features,
        node.has_hami,
        node.hami,
    )
