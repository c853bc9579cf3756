"""``text.format([args])``: the clauses ``%s %d %f %e %b %o %x %X``.

Floating point numbers are printed for an English locale, as upstream does: grouped, and with ``×10⁰³``. A
constant text with a list literal is checked when the rule is compiled. Source: cel-go's `ext/formatting.go`.

    '%s'.format([[1, 'a']])      -> '[1, "a"]'
    '%.2f'.format([1234.5])      -> '1,234.50'
    '%x'.format([255])           -> 'ff'
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Final

from weighbridge.policies.cel.library.errors import (
    EMPTY_PRECISION,
    NO_END_OF_PRECISION,
    UNEXPECTED_END,
    argument_not_text,
    formatting_failed,
    no_argument,
    no_form,
    no_form_of_key,
    no_key,
    not_for_binary,
    not_for_decimal,
    not_for_fixed,
    not_for_hex,
    not_for_octal,
    not_for_scientific,
    not_for_string,
    unknown_clause,
)
from weighbridge.policies.cel.library.standard_conversions import to_string
from weighbridge.policies.cel.run_time_errors import NIL_POINTER
from weighbridge.policies.cel.values.access import find, held, held_entries, is_list, is_map
from weighbridge.policies.cel.values.growth import check_text
from weighbridge.policies.cel.values.values import CelError, Duration, PanicError, Timestamp, TypeValue, Uint, Value, type_name
from weighbridge.policies.ground.go_text import quote
from weighbridge.policies.ground.records import dataclass

_PRECISION: Final = 6
_RAISED: Final = str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻")


@dataclass(slots=True)
class Clause:
    """One part of a format: plain text, or a conversion with its precision."""

    text: str
    conversion: str = ""
    precision: int | None = None


def clauses(text: str, count: int, *, compiling: bool = False) -> Iterator[Clause]:
    """The parts of a format for `count` arguments; raises CelError at the first part that is wrong.

    At compile time an incomplete clause at the end is reported rather than its missing argument.
    """
    position = 0
    used = 0
    while position < len(text):
        if text[position] != "%":
            end = text.find("%", position)
            end = len(text) if end < 0 else end
            yield Clause(text[position:end])
            position = end
        elif text[position + 1 : position + 2] == "%":
            yield Clause("%")
            position += 2
        else:
            if used >= count and not (compiling and position + 1 == len(text)):
                raise CelError(no_argument(used))
            clause, position = _clause(text, position + 1)
            used += 1
            yield clause


def _clause(text: str, position: int) -> tuple[Clause, int]:
    if position >= len(text):
        raise CelError(UNEXPECTED_END)
    precision = None
    if text[position] == ".":
        end = position + 1
        while end < len(text) and text[end].isascii() and text[end].isdigit():
            end += 1
        if end >= len(text):
            raise CelError(NO_END_OF_PRECISION)
        digits = text[position + 1 : end]
        if not digits:
            raise CelError(EMPTY_PRECISION)
        precision, position = int(digits.lstrip("0")[:9] or "0"), end
    conversion = text[position]
    if conversion not in _CONVERSIONS:
        raise CelError(unknown_clause(conversion))
    return Clause("", conversion, precision), position + 1


def format_string(text: str, args: Value) -> str:
    """The text with its clauses filled in."""
    values = held(args)
    out: list[str] = []
    length = used = 0
    for clause in clauses(text, len(values)):
        if not clause.conversion:
            out.append(clause.text)
            length += len(clause.text)
            continue
        check_text(max(clause.precision or 0, length))
        try:
            out.append(_CONVERSIONS[clause.conversion](values[used], clause.precision))
        except CelError as error:
            raise CelError(formatting_failed(error)) from None
        length += len(out[-1])
        used += 1
    check_text(length)
    return "".join(out)


def _string(value: Value, _precision: int | None = None) -> str:
    if is_list(value) or is_map(value):
        return _nested(value)
    if value is None:
        return "null"
    if isinstance(value, TypeValue):
        return value.name
    if value.__class__ in (int, Uint, float, bool, str, bytes, Timestamp, Duration):
        try:
            return to_string(value)
        except CelError as error:
            raise CelError(argument_not_text(error)) from None
    raise CelError(not_for_string(type_name(value)))


def _nested(value: Value) -> str:
    """A value inside a list or map: strings quoted, doubles with six digits, times with their constructor."""
    if is_list(value):
        parts = held(value)
        # A value that occurs here twice is converted once.
        printed = {id(part): _nested(part) for part in {id(part): part for part in parts}.values()}
        return f"[{_joined([printed[id(part)] for part in parts])}]"
    if is_map(value):
        entries = sorted(_entry(value, *entry) for entry in held_entries(value))
        if len(entries) < len(value):
            # For each field that isn't declared the server meets a key that is nil.
            raise PanicError(NIL_POINTER)
        return "{" + _joined([f"{key}:{inner}" for key, inner in entries]) + "}"
    if value.__class__ is str:
        return quote(value)
    if value.__class__ is bytes:
        return f"b{quote(_string(value))}"
    if value.__class__ is float:
        return f"{value:.{_PRECISION}f}" if math.isfinite(value) else quote(_special(value))
    if value.__class__ is Timestamp:
        return f"timestamp({quote(to_string(value))})"
    if value.__class__ is Duration:
        return f"duration({quote(to_string(value))})"
    if value is None or value.__class__ in (int, Uint, bool, TypeValue):
        return _string(value)
    raise CelError(no_form(type_name(value)))


def _joined(parts: list[str]) -> str:
    # One list can occur in another many times, so few values can give a long text.
    check_text(sum(map(len, parts)))
    return ", ".join(parts)


def _special(value: float) -> str:
    return "NaN" if math.isnan(value) else "+Inf" if value > 0 else "-Inf"


def _entry(container: Value, key: Value, value: Value) -> tuple[str, str]:
    if key.__class__ not in (str, bool, int, Uint):
        raise CelError(no_form_of_key(type_name(key)))
    if value is None and not find(container, key)[1]:
        # The server counts a field that is null among the keys, but doesn't find it.
        raise CelError(no_key(str(key)))
    return _nested(key), _nested(value)


def _decimal(value: Value, _precision: int | None) -> str:
    if value.__class__ is int or value.__class__ is Uint:
        return str(int(value))
    raise CelError(not_for_decimal(type_name(value)))


def _double(value: Value, wording: Callable[[str], str]) -> float:
    if value.__class__ is float:
        # Upstream's printer has no negative zero.
        return float(value) + 0.0
    if value in ("NaN", "Infinity", "-Infinity"):
        return float(value)
    raise CelError(wording(type_name(value)))


def _localised(value: float) -> str:
    return "NaN" if math.isnan(value) else "∞" if value > 0 else "-∞"


def _fixed(value: Value, precision: int | None) -> str:
    number = _double(value, not_for_fixed)
    digits = _PRECISION if precision is None else precision
    return f"{number:,.{digits}f}" if math.isfinite(number) else _localised(number)


def _scientific(value: Value, precision: int | None) -> str:
    number = _double(value, not_for_scientific)
    # Upstream passes the precision as the width.
    width = _PRECISION if precision is None else precision
    if not math.isfinite(number):
        return _localised(number).rjust(width)
    mantissa, _, exponent = f"{number:.{_PRECISION}e}".partition("e")
    power = int(exponent)
    raised = f"{'-' if power < 0 else ''}{abs(power):02d}".translate(_RAISED)
    return f"{mantissa}×10{raised}".rjust(width)


def _binary(value: Value, _precision: int | None) -> str:
    if value.__class__ in (int, Uint, bool):
        return f"{int(value):b}"
    raise CelError(not_for_binary(type_name(value)))


def _octal(value: Value, _precision: int | None) -> str:
    if value.__class__ in (int, Uint):
        return f"{int(value):o}"
    raise CelError(not_for_octal(type_name(value)))


def _hex(value: Value, _precision: int | None) -> str:
    if value.__class__ is str:
        return value.encode("utf-8", "surrogatepass").hex()
    if value.__class__ is bytes:
        return value.hex()
    if value.__class__ in (int, Uint):
        return f"{int(value):x}"
    raise CelError(not_for_hex(type_name(value)))


def _upper_hex(value: Value, precision: int | None) -> str:
    return _hex(value, precision).upper()


_CONVERSIONS: Final[dict[str, Callable[[Value, int | None], str]]] = {
    "s": _string, "d": _decimal, "f": _fixed, "e": _scientific, "b": _binary, "x": _hex, "X": _upper_hex, "o": _octal,
}  # fmt: skip
