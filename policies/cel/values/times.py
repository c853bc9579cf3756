"""Reads and prints timestamps, and prints durations, as Go's `time` package and Kubernetes' string formats do.

Durations are int64 nanoseconds, timestamps lie in the years 1 to 9999. Sources: Go's time/format.go, kube-openapi's
`pkg/validation/strfmt` (which also reads times without a zone).
"""

from __future__ import annotations

from typing import Final

from weighbridge.policies.cel.values.calendar import civil
from weighbridge.policies.cel.values.values import NANOS_PER_SECOND, Duration, Timestamp
from weighbridge.policies.ground.expressions import expression
from weighbridge.policies.ground.go_text import time_quote
from weighbridge.policies.schema.go_time import LAYOUT, TimeParseError, extra_text, unix_seconds
from weighbridge.policies.schema.metadata_errors import out_of_range

MIN_UNIX: Final = -62135596800
MAX_UNIX: Final = 253402300799
MIN_INT64: Final = -(1 << 63)
MAX_INT64: Final = (1 << 63) - 1

_FRACTION: Final = expression(r"[.,]([0-9]+)")
_OFFSET: Final = expression(r"([+-])([0-9]{2}):([0-9]{2})$")
_LOCAL: Final = expression(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{1,2}:[0-9]{2}:[0-9]{2}(?:[.,][0-9]+)?")
_DATE: Final = expression(r"[0-9]{4}-([0-9]{2})-[0-9]{2}")


def parse_timestamp(text: str) -> Timestamp:
    """``time.Parse(time.RFC3339, text)``; raises TimeParseError with Go's words."""
    seconds = unix_seconds(text)
    return Timestamp(seconds * NANOS_PER_SECOND + _nanoseconds(text), _zone_offset(text))


def _nanoseconds(text: str) -> int:
    match = _FRACTION.search(text)
    return int(match[1][:9].ljust(9, "0")) if match else 0


def _zone_offset(text: str) -> int:
    match = _OFFSET.search(text)
    if match is None:
        return 0
    offset = int(match[2]) * 3600 + int(match[3]) * 60
    return -offset if match[1] == "-" else offset


def parse_date_time(text: str) -> Timestamp:
    """A string of format ``date-time``: RFC 3339, or the same without a zone; empty is 1970. Raises TimeParseError."""
    if not text:
        return Timestamp(0)
    try:
        return parse_timestamp(text)
    except TimeParseError as error:
        match = _LOCAL.match(text)
        if match is None:
            raise TimeParseError(str(error).replace(LAYOUT, "2006-01-02T15:04:05")) from None
        return _local(text, match.group())


def _local(text: str, beginning: str) -> Timestamp:
    """The time that a text begins with, in UTC. Raises TimeParseError if more text follows."""
    try:
        local = parse_timestamp(f"{beginning}Z")
    except TimeParseError as error:
        # Go checks the day of the month last, after the text that follows.
        if text == beginning or not str(error).endswith(f": {out_of_range('day')}"):
            raise TimeParseError(str(error).replace(f'"{beginning}Z"', time_quote(text))) from None
    else:
        if text == beginning:
            return local
    raise extra_text(text, text[len(beginning) :])


def parse_date(text: str) -> Timestamp:
    """A string of format ``date``. Raises TimeParseError."""
    match = _DATE.match(text)
    if match is not None and match.end() < len(text) and 1 <= int(match[1]) <= 12:
        # Go checks the day of the month last, after the text that follows.
        raise extra_text(text, text[match.end() :])
    try:
        return parse_timestamp(text + "T00:00:00Z")
    except TimeParseError as error:
        message = str(error).replace("T00:00:00Z", "").replace(LAYOUT, "2006-01-02")
        raise TimeParseError(message) from None


def duration_text(value: Duration) -> str:
    """A duration as ``string()`` prints it: seconds without an exponent."""
    seconds, rest = divmod(abs(value.nanoseconds), NANOS_PER_SECOND)
    # Go adds two floats, whose sum isn't always the nearest float.
    total = seconds + rest / NANOS_PER_SECOND
    return f"{plain_float(-total if value.nanoseconds < 0 else total)}s"


def plain_float(value: float) -> str:
    """``strconv.FormatFloat(value, 'f', -1, 64)``: shortest digits, never an exponent."""
    text = repr(value)
    if "e" not in text:
        return text.removesuffix(".0")
    mantissa, _, exponent = text.partition("e")
    sign = "-" if mantissa.startswith("-") else ""
    digits = mantissa.lstrip("-").replace(".", "")
    point = len(mantissa.lstrip("-").partition(".")[0]) + int(exponent)
    if point <= 0:
        return f"{sign}0.{'0' * -point}{digits}".rstrip("0") if digits.strip("0") else f"{sign}0"
    if point >= len(digits):
        return sign + digits.ljust(point, "0")
    return f"{sign}{digits[:point]}.{digits[point:]}"


def timestamp_text(value: Timestamp) -> str:
    """A timestamp as ``string()`` prints it: RFC 3339 in its own zone, with a fraction only if there is one."""
    return _rfc3339(value.nanoseconds, value.offset)


def go_time_text(value: Timestamp) -> str:
    """A timestamp as Go's ``Time.String`` prints it: a zone that isn't UTC has no name, so its offset comes twice."""
    text = timestamp_text(value)
    if value.offset == 0:
        return f"{text[:10]} {text[11:-1]} +0000 UTC"
    zone = text[-6:].replace(":", "")
    return f"{text[:10]} {text[11:-6]} {zone} {zone}"


def _rfc3339(nanoseconds: int, offset: int) -> str:
    seconds, nanos = divmod(nanoseconds, NANOS_PER_SECOND)
    year, month, day, rest = civil(seconds + offset)
    fraction = f".{nanos:09d}".rstrip("0") if nanos else ""
    zone = "Z" if offset == 0 else f"{'-' if offset < 0 else '+'}{abs(offset) // 3600:02d}:{abs(offset) % 3600 // 60:02d}"
    return f"{year:04d}-{month:02d}-{day:02d}T{rest // 3600:02d}:{rest % 3600 // 60:02d}:{rest % 60:02d}{fraction}{zone}"
