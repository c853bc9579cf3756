"""The static cost of an expression: how little and how much an evaluation can cost, from declared sizes alone.

This is what decides whether a new rule may be written to a CRD, so every step follows upstream, which estimates where the run-time cost
would count. Sources: cel-go's `checker/cost.go`, k8s.io/apiserver `pkg/cel/library/cost.go`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from policies.cel.checked import Checked
from policies.cel.declared import DeclaredType, Shape
from policies.cel.library import cidr, format, ip, quantity, semver, url  # noqa: A004 - named as the functions are
from policies.cel.library.overload import Overload
from policies.cel.nodes import (
    BINDING_MACROS,
    Call,
    Comprehension,
    Expr,
    Ident,
    ListLiteral,
    Literal,
    MapLiteral,
    Select,
    StructLiteral,
)
from policies.cel.ranges import EMPTY, MAX, ONE, STRING_FACTOR, UNKNOWN, ZERO, CallEstimate, Range
from policies.cel.types import DYN, Kind, Type, is_scalar
from policies.cel.values import Value


@dataclass(frozen=True, slots=True)
class _Entries:
    """The sizes of what a container holds."""

    is_list: bool
    key: Range
    value: Range

    def union(self, other: _Entries | None) -> _Entries | None:
        return None if other is None else _Entries(self.is_list, self.key.union(other.key), self.value.union(other.value))


@dataclass(slots=True)
class _Local:
    """A name bound by a comprehension."""

    path: tuple[str, ...]
    size: Range | None
    entries: _Entries | None = None


def estimate(checked: Checked, declared: DeclaredType | None = None) -> Range:
    """The range of an expression's cost; `declared` is the type of ``self`` where sizes are declared."""
    return _Estimator(checked, declared).cost(checked.root)


