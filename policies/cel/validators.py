"""Checks of a typed tree that upstream makes after the type check.

Constant durations, timestamps and patterns must be valid; list and map literals must hold one type even where dyn would let two pass.
Source: cel-go's `cel/validator.go`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from policies.cel import errors
from policies.cel.errors import Issues
from policies.cel.library.patterns import syntax_error
from policies.cel.library.standard_conversions import to_duration, to_timestamp
from policies.cel.nodes import Call, Expr, ListLiteral, Literal, MapLiteral, walk
from policies.cel.types import DYN, Type, unwrapped
from policies.cel.values import CelError, Value


def validate(root: Expr, issues: Issues) -> None:
    """Report what is wrong with a tree that has its types."""
    nodes = list(dict.fromkeys(walk(root)))
    for function, check in _LITERAL_CHECKS.items():
        for node in nodes:
            if isinstance(node, Call) and node.function == function:
                _check_literal(node, check, issues)
    for node in nodes:
        if isinstance(node, ListLiteral):
            _check_list(node, issues)
    for node in nodes:
        if isinstance(node, MapLiteral):
            _check_map(node, issues)


def _check_literal(node: Call, check: Callable[[Value], bool], issues: Issues) -> None:
    # The first written argument is looked at, also where that isn't the one meant (matches(text, pattern)).
    if node.args and isinstance(node.args[0], Literal) and not check(node.args[0].value):
        issues.report(node.args[0].offset, errors.invalid_argument(node.function))


def _converts(convert: Callable[[Value], Value]) -> Callable[[Value], bool]:
    def check(value: Value) -> bool:
        try:
            convert(value)
        except CelError:
            return False
        return True

    return check


def _is_pattern(value: Value) -> bool:
    return value.__class__ is not str or not syntax_error(value)


_LITERAL_CHECKS: Final[dict[str, Callable[[Value], bool]]] = {
    "duration": _converts(to_duration),
    "timestamp": _converts(to_timestamp),
    "matches": _is_pattern,
}


def _type(node: Expr) -> Type:
    return node.type or DYN


def _check_list(node: ListLiteral, issues: Issues) -> None:
    wanted: Type | None = None
    for index, element in enumerate(node.elements):
        found = _type(element)
        if index in node.optional:
            found = unwrapped(found)[0]
        if wanted is None:
            wanted = found
        elif not wanted.is_equivalent(found):
            issues.report(element.offset, errors.type_mismatch(str(wanted), str(found)))
            return


def _check_map(node: MapLiteral, issues: Issues) -> None:
    key_type: Type | None = None
    value_type: Type | None = None
    for entry in node.entries:
        key, value = _type(entry.key), _type(entry.value)
        if entry.optional:
            value = unwrapped(value)[0]
        if key_type is None or value_type is None:
            key_type, value_type = key, value
            continue
        if not key_type.is_equivalent(key):
            issues.report(entry.key.offset, errors.type_mismatch(str(key_type), str(key)))
        if not value_type.is_equivalent(value):
            issues.report(entry.value.offset, errors.type_mismatch(str(value_type), str(value)))
