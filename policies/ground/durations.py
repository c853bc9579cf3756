"""Durations as Go reads and prints them: `time.ParseDuration`, `Duration.String`, and the looser reader of the format ``duration``.

Lengths are whole nanoseconds and fit 64 bits; the overflow of Go's sums is part of the verdict. Reading takes linear time for any text.
Sources: Go's time/format.go and time/time.go; k8s.io/kube-openapi, pkg/validation/strfmt/duration.go.
"""

from __future__ import annotations

import re
from typing import Final

from weighbridge.policies.ground.expressions import expression
from weighbridge.policies.ground.go_numbers import whole_number
from weighbridge.policies.ground.go_text import time_quote
from weighbridge.policies.ground.objects import JSONValue

MILLISECOND: Final = 1_000_000
SECOND: Final = 1_000_000_000
MINUTE: Final = 60 * SECOND
HOUR: Final = 60 * MINUTE
_DAY: Final = 24 * HOUR

_UNITS: Final = {"ns": 1, "us": 1_000, "µs": 1_000, "μs": 1_000, "ms": MILLISECOND, "s": SECOND, "m": MINUTE, "h": HOUR}
_PART: Final = expression(r"([0-9]*)(?:\.([0-9]*))?([^.0-9]+)", re.ASCII)
_NUMBER: Final = expression(r"(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)", re.ASCII)
_UNIT: Final = expression(r"[^.0-9]*", re.ASCII)
#: The largest length without its sign. Only a negative length can reach it.
_LIMIT: Final = 2**63
#: The units for lengths below a second: each with its size, and the length from which on the next unit is used.
_SMALL: Final = (("ns", 1, 1_000), ("µs", 1_000, MILLISECOND), ("ms", MILLISECOND, SECOND))

_WORDY_PART: Final = expression(r"([0-9]+)[\t\n\f\r ]*([A-Za-zµ]+)")
#: The words for each unit, with its size. Any word that begins with the last of them counts too.
_WORDY_UNITS: Final = (
    (("ns", "nano"), 1),
    (("us", "µs", "micro"), 1_000),
    (("ms", "milli"), MILLISECOND),
    (("s", "sec"), SECOND),
    (("m", "min"), MINUTE),
    (("h", "hr", "hour"), HOUR),
    (("d", "day"), _DAY),
    (("w", "wk", "week"), 7 * _DAY),
)


def nanoseconds(value: JSONValue) -> int | None:
    """The length of ``1h30m``, ``.5s``, ``-1.s`` or ``0``; `None` for a value that isn't a string or that Go refuses."""
    if not isinstance(value, str):
        return None
    rest = value[1:] if value[:1] in ("-", "+") else value
    if rest == "0":
        return 0
    total = _sum(rest) if rest else None
    if total is None or (total == _LIMIT and not value.startswith("-")):
        return None
    return -total if value.startswith("-") else total


def _sum(text: str) -> int | None:
    """The total length of a text without sign; `None` if a part can't be read or the total is too long."""
    total, position = 0, 0
    while position < len(text):
        part = _PART.match(text, position)
        length = _part_length(part[1], part[2] or "", part[3]) if part is not None else None
        if part is None or length is None:
            return None
        # Go sums in unsigned 64 bits, so twice the limit wraps to zero.
        total = (total + length) % 2**64
        if total > _LIMIT:
            return None
        position = part.end()
    return total


def _part_length(whole: str, fraction: str, unit: str) -> int | None:
    """The length of one number with its unit; `None` if either can't be read or the length is too long."""
    size = _UNITS.get(unit)
    if size is None or not (whole or fraction):
        return None
    number = whole_number(whole)
    if number is None or number > _LIMIT // size:
        return None
    digits, scale = 0, 1.0
    for digit in fraction:
        # Digits that don't fit 64 bits are dropped.
        if digits > (_LIMIT - 1) // 10 or digits * 10 + int(digit) > _LIMIT:
            break
        digits = digits * 10 + int(digit)
        scale *= 10
    total = number * size + int(digits * (size / scale))
    return total if total <= _LIMIT else None


def wordy_nanoseconds(text: str) -> int | None:
    """The length of a string of format ``duration``.

    It is read as Go does, or else as the sum of the numbers with words for units anywhere in it (``3 weeks``).
    """
    found = nanoseconds(text)
    if found is not None:
        return found
    total, is_understood = 0, False
    for digits, word in _WORDY_PART.findall(text):
        number = whole_number(digits)
        if number is None or number >= _LIMIT:
            return None
        unit = word.lower()
        for (*words, beginning), size in _WORDY_UNITS:
            if unit in words or unit.startswith(beginning):
                total, is_understood = total + number * size, True
    return (total + _LIMIT) % 2**64 - _LIMIT if is_understood else None


def wordy_problem(text: str) -> str:
    """Go's message why a string isn't of format ``duration``."""
    for digits, _ in _WORDY_PART.findall(text):
        number = whole_number(digits)
        if number is None or number >= _LIMIT:
            return f'strconv.Atoi: parsing "{digits}": value out of range'
    return f"unable to parse {text} as duration"


def parse_problem(text: str) -> str:
    """Go's message why a text isn't a duration; empty if it is one."""
    if nanoseconds(text) is not None:
        return ""
    rest = text[1:] if text[:1] in ("-", "+") else text
    while rest:
        number = _NUMBER.match(rest)
        if number is None:
            break
        unit = _UNIT.match(rest, number.end())
        named = unit.group() if unit is not None else ""
        if not named:
            return f"time: missing unit in duration {time_quote(text)}"
        if named not in _UNITS:
            return f"time: unknown unit {time_quote(named)} in duration {time_quote(text)}"
        rest = rest[number.end() + len(named) :]
    return f"time: invalid duration {time_quote(text)}"


def duration_text(length: int) -> str:
    """A length in nanoseconds as Go prints it: ``31m0s``, ``50ms``, ``1.5s``."""
    sign, length = ("-" if length < 0 else ""), abs(length)
    if length == 0:
        return "0s"
    for unit, size, below in _SMALL:
        if length < below:
            return f"{sign}{_decimal(length, size)}{unit}"
    minutes, rest = divmod(length, MINUTE)
    hours, minutes = divmod(minutes, 60)
    text = f"{_decimal(rest, SECOND)}s"
    if hours:
        return f"{sign}{hours}h{minutes}m{text}"
    return f"{sign}{minutes}m{text}" if minutes else f"{sign}{text}"


def _decimal(length: int, size: int) -> str:
    whole, rest = divmod(length, size)
    if not rest:
        return str(whole)
    return f"{whole}.{str(rest).zfill(len(str(size)) - 1).rstrip('0')}"
