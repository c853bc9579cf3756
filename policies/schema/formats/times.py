"""Dates, times and durations in text: ``date``, ``date-time`` and ``duration``.

Source: k8s.io/kube-openapi ``pkg/validation/strfmt`` (date.go, time.go, duration.go) of kube-apiserver 1.36.
"""

from __future__ import annotations

from typing import Final

from weighbridge.policies.ground.durations import wordy_nanoseconds
from weighbridge.policies.ground.expressions import expression
from weighbridge.policies.schema.go_time import is_leap

_DATE: Final = expression(r"([0-9]{4})-([0-9]{2})-([0-9]{2})")
_TIME: Final = expression(r"([0-9]{2}):([0-9]{2}):([0-9]{2})(?:.[0-9]+)?(?:[zZ]|[+-][0-9]{2}:[0-9]{2})")
_DATE_END: Final = expression(r"[tT]")
_MONTH_DAYS: Final = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)


def is_date(text: str) -> bool:
    """A day of the calendar, ``2006-01-02``; the year 0000 is one."""
    match = _DATE.fullmatch(text)
    if match is None:
        return False
    year, month, day = map(int, match.groups())
    if not 1 <= month <= 12:
        return False
    return 1 <= day <= _MONTH_DAYS[month - 1] + (month == 2 and is_leap(year))


def is_date_time(text: str) -> bool:
    """A date, a T, a time of day and an offset; text after a second T is ignored, and the offset can have any value."""
    parts = _DATE_END.split(text)
    if len(parts) < 2 or not is_date(parts[0]):
        return False
    match = _TIME.fullmatch(parts[1])
    return match is not None and match[1] <= "23" and match[2] <= "59" and match[3] <= "59"


def is_duration(text: str) -> bool:
    """A Go duration, or anything in which a number is followed by the name of a unit: ``3 weeks``, ``P1D``."""
    return wordy_nanoseconds(text) is not None
