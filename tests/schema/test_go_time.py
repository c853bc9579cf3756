"""Times of RFC 3339 as seconds since 1970 and back: the calendar, the offset of the zone, and the edges of each element."""

from __future__ import annotations

from calendar import monthrange
from datetime import UTC, datetime

import pytest

from weighbridge.policies.schema.go_time import ZERO_TIME, TimeParseError, extra_text, unix_seconds, utc_text

LAYOUT = ' as "2006-01-02T15:04:05Z07:00"'


def test_the_calendar_of_two_centuries_is_the_gregorian_one() -> None:
    for year in range(1896, 2106):
        for month in range(1, 13):
            for day in (1, 28, monthrange(year, month)[1]):
                text = f"{year}-{month:02d}-{day:02d}T00:00:00Z"
                seconds = int(datetime(year, month, day, tzinfo=UTC).timestamp())
                assert (unix_seconds(text), utc_text(seconds)) == (seconds, text)


@pytest.mark.parametrize("year", [1600, 1900, 2000, 2023, 2024])
def test_a_month_ends_with_its_last_day(year: int) -> None:
    for month in range(1, 13):
        last = monthrange(year, month)[1]
        assert utc_text(unix_seconds(f"{year}-{month:02d}-{last}T00:00:00Z")) == f"{year}-{month:02d}-{last}T00:00:00Z"
        with pytest.raises(TimeParseError, match="day out of range"):
            unix_seconds(f"{year}-{month:02d}-{last + 1}T00:00:00Z")


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("1970-01-01T00:00:00Z", 0),
        ("1969-12-31T23:59:59Z", -1),
        ("1970-01-01T01:02:03Z", 3723),
        ("1970-01-01T23:59:59Z", 86_399),
        ("1970-01-02T00:00:00Z", 86_400),
        ("2001-09-09T01:46:40Z", 1_000_000_000),
        ("0001-01-01T00:00:00Z", -62_135_596_800),
        ("0000-03-01T00:00:00Z", -62_162_035_200),
        ("0000-02-29T00:00:00Z", -62_162_121_600),
        ("0000-01-01T00:00:00Z", -62_167_219_200),
        ("0400-02-29T00:00:00Z", -49_539_340_800),
        ("0400-03-01T00:00:00Z", -49_539_254_400),
        ("9999-12-31T23:59:59Z", 253_402_300_799),
    ],
)
def test_a_time_is_its_seconds_and_they_are_that_time(text: str, seconds: int) -> None:
    assert unix_seconds(text) == seconds
    assert utc_text(seconds) == text


def test_gos_zero_time_is_the_first_second_of_the_year_1() -> None:
    assert ZERO_TIME == -62_135_596_800


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (-62_167_219_201, "-0001-12-31T23:59:59Z"),
        (253_402_300_800, "10000-01-01T00:00:00Z"),
        (-62_198_755_200, "-0001-01-01T00:00:00Z"),
    ],
)
def test_a_year_beyond_four_digits_is_still_written(seconds: int, text: str) -> None:
    assert utc_text(seconds) == text


@pytest.mark.parametrize(
    ("zone", "seconds"),
    [
        ("Z", 0),
        ("+00:00", 0),
        ("-00:00", 0),
        ("+00:01", -60),
        ("-00:01", 60),
        ("+05:30", -19_800),
        ("-05:30", 19_800),
        ("+00:60", -3600),
        ("-24:60", 90_000),
        ("+24:00", -86_400),
    ],
)
def test_the_offset_of_a_zone_is_taken_off(zone: str, seconds: int) -> None:
    assert unix_seconds(f"1970-01-01T00:00:00{zone}") == seconds


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("1970-01-01T7:00:00Z", 25_200),
        ("1970-01-01T00:00:01.9Z", 1),
        ("1970-01-01T00:00:01,999999999999Z", 1),
        ("1970-01-01T00:00:01.5+00:01", -59),
    ],
)
def test_an_hour_may_have_one_digit_and_a_fraction_is_cut_off(text: str, seconds: int) -> None:
    assert unix_seconds(text) == seconds


@pytest.mark.parametrize(
    ("text", "rest", "element"),
    [
        ("197-01-01T00:00:00Z", "197-01-01T00:00:00Z", "2006"),
        ("197", "197", "2006"),
        ("1970", "", "-"),
        ("1970-", "", "01"),
        ("1970-1", "1", "01"),
        ("1970-x1", "x1", "01"),
        ("1970-01", "", "-"),
        ("1970-01-1T", "1T", "02"),
        ("1970-01-01 00:00:00Z", " 00:00:00Z", "T"),
        ("1970-01-01Tx", "x", "15"),
        ("1970-01-01T", "", "15"),
        ("1970-01-01T00-00", "-00", ":"),
        ("1970-01-01T00:0:00Z", "0:00Z", "04"),
        ("1970-01-01T00:00", "", ":"),
        ("1970-01-01T00:00:0Z", "0Z", "05"),
        ("1970-01-01T00:00:00.Z", ".Z", "Z07:00"),
        ("1970-01-01T00:00:00;5Z", ";5Z", "Z07:00"),
        ("1970-01-01T00:00:00+01:0", "+01:0", "Z07:00"),
        ("1970-01-01T00:00:00+0100:", "+0100:", "Z07:00"),
        ("1970-01-01T00:00:00+x1:00", "+x1:00", "Z07:00"),
        ("1970-01-01T00:00:00+01:x0", "+01:x0", "Z07:00"),
        ("1970-01-01T00:00:00.5~01:00", "~01:00", "Z07:00"),
        ("1970-01-01T00:00:00z", "z", "Z07:00"),
    ],
)
def test_the_element_that_cannot_be_read_is_named_with_what_stands_there(text: str, rest: str, element: str) -> None:
    with pytest.raises(TimeParseError) as raised:
        unix_seconds(text)
    assert str(raised.value) == f'parsing time "{text}"{LAYOUT}: cannot parse "{rest}" as "{element}"'


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("1970-00-01T00:00:00Z", "month out of range"),
        ("1970-13-01T00:00:00Z", "month out of range"),
        ("1970-01-00T00:00:00Z", "day out of range"),
        ("1970-01-32T00:00:00Z", "day out of range"),
        ("1970-01-99T24:00:00Z", "hour out of range"),
        ("1970-01-01T23:60:00Z", "minute out of range"),
        ("1970-01-01T23:59:60Z", "second out of range"),
        ("1970-01-01T00:00:00+24:61", "time zone offset minute out of range"),
        ("1970-01-01T00:00:00+25:61", "time zone offset minute out of range"),
        ("1970-01-01T00:00:00+25:60", "time zone offset hour out of range"),
        ("1970-01-01T00:00:00Z ", 'extra text: " "'),
        ("1970-01-32T00:00:00Z+", 'extra text: "+"'),
        ("1970-01-01T00:00:00+01:000", 'extra text: "0"'),
    ],
)
def test_an_element_beyond_its_range_is_named(text: str, what: str) -> None:
    with pytest.raises(TimeParseError) as raised:
        unix_seconds(text)
    assert str(raised.value) == f'parsing time "{text}": {what}'


def test_text_behind_a_complete_time_is_quoted_byte_by_byte() -> None:
    assert str(extra_text("1970é", "\té\x7f~ \\")) == 'parsing time "1970\\xc3\\xa9": extra text: "\\x09\\xc3\\xa9\x7f~ \\\\"'
