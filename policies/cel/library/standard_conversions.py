"""Conversions between types, and the type of a value.

A conversion with a constant argument happens when the rule is compiled, so a conversion that can't succeed is a compile error.

    int('42')            -> 42
    int(1.9)             -> 1
    string(1e20)         -> '1e+20'
    duration('1h') == duration('60m') -> true
    type(1u) == uint     -> true
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from contextlib import suppress
from typing import Final

from weighbridge.policies.cel.library.overload import Library, Overload, traversal
from weighbridge.policies.cel.library.ranges import MAX, CallEstimate, Range
from weighbridge.policies.cel.library.standard_arithmetic import MAX_UINT64
from weighbridge.policies.cel.run_time_errors import INTEGER_OVERFLOW, INVALID_UTF_8, TIMESTAMP_OVERFLOW, UNSIGNED_OVERFLOW, no_conversion
from weighbridge.policies.cel.values.times import MAX_INT64, MAX_UNIX, MIN_INT64, MIN_UNIX, duration_text, parse_timestamp, timestamp_text
from weighbridge.policies.cel.values.types import BOOL, BYTES, DOUBLE, DURATION, DYN, INT, STRING, TIMESTAMP, UINT, A, Type, type_of
from weighbridge.policies.cel.values.values import NANOS_PER_SECOND, CelError, Duration, Timestamp, TypeValue, Uint, Value, type_name
from weighbridge.policies.ground.durations import nanoseconds
from weighbridge.policies.ground.expressions import expression
from weighbridge.policies.ground.go_numbers import whole_number
from weighbridge.policies.ground.go_text import float_text
from weighbridge.policies.ground.server_release import ServerRelease
from weighbridge.policies.schema.go_time import TimeParseError

_INTEGER: Final = expression(r"[+-]?[0-9]+", re.ASCII)
_DIGITS: Final = expression(r"[0-9]+", re.ASCII)
_FLOAT: Final = expression(
    r"[+-]?(?:[0-9][0-9]*\.?[0-9]*(?:[eE][+-]?[0-9]+)?|\.[0-9]+(?:[eE][+-]?[0-9]+)?|inf|infinity)|nan",
    re.ASCII | re.IGNORECASE,
)
_HEX_FLOAT: Final = expression(r"[+-]?0[xX](?:[0-9a-fA-F]+\.?[0-9a-fA-F]*|\.[0-9a-fA-F]+)[pP][+-]?[0-9]+", re.ASCII)
#: Go allows an underscore between digits and after the prefix of a hexadecimal number only.
_STRAY_UNDERSCORE: Final = expression(
    r"^[+-]?0[xX](?=.*(?<![0-9a-fA-FxX])_|.*_(?![0-9a-fA-F]))|^(?![+-]?0[xX])(?=.*(?<![0-9])_|.*_(?![0-9]))", re.DOTALL
)
_BOOLS: Final = {
    "1": True, "t": True, "T": True, "true": True, "TRUE": True, "True": True,
    "0": False, "f": False, "F": False, "false": False, "FALSE": False, "False": False,
}  # fmt: skip


def _failed(value: Value, target: str) -> CelError:
    return CelError(no_conversion(type_name(value), target))


def to_int(value: Value) -> int:
    """``int()``: doubles are truncated, timestamps give seconds, durations nanoseconds."""
    kind = value.__class__
    if kind is float:
        if math.isfinite(value) and -9223372036854775808.0 < value < 9223372036854775808.0:
            return int(value)
        raise CelError(INTEGER_OVERFLOW)
    if kind is str:
        number = whole_number(value) if _INTEGER.fullmatch(value) else None
        if number is not None and MIN_INT64 <= number <= MAX_INT64:
            return number
        raise _failed(value, "int")
    if kind is Uint:
        if value <= MAX_INT64:
            return int(value)
        raise CelError(INTEGER_OVERFLOW)
    if kind is Timestamp:
        return int(value.seconds)
    return int(value.nanoseconds) if kind is Duration else int(value)


def to_uint(value: Value) -> Uint:
    """``uint()``."""
    kind = value.__class__
    if kind is float:
        if math.isfinite(value) and 0 <= value < 18446744073709551616.0:
            return Uint(int(value))
        raise CelError(UNSIGNED_OVERFLOW)
    if kind is str:
        number = whole_number(value) if _DIGITS.fullmatch(value) else None
        if number is not None and number <= MAX_UINT64:
            return Uint(number)
        raise _failed(value, "uint")
    if value < 0:
        raise CelError(UNSIGNED_OVERFLOW)
    return Uint(value)


def to_double(value: Value) -> float:
    """``double()``."""
    if value.__class__ is not str:
        return float(value)
    text = value
    if "_" in text and not _STRAY_UNDERSCORE.search(text):
        text = text.replace("_", "")
    if _FLOAT.fullmatch(text):
        number = float(text)
        if math.isinf(number) and "inf" not in text.lower():
            raise _failed(value, "double")
        return number
    if _HEX_FLOAT.fullmatch(text):
        with suppress(OverflowError):
            return float.fromhex(text)
    raise _failed(value, "double")


def to_bool(value: Value) -> bool:
    """``bool()``: the texts that Go's ``strconv.ParseBool`` accepts."""
    if value.__class__ is bool:
        return value
    found = _BOOLS.get(value)
    if found is None:
        raise _failed(value, "bool")
    return found


