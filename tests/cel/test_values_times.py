"""How the formats `date` and `date-time` read times, and how times are printed."""

from __future__ import annotations

import pytest

from weighbridge.policies.cel.values.times import duration_text, parse_date, parse_date_time, parse_timestamp, timestamp_text
from weighbridge.policies.cel.values.values import Duration, Timestamp
from weighbridge.policies.schema.go_time import TimeParseError


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("2024-02-29T10:20:30Z", "2024-02-29T10:20:30Z"),
        ("2024-02-29T10:20:30", "2024-02-29T10:20:30Z"),
        ("2024-02-29T1:20:30", "2024-02-29T01:20:30Z"),
        ("2024-02-29T10:20:30.5", "2024-02-29T10:20:30.5Z"),
        ("2024-02-29T10:20:30,25", "2024-02-29T10:20:30.25Z"),
        ("2024-02-29T10:20:30.123456789+01:02", "2024-02-29T10:20:30.123456789+01:02"),
        ("2024-02-29T10:20:30.1234567899Z", "2024-02-29T10:20:30.123456789Z"),
        ("2024-02-29T10:20:30-11:59", "2024-02-29T10:20:30-11:59"),
        ("", "1970-01-01T00:00:00Z"),
    ],
)
def test_a_time_may_lack_its_zone(text: str, printed: str) -> None:
    assert timestamp_text(parse_date_time(text)) == printed


def test_a_date_is_its_midnight() -> None:
    assert parse_date("2024-02-29") == parse_timestamp("2024-02-29T00:00:00Z") == Timestamp(1709164800 * 10**9)


def test_times_know_their_offset_and_fraction() -> None:
    plus, minus = parse_timestamp("1970-01-01T00:00:00.000000001+01:30"), parse_timestamp("1970-01-01T00:00:00,9-00:45")
    assert (plus.nanoseconds, plus.offset, plus.seconds) == (-5400 * 10**9 + 1, 5400, -5400)
    assert (minus.nanoseconds, minus.offset, minus.seconds) == (2700_900_000_000, -2700, 2700)
    assert plus == Timestamp(plus.nanoseconds)
    assert hash(plus) == hash(Timestamp(plus.nanoseconds))
    lengths = (0, 1, -1, 10**9, 1_500_000_000)
    assert [duration_text(Duration(length)) for length in lengths] == ["0s", "0.000000001s", "-0.000000001s", "1s", "1.5s"]


# Each was printed by kube-openapi with Go 1.26.
@pytest.mark.parametrize(
    ("text", "as_time", "as_date"),
    [
        ("2024-02-29T10:20:30x", ': extra text: "x"', ': extra text: "T10:20:30x"'),
        ("2024-02-29T10:20:30.x", ': extra text: ".x"', ': extra text: "T10:20:30.x"'),
        ("2024-02-29T10:20:30+1", ': extra text: "+1"', ': extra text: "T10:20:30+1"'),
        ("2024-02-29T10:20", ' as "2006-01-02T15:04:05": cannot parse "" as ":"', ': extra text: "T10:20"'),
        ("2024-02-30T10:20:30", ": day out of range", ': extra text: "T10:20:30"'),
        ("2024-02-30T10:20:30x", ': extra text: "x"', ': extra text: "T10:20:30x"'),
        ("2024-02-29T25:20:30", ": hour out of range", ': extra text: "T25:20:30"'),
        ("2024-02-29T10:60:30", ": minute out of range", ': extra text: "T10:60:30"'),
        ("2024-02-29T10:20:30Zx", ': extra text: "Zx"', ': extra text: "T10:20:30Zx"'),
        ("2024-13-01", ": month out of range", ": month out of range"),
        ("2024-13-01x", ": month out of range", ": month out of range"),
        ("2024-00-01x", ": month out of range", ": month out of range"),
        ("2024-12-01x", ' as "2006-01-02T15:04:05": cannot parse "x" as "T"', ': extra text: "x"'),
        ("2024-01-01x", ' as "2006-01-02T15:04:05": cannot parse "x" as "T"', ': extra text: "x"'),
        ("2024-02-30x", ' as "2006-01-02T15:04:05": cannot parse "x" as "T"', ': extra text: "x"'),
        ("2024-02-30", ' as "2006-01-02T15:04:05": cannot parse "" as "T"', ": day out of range"),
        ("2024", ' as "2006-01-02T15:04:05": cannot parse "" as "-"', ' as "2006-01-02": cannot parse "" as "-"'),
        ("x", ' as "2006-01-02T15:04:05": cannot parse "x" as "2006"', ' as "2006-01-02": cannot parse "x" as "2006"'),
    ],
)
def test_what_is_no_time_and_no_date_is_told_as_the_server_does(text: str, as_time: str, as_date: str) -> None:
    for parse, problem in ((parse_date_time, as_time), (parse_date, as_date)):
        with pytest.raises(TimeParseError) as raised:
            parse(text)
        assert str(raised.value) == f'parsing time "{text}"{problem}'


def test_an_hour_out_of_range_is_told_before_what_follows() -> None:
    with pytest.raises(TimeParseError, match=r'^parsing time "2024-02-29T25:20:30\\x0a": hour out of range$'):
        parse_date_time("2024-02-29T25:20:30\n")
