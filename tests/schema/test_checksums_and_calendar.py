"""Formats with a checksum or a calendar date: every digit counts, and every month has its days."""

from __future__ import annotations

from calendar import monthrange

import pytest

from weighbridge.policies.schema.formats.predicates import is_of_format


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("isbn10", "0306406152"),
        ("isbn10", "9971502100"),
        ("isbn10", "097522980X"),
        ("isbn13", "9780306406157"),
        ("isbn13", "9783161484100"),
        ("creditcard", "4111111111111111"),
        ("creditcard", "4222222222222"),
        ("creditcard", "5105105105105100"),
        ("creditcard", "5555555555554444"),
        ("creditcard", "378282246310005"),
        ("creditcard", "6011000990139424"),
        ("creditcard", "30569309025904"),
        ("creditcard", "3530111333300000"),
    ],
)
def test_any_other_digit_breaks_the_checksum(name: str, text: str) -> None:
    assert is_of_format(name, text)
    others = [f"{text[:at]}{digit}{text[at + 1 :]}" for at in range(len(text)) for digit in "0123456789" if digit != text[at]]
    assert [other for other in others if is_of_format(name, other)] == []


@pytest.mark.parametrize("year", [0, 1, 1600, 1900, 2000, 2023, 2024])
def test_a_date_is_a_day_of_the_calendar(year: int) -> None:
    for month in range(1, 13):
        # Python's calendar has no year 0, which is a leap year like 2000.
        last = monthrange(year or 2000, month)[1]
        days = [day for day in range(100) if is_of_format("date", f"{year:04d}-{month:02d}-{day:02d}")]
        assert days == list(range(1, last + 1))
    assert not is_of_format("date", f"{year:04d}-00-01")
    assert not is_of_format("date", f"{year:04d}-13-01")


@pytest.mark.parametrize(
    ("text", "good"),
    [
        ("2024-02-29T23:59:59Z", True),
        ("2024-02-29T24:00:00Z", False),
        ("2024-02-29T23:60:00Z", False),
        ("2024-02-29T23:59:60Z", False),
        ("2024-02-30T00:00:00Z", False),
        ("2024-02-29T00:00:00.Z", False),
        ("2024-02-29T00:00:00.1Z", True),
        ("2024-02-29T00:00:00+99:99", True),
        ("2024-02-29T00:00:00+1:00", False),
        ("2024-02-29", False),
        ("2024-02-29T", False),
        ("T00:00:00Z", False),
    ],
)
def test_a_time_of_day_ends_before_midnight(text: str, good: bool) -> None:
    assert is_of_format("date-time", text) is good


@pytest.mark.parametrize(
    ("text", "good"),
    [
        ("1:2:3:4:5:6:7:8/64", True),
        ("1:2:3:4:5:6:7::/64", True),
        ("::2:3:4:5:6:7:8/64", True),
        ("1:2:3::5:6:7:8/64", True),
        ("1:2:3:4::5:6:7:8/64", False),
        ("1:2:3:4:5:6:7:8::/64", False),
        ("1:2:3:4:5:6:7/64", False),
        ("1:2:3:4:5:6:7:8:9/64", False),
        ("1:2:3:4:5:6:1.2.3.4/64", True),
        ("1:2:3:4:5:6:7:1.2.3.4/64", False),
        ("1:2:3:4:5:1.2.3.4/64", False),
        ("1.2.3.4::/64", False),
        ("::1.2.3.4/96", True),
        ("::1.2.3.256/96", False),
        ("::00001/128", True),
        ("::12345/128", False),
        ("::g/128", False),
        ("::/0", True),
        ("::/128", True),
        ("::/129", False),
        ("0.0.0.0/0", True),
        ("1.2.3.4/32", True),
        ("1.2.3.4/33", False),
        ("1.2.3.4/0032", True),
        ("1.2.3.4/1000000000", False),
        ("1.2.3.255/1", True),
        ("1.2.3.0255/1", True),
        ("1.2.3.1255/1", False),
        ("1.2.3./1", False),
        ("/1", False),
    ],
)
def test_a_cidr_is_an_address_and_a_length_within_it(text: str, good: bool) -> None:
    assert is_of_format("cidr", text) is good


@pytest.mark.parametrize("size", range(1, 25))
def test_a_hardware_address_has_6_8_or_20_bytes(size: int) -> None:
    good = size in {6, 8, 20}
    assert is_of_format("mac", ":".join(["0a"] * size)) is good
    assert is_of_format("mac", "-".join(["0a"] * size)) is good
    assert is_of_format("mac", "0a" * size) is good
    if size % 2 == 0:
        assert is_of_format("mac", ".".join(["0a0a"] * (size // 2))) is good


@pytest.mark.parametrize(
    "text", ["0a:0a:0a:0a:0a:a", "0a:0a:0a:0a:0a:0aa", "0a0a.0a0a.0a0", "0a0a.0a0a.0a0a0", "0a:0a:0a:0a:0a:0g", "0a-0a-0a-0a-0a-"]
)
def test_the_parts_of_a_hardware_address_are_of_one_width(text: str) -> None:
    assert not is_of_format("mac", text)


@pytest.mark.parametrize(
    ("labels", "good"),
    [
        ((63,), True),
        ((64,), False),
        ((63, 2), True),
        ((64, 2), False),
        ((1, 63), True),
        ((1, 64), False),
        ((1, 1), False),
        ((63, 63, 63, 63), True),
        ((63, 63, 63, 59, 3), True),
        ((63, 63, 63, 60, 3), False),
    ],
)
def test_a_hostname_has_63_bytes_in_a_label_and_255_in_all(labels: tuple[int, ...], good: bool) -> None:
    assert is_of_format("hostname", ".".join("a" * size for size in labels)) is good


def test_a_hostname_is_measured_in_bytes() -> None:
    assert is_of_format("hostname", "é" * 31 + "a.com")
    assert not is_of_format("hostname", "é" * 32 + ".com")
