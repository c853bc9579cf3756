"""The cluster's nodes as a scheduler sees them: allocatable resources, labels, taints, cordon, declared features.

An `Inventory` is a snapshot that never changes; `with_node` and `without_node` give the next one and share almost all of it. Nodes that
a pod can tell apart only by what is each node's own (name, `kubernetes.io/hostname`, a machine's id, the memory to the kilobyte) have one
`Shape`, so that what holds for one of them is worked out once for all. Source: Kubernetes v1.36, core/v1 NodeSpec and NodeStatus.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

from policies.facts.fields import items
from policies.facts.tolerations import Taint, read_taints
from policies.objects import JSONObject, JSONValue, lookup, metadata_of, name_of
from policies.quantity import Quantity, QuantityError

if TYPE_CHECKING:
    from policies.facts.accelerators import Accelerator

#: The label that is a node's own on every cluster.
HOSTNAME = "kubernetes.io/hostname"
# A label (or an amount) is a node's own where it has more values than these, and more than one for so many nodes that have it.
_FEW_VALUES, _NODES_PER_VALUE = 16, 16
# As much of cpu as can be counted in thousandths, and of the others likewise.
_EVERY_NODE_HAS, _PLENTY = ("cpu", "memory", "ephemeral-storage", "pods"), str(2**63 // 1000 - 1)


@dataclass(frozen=True, slots=True)
class Node:
    """One node; `allocatable` holds what the node says can be requested, by resource name.

    `amounts` is the same as the scheduler counts it: CPU in thousandths, everything else in whole units, rounded up.
    """

    name: str
    allocatable: Mapping[str, Quantity]
    amounts: Mapping[str, int]
    labels: Mapping[str, str]
    taints: tuple[Taint, ...]
    ready: bool
    unschedulable: bool
    declared_features: frozenset[str] = frozenset()

    @classmethod
    def from_object(cls, obj: JSONObject) -> Node:
        """Read a v1 Node; what no API server would have stored (an amount that is no quantity, a part of a wrong type) is left out."""
        status = obj.get("status") if isinstance(obj.get("status"), dict) else {}
        stated = lookup(obj, ("status", "allocatable")) or lookup(obj, ("status", "capacity"))
        texts = tuple((name, str(amount)) for name, amount in stated.items()) if isinstance(stated, dict) else ()
        allocatable, amounts = _amounts(texts)
        labels = metadata_of(obj).get("labels")
        features = lookup(obj, ("status", "declaredFeatures"))
        return cls(
            name=name_of(obj),
            allocatable=allocatable,
            amounts=amounts,
            labels={key: str(value) for key, value in labels.items()} if isinstance(labels, dict) else {},
            taints=read_taints(lookup(obj, ("spec", "taints"))),
            ready=_is_ready(status),
            unschedulable=bool(lookup(obj, ("spec", "unschedulable"))),
            declared_features=frozenset(map(str, features)) if isinstance(features, list) else frozenset(),
        )

    @classmethod
    def expected(cls, name: str, labels: Mapping[str, str], taints: Iterable[JSONObject], stated: Mapping[str, str | int | float]) -> Node:
        """A node that isn't there yet, of which only some amounts are stated: of what every node has, it has plenty unless stated."""
        allocatable = {**dict.fromkeys(_EVERY_NODE_HAS, _PLENTY), **stated}
        return cls.from_object(
            {
                "metadata": {"name": name, "labels": dict(labels)},
                "spec": {"taints": list(taints)},
                "status": {"allocatable": allocatable},
            }
        )

    @property
    def takes_pods(self) -> bool:
        """Whether the scheduler would place a pod here now."""
        return self.ready and not self.unschedulable

    @property
    def accelerators(self) -> tuple[Accelerator, ...]:
        """What the node's labels say of its accelerators."""
        # The vendors' tables are for whoever asks: a lint that has nothing to say of nodes doesn't wait for them.
        from policies.facts.accelerators import recognise

        return recognise(self.labels)

    def product_note(self, resource: str) -> str:
        """What a unit of a resource is on this node, in brackets behind a space; empty where the labels don't tell."""
        from policies.facts.accelerators import product_text

        product = product_text(self.accelerators, resource)
        return f" ({product})" if product else ""


def counted(resource: str, amount: Quantity) -> int:
    """An amount as the scheduler counts it: CPU in thousandths, everything else in whole units, rounded up."""
    return amount.milli_value() if resource == "cpu" else amount.value()


@lru_cache(maxsize=4096)
def _amounts(texts: tuple[tuple[str, str], ...]) -> tuple[Mapping[str, Quantity], Mapping[str, int]]:
    """Amounts, read once for all nodes that state the same ones."""
    read = {name: amount for name, text in texts if (amount := _amount(name, text)) is not None}
    return {name: amount for name, (amount, _) in read.items()}, {name: count for name, (_, count) in read.items()}


@lru_cache(maxsize=16384)
def _amount(name: str, text: str) -> tuple[Quantity, int] | None:
    """One amount, as it is and as it is counted; `None` for what is none."""
    try:
        amount = Quantity.parse(text)
    except QuantityError:
        return None
    return amount, counted(name, amount)


