"""Reads YAML scalars like kubectl.

kubectl 1.36 reads YAML 1.1 with go.yaml.in/yaml/v2, which has special rules (`y` is true, `1:30` a string, `0o17` a number), and then
writes the values as JSON, where a float without fraction becomes an integer. This module does both steps. Source: yaml/v2 v2.4.3
resolve.go, sigs.k8s.io/yaml v1.6.0 and Go's strconv and encoding/json.
"""

from __future__ import annotations

import base64
import binascii
import math
import re
import struct
from collections.abc import Mapping
from datetime import date
from decimal import Decimal
from functools import lru_cache
from types import MappingProxyType
from typing import Final

from weighbridge.policies.ground.expressions import expression
from weighbridge.policies.ground.go_text import float_text, quote
from weighbridge.policies.ground.objects import JSONValue

#: The first characters of plain scalars that may be something else than a string. The empty scalar is among these.
HINTS: Final = "+-.0123456789<FNOTYfnoty~"

_PREFIX: Final = "tag:yaml.org,2002:"
_RESOLVABLE: Final = frozenset({"str", "bool", "int", "float", "null", "timestamp"})


def _words() -> Mapping[str, tuple[str, JSONValue]]:
    """The scalars that are recognized as a whole, with their short tags."""
    kinds: tuple[tuple[str, JSONValue, str], ...] = (
        ("bool", True, "y yes true on"),
        ("bool", False, "n no false off"),
        ("null", None, "null"),
        ("float", math.inf, ".inf +.inf"),
        ("float", -math.inf, "-.inf"),
    )
    table: dict[str, tuple[str, JSONValue]] = {"": ("null", None), "~": ("null", None), "<<": ("merge", "<<")}
    for tag, value, words in kinds:
        for word in words.split():
            # capitalize() doesn't change ".inf".
            title = word.replace("inf", "Inf") if "inf" in word else word.capitalize()
            table |= dict.fromkeys((word, title, word.upper()), (tag, value))
    return MappingProxyType(table | dict.fromkeys((".nan", ".NaN", ".NAN"), ("float", math.nan)))


