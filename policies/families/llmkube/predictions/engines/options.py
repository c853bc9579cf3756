"""Fields that become flags as they are written: a table of options for each engine, and the forms that a field's value may have.

A form turns the field's JSON into the words after the flag: none for a bare flag, `None` where the flag is left out. What the operator
leaves out differs by field (zero, the empty string, ``false``), so the form is part of the table.
"""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from math import isfinite
from typing import TypeAlias

from weighbridge.policies.ground.objects import JSONValue
from weighbridge.policies.ground.records import dataclass

#: The words after a flag; `None` where the field's value leaves the flag out.
Form: TypeAlias = Callable[[JSONValue], tuple[str, ...] | None]


@dataclass(frozen=True, slots=True)
class Option:
    """One flag, the field of the block that it is from, and the form of its value."""

    flag: str
    field: str
    form: Form


def switch(value: JSONValue) -> tuple[str, ...] | None:
    """A bare flag, given where the field is true."""
    return () if value is True else None


def word(value: JSONValue) -> tuple[str, ...] | None:
    """A text that isn't empty."""
    return (value,) if isinstance(value, str) and value else None


def words(value: JSONValue) -> tuple[str, ...] | None:
    """Several words after one flag; an empty list leaves it out."""
    found = tuple(item for item in value if isinstance(item, str)) if isinstance(value, list) else ()
    return found or None


def number(value: JSONValue) -> tuple[str, ...] | None:
    """Any whole number, zero and below included."""
    return (str(value),) if isinstance(value, int) and not isinstance(value, bool) else None


def positive(value: JSONValue) -> tuple[str, ...] | None:
    """A whole number above zero."""
    return number(value) if isinstance(value, int) and value > 0 else None


def decimal(value: JSONValue) -> tuple[str, ...] | None:
    """A number in its shortest digits, without an exponent."""
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not isfinite(value):
        return None
    text = format(Decimal(repr(value)), "f")
    return (text.removesuffix(".0"),)


def shortest(value: JSONValue) -> tuple[str, ...] | None:
    """A number in its shortest digits, with an exponent where it is below a ten-thousandth."""
    text = decimal(value)
    return (repr(value),) if text is not None and 0 < abs(value) < 1e-4 else text