def to_bytes(value: Value) -> bytes:
    """``bytes()``: the UTF-8 of a string."""
    return value.encode("utf-8", "surrogatepass") if value.__class__ is str else value


def to_string(value: Value) -> str:
    """``string()``."""
    kind = value.__class__
    if isinstance(value, str):
        return value
    if kind is bool:
        return "true" if value else "false"
    if kind is int or kind is Uint:
        return str(int(value))
    if kind is float:
        return float_text(value)
    if kind is bytes:
        try:
            return value.decode()  # type: ignore[no-any-return]
        except UnicodeDecodeError:
            raise CelError(INVALID_UTF_8) from None
    return duration_text(value) if kind is Duration else timestamp_text(value)


def to_duration(value: Value) -> Duration:
    """``duration()``: Go's notation, ``1h30m``; an int isn't accepted."""
    if value.__class__ is Duration:
        return value
    length = nanoseconds(value)
    if length is None:
        raise _failed(value, "google.protobuf.Duration")
    return Duration(length)


def to_timestamp(value: Value) -> Timestamp:
    """``timestamp()``: RFC 3339, or seconds since 1970."""
    if value.__class__ is Timestamp:
        return value
    if value.__class__ is int:
        if not MIN_UNIX <= value <= MAX_UNIX:
            raise CelError(TIMESTAMP_OVERFLOW)
        return Timestamp(value * NANOS_PER_SECOND)
    try:
        found = parse_timestamp(value)
    except TimeParseError:
        raise _failed(value, "google.protobuf.Timestamp") from None
    if not MIN_UNIX <= found.seconds <= MAX_UNIX:
        raise CelError(TIMESTAMP_OVERFLOW)
    return found


def type_of_value(value: Value) -> TypeValue:
    """``type()``."""
    return TypeValue(type_name(value))


def same(value: Value) -> Value:
    """``dyn()`` and conversions to a value's own type."""
    return value


LIBRARY: Final = Library()
LIBRARY.singleton("type", type_of_value, [Overload("type", (A,), type_of(A))])
LIBRARY.singleton("dyn", same, [Overload("to_dyn", (A,), DYN)])


def _conversions(name: str, target: Type, call: Callable[[Value], Value], sources: dict[str, Type], suffix: str) -> None:
    for word, source in sources.items():
        LIBRARY.function(name, f"{word}_to_{suffix}", (source,), target, call)


_conversions("bool", BOOL, to_bool, {"bool": BOOL, "string": STRING}, "bool")
LIBRARY.function("bytes", "bytes_to_bytes", (BYTES,), BYTES, to_bytes)
LIBRARY.add(
    "bytes",
    Overload(
        "string_to_bytes",
        (STRING,),
        BYTES,
        to_bytes,
        cost=traversal(0),
        estimate=lambda args: CallEstimate(args.size(0).times(0.1), Range(args.size(0).low, args.size(0).high * 4 & MAX)),
    ),
)
_conversions("double", DOUBLE, to_double, {"double": DOUBLE, "int64": INT, "string": STRING, "uint64": UINT}, "double")
LIBRARY.function("duration", "duration_to_duration", (DURATION,), DURATION, to_duration)
LIBRARY.add("duration", Overload("int64_to_duration", (INT,), DURATION, to_duration, until=ServerRelease.lacks_durations_of_ints.version))
LIBRARY.function("duration", "string_to_duration", (STRING,), DURATION, to_duration)
_conversions(
    "int",
    INT,
    to_int,
    {"int64": INT, "double": DOUBLE, "duration": DURATION, "string": STRING, "timestamp": TIMESTAMP, "uint64": UINT},
    "int64",
)
_conversions("string", STRING, to_string, {"string": STRING, "bool": BOOL}, "string")
LIBRARY.add(
    "string",
    Overload(
        "bytes_to_string",
        (BYTES,),
        STRING,
        to_string,
        cost=traversal(0),
        estimate=lambda args: CallEstimate(args.size(0).times(0.1), Range(args.size(0).low // 4, args.size(0).high)),
    ),
)
_conversions(
    "string",
    STRING,
    to_string,
    {"double": DOUBLE, "duration": DURATION, "int64": INT, "timestamp": TIMESTAMP, "uint64": UINT},
    "string",
)
_conversions("timestamp", TIMESTAMP, to_timestamp, {"timestamp": TIMESTAMP, "int64": INT, "string": STRING}, "timestamp")
_conversions("uint", UINT, to_uint, {"uint64": UINT, "double": DOUBLE, "int64": INT, "string": STRING}, "uint64")

#: Functions whose call on a constant is replaced by its result when a rule is compiled.
CONVERSIONS: Final = frozenset({"bool", "bytes", "double", "duration", "dyn", "int", "string", "timestamp", "type", "uint"})
