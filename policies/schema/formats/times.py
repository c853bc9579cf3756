"""Dates, times and durations in text: ``date``, ``date-time`` and ``duration``.

Sources: k8s.io/kube-openapi ``pkg/validation/strfmt`` (date.go, time.go, duration.go) of kube-apiserver 1.36, and Go's
``time.ParseDuration``, whose overflow is part of the verdict.
"""

from __future__ import annotations

import re
from typing import Final

_DATE: Final = re.compile(r"([0-9]{4})-([0-9]{2})-([0-9]{2})")
_TIME: Final = re.compile(r"([0-9]{2}):([0-9]{2}):([0-9]{2})(?:.[0-9]+)?(?:[zZ]|[+-][0-9]{2}:[0-9]{2})")
_DATE_END: Final = re.compile(r"[tT]")
_MONTH_DAYS: Final = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)

_GO_UNITS: Final = {
    "ns": 1, "us": 10**3, "µs": 10**3, "μs": 10**3, "ms": 10**6, "s": 10**9, "m": 60 * 10**9, "h": 3600 * 10**9,
}  # fmt: skip
_GO_DURATION: Final = re.compile(r"(?:[0-9]*(?:\.[0-9]*)?[^0-9.]+)+")
_GO_PART: Final = re.compile(r"([0-9]*)(\.[0-9]*)?([^0-9.]+)")
_LIMIT: Final = 2**63

_LOOSE_PART: Final = re.compile(r"([0-9]+)[\t\n\f\r ]*([A-Za-zµ]+)")
_UNIT_NAMES: Final = frozenset({"ns", "us", "µs", "ms", "s", "m", "h", "hr", "d", "w", "wk"})
_UNIT_PREFIXES: Final = ("nano", "micro", "milli", "sec", "min", "hour", "day", "week")


def is_date(text: str) -> bool:
    """A day of the calendar, ``2006-01-02``; the year 0000 is one."""
    match = _DATE.fullmatch(text)
    if match is None:
        return False
    year, month, day = map(int, match.groups())
    if not 1 <= month <= 12:
        return False
    leap_day = month == 2 and (year % 4 == 0 and (year % 100 != 0 or year % 400 == 0))
    return 1 <= day <= _MONTH_DAYS[month - 1] + leap_day


def is_date_time(text: str) -> bool:
    """A date, a T, a time of day and an offset; what follows another T is not looked at, and the offset may be any."""
    parts = _DATE_END.split(text)
    if len(parts) < 2 or not is_date(parts[0]):
        return False
    match = _TIME.fullmatch(parts[1])
    return match is not None and match[1] <= "23" and match[2] <= "59" and match[3] <= "59"


def _part_nanoseconds(whole: str, fraction: str, unit: str) -> int | None:
    """One number and unit; `None` where it is no number, no unit, or too large."""
    size = _GO_UNITS.get(unit)
    if size is None or not (whole or len(fraction) > 1):
        return None
    number = int(whole[-30:] or "0") if len(whole.lstrip("0")) <= 19 else _LIMIT + 1
    if number > _LIMIT // size:
        return None
    digits, scale = 0, 1.0
    for digit in fraction[1:]:
        # Digits beyond what an int64 holds are dropped.
        if digits > (_LIMIT - 1) // 10 or digits * 10 + int(digit) > _LIMIT:
            break
        digits = digits * 10 + int(digit)
        scale *= 10
    total = number * size + int(digits * (size / scale))
    return total if total <= _LIMIT else None


def is_go_duration(text: str) -> bool:
    """What Go's ``time.ParseDuration`` takes: ``1h30m``, ``.5s``, ``-1.s``, ``0``."""
    body = text[1:] if text[:1] in ("-", "+") else text
    if body == "0":
        return True
    if not _GO_DURATION.fullmatch(body):
        return False
    total = 0
    for whole, fraction, unit in _GO_PART.findall(body):
        part = _part_nanoseconds(whole, fraction, unit)
        if part is None:
            return False
        total = (total + part) % 2**64
        if total > _LIMIT:
            return False
    return text.startswith("-") or total < _LIMIT


def is_duration(text: str) -> bool:
    """A Go duration, or anything in which a number is followed by the name of a unit: ``3 weeks``, ``P1D``."""
    if is_go_duration(text):
        return True
    known = False
    for number, unit in _LOOSE_PART.findall(text):
        if len(number.lstrip("0")) > 19 or int(number[-30:]) >= _LIMIT:
            return False
        name = unit.lower()
        known = known or name in _UNIT_NAMES or name.startswith(_UNIT_PREFIXES)
    return known