_WORDS: Final = _words()
_INTEGER: Final = expression(r"([-+]?)(?:0[xX]([0-9a-fA-F]+)|0[bB]([01]+)|0[oO]?([0-7]+)|(0|[1-9][0-9]*))", re.ASCII)
_FLOAT: Final = expression(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?", re.ASCII)
#: If a scalar begins with a point, Go's ParseFloat checks the underscores; otherwise the library drops them.
_STRAY_UNDERSCORE: Final = expression(r"(?<![0-9])_|_(?![0-9])", re.ASCII)
_SIGNED_BINARY: Final = expression(r"0b([-+][01]+)", re.ASCII)
_TIMESTAMP: Final = expression(
    r"([0-9]{4})-([0-9]{1,2})-([0-9]{1,2})"
    r"(?:([Tt ])([0-9]{1,2}):([0-9]{1,2}):([0-9]{1,2})(?:[.,][0-9]+)?(Z|[-+][0-9]{2}:[0-9]{2})?)?",
    re.ASCII,
)


class ScalarError(ValueError):
    """kubectl refuses the scalar; the text is kubectl's message without its prefix."""


def _integer(text: str) -> int | None:
    """Parse like Go's ParseInt or, if the number doesn't fit, ParseUint, both with base 0."""
    match = _INTEGER.fullmatch(text)
    if match is None:
        # The library strips "0b" itself, and parses the rest, which may have another sign.
        signed = _SIGNED_BINARY.fullmatch(text)
        return _within(int(signed[1], 2), signed=True) if signed else None
    sign, *digits = match.groups()
    for body, base in zip(digits, (16, 2, 8, 10), strict=True):
        if body is not None:
            # Longer numbers are out of range in any base, and Python would refuse the longest.
            value = int(body.lstrip("0") or "0", base) if len(body.lstrip("0")) <= 64 else 1 << 64
            return _within(-value if sign == "-" else value, signed=bool(sign))
    return None


def _within(value: int, *, signed: bool) -> int | None:
    return value if -(1 << 63) <= value < (1 << 63 if signed else 1 << 64) else None


def _float(text: str) -> float | None:
    """Parse a decimal like Go's ParseFloat, which refuses numbers that overflow."""
    if _FLOAT.fullmatch(text) is None:
        return None
    value = float(text)
    return None if math.isinf(value) else value


def _is_timestamp(text: str) -> bool:
    match = _TIMESTAMP.fullmatch(text)
    if match is None:
        return False
    year, month, day, separator, hour, minute, second, zone = match.groups()
    # NB: only the form with a space may lack a time zone.
    if separator is not None and (separator == " ") != (zone is None):
        return False
    try:
        date(int(year) or 4, int(month), int(day))
    except ValueError:
        return False
    return separator is None or (int(hour) < 24 and int(minute) < 60 and int(second) < 60)


def _number(text: str) -> tuple[str, JSONValue] | None:
    plain = text.replace("_", "")
    if text[0] == "." and _STRAY_UNDERSCORE.search(text):
        return None
    if text[0] != ".":
        whole = _integer(plain)
        if whole is not None:
            return "int", whole
    fraction = _float(plain)
    return None if fraction is None else ("float", fraction)


def _guess(text: str, tag: str) -> tuple[str, JSONValue]:
    """The kind of an untagged plain scalar, or the apparent kind of a tagged one."""
    if tag == "str" or text[:1] not in HINTS:
        return "str", text
    found = _WORDS.get(text)
    if found is not None:
        return found
    if text[0].isalpha() or text[0] in "~<":
        return "str", text
    if tag == "timestamp" and _is_timestamp(text):
        return "timestamp", text
    return _number(text) or ("str", text)


def _binary(text: str) -> str:
    try:
        data = base64.b64decode(text.replace("\n", "").replace("\r", ""), validate=True)
    except (binascii.Error, ValueError):
        raise ScalarError("yaml: !!binary value contains invalid base64 data") from None
    # encoding/json writes U+FFFD in place of invalid UTF-8.
    return data.decode(errors="replace")


def _tagged(tag: str, text: str) -> JSONValue:
    kind, value = _guess(text, tag)
    if kind == tag or tag == "str":
        return value
    if tag == "float" and kind == "int" and value < 1 << 63:
        return float(value)
    raise ScalarError(f"yaml: cannot decode !!{kind} `{text}` as a !!{tag}")


def resolve(text: str, tag: str | None, *, plain: bool) -> JSONValue:
    """The value of a scalar in the YAML library: integers have up to 64 unsigned bits, and floats may be infinite or NaN.

    Raises ScalarError.
    """
    if tag is None:
        return _guess(text, "")[1] if plain else text
    short = tag.removeprefix(_PREFIX) if tag.startswith(_PREFIX) else ""
    if short == "binary":
        return _binary(text)
    if short in _RESOLVABLE:
        return _tagged(short, text)
    # An unknown tag is ignored, but its value is a string.
    return _guess(text, "")[1] if tag == "" and plain else text


def as_json(value: JSONValue) -> JSONValue:
    """A resolved scalar after it was written as JSON and read. Infinite floats and NaN stay, since they may still be replaced."""
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e21:
        # Go writes the shortest digits that give the same float, and zeros after them.
        value = int(Decimal(repr(value)))
    if isinstance(value, int) and not isinstance(value, bool) and not -(1 << 63) <= value < 1 << 63:
        return float(value)
    return value


def _shortest_single(value: float) -> float:
    """The float with the fewest digits that has the same 32-bit value."""
    try:
        single = struct.pack("f", value)
    except OverflowError:
        return math.copysign(math.inf, value)
    if math.isinf(struct.unpack("f", single)[0]):
        return math.copysign(math.inf, value)
    for digits in range(1, 10):
        short = float(f"{struct.unpack('f', single)[0]:.{digits}g}")
        if struct.pack("f", short) == single:
            return short
    return value


def as_key(value: JSONValue) -> str:
    """A resolved scalar as the key of a JSON map. Raises ScalarError for null and for integers beyond signed 64 bits.

    The errors' texts end before the value of the entry, which the caller adds.
    """
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if value is None:
        raise ScalarError("unsupported map key of type: %!s(<nil>), key: <nil>, value: ")
    if isinstance(value, int):
        if value >= 1 << 63:
            raise ScalarError(f"unsupported map key of type: uint64, key: {value:#x}, value: ")
        return str(value)
    if math.isnan(value):
        return ".nan"
    single = _shortest_single(value)
    return ("-.inf" if single < 0 else ".inf") if math.isinf(single) else float_text(single)


@lru_cache(maxsize=8192)
def plain_value(text: str) -> JSONValue:
    """The JSON value of an untagged plain scalar."""
    return as_json(_guess(text, "")[1])


@lru_cache(maxsize=8192)
def plain_key(text: str) -> str:
    """The JSON key of an untagged plain scalar. Raises ScalarError as `as_key` does."""
    return as_key(_guess(text, "")[1])


def go_syntax(value: JSONValue) -> str:
    """A value in Go's `%#v` format, in which kubectl shows a key or value that it can't use."""
    out: list[str] = []
    # The stack of things to write. A finished text is in a tuple of one, to distinguish it from a value.
    pending: list[JSONValue | tuple[str]] = [value]
    while pending:
        current = pending.pop()
        if isinstance(current, tuple):
            out.append(current[0])
        elif isinstance(current, dict):
            out.append("map[interface {}]interface {}{")
            pending.append(("}",))
            for index, key in reversed(list(enumerate(sorted(current)))):
                pending += [current[key], (f"{', ' if index else ''}{quote(key)}:",)]
        elif isinstance(current, list):
            out.append("[]interface {}{")
            pending.append(("}",))
            for index in range(len(current) - 1, -1, -1):
                pending += [current[index], (", " if index else "",)]
        else:
            out.append(_scalar_syntax(current))
    return "".join(out)


def _scalar_syntax(value: JSONValue) -> str:
    if value is None:
        return "interface {}(nil)"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return quote(value)
    return float_text(value) if isinstance(value, float) else str(value)
