"""The static cost of an expression: the least and the most that an evaluation can cost, computed only from declared sizes.

This is what decides whether a new rule may be written to a CRD, so every step follows upstream's estimate, which differs from the cost at
run time. Sources: cel-go's `checker/cost.go`, k8s.io/apiserver `pkg/cel/library/cost.go`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from weighbridge.policies.cel.check.checked import Checked
from weighbridge.policies.cel.cost.sizes import Arguments, Entries, Sizes
from weighbridge.policies.cel.library import cidr, format, ip, quantity, semver, url  # noqa: A004 - named as the functions are
from weighbridge.policies.cel.library.overload import Overload
from weighbridge.policies.cel.library.ranges import EMPTY, ONE, STRING_FACTOR, ZERO, CallEstimate, Range
from weighbridge.policies.cel.syntax.nodes import (
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
from weighbridge.policies.cel.values.declared import DeclaredType
from weighbridge.policies.cel.values.types import DYN, Kind


def estimate(checked: Checked, declared: DeclaredType | None = None) -> Range:
    """The range of an expression's cost; `declared` is the type of ``self``, with its declared sizes, if it is known."""
    return _Estimator(checked, declared).cost(checked.root)


class _Estimator:
    """The state of estimating one expression."""

    def __init__(self, checked: Checked, declared: DeclaredType | None) -> None:
        self._functions = checked.environment.functions
        self._known = Sizes(declared)

    def cost(self, node: Expr) -> Range:
        """The cost of one node and all below it."""
        return _COSTS[node.__class__](self, node)

    # --- leaves and steps ---

    def literal(self, _node: Literal) -> Range:
        return ZERO

    def ident(self, node: Ident) -> Range:
        local = self._known.local(node.name)
        self._known.paths[node] = (node.name,) if local is None else local.path
        return ONE

    def select(self, node: Select) -> Range:
        if node.reference is not None:
            self._known.paths[node] = (node.reference,)
            return ONE
        total = self.cost(node.operand)
        if node.test_only:
            return total
        if (node.operand.type or DYN).kind in (Kind.MAP, Kind.STRUCT, Kind.PARAMETER):
            total += ONE
        self._known.paths[node] = (*self._known.path(node.operand), node.field)
        return total

    # --- calls ---

    def call(self, node: Call) -> Range:
        if node.function == "dyn":
            return self._dyn(node)
        costs = [self.cost(arg) for arg in node.args]
        for arg in node.args:
            self._known.size(arg)
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
                entries = self._known.entries_of(node.args[0])
                result = None if entries is None else entries.value
                self._known.paths[node] = (*self._known.path(node.args[0]), "@items" if id_ == "index_list" else "@values")
            if result is None:
                result = self._known.size(node)
        if result is not None:
            self._known.sizes[node] = result
        return total + highest

    def _dyn(self, node: Call) -> Range:
        arg = node.args[0]
        total = self.cost(arg) + ONE
        size, entries = self._known.size(arg), self._known.entries_of(arg)
        if size is not None:
            self._known.sizes[node] = size
        if entries is not None:
            self._known.entries[node] = entries
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
            found = overload.estimate(Arguments(self._known, args))
            if found is not None:
                return CallEstimate(found.cost + paid, found.size)
        return CallEstimate(ONE + paid)

    def logical(self, _node: Call, costs: list[Range], _paid: Range) -> CallEstimate:
        return CallEstimate(Range(costs[0].low, (costs[0] + costs[1]).high))

    def conditional(self, node: Call, costs: list[Range], _paid: Range) -> CallEstimate:
        truthy, falsy = node.args[1], node.args[2]
        size = self._known.size_or_unknown(truthy).union(self._known.size_or_unknown(falsy))
        entries = self._known.entries_of(truthy)
        joined = None if entries is None else entries.union(self._known.entries_of(falsy))
        if joined is not None:
            self._known.entries[node] = joined
        return CallEstimate(costs[0] + costs[1].union(costs[2]), size)

    def addition(self, node: Call, _costs: list[Range], paid: Range) -> CallEstimate:
        left, right = node.args
        size = self._known.size_or_unknown(left) + self._known.size_or_unknown(right)
        entries = self._known.entries_of(left)
        joined = None if entries is None else entries.union(self._known.entries_of(right))
        if joined is not None:
            self._known.entries[node] = joined
        return CallEstimate(size.times(STRING_FACTOR) + paid, size)

    def list_addition(self, node: Call, costs: list[Range], paid: Range) -> CallEstimate:
        return CallEstimate(ONE + paid, self.addition(node, costs, paid).size)

    def comparison(self, node: Call, _costs: list[Range], paid: Range) -> CallEstimate:
        smallest = min(self._known.size_or_unknown(arg).high for arg in node.args)
        return CallEstimate(Range(1 if smallest > 0 else 0, smallest).times(STRING_FACTOR) + paid)

    def equality(self, node: Call, costs: list[Range], paid: Range) -> CallEstimate:
        left, right = node.args[0].type or DYN, node.args[1].type or DYN
        if left.name == right.name:
            if left in (ip.TYPE, cidr.TYPE, quantity.TYPE, semver.TYPE):
                return CallEstimate(ONE + paid)
            if left == format.TYPE:
                return CallEstimate(Range(1, 64).times(STRING_FACTOR) + paid)
            if left == url.TYPE:
                size = self._known.size(node.args[1]) or ONE
                return CallEstimate(Range(1, size.high).times(STRING_FACTOR) + paid)
        return self.comparison(node, costs, paid)

    def membership(self, node: Call, _costs: list[Range], paid: Range) -> CallEstimate:
        return CallEstimate(self._known.size_or_unknown(node.args[1]).times(1.0) + paid)

    # --- literals ---

    def list_literal(self, node: ListLiteral) -> Range:
        total = Range.of(10)
        size = ZERO if not node.elements else EMPTY
        for element in node.elements:
            total += self.cost(element)
            size = size.union(self._known.size_or_unknown(element))
        self._known.entries[node] = Entries(is_list=True, key=ONE, value=size)
        return total

    def map_literal(self, node: MapLiteral) -> Range:
        total = Range.of(30)
        key = value = ZERO if not node.entries else EMPTY
        for entry in node.entries:
            total += self.cost(entry.key)
            total += self.cost(entry.value)
            key = key.union(self._known.size_or_unknown(entry.key))
            value = value.union(self._known.size_or_unknown(entry.value))
        self._known.entries[node] = Entries(is_list=False, key=key, value=value)
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
        self._known.bind(node.accumulator, node.initial)
        if node.second_variable:
            self._known.bind_entry(node.variable, node.range, wants_key=True)
            self._known.bind_entry(node.second_variable, node.range, wants_key=False)
            bound += [node.variable, node.second_variable]
        else:
            self._known.bind_entry(node.variable, node.range, wants_key=not self._known.runs_over_list(node.range))
            bound.append(node.variable)
        each = self.cost(node.condition)
        each = self.cost(node.step) + each
        for name in bound[1:]:
            self._known.unbind(name)
        total += self.cost(node.result)
        self._known.unbind(node.accumulator)
        count = self._known.size_or_unknown(node.range)
        total += count * each
        self._set_result(node, count)
        return total

    def _set_result(self, node: Comprehension, count: Range) -> None:
        if isinstance(node.initial, Literal):
            size = self._known.size(node.initial)
            if size is not None:
                self._known.sizes[node] = size
        elif isinstance(node.initial, (ListLiteral, MapLiteral)):
            self._known.sizes[node] = count
            entries = self._known.entries_of(node.step)
            if entries is not None:
                self._known.entries[node] = entries

    def _binding(self, node: Comprehension) -> Range:
        total = self.cost(node.range) + self.cost(node.initial)
        self._known.bind(node.accumulator, node.initial)
        total += self.cost(node.result)
        size, entries = self._known.size(node.result), self._known.entries_of(node.result)
        self._known.unbind(node.accumulator)
        if size is not None:
            self._known.sizes[node] = size
        if entries is not None:
            self._known.entries[node] = entries
        return total


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
