"""Checks of a typed tree that upstream makes after the type check.

Constant durations, timestamps and patterns must be valid; list and map literals must have one type, even where dyn would accept two.
Source: cel-go's `cel/validator.go`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from weighbridge.policies.cel.check import errors
from weighbridge.policies.cel.library import errors as library_errors
from weighbridge.policies.cel.library import string_format
from weighbridge.policies.cel.library.patterns import syntax_error
from weighbridge.policies.cel.library.standard_conversions import to_duration, to_timestamp
from weighbridge.policies.cel.syntax.errors import Issues
from weighbridge.policies.cel.syntax.nodes import Call, Expr, ListLiteral, Literal, MapLiteral, walk
from weighbridge.policies.cel.values.types import DYN, Kind, Type, unwrapped
from weighbridge.policies.cel.values.values import CelError, Value
from weighbridge.policies.cel.versions import CONSTANT_CHECKS, EVERYTHING, Version


def validate(root: Expr, issues: Issues, version: Version = EVERYTHING, *, may_mix_types: bool = False) -> None:
    """Report what is wrong with a typed tree, with the checks that servers of `version` have.

    With `may_mix_types` a literal may hold several types, as the fields of an object do.
    """
    nodes = list(dict.fromkeys(walk(root)))
    for function, check in _LITERAL_CHECKS.items() if version >= CONSTANT_CHECKS else ():
        for node in nodes:
            if isinstance(node, Call) and node.function == function:
                _check_literal(node, check, issues)
    exempt = set(nodes) if may_mix_types else _inside_format(root)
    for node in nodes:
        if isinstance(node, ListLiteral) and node not in exempt:
            _check_list(node, issues)
    for node in nodes:
        if isinstance(node, MapLiteral) and node not in exempt:
            _check_map(node, issues)
    for node in nodes:
        if isinstance(node, Call) and "string_format" in node.overloads:
            _check_format(node, issues)


def _inside_format(root: Expr) -> set[Expr]:
    """The nodes below a call of ``format``, whose arguments may be of any types."""
    calls = (node for node in walk(root) if isinstance(node, Call) and node.function == "format")
    return {inner for call in calls for inner in walk(call)}


def _check_literal(node: Call, check: Callable[[Value], bool], issues: Issues) -> None:
    # Upstream checks the first argument, even if another one is the constant, as in matches(text, pattern).
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


# --- formats ---

_TEXT_KINDS: Final = frozenset(Kind) - {Kind.DYN, Kind.ERROR, Kind.OPAQUE, Kind.PARAMETER, Kind.STRUCT}
_INTEGERS: Final = frozenset({Kind.INT, Kind.UINT})
_CLAUSES: Final = {
    "d": (_INTEGERS, library_errors.not_for_decimal),
    "f": (frozenset({Kind.DOUBLE, Kind.STRING}), library_errors.not_for_fixed),
    "e": (frozenset({Kind.DOUBLE, Kind.STRING}), library_errors.not_for_scientific),
    "b": (_INTEGERS | {Kind.BOOL}, library_errors.not_for_binary),
    "x": (_INTEGERS | {Kind.STRING, Kind.BYTES}, library_errors.not_for_hex),
    "X": (_INTEGERS | {Kind.STRING, Kind.BYTES}, library_errors.not_for_hex),
    "o": (_INTEGERS, library_errors.not_for_octal),
    "s": (_TEXT_KINDS, library_errors.not_for_string),
}


def _check_format(node: Call, issues: Issues) -> None:
    """A constant format with a list literal must fit its arguments."""
    text, args = node.target, node.args[0]
    if not (isinstance(text, Literal) and isinstance(text.value, str) and isinstance(args, ListLiteral)):
        return
    used = 0
    try:
        for clause in string_format.clauses(text.value, len(args.elements), compiling=True):
            if clause.conversion:
                bad = _unfit(args.elements[used], clause.conversion)
                if bad is not None:
                    message = _CLAUSES[clause.conversion][1](_type(bad).name)
                    issues.report(bad.offset, library_errors.formatting_failed(message))
                    return
                used += 1
    except CelError as error:
        issues.report(node.offset, str(error))
        return
    if used < len(args.elements):
        issues.report(node.offset, errors.too_many_arguments(used, len(args.elements)))


def _unfit(node: Expr, conversion: str) -> Expr | None:
    """The argument, or the part of it, that a clause can't print; `None` if it can print all."""
    kinds, _ = _CLAUSES[conversion]
    if not _type(node).is_dyn and _type(node).kind not in kinds:
        return node
    if conversion != "s":
        return None
    parts: list[Expr] = []
    if isinstance(node, ListLiteral):
        parts = node.elements
    elif isinstance(node, MapLiteral):
        parts = [part for entry in node.entries for part in (entry.key, entry.value)]
    return next((bad for part in parts if (bad := _unfit(part, "s")) is not None), None)
