"""Durations as LLMKube's typed clients read and print them: Go's `time.ParseDuration` and `Duration.String`.

A duration that doesn't parse fails the decoding of its whole object: a webhook answers 400, and a controller's cache can't list the kind
any more. Source: Go's time/format.go and time/time.go; k8s.io/apimachinery/pkg/apis/meta/v1/duration.go.
"""

from __future__ import annotations

import re
from typing import Final

from policies.cel.values.times import parse_duration
from policies.go_text import quote
from policies.objects import JSONValue

SECOND: Final = 1_000_000_000
MILLISECOND: Final = 1_000_000
MINUTE: Final = 60 * SECOND

_UNITS: Final = frozenset({"ns", "us", "µs", "μs", "ms", "s", "m", "h"})
_NUMBER: Final = re.compile(r"(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)", re.ASCII)
_UNIT: Final = re.compile(r"[^.0-9]*", re.ASCII)
#: The units that a fraction of a second is printed in, with their size and the size below which the next is taken.
_SMALL: Final = (("ns", 1, 1_000), ("µs", 1_000, MILLISECOND), ("ms", MILLISECOND, SECOND))


def nanoseconds(value: JSONValue) -> int | None:
    """The length of a duration; `None` for what is no text and for what doesn't parse."""
    read = parse_duration(value) if isinstance(value, str) else None
    return None if read is None else read.nanoseconds


def parse_problem(text: str) -> str:
    """Go's words for why a text is no duration; empty where it is one."""
    if parse_duration(text) is not None:
        return ""
    rest = text[1:] if text[:1] in ("-", "+") else text
    while rest:
        number = _NUMBER.match(rest)
        if number is None:
            break
        unit = _UNIT.match(rest, number.end())
        named = unit.group() if unit is not None else ""
        if not named:
            return f"time: missing unit in duration {quote(text)}"
        if named not in _UNITS:
            return f"time: unknown unit {quote(named)} in duration {quote(text)}"
        rest = rest[number.end() + len(named) :]
    return f"time: invalid duration {quote(text)}"


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
