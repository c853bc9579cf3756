"""Fields that become flags with the value that is written: each engine has a table of options.

The form of an option turns the field's JSON into the words after the flag: none for a switch, `None` if the flag is left out. For which
values the operator leaves the flag out differs by field (zero, the empty string, ``false``), so the form is a part of the table.
"""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from math import isfinite
from typing import TypeAlias

from weighbridge.policies.ground.objects import JSONValue
from weighbridge.policies.ground.records import dataclass

#: The words after a flag; `None` if the flag is left out for the field's value.
Form: TypeAlias = Callable[[JSONValue], tuple[str, ...] | None]


@dataclass(frozen=True, slots=True)
class Option:
    """One flag, the field of the block that it is from, and the form of its value."""

    flag: str
    field: str
    form: Form


def switch(value: JSONValue) -> tuple[str, ...] | None:
    """A switch, which is given if the field is true."""
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
    """A number in the fewest digits, without an exponent."""
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not isfinite(value):
        return None
    text = format(Decimal(repr(value)), "f")
    return (text.removesuffix(".0"),)


def shortest(value: JSONValue) -> tuple[str, ...] | None:
    """A number in the fewest digits, with an exponent if it is below a ten-thousandth."""
    text = decimal(value)
    return (repr(value),) if text is not None and 0 < abs(value) < 1e-4 else text
