"""Finds the attributes that a selector may read, by their names without domain. They may be too many, but never too few.

A selector that could read attributes that it doesn't name (it runs over a map of them, compares whole maps, or computes a name) counts as
reading all.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from weighbridge.policies.cel.syntax.nodes import (
    BINDING_MACROS,
    Call,
    Comprehension,
    Expr,
    ListLiteral,
    Literal,
    Select,
    StructLiteral,
    walk,
)
from weighbridge.policies.cel.syntax.nodes import MapLiteral as MapNode
from weighbridge.policies.cel.values.types import Kind, Type
from weighbridge.policies.devices.device_environment import DEVICE, SelectorError, compile_selector

_INDEX: Final = frozenset({"_[_]", "_[?_]", "_?._"})
#: Functions that take a whole map, or an optional with one, and read none of its values.
_LOOKS_AT_NONE: Final = frozenset({"size", "value", "hasValue", "orValue", "or"})


@lru_cache(maxsize=1024)
def attributes_read(expression: str) -> frozenset[str] | None:
    """The names; `None` if it may read any attribute. A text that isn't a selector reads none."""
    try:
        root = compile_selector(expression).root
    except SelectorError:
        return frozenset()
    names: set[str] = set()
    for node in walk(root):
        if _could_read_unnamed(node):
            return None
        if isinstance(node, Select):
            names.add(node.field)
        elif isinstance(node, Literal) and isinstance(node.value, str):
            names.add(node.value)
    return frozenset(names)


def _could_read_unnamed(node: Expr) -> bool:
    """Whether a node of the expression may read attributes that the text doesn't name."""
    if isinstance(node, Comprehension):
        # A value that is bound to a name is read by name. A macro that runs over a literal list reads only attributes in the list.
        return node.macro not in BINDING_MACROS and not isinstance(node.range, ListLiteral)
    if isinstance(node, Call):
        if node.function in _INDEX:
            return not isinstance(node.args[-1], Literal)
        if node.function == "@in":
            return _is_whole(node.args[0])
        return node.function not in _LOOKS_AT_NONE and any(map(_is_whole, (*node.args, *([node.target] if node.target else []))))
    if isinstance(node, ListLiteral):
        return any(map(_is_whole, node.elements))
    if isinstance(node, (MapNode, StructLiteral)):
        return any(_is_whole(entry.value) for entry in node.entries)
    return False


def _is_whole(node: Expr) -> bool:
    """Whether a value is the device, one of its maps, or contains one."""
    return node.type is None or _holds_map(node.type)


def _holds_map(type_: Type) -> bool:
    return type_.kind is Kind.MAP or type_ == DEVICE or any(map(_holds_map, type_.parameters))
