"""Reads an RFC 3339 time as Go's ``time.Parse`` does, with Go's words where it can't.

More lenient than RFC 3339 in Go's own ways (an hour of one digit, a comma before the fraction). Source: Go's time/format.go.
"""

from __future__ import annotations

from typing import Final

from weighbridge.policies.ground.go_text import time_quote, without_surrogates
from weighbridge.policies.schema import metadata_errors

#: The layout of a time as Go writes it.
LAYOUT: Final = "2006-01-02T15:04:05Z07:00"
_SECONDS_PER_DAY: Final = 86_400
#: Days from 0000-03-01 to 1970-01-01 in the Gregorian calendar.
_EPOCH_DAY: Final = 719_468


class TimeParseError(ValueError):
    """The text isn't a time; the message is Go's."""


def extra_text(whole: str, rest: str) -> TimeParseError:
    """The error for text after a complete time."""
    return _Reader(whole).complain(metadata_errors.extra_text(_quote(_Reader(rest).whole)))


class _Reader:
    """Consumes the value element by element. Go works on bytes, so the text has one character per byte."""

    def __init__(self, text: str) -> None:
        self.whole = self.rest = without_surrogates(text).encode().decode("latin-1")

    def fail(self, element: str, *, at: str | None = None) -> TimeParseError:
        rest = self.rest if at is None else at
        return TimeParseError(metadata_errors.unexpected_in_time(_quote(self.whole), _quote(LAYOUT), _quote(rest), _quote(element)))

    def complain(self, what: str) -> TimeParseError:
        return TimeParseError(metadata_errors.unreadable_time(_quote(self.whole), what))

    def skip(self, separator: str) -> None:
        if not self.rest.startswith(separator):
            raise self.fail(separator)
        self.rest = self.rest[1:]

    def number(self, element: str, below: int | None, name: str, *, fixed: bool = True) -> int:
        """Two digits (one suffices where the layout isn't fixed), less than `below`."""
        digits = 2 if _are_digits(self.rest[:2], 2) else 1
        if not _are_digits(self.rest[:digits], digits) or (fixed and digits == 1):
            raise self.fail(element)
        value, self.rest = int(self.rest[:digits]), self.rest[digits:]
        if below is not None and value >= below:
            raise self.complain(metadata_errors.out_of_range(name))
        return value


def _are_digits(text: str, count: int) -> bool:
    return len(text) == count and text.isascii() and text.isdigit()


def _quote(text: str) -> str:
    return time_quote(text.encode("latin-1"))


def is_leap(year: int) -> bool:
    """Whether a year has a 29th of February."""
    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)


def _days_in(month: int, year: int) -> int:
    if month == 2:
        return 28 + is_leap(year)
    return 30 if month in {4, 6, 9, 11} else 31


def _read_year(reader: _Reader) -> int:
    if not _are_digits(reader.rest[:4], 4):
        raise reader.fail("2006")
    year, reader.rest = int(reader.rest[:4]), reader.rest[4:]
    return year


def _read_offset(reader: _Reader) -> int:
    """The zone's offset in seconds; the server accepts 24 hours and 60 minutes, since people write them."""
    if reader.rest.startswith("Z"):
        reader.rest = reader.rest[1:]
        return 0
    before = reader.rest
    if len(before) < 6 or before[3] != ":":
        raise reader.fail("Z07:00")
    sign, hour, minute = before[0], before[1:3], before[4:6]
    reader.rest = before[6:]
    hours = int(hour) if _are_digits(hour, 2) else -1
    minutes = int(minute) if hours >= 0 and _are_digits(minute, 2) else -1
    if minutes > 60:
        raise reader.complain(metadata_errors.offset_out_of_range("minute"))
    if hours > 24:
        raise reader.complain(metadata_errors.offset_out_of_range("hour"))
    if minutes < 0 or sign not in "+-":
        raise reader.fail("Z07:00", at=before)
    offset = (hours * 60 + minutes) * 60
    return -offset if sign == "-" else offset


def unix_seconds(text: str) -> int:
    """The time as whole seconds since 1970 (a fraction is cut off). Raises TimeParseError."""
    reader = _Reader(text)
    year = _read_year(reader)
    reader.skip("-")
    month = reader.number("01", None, "month")
    if not 1 <= month <= 12:
        raise reader.complain(metadata_errors.out_of_range("month"))
    reader.skip("-")
    day = reader.number("02", None, "day")
    reader.skip("T")
    hour = reader.number("15", 24, "hour", fixed=False)
    reader.skip(":")
    minute = reader.number("04", 60, "minute")
    reader.skip(":")
    second = reader.number("05", 60, "second")
    if reader.rest[:1] in {".", ","} and _are_digits(reader.rest[1:2], 1):
        fraction = reader.rest[1:]
        reader.rest = fraction.lstrip("0123456789")
    offset = _read_offset(reader)
    if reader.rest:
        raise reader.complain(metadata_errors.extra_text(_quote(reader.rest)))
    if not 1 <= day <= _days_in(month, year):
        raise reader.complain(metadata_errors.out_of_range("day"))
    return _days_from_civil(year, month, day) * _SECONDS_PER_DAY + hour * 3600 + minute * 60 + second - offset


def utc_text(seconds: int) -> str:
    """Seconds since 1970 as Kubernetes writes a time: in UTC, without a fraction."""
    days, rest = divmod(seconds, _SECONDS_PER_DAY)
    year, month, day = civil_from_days(days)
    sign = "-" if year < 0 else ""
    return f"{sign}{abs(year):04d}-{month:02d}-{day:02d}T{rest // 3600:02d}:{rest % 3600 // 60:02d}:{rest % 60:02d}Z"


def _days_from_civil(year: int, month: int, day: int) -> int:
    """Days since 1970-01-01; `datetime` knows no year 0."""
    if month <= 2:
        year -= 1
    era, year_of_era = divmod(year, 400)
    day_of_year = (153 * ((month + 9) % 12) + 2) // 5 + day - 1
    return era * 146_097 + year_of_era * 365 + year_of_era // 4 - year_of_era // 100 + day_of_year - _EPOCH_DAY


def civil_from_days(days: int) -> tuple[int, int, int]:
    """Year, month and day of days since 1970-01-01."""
    era, day_of_era = divmod(days + _EPOCH_DAY, 146_097)
    year_of_era = (day_of_era - day_of_era // 1460 + day_of_era // 36_524 - day_of_era // 146_096) // 365
    day_of_year = day_of_era - (365 * year_of_era + year_of_era // 4 - year_of_era // 100)
    shifted = (5 * day_of_year + 2) // 153
    day = day_of_year - (153 * shifted + 2) // 5 + 1
    month = shifted + 3 if shifted < 10 else shifted - 9
    return year_of_era + era * 400 + (month <= 2), month, day


#: The zero time of Go, which Kubernetes writes as null.
ZERO_TIME: Final = unix_seconds("0001-01-01T00:00:00Z")
