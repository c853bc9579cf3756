"""Times as Go reads them from JSON, and as it writes them again: in UTC, in whole seconds, and the zero time as null.

A schema with the format `date-time` lets more pass than Go reads, such as a small `t` or `z`.
Source: Go's time (format.go, Parse with RFC3339); apimachinery v0.33, pkg/apis/meta/v1/time.go.
"""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from typing import Final

from weighbridge.policies.ground.expressions import expression
from weighbridge.policies.ground.records import dataclass

_TIME: Final = expression(
    r"(?P<year>\d{4})-(?P<month>\d\d)-(?P<day>\d\d)T(?P<hour>\d\d?):(?P<minute>\d\d):(?P<second>\d\d)"
    r"(?:[.,](?P<fraction>\d+))?(?:Z|(?P<sign>[+-])(?P<hours>\d\d):(?P<minutes>\d\d))",
    re.ASCII,
)
#: The calendar repeats itself after 400 years. Python has no year 0 and none after 9999.
_CYCLE: Final = 400
_NANOSECONDS: Final = 9


@dataclass(frozen=True, slots=True)
class GoTime:
    """A time that Go has read, as it writes it; the zero time is written as null."""

    written: str | None


def read_time(text: str) -> GoTime | None:
    """The time of a text; `None` if Go can't read it."""
    found = _TIME.fullmatch(text)
    if found is None:
        return None
    year, month, day, hour, minute, second = (int(found[name]) for name in ("year", "month", "day", "hour", "minute", "second"))
    hours, minutes = int(found["hours"] or 0), int(found["minutes"] or 0)
    if hours > 24 or minutes > 60:
        return None
    cycle = _CYCLE if year < 1000 else -_CYCLE
    try:
        local = datetime(year + cycle, month, day, hour, minute, second)  # noqa: DTZ001
    except ValueError:
        return None
    east = timedelta(hours=hours, minutes=minutes)
    utc = local + east if found["sign"] == "-" else local - east
    year = utc.year - cycle
    text = f"{'-' if year < 0 else ''}{abs(year):04d}{utc:-%m-%dT%H:%M:%SZ}"
    has_fraction = int((found["fraction"] or "0")[:_NANOSECONDS]) > 0
    return GoTime(None if text == "0001-01-01T00:00:00Z" and not has_fraction else text)
