"""The parts of timestamps and durations.

Months, days of the month (`getDayOfMonth`), days of the week and of the year count from zero, `getDate` from one. Zones are IANA names or
``+hh:mm``; the default is UTC.

    timestamp('2024-02-29T10:00:00Z').getMonth()                    -> 1
    timestamp('2024-02-29T10:00:00Z').getHours('America/New_York')  -> 5
    duration('90m').getHours()                                      -> 1
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from weighbridge.policies.cel.library.overload import Library
from weighbridge.policies.cel.values.calendar import civil, day_of_week, day_of_year, local_seconds
from weighbridge.policies.cel.values.types import DURATION, INT, STRING, TIMESTAMP
from weighbridge.policies.cel.values.values import NANOS_PER_SECOND, Duration, Timestamp


def _year(seconds: int, _nanoseconds: int) -> int:
    return civil(seconds)[0]


def _month(seconds: int, _nanoseconds: int) -> int:
    return civil(seconds)[1] - 1


def _day_of_month(seconds: int, _nanoseconds: int) -> int:
    return civil(seconds)[2] - 1


def _date(seconds: int, _nanoseconds: int) -> int:
    return civil(seconds)[2]


def _day_of_year(seconds: int, _nanoseconds: int) -> int:
    year, month, day, _ = civil(seconds)
    return day_of_year(year, month, day)


def _day_of_week(seconds: int, _nanoseconds: int) -> int:
    return day_of_week(seconds)


def _hours(seconds: int, _nanoseconds: int) -> int:
    return seconds // 3600 % 24


def _minutes(seconds: int, _nanoseconds: int) -> int:
    return seconds // 60 % 60


def _seconds(seconds: int, _nanoseconds: int) -> int:
    return seconds % 60


def _milliseconds(_seconds: int, nanoseconds: int) -> int:
    return nanoseconds // 1_000_000


def _part(read: Callable[[int, int], int]) -> Callable[..., int]:
    def part(value: Timestamp, zone: str = "UTC") -> int:
        return read(local_seconds(value, zone), value.nanoseconds % NANOS_PER_SECOND)

    return part


def _span(unit: int) -> Callable[[Duration], int]:
    def span(value: Duration) -> int:
        whole = abs(value.nanoseconds) // unit
        return whole if value.nanoseconds >= 0 else -whole

    return span


LIBRARY: Final = Library()
_PARTS: Final = (
    ("getFullYear", "year", "year_with_tz", _year),
    ("getMonth", "month", "month_with_tz", _month),
    ("getDayOfYear", "day_of_year", "day_of_year_with_tz", _day_of_year),
    ("getDayOfMonth", "day_of_month", "day_of_month_with_tz", _day_of_month),
    ("getDate", "day_of_month_1_based", "day_of_month_1_based_with_tz", _date),
    ("getDayOfWeek", "day_of_week", "day_of_week_with_tz", _day_of_week),
    ("getHours", "hours", "hours_with_tz", _hours),
    ("getMinutes", "minutes", "minutes_with_tz", _minutes),
    ("getSeconds", "seconds", "seconds_tz", _seconds),
    ("getMilliseconds", "milliseconds", "milliseconds_with_tz", _milliseconds),
)
_SPANS: Final = {
    "getHours": ("hours", 3600 * NANOS_PER_SECOND),
    "getMinutes": ("minutes", 60 * NANOS_PER_SECOND),
    "getSeconds": ("seconds", NANOS_PER_SECOND),
    "getMilliseconds": ("milliseconds", 1_000_000),
}
for _name, _id, _zoned_id, _read in _PARTS:
    LIBRARY.member(_name, f"timestamp_to_{_id}", (TIMESTAMP,), INT, _part(_read))
    LIBRARY.member(_name, f"timestamp_to_{_zoned_id}", (TIMESTAMP, STRING), INT, _part(_read))
    if _name in _SPANS:
        _word, _unit = _SPANS[_name]
        LIBRARY.member(_name, f"duration_to_{_word}", (DURATION,), INT, _span(_unit))
