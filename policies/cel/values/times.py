"""Timestamps and durations as text: the parsers and printers of Go's `time` package and of Kubernetes' string formats.

Durations are int64 nanoseconds, timestamps lie in the years 1 to 9999. Sources: Go's time/format.go, kube-openapi's
`pkg/validation/strfmt` (which also reads ``1 day`` and times without a zone).
"""

from __future__ import annotations

import re
from typing import Final

from policies.cel.values.calendar import civil
from policies.cel.values.values import NANOS_PER_SECOND, Duration, Timestamp
from policies.schema.go_time import TimeParseError, extra_text, unix_seconds

MIN_UNIX: Final = -62135596800
MAX_UNIX: Final = 253402300799
MIN_INT64: Final = -(1 << 63)
MAX_INT64: Final = (1 << 63) - 1

_UNITS: Final = {
    "ns": 1, "us": 1_000, "µs": 1_000, "μs": 1_000, "ms": 1_000_000, "s": NANOS_PER_SECOND, "m": 60 * NANOS_PER_SECOND,
    "h": 3600 * NANOS_PER_SECOND,
}  # fmt: skip
_PART: Final = re.compile(r"(?P<whole>[0-9]*)(?:\.(?P<fraction>[0-9]*))?(?P<unit>[^.0-9]+)")
_WORDY_PART: Final = re.compile(r"([0-9]+)\s*([A-Za-zµ]+)", re.ASCII)
_WORDY_UNITS: Final = (
    (("ns", "nano"), 1),
    (("us", "µs", "micro"), 1_000),
    (("ms", "milli"), 1_000_000),
    (("s", "sec"), NANOS_PER_SECOND),
    (("m", "min"), 60 * NANOS_PER_SECOND),
    (("h", "hr", "hour"), 3600 * NANOS_PER_SECOND),
    (("d", "day"), 24 * 3600 * NANOS_PER_SECOND),
    (("w", "wk", "week"), 7 * 24 * 3600 * NANOS_PER_SECOND),
)
_FRACTION: Final = re.compile(r"[.,]([0-9]+)")
_OFFSET: Final = re.compile(r"([+-])([0-9]{2}):([0-9]{2})$")
_LOCAL: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{1,2}:[0-9]{2}:[0-9]{2}(?:[.,][0-9]+)?")
_DATE: Final = re.compile(r"[0-9]{4}-([0-9]{2})-[0-9]{2}")


def parse_duration(text: str) -> Duration | None:
    """``time.ParseDuration``: ``1h2.5s``; `None` for what it refuses."""
    negative = text.startswith("-")
    rest = text[1:] if text[:1] in ("-", "+") else text
    if rest == "0":
        return Duration(0)
    if not rest:
        return None
    total = 0
    position = 0
    while position < len(rest):
        match = _PART.match(rest, position)
        if match is None or not (match["whole"] or match["fraction"]):
            return None
        part = _duration_part(match["whole"], match["fraction"] or "", match["unit"])
        if part is None or (total := total + part) > 1 << 63:
            return None
        position = match.end()
    if total > MAX_INT64 and not negative:
        return None
    return Duration(-total if negative else total)


def _duration_part(whole: str, fraction: str, unit: str) -> int | None:
    size = _UNITS.get(unit)
    number = int(whole or "0") if len(whole) < 25 else 1 << 70
    if size is None or number > (1 << 63) // size:
        return None
    number *= size
    if fraction:
        digits = fraction[:18]
        number += int(float(int(digits)) * (size / float(10 ** len(digits))))
    return number if number <= 1 << 63 else None


def parse_wordy_duration(text: str) -> Duration | None:
    """A string of format ``duration``: as `parse_duration`, else numbers and unit words anywhere in the text."""
    found = parse_duration(text)
    if found is not None:
        return found
    total = 0
    understood = False
    for digits, word in _WORDY_PART.findall(text):
        if len(digits) > 19 or int(digits) > MAX_INT64:
            return None
        unit = word.lower()
        for variants, size in _WORDY_UNITS:
            count = sum(unit == variant for variant in variants[:-1]) + unit.startswith(variants[-1])
            total += int(digits) * size * count
            understood = understood or count > 0
    return Duration((total - MIN_INT64) % (1 << 64) + MIN_INT64) if understood else None


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
            raise TimeParseError(str(error).replace("2006-01-02T15:04:05Z07:00", "2006-01-02T15:04:05")) from None
        local = parse_timestamp(match.group() + "Z")
        if match.end() < len(text):
            raise extra_text(text, text[match.end() :]) from None
        return local


def parse_date(text: str) -> Timestamp:
    """A string of format ``date``. Raises TimeParseError."""
    match = _DATE.match(text)
    if match is not None and match.end() < len(text) and 1 <= int(match[1]) <= 12:
        # Whether the month has the day is asked last.
        raise extra_text(text, text[match.end() :])
    try:
        return parse_timestamp(text + "T00:00:00Z")
    except TimeParseError as error:
        message = str(error).replace("T00:00:00Z", "").replace("2006-01-02T15:04:05Z07:00", "2006-01-02")
        raise TimeParseError(message) from None


def duration_text(value: Duration) -> str:
    """A duration as ``string()`` prints it: seconds without an exponent."""
    seconds = value.nanoseconds / NANOS_PER_SECOND
    return f"{plain_float(seconds)}s"


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
    """A timestamp as ``string()`` prints it: RFC 3339 in its own zone, a fraction only where there is one."""
    return _rfc3339(value.nanoseconds, value.offset)


def _rfc3339(nanoseconds: int, offset: int) -> str:
    seconds, nanos = divmod(nanoseconds, NANOS_PER_SECOND)
    year, month, day, rest = civil(seconds + offset)
    fraction = f".{nanos:09d}".rstrip("0") if nanos else ""
    zone = "Z" if offset == 0 else f"{'-' if offset < 0 else '+'}{abs(offset) // 3600:02d}:{abs(offset) % 3600 // 60:02d}"
    return f"{year:04d}-{month:02d}-{day:02d}T{rest // 3600:02d}:{rest % 3600 // 60:02d}:{rest % 60:02d}{fraction}{zone}"
