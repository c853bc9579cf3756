"""Days, months and zones of timestamps, for the years 1 to 9999, and just beyond if a zone shifts a time there.

Days are counted in the proleptic Gregorian calendar. Zones are names of the IANA database, or ``+hh:mm``.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from weighbridge.policies.cel.run_time_errors import INVALID_LOCATION, no_number_in_zone, unknown_zone
from weighbridge.policies.cel.values.values import CelError, Timestamp
from weighbridge.policies.ground.expressions import expression
from weighbridge.policies.schema.go_time import civil_from_days, is_leap

if TYPE_CHECKING:
    from zoneinfo import ZoneInfo

_SECONDS_PER_DAY: Final = 86_400
_ATOI: Final = expression(r"[+-]?[0-9]+")


def civil(seconds: int) -> tuple[int, int, int, int]:
    """Year, month, day and second of the day of a Unix time."""
    days, rest = divmod(seconds, _SECONDS_PER_DAY)
    return *civil_from_days(days), rest


def day_of_year(year: int, month: int, day: int) -> int:
    """Zero-based day of the year."""
    before = (0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334)[month - 1]
    return before + (is_leap(year) and month > 2) + day - 1


def day_of_week(seconds: int) -> int:
    """Zero-based from Sunday."""
    return (seconds // _SECONDS_PER_DAY + 4) % 7


def local_seconds(value: Timestamp, zone: str) -> int:
    """Seconds since 1970 by a clock in `zone`; raises CelError for an unknown zone."""
    return value.seconds + zone_offset(value.seconds, zone)


def zone_offset(seconds: int, zone: str) -> int:
    """How far `zone` is ahead of UTC at that time."""
    head, colon, tail = zone.partition(":")
    if colon:
        hours, minutes = _atoi(head), _atoi(tail)
        return (hours * 60 - minutes if zone.startswith("-") else hours * 60 + minutes) * 60
    if zone in ("", "UTC"):
        return 0
    info = _zone(zone)
    # Times that `datetime` can't hold have the offset of the nearest one that it can.
    bounded = min(max(seconds, -62_135_000_000), 253_402_000_000)
    moment = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(seconds=bounded)
    offset = info.utcoffset(moment.astimezone(info))
    return 0 if offset is None else int(offset.total_seconds())


def _atoi(text: str) -> int:
    if not _ATOI.fullmatch(text):
        raise CelError(no_number_in_zone(text))
    return int(text)


@lru_cache(maxsize=64)
def _zone(name: str) -> ZoneInfo:
    from zoneinfo import ZoneInfo

    if name == "Local" or ".." in name or name.startswith(("/", "\\")):
        if name == "Local":
            return ZoneInfo("UTC")
        raise CelError(INVALID_LOCATION)
    try:
        return ZoneInfo(name)
    except (LookupError, ValueError, OSError):
        raise CelError(unknown_zone(name)) from None
