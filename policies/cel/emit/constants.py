"""The constants of a checked expression, and what can be decided at compile time because of them.

Literals of constants and conversions of constants cost nothing at run time; a conversion that can't succeed, or an invalid pattern, makes
the whole rule fail to compile. ``x in [constants]`` becomes a set lookup. Sources: cel-go's `interpreter/decorators.go` (`decOptimize`,
`decRegexOptimizer`) and `interpreter/optimizations.go`.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from typing import Final

from weighbridge.policies.cel.check.environment import Environment
from weighbridge.policies.cel.emit.resolved_calls import resolve
from weighbridge.policies.cel.library.overload import Function
from weighbridge.policies.cel.library.patterns import syntax_error
from weighbridge.policies.cel.library.standard_conversions import CONVERSIONS
from weighbridge.policies.cel.run_time_errors import undefined_type
from weighbridge.policies.cel.syntax.nodes import Call, Expr, Ident, ListLiteral, Literal, MapEntry, MapLiteral, Select, children
from weighbridge.policies.cel.values.access import valid_key
from weighbridge.policies.cel.values.types import Kind
from weighbridge.policies.cel.values.values import CelError, MapValue, TypeValue, Uint, Value


class ProgramError(Exception):
    """A checked expression that can't become a program; the text is the server's."""


#: Functions whose constant pattern is compiled beforehand, with the pattern's position among the arguments, receiver first.
_PATTERNS: Final = {"matches": 1, "find": 1, "findAll": 1}
_PRIMITIVES: Final = frozenset({bool, int, Uint, float, str})
_MAX_INT64: Final = (1 << 63) - 1


class Constants:
    """The constant nodes of one tree and their values."""

    def __init__(self, root: Expr, environment: Environment) -> None:
        """Raises ProgramError if upstream refuses to make a program of the tree."""
        self._values: dict[Expr, Value] = {}
        self._functions: Mapping[str, Function] = environment.functions
        self._environment = environment
        for node in _bottom_up(root):
            self._visit(node)

    def __contains__(self, node: object) -> bool:
        return node in self._values

    def __getitem__(self, node: Expr) -> Value:
        return self._values[node]

    def _visit(self, node: Expr) -> None:
        if isinstance(node, Literal):
            self._values[node] = node.value
        elif isinstance(node, (Ident, Select)):
            self._visit_name(node)
        elif isinstance(node, ListLiteral):
            self._visit_list(node)
        elif isinstance(node, MapLiteral):
            self._visit_map(node)
        elif isinstance(node, Call):
            self._visit_call(node)

    def _visit_name(self, node: Ident | Select) -> None:
        if node.reference is not None and node.type is not None and node.type.kind is Kind.TYPE:
            # A variable whose value is a type is looked up among the types too.
            if not self._environment.has_type_value(node.reference):
                raise ProgramError(undefined_type(node.reference))
            self._values[node] = TypeValue(node.reference)

    def _visit_list(self, node: ListLiteral) -> None:
        # No constant is an optional, so an optional element that is constant fails where the list is made.
        if not node.optional and all(element in self._values for element in node.elements):
            self._values[node] = [self._values[element] for element in node.elements]

    def _visit_map(self, node: MapLiteral) -> None:
        if all(self._is_constant(entry) for entry in node.entries):
            found = MapValue()
            for entry in node.entries:
                found.put(self._values[entry.key], self._values[entry.value])
            self._values[node] = found

    def _is_constant(self, entry: MapEntry) -> bool:
        """Whether an entry is put in when its map is compiled; the server breaks down on a key of bytes."""
        if entry.optional or entry.key not in self._values or entry.value not in self._values:
            return False
        return self._values[entry.key].__class__ is not bytes

    def _visit_call(self, node: Call) -> None:
        resolved = resolve(node, self._functions, self)
        if node.function in CONVERSIONS and len(resolved.args) == 1 and resolved.args[0] in self._values:
            try:
                self._values[node] = resolved.call(self._values[resolved.args[0]])
            except CelError as error:
                raise ProgramError(str(error)) from None
        elif node.function == "@in" and node.overloads == ("in_list",) and self._values.get(node.args[1]) == []:
            self._values[node] = False
        elif node.function in ("_[_]", "_[?_]") and node.args[1] in self._values:
            self._check_index(self._values[node.args[1]])
        elif node.function in _PATTERNS and len(resolved.args) > _PATTERNS[node.function]:
            pattern = self._values.get(resolved.args[_PATTERNS[node.function]])
            if pattern.__class__ is str and syntax_error(pattern):
                raise ProgramError(syntax_error(pattern))

    def _check_index(self, key: Value) -> None:
        try:
            valid_key(key)
        except CelError as error:
            raise ProgramError(str(error)) from None

    def membership(self, node: Call) -> frozenset[Hashable] | None:
        """The set that replaces a constant list on the right of ``in``, or `None` if the list can't be replaced."""
        if node.function != "@in" or node.overloads != ("in_list",) or node.args[1] not in self._values:
            return None
        values = self._values[node.args[1]]
        if not all(value.__class__ in _PRIMITIVES for value in values):
            return None
        return frozenset(token for value in values for token in _tokens(value))


def membership_token(value: Value) -> Hashable:
    """The key by which a value is looked up in a constant set."""
    return (value.__class__, value) if value.__class__ in _PRIMITIVES else None


def _tokens(value: Value) -> Iterator[Hashable]:
    """The keys of a constant; for a number also those of the same number in the other types."""
    yield (value.__class__, value)
    if value.__class__ is bool or value.__class__ is str:
        return
    if value.__class__ is float and not (value.is_integer() and abs(value) < 1 << 64):
        return
    whole = int(value)
    if value.__class__ is not float:
        yield (float, float(whole))
    if value.__class__ is not int and -_MAX_INT64 <= whole <= _MAX_INT64:
        yield (int, whole)
    if value.__class__ is not Uint and whole >= 0:
        yield (Uint, Uint(whole))


def _bottom_up(root: Expr) -> Iterator[Expr]:
    """Children before parents, each node once. The parts of a qualified type name aren't expressions."""
    stack: list[tuple[Expr, bool]] = [(root, False)]
    while stack:
        node, ready = stack.pop()
        if ready:
            yield node
            continue
        stack.append((node, True))
        if not (isinstance(node, Select) and node.reference is not None):
            stack.extend((child, False) for child in reversed(list(children(node))))
