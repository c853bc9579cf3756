"""The records of overloads, functions and libraries.

Everything about an overload is in one place: its signature, its implementation, its cost at run time, its estimated cost, and the first
Kubernetes version whose new rules may use it. Sources of the numbers: k8s.io/apiserver `pkg/cel/library/cost.go`, cel-go's
`interpreter/runtimecost.go`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from typing import Protocol, TypeAlias

from weighbridge.policies.cel.library.ranges import CallEstimate, Range
from weighbridge.policies.cel.values.access import cost_size
from weighbridge.policies.cel.values.types import Type
from weighbridge.policies.cel.values.values import Value
from weighbridge.policies.cel.versions import FIRST, Version
from weighbridge.policies.ground.records import dataclass, field

Implementation: TypeAlias = Callable[..., Value]
#: Takes the result and then the arguments, receiver first; returns the cost of the call itself.
Cost: TypeAlias = Callable[..., int]


class EstimatedArguments(Protocol):
    """What an estimate can ask about a call's arguments, receiver first."""

    def size(self, index: int) -> Range:
        """The size of an argument."""
        ...

    def element_size(self, index: int) -> Range | None:
        """The size of the elements of an argument that is a list; `None` if it isn't one."""
        ...

    def element_type(self, index: int) -> Type | None:
        """The type of those elements."""
        ...

    def constant(self, index: int) -> Value:
        """The value of an argument that is a literal, else `None`."""
        ...

    def type(self, index: int) -> Type:
        """The type of an argument."""
        ...

    def __len__(self) -> int: ...


Estimate: TypeAlias = Callable[[EstimatedArguments], "CallEstimate | None"]


@dataclass(frozen=True, slots=True)
class Overload:
    """One overload of a function; a member's first parameter is its receiver."""

    id: str
    parameters: tuple[Type, ...]
    result: Type
    call: Implementation | None = None
    member: bool = False
    cost: Cost | None = None
    estimate: Estimate | None = None
    since: Version = FIRST
    #: The release of Kubernetes that removed it.
    until: Version | None = None


@dataclass(slots=True)
class Function:
    """All overloads of one name.

    `singleton` implements all of them if the values decide; `unresolved_cost` is the cost of a call whose overload isn't known before it
    runs.
    """

    name: str
    overloads: list[Overload] = field(default_factory=list)
    singleton: Implementation | None = None
    unresolved_cost: Cost | None = None

    def overload(self, id_: str) -> Overload:
        """The overload with that id; KeyError if there is none."""
        for overload in self.overloads:
            if overload.id == id_:
                return overload
        raise KeyError(id_)


class Library:
    """The functions that one module declares, by name."""

    def __init__(self, *, since: Version = FIRST) -> None:
        self.functions: dict[str, Function] = {}
        #: Types that rules can name; the server declares only few of those that its functions return.
        self.type_names: dict[str, Type] = {}
        self.since = since

    def type(self, type_: Type) -> None:
        """Declare a type's name."""
        self.type_names[type_.name] = type_

    def singleton(self, name: str, call: Implementation, overloads: Iterable[Overload], cost: Cost | None = None) -> None:
        """Declare a function with one implementation for all overloads."""
        self.functions[name] = Function(name, list(overloads), call, cost)

    def add(self, name: str, *overloads: Overload, unresolved_cost: Cost | None = None) -> None:
        """Declare overloads of a function."""
        function = self.functions.setdefault(name, Function(name))
        function.overloads += overloads
        function.unresolved_cost = function.unresolved_cost or unresolved_cost

    def member(
        self,
        name: str,
        id_: str,
        parameters: Sequence[Type],
        result: Type,
        call: Implementation,
        *,
        cost: Cost | None = None,
        estimate: Estimate | None = None,
    ) -> None:
        """Declare one receiver-style overload."""
        overload = Overload(id_, tuple(parameters), result, call, member=True, cost=cost, estimate=estimate, since=self.since)
        self.add(name, overload, unresolved_cost=cost)

    def function(
        self,
        name: str,
        id_: str,
        parameters: Sequence[Type],
        result: Type,
        call: Implementation,
        *,
        cost: Cost | None = None,
        estimate: Estimate | None = None,
    ) -> None:
        """Declare one overload without a receiver."""
        overload = Overload(id_, tuple(parameters), result, call, cost=cost, estimate=estimate, since=self.since)
        self.add(name, overload, unresolved_cost=cost)


def one(*_: Value) -> int:
    """The cost of an accessor."""
    return 1


def one_estimated(_: EstimatedArguments) -> CallEstimate:
    """The estimate of an accessor."""
    return CallEstimate(Range.of(1))


def traversal(index: int, factor: float = 0.1) -> Cost:
    """The cost of going through one argument (counted from zero, receiver first)."""

    def cost(_result: Value, *args: Value) -> int:
        return math.ceil(cost_size(args[index]) * factor)

    return cost


def traversal_estimated(index: int, factor: float = 0.1, *, keeps_size: bool = False) -> Estimate:
    """The estimate of going through one argument; the result may have that argument's size."""

    def estimate(args: EstimatedArguments) -> CallEstimate:
        size = args.size(index)
        return CallEstimate(size.times(factor), size if keeps_size else None)

    return estimate