class _Estimator:
    """The state of estimating one expression."""

    def __init__(self, checked: Checked, declared: DeclaredType | None) -> None:
        self._functions = checked.environment.functions
        self._declared = declared
        self._paths: dict[Expr, tuple[str, ...]] = {}
        self._sizes: dict[Expr, Range] = {}
        self._entries: dict[Expr, _Entries] = {}
        self._locals: dict[str, list[_Local]] = {}

    def cost(self, node: Expr) -> Range:
        """The cost of one node and all below it."""
        return _COSTS[node.__class__](self, node)

    # --- what is known of nodes ---

    def _type(self, node: Expr) -> Type:
        return node.type or DYN

    def _local(self, name: str) -> _Local | None:
        found = self._locals.get(name)
        return found[-1] if found else None

    def _path(self, node: Expr) -> tuple[str, ...]:
        if isinstance(node, Ident):
            local = self._local(node.name)
            if local is not None:
                return local.path
        return self._paths.get(node, ())

    def size(self, node: Expr) -> Range | None:
        """The size of a node's value, or `None` where nothing is known of it."""
        if node in self._sizes:
            return self._sizes[node]
        written = _written_size(node)
        if written is not None:
            return written
        declared = self.declared_size(self._path(node))
        if declared is not None:
            self._sizes[node] = declared
            return declared
        if is_scalar(self._type(node)):
            return ONE
        local = self._local(node.name) if isinstance(node, Ident) else None
        return None if local is None else local.size

    def declared_size(self, path: tuple[str, ...]) -> Range | None:
        """The size that the schema allows at a path from ``self``."""
        if not path or self._declared is None:
            return None
        current = self._declared
        for step in path[1:]:
            following = _declared_step(current, step)
            if following is None:
                return None
            current = following
        return Range(0, 0 if current is _KEYS else current.max_elements)

    def size_or_unknown(self, node: Expr) -> Range:
        """The size, or the widest range there is."""
        return self.size(node) or UNKNOWN

    def _entry_sizes(self, node: Expr) -> _Entries | None:
        if node in self._entries:
            return self._entries[node]
        local = self._local(node.name) if isinstance(node, Ident) else None
        return None if local is None else local.entries

    # --- leaves and steps ---

    def literal(self, _node: Literal) -> Range:
        return ZERO

    def ident(self, node: Ident) -> Range:
        local = self._local(node.name)
        self._paths[node] = (node.name,) if local is None else local.path
        return ONE

    def select(self, node: Select) -> Range:
        if node.reference is not None:
            self._paths[node] = (node.reference,)
            return ONE
        total = self.cost(node.operand)
        if node.test_only:
            return total
        if self._type(node.operand).kind in (Kind.MAP, Kind.STRUCT, Kind.PARAMETER):
            total += ONE
        self._paths[node] = (*self._path(node.operand), node.field)
        return total

    # --- calls ---

    def call(self, node: Call) -> Range:
        if node.function == "dyn":
            return self._dyn(node)
        costs = [self.cost(arg) for arg in node.args]
        for arg in node.args:
            self.size(arg)
        if not node.overloads:
            return ZERO
        total = ZERO if node.target is None else self.cost(node.target)
        highest = EMPTY
        result: Range | None = None
        function = self._functions[node.function]
        for id_ in node.overloads:
            found = self._call_estimate(node, function.overload(id_), costs)
            highest = highest.union(found.cost)
            if found.size is not None:
                result = found.size if result is None else result.union(found.size)
            if id_ in ("index_list", "index_map"):
                entries = self._entry_sizes(node.args[0])
                result = None if entries is None else entries.value
                self._paths[node] = (*self._path(node.args[0]), "@items" if id_ == "index_list" else "@values")
            if result is None:
                result = self.size(node)
        if result is not None:
            self._sizes[node] = result
        return total + highest

    def _dyn(self, node: Call) -> Range:
        arg = node.args[0]
        total = self.cost(arg) + ONE
        size, entries = self.size(arg), self._entry_sizes(arg)
        if size is not None:
            self._sizes[node] = size
        if entries is not None:
            self._entries[node] = entries
        return total

    def _call_estimate(self, node: Call, overload: Overload, costs: list[Range]) -> CallEstimate:
        paid = ZERO
        for cost in costs:
            paid += cost
        special = _OPERATORS.get(overload.id)
        if special is not None:
            return special(self, node, costs, paid)
        args = node.args if node.target is None else [node.target, *node.args]
        if overload.estimate is not None:
            found = overload.estimate(_Arguments(self, args))
            if found is not None:
                return CallEstimate(found.cost + paid, found.size)
        return CallEstimate(ONE + paid)

    def logical(self, _node: Call, costs: list[Range], _paid: Range) -> CallEstimate:
        return CallEstimate(Range(costs[0].low, (costs[0] + costs[1]).high))

    def conditional(self, node: Call, costs: list[Range], _paid: Range) -> CallEstimate:
        truthy, falsy = node.args[1], node.args[2]
        size = self.size_or_unknown(truthy).union(self.size_or_unknown(falsy))
        entries = self._entry_sizes(truthy)
        joined = None if entries is None else entries.union(self._entry_sizes(falsy))
        if joined is not None:
            self._entries[node] = joined
        return CallEstimate(costs[0] + costs[1].union(costs[2]), size)

    def addition(self, node: Call, _costs: list[Range], paid: Range) -> CallEstimate:
        left, right = node.args
        size = self.size_or_unknown(left) + self.size_or_unknown(right)
        entries = self._entry_sizes(left)
        joined = None if entries is None else entries.union(self._entry_sizes(right))
        if joined is not None:
            self._entries[node] = joined
        return CallEstimate(size.times(STRING_FACTOR) + paid, size)

    def list_addition(self, node: Call, costs: list[Range], paid: Range) -> CallEstimate:
        return CallEstimate(ONE + paid, self.addition(node, costs, paid).size)

    def comparison(self, node: Call, _costs: list[Range], paid: Range) -> CallEstimate:
        smallest = min(self.size_or_unknown(arg).high for arg in node.args)
        return CallEstimate(Range(1 if smallest > 0 else 0, smallest).times(STRING_FACTOR) + paid)

    def equality(self, node: Call, costs: list[Range], paid: Range) -> CallEstimate:
        left, right = self._type(node.args[0]), self._type(node.args[1])
        if left.name == right.name:
            if left in (ip.TYPE, cidr.TYPE, quantity.TYPE, semver.TYPE):
                return CallEstimate(ONE + paid)
            if left == format.TYPE:
                return CallEstimate(Range(1, 64).times(STRING_FACTOR) + paid)
            if left == url.TYPE:
                size = self.size(node.args[1]) or ONE
                return CallEstimate(Range(1, size.high).times(STRING_FACTOR) + paid)
        return self.comparison(node, costs, paid)

    def membership(self, node: Call, _costs: list[Range], paid: Range) -> CallEstimate:
        return CallEstimate(self.size_or_unknown(node.args[1]).times(1.0) + paid)

    # --- literals ---

    def list_literal(self, node: ListLiteral) -> Range:
        total = Range.of(10)
        size = ZERO if not node.elements else EMPTY
        for element in node.elements:
            total += self.cost(element)
            size = size.union(self.size_or_unknown(element))
        self._entries[node] = _Entries(is_list=True, key=ONE, value=size)
        return total

    def map_literal(self, node: MapLiteral) -> Range:
        total = Range.of(30)
        key = value = ZERO if not node.entries else EMPTY
        for entry in node.entries:
            total += self.cost(entry.key)
            total += self.cost(entry.value)
            key = key.union(self.size_or_unknown(entry.key))
            value = value.union(self.size_or_unknown(entry.value))
        self._entries[node] = _Entries(is_list=False, key=key, value=value)
        return total

    def struct_literal(self, node: StructLiteral) -> Range:
        total = Range.of(40)
        for entry in node.entries:
            total += self.cost(entry.value)
        return total

    # --- comprehensions ---

    def comprehension(self, node: Comprehension) -> Range:
        if node.macro in BINDING_MACROS:
            return self._binding(node)
        total = self.cost(node.range) + self.cost(node.initial)
        bound = [node.accumulator]
        self._bind(node.accumulator, _Local(self._path(node.initial), self.size(node.initial), self._entry_sizes(node.initial)))
        if node.second_variable:
            self._bind_entry(node.variable, node.range, wants_key=True)
            self._bind_entry(node.second_variable, node.range, wants_key=False)
            bound += [node.variable, node.second_variable]
        else:
            self._bind_entry(node.variable, node.range, wants_key=not self._runs_over_list(node.range))
            bound.append(node.variable)
        each = self.cost(node.condition)
        each = self.cost(node.step) + each
        for name in bound[1:]:
            self._locals[name].pop()
        total += self.cost(node.result)
        self._locals[node.accumulator].pop()
        count = self.size_or_unknown(node.range)
        total += count * each
        self._set_result(node, count)
        return total

    def _set_result(self, node: Comprehension, count: Range) -> None:
        if isinstance(node.initial, Literal):
            size = self.size(node.initial)
            if size is not None:
                self._sizes[node] = size
        elif isinstance(node.initial, (ListLiteral, MapLiteral)):
            self._sizes[node] = count
            entries = self._entry_sizes(node.step)
            if entries is not None:
                self._entries[node] = entries

    def _binding(self, node: Comprehension) -> Range:
        total = self.cost(node.range) + self.cost(node.initial)
        self._bind(node.accumulator, _Local(self._path(node.initial), self.size(node.initial), self._entry_sizes(node.initial)))
        total += self.cost(node.result)
        size, entries = self.size(node.result), self._entry_sizes(node.result)
        self._locals[node.accumulator].pop()
        if size is not None:
            self._sizes[node] = size
        if entries is not None:
            self._entries[node] = entries
        return total

    def _bind(self, name: str, local: _Local) -> None:
        self._locals.setdefault(name, []).append(local)

    def _runs_over_list(self, node: Expr) -> bool:
        entries = self._entry_sizes(node)
        return self._type(node).kind is Kind.LIST if entries is None else entries.is_list

    def _bind_entry(self, name: str, over: Expr, *, wants_key: bool) -> None:
        entries = self._entry_sizes(over)
        is_list = self._runs_over_list(over)
        if wants_key:
            step = "@indices" if is_list else "@keys"
        else:
            step = "@items" if is_list else "@values"
        size = None if entries is None else entries.key if wants_key else entries.value
        self._bind(name, _Local((*self._path(over), step), size))