def _is_ready(status: JSONValue) -> bool:
    """A node without a Ready condition (one written by hand) counts as ready."""
    return next((condition.get("status") == "True" for condition in items(status, "conditions") if condition.get("type") == "Ready"), True)


@dataclass(frozen=True, slots=True)
class Own:
    """What is each node's own: the labels in whose values, and the resources in whose amounts, nodes of one shape may differ.

    Resources with a domain (GPUs) and the number of pods are never among them.
    """

    labels: frozenset[str]
    amounts: frozenset[str]

    @classmethod
    def of(cls, nodes: Iterable[Node]) -> Own:
        """What has so many values among these nodes that it is no trait of a kind of node."""
        nodes = tuple(nodes)
        labels = (item for node in nodes for item in node.labels.items())
        amounts = (item for node in nodes for item in node.amounts.items() if "/" not in item[0] and item[0] != "pods")
        return cls(_varied(labels) | {HOSTNAME}, _varied(amounts))


@dataclass(frozen=True, slots=True, eq=False)
class Shape:
    """What nodes have in common that differ only in what is each node's own; told apart by identity."""

    key: Hashable


class Grouping:
    """Nodes by name and by shape while they come and go; what is each node's `own` doesn't make a shape."""

    def __init__(self, nodes: Iterable[Node], own: Own) -> None:
        self.nodes: dict[str, Node] = {}
        self.own = own
        self.shape_of: dict[str, Shape] = {}
        self.sizes: dict[Shape, int] = {}
        self.examples: dict[Shape, str] = {}
        self.by_key: dict[Hashable, Shape] = {}
        #: Between what each shape's nodes have of the resources that are nodes' own; not narrowed when a node goes.
        self.ranges: dict[Shape, dict[str, tuple[int, int]]] = {}
        for node in nodes:
            self.add(node)
        # Where shapes get this many, what was shared may have turned into nodes' own.
        self.most_shapes = 2 * len(self.sizes) + 2 * _FEW_VALUES

    @classmethod
    def of(cls, nodes: Iterable[Node]) -> Grouping:
        """Group nodes, by what they are found to share."""
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
        """Add a node, or replace the one of its name in its place."""
        if node.name in self.nodes:
            self._leave_shape(node.name)
        key = _shape_key(node, self.own)
        shape = self.by_key.get(key)
        if shape is None:
            shape = self.by_key[key] = Shape(key)
            self.examples[shape] = node.name
        self.nodes[node.name] = node
        self.shape_of[node.name] = shape
        self.sizes[shape] = self.sizes.get(shape, 0) + 1
        self._widen(shape, node)

    def _widen(self, shape: Shape, node: Node) -> None:
        known, changed = self.ranges.get(shape), {}
        for resource in self.own.amounts:
            amount = node.amounts.get(resource, 0)
            least, most = (amount, amount) if known is None else known[resource]
            if known is None or not least <= amount <= most:
                changed[resource] = min(least, amount), max(most, amount)
        if known is None or changed:
            # The one that is there may belong to earlier inventories too.
            self.ranges[shape] = {**(known or {}), **changed}

    def remove(self, name: str) -> None:
        """Forget a node, which must be here."""
        self._leave_shape(name)
        del self.nodes[name], self.shape_of[name]

    def _leave_shape(self, name: str) -> None:
        shape = self.shape_of[name]
        self.sizes[shape] -= 1
        if not self.sizes[shape]:
            del self.sizes[shape], self.examples[shape], self.by_key[shape.key], self.ranges[shape]
        elif self.examples[shape] == name:
            self.examples[shape] = next(other for other, held in self.shape_of.items() if held is shape and other != name)


@dataclass(frozen=True, slots=True)
class Partition:
    """Nodes that somebody can't tell apart taken together: the part that each is in by name, the parts' sizes, and a node of each."""

    shape_of: Mapping[str, Hashable]
    sizes: Mapping[Hashable, int]
    examples: Mapping[Hashable, Node]


