"""JSON values as Go's reflection sees them: deep equality, conversion between kinds, copies, and canonical text.

The server keeps integers and floats apart (``int64`` and ``float64``), so 1 and 1.0 are different values wherever it compares with
``reflect.DeepEqual`` or as map keys, and equal where it compares JSON text. Nothing here recurses: values may be nested deeper than
the interpreter's stack. Source: Go's reflect and fmt packages, ``runtime.DeepCopyJSONValue`` of k8s.io/apimachinery.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Final

from weighbridge.policies.ground.go_text import float_text, json_text
from weighbridge.policies.ground.objects import JSONValue

MIN_INT64: Final = -(2**63)
MAX_INT64: Final = 2**63 - 1
_REPLACEMENT: Final = "\ufffd"


def as_go_number(value: float) -> int | float:
    """A number of the kind that Go's decoder gives it: integers beyond int64 are floats (infinite where they don't fit one)."""
    if type(value) is not int or MIN_INT64 <= value <= MAX_INT64:
        return value
    try:
        return float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf


def to_int64(value: float) -> int:
    """A float converted to int64 as amd64 does it: truncated, or the smallest integer if it doesn't fit."""
    if not math.isfinite(value):
        return MIN_INT64
    whole = int(value)
    return whole if MIN_INT64 <= whole <= MAX_INT64 else MIN_INT64


def deep_equal(left: JSONValue, right: JSONValue) -> bool:
    """``reflect.DeepEqual``: kinds matter, so 1, 1.0 and true all differ."""
    pending = [(left, right)]
    while pending:
        one, other = pending.pop()
        if type(one) is not type(other):
            return False
        if type(one) is dict:
            if one.keys() != other.keys():
                return False
            pending.extend((one[key], other[key]) for key in one)
        elif type(one) is list:
            if len(one) != len(other):
                return False
            pending.extend(zip(one, other, strict=True))
        elif one != other:
            return False
    return True


def _rune(code: int) -> str:
    """An integer converted to a string in Go: the character with that code."""
    return chr(code) if 0 <= code <= 0x10FFFF and not 0xD800 <= code <= 0xDFFF else _REPLACEMENT


def equals_converted(value: JSONValue, wanted: JSONValue) -> bool:
    """Whether `value` equals `wanted` after conversion to its Go type, if Go can convert it. This is how ``enum`` compares.

    So 1.7 is 1, and 65 is "A". Null equals nothing, not even null.
    """
    if value is None or wanted is None:
        return False
    kind, wanted_kind = type(value), type(wanted)
    if kind is wanted_kind:
        return deep_equal(value, wanted)
    if kind is int and wanted_kind is str:
        return _rune(value) == str(wanted)
    if kind is int and wanted_kind is float:
        return bool(float(value) == wanted)
    return bool(kind is float and wanted_kind is int and to_int64(value) == wanted)


def in_enum(value: JSONValue, values: Iterable[JSONValue]) -> bool:
    """Whether one of `values` equals `value` in the sense of ``enum``."""
    number = as_go_number(value) if type(value) is int else value
    return any(equals_converted(number, wanted) for wanted in values)


def deep_copy(value: JSONValue) -> JSONValue:
    """A copy that shares no map or list with `value`."""
    holder = [value]
    pending: list[JSONValue] = [holder]
    while pending:
        container = pending.pop()
        for key, item in container.items() if type(container) is dict else enumerate(container):
            if type(item) is dict or type(item) is list:
                copied = container[key] = item.copy()
                pending.append(copied)
    return holder[0]


class _Verbatim(str):
    """Text already in its final form, among values still to be printed."""

    __slots__ = ()


def canonical_text(value: JSONValue) -> str:
    """JSON text with sorted keys and a comma after every entry. It distinguishes the items of a set."""
    out: list[str] = []
    pending: list[JSONValue] = [value]
    while pending:
        current = pending.pop()
        if type(current) is _Verbatim:
            out.append(current)
        elif type(current) is dict:
            pending.append(_Verbatim("}"))
            for key in sorted(current, reverse=True):
                pending += (_Verbatim(","), current[key], _Verbatim(f"{json_text(key)}:"))
            out.append("{")
        elif type(current) is list:
            pending.append(_Verbatim("]"))
            for item in reversed(current):
                pending += (_Verbatim(","), item)
            out.append("[")
        else:
            out.append(json_text(as_go_number(current) if type(current) is int else current))
    return "".join(out)


def plain_text(value: JSONValue) -> str:
    """``fmt``'s ``%v``: ``[a b]``, ``map[k:v]``, ``<nil>``; strings have no quotes."""
    out: list[str] = []
    pending: list[JSONValue] = [value]
    while pending:
        current = pending.pop()
        if type(current) is dict:
            out.append("map[")
            pending.append(_Verbatim("]"))
            for index, key in enumerate(sorted(current, reverse=True)):
                separator = "" if index == len(current) - 1 else " "
                pending += (current[key], _Verbatim(f"{separator}{key}:"))
        elif type(current) is list:
            out.append("[")
            pending.append(_Verbatim("]"))
            for index, item in enumerate(reversed(current)):
                pending += (item, _Verbatim("" if index == len(current) - 1 else " "))
        else:
            out.append(_scalar_text(current))
    return "".join(out)


def _scalar_text(value: JSONValue) -> str:
    if value is None:
        return "<nil>"
    if isinstance(value, str):
        return value
    return float_text(value) if type(value) is float else json_text(value)
