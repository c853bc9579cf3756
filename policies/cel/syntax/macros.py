"""The macros: calls that the parser rewrites into presence tests and folds.

The rewritten trees are cel-go's, node for node, since costs and error places depend on them. `all` and `exists` stop when decided and
absorb errors as ``&&`` and ``||`` do; the others neither stop nor absorb. Sources: cel-go's `parser/macro.go`, `ext/comprehensions.go`
(two variables) and `cel/library.go` (optionals).
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice
from typing import Final, TypeAlias

from weighbridge.policies.cel.syntax import errors
from weighbridge.policies.cel.syntax.nodes import (
    ACCUMULATOR,
    Call,
    Comprehension,
    Expr,
    Ident,
    ListLiteral,
    Literal,
    MapEntry,
    MapLiteral,
    Missing,
    Select,
    StructLiteral,
    walk,
)
from weighbridge.policies.cel.versions import FIRST, Version

Expander: TypeAlias = Callable[[int, Expr | None, list[Expr]], Expr]


class MacroError(Exception):
    """A macro has wrong arguments; `offset` is the place."""

    def __init__(self, offset: int, message: str) -> None:
        super().__init__(message)
        self.offset = offset


def _variable(node: Expr, message: str = errors.NOT_A_SIMPLE_NAME) -> str:
    if not isinstance(node, Ident):
        raise MacroError(node.offset, message)
    if node.name in (ACCUMULATOR, "__result__"):
        raise MacroError(node.offset, errors.OVERWRITES_ACCUMULATOR)
    return node.name


def _two_variables(first: Expr, second: Expr) -> tuple[str, str]:
    for node in (first, second):
        if not isinstance(node, Ident):
            raise MacroError(node.offset, errors.NOT_A_SIMPLE_NAME)
    assert isinstance(first, Ident)  # noqa: S101 - for the type checker; the loop has made sure of it
    assert isinstance(second, Ident)  # noqa: S101
    if first.name == second.name:
        raise MacroError(second.offset, errors.duplicate_variable(first.name))
    return _variable(first), _variable(second)


class _Fold:
    """Builds the parts of one fold, all at the place of the macro call."""

    def __init__(self, offset: int, target: Expr | None) -> None:
        self.offset = offset
        self.target = target if target is not None else Missing(offset)

    def accumulator(self) -> Expr:
        return Ident(self.offset, ACCUMULATOR)

    def literal(self, value: bool | int) -> Expr:
        return Literal(self.offset, value)

    def call(self, function: str, *args: Expr) -> Expr:
        return Call(self.offset, function, list(args))

    def append(self, element: Expr) -> Expr:
        return self.call("_+_", self.accumulator(), ListLiteral(self.offset, [element]))

    def only_if(self, condition: Expr | None, step: Expr) -> Expr:
        return step if condition is None else self.call("_?_:_", condition, step, self.accumulator())

    def build(self, macro: str, variables: tuple[str, str], initial: Expr, condition: Expr, step: Expr, result: Expr) -> Expr:
        return Comprehension(
            self.offset, macro, self.target, variables[0], variables[1], ACCUMULATOR, initial, condition, step, result,
        )  # fmt: skip


def _all(fold: _Fold, variables: tuple[str, str], predicate: Expr) -> Expr:
    condition = fold.call("@not_strictly_false", fold.accumulator())
    step = fold.call("_&&_", fold.accumulator(), predicate)
    return fold.build("all", variables, fold.literal(True), condition, step, fold.accumulator())


def _exists(fold: _Fold, variables: tuple[str, str], predicate: Expr) -> Expr:
    condition = fold.call("@not_strictly_false", fold.call("!_", fold.accumulator()))
    step = fold.call("_||_", fold.accumulator(), predicate)
    return fold.build("exists", variables, fold.literal(False), condition, step, fold.accumulator())


def _exists_one(fold: _Fold, variables: tuple[str, str], predicate: Expr) -> Expr:
    step = fold.only_if(predicate, fold.call("_+_", fold.accumulator(), fold.literal(1)))
    result = fold.call("_==_", fold.accumulator(), fold.literal(1))
    return fold.build("exists_one", variables, fold.literal(0), fold.literal(True), step, result)


def _quantifier(build: Callable[[_Fold, tuple[str, str], Expr], Expr]) -> Expander:
    def expand(offset: int, target: Expr | None, args: list[Expr]) -> Expr:
        return build(_Fold(offset, target), (_variable(args[0]), ""), args[1])

    return expand


def _quantifier_of_two(build: Callable[[_Fold, tuple[str, str], Expr], Expr]) -> Expander:
    def expand(offset: int, target: Expr | None, args: list[Expr]) -> Expr:
        return build(_Fold(offset, target), _two_variables(args[0], args[1]), args[2])

    return expand


def _has(offset: int, _target: Expr | None, args: list[Expr]) -> Expr:
    node = args[0]
    if not isinstance(node, Select) or node.test_only:
        raise MacroError(node.offset, errors.INVALID_HAS)
    return Select(offset, node.operand, node.field, test_only=True)


def _map(offset: int, target: Expr | None, args: list[Expr]) -> Expr:
    fold = _Fold(offset, target)
    variable = _variable(args[0], errors.NOT_AN_IDENTIFIER)
    condition = args[1] if len(args) == 3 else None
    step = fold.only_if(condition, fold.append(args[-1]))
    return fold.build("map", (variable, ""), ListLiteral(offset, []), fold.literal(True), step, fold.accumulator())


def _filter(offset: int, target: Expr | None, args: list[Expr]) -> Expr:
    fold = _Fold(offset, target)
    variable = _variable(args[0], errors.NOT_AN_IDENTIFIER)
    step = fold.only_if(args[1], fold.append(args[0]))
    return fold.build("filter", (variable, ""), ListLiteral(offset, []), fold.literal(True), step, fold.accumulator())


def _transform_list(offset: int, target: Expr | None, args: list[Expr]) -> Expr:
    fold = _Fold(offset, target)
    variables = _two_variables(args[0], args[1])
    step = fold.only_if(args[2] if len(args) == 4 else None, fold.append(args[-1]))
    return fold.build("transformList", variables, ListLiteral(offset, []), fold.literal(True), step, fold.accumulator())


def _transform_map(offset: int, target: Expr | None, args: list[Expr]) -> Expr:
    fold = _Fold(offset, target)
    variables = _two_variables(args[0], args[1])
    insert = fold.call("cel.@mapInsert", fold.accumulator(), Ident(offset, variables[0]), args[-1])
    step = fold.only_if(args[2] if len(args) == 4 else None, insert)
    return fold.build("transformMap", variables, MapLiteral(offset, []), fold.literal(True), step, fold.accumulator())


def _transform_map_entry(offset: int, target: Expr | None, args: list[Expr]) -> Expr:
    fold = _Fold(offset, target)
    variables = _two_variables(args[0], args[1])
    insert = fold.call("cel.@mapInsert", fold.accumulator(), args[-1])
    step = fold.only_if(args[2] if len(args) == 4 else None, insert)
    return fold.build("transformMapEntry", variables, MapLiteral(offset, []), fold.literal(True), step, fold.accumulator())


#: The most nodes of a copied target: each optional macro copies its target, so chains of them double it.
_MOST_COPIED: Final = 20_000


def _bound(fold: _Fold, macro: str, name: str, body: Expr) -> Expr:
    """`body` with `name` bound to the target's value: a fold over an empty list, as cel-go writes it."""
    if sum(1 for _ in islice(walk(fold.target), _MOST_COPIED + 1)) > _MOST_COPIED:
        raise MacroError(fold.offset, errors.too_deep(250))
    value = Call(fold.offset, "value", [], _copy(fold.target))
    return Comprehension(
        fold.offset, macro, ListLiteral(fold.offset, []), "#unused", "", name, value, fold.literal(False), Ident(fold.offset, name), body,
    )  # fmt: skip