#: Stands for the keys of a map, of which nothing is declared.
_KEYS: Final = DeclaredType.__new__(DeclaredType)


def _declared_step(current: DeclaredType, step: str) -> DeclaredType | None:
    if current is _KEYS:
        return None
    if step in ("@items", "@values"):
        return current.element if current.shape in (Shape.LIST, Shape.MAP) else None
    if step == "@keys":
        return _KEYS if current.shape is Shape.MAP else None
    if current.shape is not Shape.OBJECT:
        return None
    name = current.fields.get(step)
    return None if name is None else current.properties[name]


def _written_size(node: Expr) -> Range | None:
    """The size of what is written out."""
    if isinstance(node, Literal):
        return Range.of(len(node.value)) if isinstance(node.value, (str, bytes)) else ONE
    if isinstance(node, ListLiteral):
        return Range.of(len(node.elements))
    return Range.of(len(node.entries)) if isinstance(node, MapLiteral) else None


class _Arguments:
    """What an overload's estimate may ask of its arguments, receiver first."""

    def __init__(self, estimator: _Estimator, args: list[Expr]) -> None:
        self._estimator = estimator
        self._args = args

    def __len__(self) -> int:
        return len(self._args)

    def size(self, index: int) -> Range:
        """The size of an argument."""
        return self._estimator.size_or_unknown(self._args[index])

    def type(self, index: int) -> Type:
        """The type of an argument."""
        return self._args[index].type or DYN

    def element_type(self, index: int) -> Type | None:
        """The type of a list's elements."""
        parameters = self.type(index).parameters
        return parameters[0] if parameters else None

    def element_size(self, index: int) -> Range | None:
        """The size of a list's elements, as far as the schema says."""
        if self.element_type(index) is None:
            return None
        path = self._estimator._path(self._args[index])  # noqa: SLF001 - its other half
        if path[:1] == ("@result",):
            path = ()
        found = self._estimator.declared_size((*path, "@items")) if path else None
        return found or Range(0, MAX)

    def constant(self, index: int) -> Value:
        """The value of an argument that is a literal."""
        node = self._args[index]
        return node.value if isinstance(node, Literal) else None


_Operator = Callable[[_Estimator, Call, list[Range], Range], CallEstimate]
_OPERATORS: Final[dict[str, _Operator]] = {
    "logical_and": _Estimator.logical,
    "logical_or": _Estimator.logical,
    "conditional": _Estimator.conditional,
    "add_string": _Estimator.addition,
    "add_bytes": _Estimator.addition,
    "add_list": _Estimator.list_addition,
    "equals": _Estimator.equality,
    "not_equals": _Estimator.comparison,
    "in_list": _Estimator.membership,
    **{
        f"{word}_{kind}": _Estimator.comparison
        for word in ("less", "less_equals", "greater", "greater_equals")
        for kind in ("string", "bytes")
    },
}
_COSTS: Final[dict[type, Callable[..., Range]]] = {
    Literal: _Estimator.literal,
    Ident: _Estimator.ident,
    Select: _Estimator.select,
    Call: _Estimator.call,
    ListLiteral: _Estimator.list_literal,
    MapLiteral: _Estimator.map_literal,
    StructLiteral: _Estimator.struct_literal,
    Comprehension: _Estimator.comprehension,
}
