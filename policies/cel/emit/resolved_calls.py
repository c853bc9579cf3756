"""Finds the implementation and the cost of a checked call."""

from __future__ import annotations

from collections.abc import Container, Mapping

from weighbridge.policies.cel.library.dispatch import dispatcher, guarded
from weighbridge.policies.cel.library.overload import Cost, Function, Implementation, Overload
from weighbridge.policies.cel.run_time_errors import NO_SUCH_OVERLOAD
from weighbridge.policies.cel.syntax.nodes import Call, Expr
from weighbridge.policies.cel.values.values import CelError, Value
from weighbridge.policies.ground.records import dataclass

#: Functions that search a text by a regular expression.
_SEARCHES = frozenset({"matches", "find", "findAll"})

#: Calls with more arguments than this check one after the other.
_MOST_AT_ONCE = 2

#: The overload of two arguments that upstream implements for any number of them, so that they are checked one after the other as well.
_FORMAT = "string_format"


@dataclass(frozen=True, slots=True)
class ResolvedCall:
    """A call's implementation; `overload` is `None` if only the values decide, and `cost` is `None` if the cost is one.

    `in_turn` says that the first argument that fails ends the call before the others are looked at.
    """

    name: str
    overload: Overload | None
    call: Implementation
    cost: Cost | None
    args: tuple[Expr, ...]
    in_turn: bool


def _prepared(call: Implementation) -> Implementation:
    """A search with a constant pattern, which upstream compiles beforehand. For values of other types its error names no types."""

    def search(text: Value, pattern: Value, *limit: Value) -> Value:
        if text.__class__ is not str or any(value.__class__ is not int for value in limit):
            raise CelError(NO_SUCH_OVERLOAD)
        return call(text, pattern, *limit)

    return search


def resolve(node: Call, functions: Mapping[str, Function], constants: Container[Expr]) -> ResolvedCall:
    """Resolve a call of the checked tree, of which some nodes are constants."""
    function = functions[node.function]
    overload = function.overload(node.overloads[0]) if len(node.overloads) == 1 else None
    if function.singleton is not None:
        call = function.singleton
    elif overload is not None and overload.call is not None:
        call = guarded(function.name, overload)
    else:
        call = dispatcher(function)
    cost = overload.cost if overload is not None else function.unresolved_cost
    args = tuple(node.args) if node.target is None else (node.target, *node.args)
    is_prepared = function.name in _SEARCHES and args[1] in constants
    if is_prepared:
        call = _prepared(call)
    is_dispatched = overload is None and function.singleton is None
    is_for_any_number = overload is not None and overload.id == _FORMAT
    in_turn = is_prepared or len(args) > _MOST_AT_ONCE or is_dispatched or is_for_any_number
    return ResolvedCall(function.name, overload, call, cost, args, in_turn)