def _optional_macro(macro: str, *, wraps: bool) -> Expander:
    def expand(offset: int, target: Expr | None, args: list[Expr]) -> Expr:
        fold = _Fold(offset, target)
        if not isinstance(args[0], Ident):
            raise MacroError(args[0].offset, errors.optional_macro_name(macro))
        inner = _bound(fold, macro, args[0].name, args[1])
        if wraps:
            inner = fold.call("optional.of", inner)
        present = Call(offset, "hasValue", [], fold.target)
        return fold.call("_?_:_", present, inner, fold.call("optional.none"))

    return expand


_SORTED: Final = "@__sortBy_input__"


def _sort_by(offset: int, target: Expr | None, args: list[Expr]) -> Expr:
    """``list.sortBy(e, key)``: the list bound to a name, sorted by the keys that a map over it gives."""
    if isinstance(target, (Literal, MapLiteral, StructLiteral, Missing)):
        raise MacroError(target.offset, errors.CANNOT_BE_SORTED)
    keys = _map(offset, Ident(offset, _SORTED), args)
    call = Call(offset, "@sortByAssociatedKeys", [keys], Ident(offset, _SORTED))
    fold = _Fold(offset, target)
    return Comprehension(
        offset, "sortBy", ListLiteral(offset, []), "#unused", "", _SORTED, fold.target, fold.literal(False), Ident(offset, _SORTED), call,
    )  # fmt: skip


