"""The parts of timestamps and durations at the edges of days, months, years and zones, as Kubernetes 1.36 reads them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from weighbridge.policies.cel.library.standard_time import LIBRARY
from weighbridge.policies.cel.values.calendar import civil, day_of_week, day_of_year, zone_offset
from weighbridge.policies.cel.values.times import parse_timestamp
from weighbridge.policies.cel.values.values import CelError, Duration, Value
from weighbridge.policies.ground.durations import nanoseconds

_PARTS = (
    "getFullYear", "getMonth", "getDayOfYear", "getDayOfMonth", "getDate", "getDayOfWeek", "getHours", "getMinutes", "getSeconds",
    "getMilliseconds",
)  # fmt: skip
_SPANS = ("getHours", "getMinutes", "getSeconds", "getMilliseconds")
_LEAP_DAY = "2024-02-29T23:59:58.987654321Z"
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def _call(name: str, kind: str, *args: Value) -> Value:
    (found,) = (
        overload for overload in LIBRARY.functions[name].overloads if overload.id.startswith(kind) and len(overload.parameters) == len(args)
    )
    assert found.call is not None
    return found.call(*args)


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        (_LEAP_DAY, (2024, 1, 59, 28, 29, 4, 23, 59, 58, 987)),
        ("1900-03-01T00:00:00Z", (1900, 2, 59, 0, 1, 4, 0, 0, 0, 0)),
        ("0001-01-01T00:00:00Z", (1, 0, 0, 0, 1, 1, 0, 0, 0, 0)),
        ("9999-12-31T23:59:59.999Z", (9999, 11, 364, 30, 31, 5, 23, 59, 59, 999)),
        ("1969-12-31T23:59:59.9Z", (1969, 11, 364, 30, 31, 3, 23, 59, 59, 900)),
        ("2000-12-31T12:34:56+05:30", (2000, 11, 365, 30, 31, 0, 7, 4, 56, 0)),
    ],
)
def test_without_a_zone_parts_are_those_of_utc(text: str, parts: tuple[int, ...]) -> None:
    moment = parse_timestamp(text)
    assert tuple(_call(name, "timestamp", moment) for name in _PARTS) == parts
    assert tuple(_call(name, "timestamp", moment, "UTC") for name in _PARTS) == parts


@pytest.mark.parametrize(
    ("text", "zone", "parts"),
    [
        (_LEAP_DAY, "+05:45", (2024, 2, 60, 0, 1, 5, 5, 44, 58, 987)),
        (_LEAP_DAY, "-03:30", (2024, 1, 59, 28, 29, 4, 20, 29, 58, 987)),
        (_LEAP_DAY, "-00:30", (2024, 1, 59, 28, 29, 4, 23, 29, 58, 987)),
        (_LEAP_DAY, "America/New_York", (2024, 1, 59, 28, 29, 4, 18, 59, 58, 987)),
        (_LEAP_DAY, "Asia/Kathmandu", (2024, 2, 60, 0, 1, 5, 5, 44, 58, 987)),
        ("0001-01-01T00:00:00Z", "-00:01", (0, 11, 365, 30, 31, 0, 23, 59, 0, 0)),
        ("9999-12-31T23:59:59Z", "00:01", (10000, 0, 0, 0, 1, 6, 0, 0, 59, 0)),
    ],
)
def test_a_zone_shifts_all_parts_and_even_the_year_over_the_edge(text: str, zone: str, parts: tuple[int, ...]) -> None:
    assert tuple(_call(name, "timestamp", parse_timestamp(text), zone) for name in _PARTS) == parts


@pytest.mark.parametrize("zone", ["", "UTC", "Local"])
def test_names_without_a_place_are_utc(zone: str) -> None:
    assert zone_offset(0, zone) == 0


@pytest.mark.parametrize(
    ("zone", "offset"),
    [("+1:+2", 3720), ("-1:-2", -3480), ("14:59", 53940), ("-0:1", -60), ("America/New_York", -18000), ("Europe/Berlin", 3600)],
)
def test_a_zone_is_so_far_ahead_of_utc(zone: str, offset: int) -> None:
    assert zone_offset(0, zone) == offset


def test_a_zone_changes_its_offset_with_the_season_and_keeps_one_at_the_edges() -> None:
    summer, winter = (parse_timestamp(f"2024-{month}-01T00:00:00Z").seconds for month in ("07", "01"))
    assert (zone_offset(summer, "America/New_York"), zone_offset(winter, "America/New_York")) == (-14400, -18000)
    first, last = parse_timestamp("0001-01-01T00:00:00Z").seconds, parse_timestamp("9999-12-31T23:59:59Z").seconds
    assert (zone_offset(first, "America/New_York"), zone_offset(last, "America/New_York")) == (-17762, -18000)
    assert zone_offset(last, "Asia/Tokyo") == 32400


@pytest.mark.parametrize(
    ("zone", "error"),
    [
        ("../x", "time: invalid location name"),
        ("a..b", "time: invalid location name"),
        ("/etc/x", "time: invalid location name"),
        ("\\x", "time: invalid location name"),
        ("nowhere", "unknown time zone nowhere"),
        ("x:1", 'strconv.Atoi: parsing "x": invalid syntax'),
        ("1:x", 'strconv.Atoi: parsing "x": invalid syntax'),
        ("1:", 'strconv.Atoi: parsing "": invalid syntax'),
        ("a:b", 'strconv.Atoi: parsing "a": invalid syntax'),
    ],
)
def test_what_is_no_zone_is_an_error_in_gos_words(zone: str, error: str) -> None:
    with pytest.raises(CelError) as raised:
        zone_offset(0, zone)
    assert str(raised.value) == error


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("3h59m59.999999999s", (3, 239, 14399, 14399999)),
        ("-3h59m59.999999999s", (-3, -239, -14399, -14399999)),
        ("4h", (4, 240, 14400, 14400000)),
        ("-4h", (-4, -240, -14400, -14400000)),
        ("0s", (0, 0, 0, 0)),
        ("1ms", (0, 0, 0, 1)),
        ("-999us", (0, 0, 0, 0)),
    ],
)
def test_the_parts_of_a_duration_are_whole_units_cut_off_towards_zero(text: str, parts: tuple[int, ...]) -> None:
    length = nanoseconds(text)
    assert length is not None
    assert tuple(_call(name, "duration", Duration(length)) for name in _SPANS) == parts


@pytest.mark.parametrize("year", [1, 3, 4, 99, 100, 101, 399, 400, 401, 1600, 1899, 1900, 1970, 1999, 2000, 2001, 2024, 2100, 2400, 9999])
def test_the_calendar_is_gregorian_throughout(year: int) -> None:
    firsts = [datetime(year, month, 1, tzinfo=UTC) for month in range(1, 13)]
    for first in firsts:
        for day in (first, first + timedelta(days=14), first + timedelta(days=27, seconds=86399)):
            seconds = (day - _EPOCH) // timedelta(seconds=1)
            of_the_day = day.hour * 3600 + day.minute * 60 + day.second
            assert civil(seconds) == (day.year, day.month, day.day, of_the_day)
            assert day_of_year(day.year, day.month, day.day) == day.timetuple().tm_yday - 1
            assert day_of_week(seconds) == day.isoweekday() % 7
            if (year, first.month) != (1, 1):
                eve = day - timedelta(days=day.day)
                assert civil(seconds - day.day * 86400) == (eve.year, eve.month, eve.day, of_the_day)