class Inventory:
    """The nodes of a cluster. An inventory without nodes is a cluster without nodes: where nothing is known, there is no inventory."""

    def __init__(self, nodes: Iterable[Node] | Grouping) -> None:
        self._grouping = nodes if isinstance(nodes, Grouping) else Grouping.of(nodes)
        self._richest: dict[str, Node | None] = {}

    def with_node(self, node: Node) -> Inventory:
        """The inventory with a node added, or replaced in its place; the same inventory where nothing about the node is new."""
        if self._grouping.nodes.get(node.name) == node:
            return self
        grouping = self._grouping.copy()
        grouping.add(node)
        if len(grouping.sizes) > grouping.most_shapes:
            grouping = Grouping.of(grouping.nodes.values())
        return Inventory(grouping)

    def without_node(self, name: str) -> Inventory:
        """The inventory without a node; the same inventory where there is none of that name."""
        if name not in self._grouping.nodes:
            return self
        grouping = self._grouping.copy()
        grouping.remove(name)
        return Inventory(grouping)

    @cached_property
    def nodes(self) -> tuple[Node, ...]:
        """All nodes, in the order in which they were first seen."""
        return tuple(self._grouping.nodes.values())

    def node(self, name: str) -> Node | None:
        """The node of a name, or `None`."""
        return self._grouping.nodes.get(name)

    def __len__(self) -> int:
        return len(self._grouping.nodes)

    @property
    def shape_of(self) -> Mapping[str, Shape]:
        """The shape of every node by the node's name, in the nodes' order."""
        return self._grouping.shape_of

    @property
    def shapes(self) -> Mapping[Shape, int]:
        """The shapes, with how many nodes have each."""
        return self._grouping.sizes

    def example(self, shape: Shape) -> Node:
        """A node of a shape."""
        return self._grouping.nodes[self._grouping.examples[shape]]

    @cached_property
    def by_shape(self) -> Partition:
        """The nodes by shape."""
        sizes: dict[Hashable, int] = dict(self.shapes.items())
        return Partition(self.shape_of, sizes, {shape: self.example(shape) for shape in self.shapes})

    @property
    def own(self) -> Own:
        """In what nodes of one shape may differ."""
        return self._grouping.own

    def divides(self, resource: str, wanted: int) -> bool:
        """Whether of the nodes of some shape a part may have as much of a resource as is wanted, and a part may not."""
        if resource not in self.own.amounts:
            return False
        return any(least < wanted <= most for least, most in self._ranges_of(resource))

    def surely_has(self, resource: str, wanted: int) -> bool:
        """Whether all nodes of some shape have as much of a resource as is wanted, as far as can be told without looking at each."""
        if resource not in self.own.amounts:
            return any(node.amounts.get(resource, 0) >= wanted for node in self.examples())
        return any(least >= wanted for least, _ in self._ranges_of(resource))

    def _ranges_of(self, resource: str) -> Iterable[tuple[int, int]]:
        return (found[resource] for found in self._grouping.ranges.values())

    def richest(self, resource: str) -> Node | None:
        """A node that has the most of a resource, be that none; `None` where there are no nodes."""
        if resource not in self._richest:
            most = max(self.examples(resource=resource), key=lambda node: node.amounts.get(resource, 0), default=None)
            self._richest[resource] = most
        return self._richest[resource]

    def with_label(self, label: str, values: AbstractSet[str]) -> list[str]:
        """The nodes, by name, that have one of these values of a label."""
        return [name for name, node in self._grouping.nodes.items() if node.labels.get(label) in values]

    def examples(self, *, label: str = "", resource: str = "") -> Iterable[Node]:
        """Enough nodes to see every value of a label and every amount of a resource: one of each shape, or all."""
        if label in self.own.labels or resource in self.own.amounts:
            return self.nodes
        return map(self.example, self.shapes)

    @cached_property
    def offers(self) -> dict[str, int]:
        """Extended resources (those with a domain) of nodes that take pods, with the most that any one node has of each."""
        return _most(node for node in self.examples() if node.takes_pods)

    @cached_property
    def held_back(self) -> dict[str, int]:
        """The same of nodes that are cordoned or not ready."""
        return _most(node for node in self.examples() if not node.takes_pods)

    @cached_property
    def accelerators(self) -> dict[tuple[str, str], dict[Shape, Accelerator]]:
        """The accelerators that labels speak of, by vendor and model: the shapes whose nodes have them, and the label that says so."""
        found: dict[tuple[str, str], dict[Shape, Accelerator]] = {}
        for shape in self.shapes:
            for held in self.example(shape).accelerators:
                found.setdefault((held.vendor, held.model), {}).setdefault(shape, held)
        return found

    def nodes_with(self, resource: str) -> list[Node]:
        """The nodes on which at least one of `resource` is allocatable."""
        return [node for node in self.nodes if resource in node.allocatable and node.allocatable[resource].value() > 0]


def _varied(items: Iterable[tuple[str, Hashable]]) -> frozenset[str]:
    """The keys that have too many values to tell kinds of nodes apart."""
    values: dict[str, set[Hashable]] = {}
    holders: dict[str, int] = {}
    for key, value in items:
        values.setdefault(key, set()).add(value)
        holders[key] = holders.get(key, 0) + 1
    return frozenset(key for key, seen in values.items() if len(seen) > max(_FEW_VALUES, holders[key] // _NODES_PER_VALUE))


def _shape_key(node: Node, own: Own) -> Hashable:
    """Everything of a node but its name and what is its own; that it has such a label or resource counts."""
    return (
        frozenset((name, None if name in own.amounts else count) for name, count in node.amounts.items()),
        frozenset((key, None if key in own.labels else value) for key, value in node.labels.items()),
        frozenset(node.taints),
        node.unschedulable,
        node.ready,
        node.declared_features,
    )


def _most(nodes: Iterable[Node]) -> dict[str, int]:
    most: dict[str, int] = {}
    for node in nodes:
        for name, amount in node.allocatable.items():
            if "/" in name and amount.value() > 0:
                most[name] = max(most.get(name, 0), amount.value())
    return most