def _copy(node: Expr) -> Expr:
    """A copy of a tree with new nodes, so that both are checked separately."""
    if isinstance(node, Literal):
        return Literal(node.offset, node.value)
    if isinstance(node, Ident):
        return Ident(node.offset, node.name)
    if isinstance(node, Select):
        return Select(node.offset, _copy(node.operand), node.field, node.test_only)
    if isinstance(node, Call):
        target = None if node.target is None else _copy(node.target)
        return Call(node.offset, node.function, [_copy(arg) for arg in node.args], target)
    if isinstance(node, ListLiteral):
        return ListLiteral(node.offset, [_copy(element) for element in node.elements], node.optional)
    if isinstance(node, MapLiteral):
        return MapLiteral(node.offset, [MapEntry(e.offset, _copy(e.key), _copy(e.value), e.optional) for e in node.entries])
    if isinstance(node, StructLiteral):
        entries = [MapEntry(e.offset, _copy(e.key), _copy(e.value), e.optional) for e in node.entries]
        return StructLiteral(node.offset, node.name, entries)
    if isinstance(node, Comprehension):
        parts = [_copy(part) for part in (node.initial, node.condition, node.step, node.result)]
        return Comprehension(
            node.offset, node.macro, _copy(node.range), node.variable, node.second_variable, node.accumulator, *parts,
        )  # fmt: skip
    return Missing(node.offset)


#: By name, number of arguments, and whether there is a receiver.
_MACROS: Final[dict[tuple[str, int, bool], Expander]] = {
    ("has", 1, False): _has,
    ("all", 2, True): _quantifier(_all),
    ("exists", 2, True): _quantifier(_exists),
    ("exists_one", 2, True): _quantifier(_exists_one),
    ("map", 2, True): _map,
    ("map", 3, True): _map,
    ("filter", 2, True): _filter,
    ("all", 3, True): _quantifier_of_two(_all),
    ("exists", 3, True): _quantifier_of_two(_exists),
    ("existsOne", 3, True): _quantifier_of_two(_exists_one),
    ("exists_one", 3, True): _quantifier_of_two(_exists_one),
    ("transformList", 3, True): _transform_list,
    ("transformList", 4, True): _transform_list,
    ("transformMap", 3, True): _transform_map,
    ("transformMap", 4, True): _transform_map,
    ("transformMapEntry", 3, True): _transform_map_entry,
    ("transformMapEntry", 4, True): _transform_map_entry,
    ("sortBy", 2, True): _sort_by,
    ("optMap", 2, True): _optional_macro("optMap", wraps=True),
    ("optFlatMap", 2, True): _optional_macro("optFlatMap", wraps=False),
}
#: The macros that came after the first version, and when.
_SINCE: Final[dict[tuple[str, int, bool], Version]] = {
    ("all", 3, True): (1, 32),
    ("exists", 3, True): (1, 32),
    ("existsOne", 3, True): (1, 32),
    ("exists_one", 3, True): (1, 32),
    ("transformList", 3, True): (1, 32),
    ("transformList", 4, True): (1, 32),
    ("transformMap", 3, True): (1, 32),
    ("transformMap", 4, True): (1, 32),
    ("transformMapEntry", 3, True): (1, 32),
    ("transformMapEntry", 4, True): (1, 32),
    ("sortBy", 2, True): (1, 34),
    ("optMap", 2, True): (1, 28),
    ("optFlatMap", 2, True): (1, 28),
}


def macro(name: str, arguments: int, *, has_target: bool, version: Version) -> Expander | None:
    """The macro of a name and number of arguments that rules of `version` may use, or `None`."""
    key = (name, arguments, has_target)
    return _MACROS.get(key) if _SINCE.get(key, FIRST) <= version else None
