"""The cluster's nodes as a scheduler sees them: allocatable resources, labels, taints, readiness, cordon."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from policies.objects import JSONObject, JSONValue, lookup, metadata_of, name_of
from policies.quantity import Quantity, QuantityError


@dataclass(frozen=True, slots=True)
class Taint:
    """One taint; `value` is empty where the taint has none."""

    key: str
    value: str
    effect: str

    def __str__(self) -> str:
        return f"{self.key}={self.value}:{self.effect}" if self.value else f"{self.key}:{self.effect}"


@dataclass(frozen=True, slots=True)
class Node:
    """One node; `allocatable` holds what the node says can be requested, by resource name."""

    name: str
    allocatable: dict[str, Quantity]
    labels: dict[str, str]
    taints: tuple[Taint, ...]
    ready: bool
    unschedulable: bool

    @classmethod
    def from_object(cls, obj: JSONObject) -> Node:
        """Read a v1 Node; what no API server would have stored (an amount that is no quantity, a part of a wrong type) is left out."""
        status = obj.get("status") if isinstance(obj.get("status"), dict) else {}
        amounts = lookup(obj, ("status", "allocatable")) or lookup(obj, ("status", "capacity"))
        labels = metadata_of(obj).get("labels")
        return cls(
            name=name_of(obj),
            allocatable=dict(_quantities(amounts)),
            labels=dict(labels) if isinstance(labels, dict) else {},
            taints=tuple(
                Taint(str(taint.get("key", "")), str(taint.get("value") or ""), str(taint.get("effect", "")))
                for taint in _maps(lookup(obj, ("spec", "taints")))
            ),
            ready=_is_ready(status),
            unschedulable=bool(lookup(obj, ("spec", "unschedulable"))),
        )

    @property
    def takes_pods(self) -> bool:
        """Whether the scheduler would place a pod here now."""
        return self.ready and not self.unschedulable


def _maps(value: JSONValue) -> Iterable[JSONObject]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def _quantities(amounts: JSONValue) -> Iterable[tuple[str, Quantity]]:
    for name, amount in amounts.items() if isinstance(amounts, dict) else ():
        try:
            yield name, Quantity.parse(str(amount))
        except QuantityError:
            continue


def _is_ready(status: JSONValue) -> bool:
    """A node without a Ready condition (one written by hand) counts as ready."""
    conditions = _maps(status.get("conditions"))
    return next((condition.get("status") == "True" for condition in conditions if condition.get("type") == "Ready"), True)


class Inventory:
    """The nodes of a cluster. An inventory without nodes is a cluster without nodes: where nothing is known, there is no inventory."""

    def __init__(self, nodes: Iterable[Node]) -> None:
        self.nodes = tuple(nodes)

    @cached_property
    def offers(self) -> dict[str, int]:
        """Extended resources (those with a domain) of nodes that take pods, with the most that any one node has of each."""
        return _most(node for node in self.nodes if node.takes_pods)

    @cached_property
    def held_back(self) -> dict[str, int]:
        """The same of nodes that are cordoned or not ready."""
        return _most(node for node in self.nodes if not node.takes_pods)

    def nodes_with(self, resource: str) -> list[Node]:
        """The nodes on which at least one of `resource` is allocatable."""
        return [node for node in self.nodes if resource in node.allocatable and node.allocatable[resource].value() > 0]


def _most(nodes: Iterable[Node]) -> dict[str, int]:
    most: dict[str, int] = {}
    for node in nodes:
        for name, amount in node.allocatable.items():
            if "/" in name and amount.value() > 0:
                most[name] = max(most.get(name, 0), amount.value())
    return most
