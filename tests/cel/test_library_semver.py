"""Versions as `semver` reads, normalises and orders them in Kubernetes 1.36."""

from __future__ import annotations

from typing import Final

import pytest

from tests.cel.library_calls import OVERLOADS, said
from weighbridge.policies.cel.library.semver import SemverValue, compare, is_greater, is_less, is_semver, parse
from weighbridge.policies.cel.values.values import Value

_LEADING: Final = "number must not contain leading zeroes"
_INVALID: Final = "Invalid character(s) found in"
_NUMERIC: Final = 'Numeric PreRelease version must not contain leading zeroes "01"'
_EMPTY: Final = 'strconv.ParseUint: parsing "": invalid syntax'
_SHORT: Final = "short version cannot contain PreRelease/Build meta data"
_OVER: Final = 'strconv.ParseUint: parsing "18446744073709551616": value out of range'


@pytest.mark.parametrize(
    ("text", "plain", "normalised"),
    [
        ("1.2.3", SemverValue((1, 2, 3)), SemverValue((1, 2, 3))),
        ("v1.2.3", f'{_INVALID} major number "v1"', SemverValue((1, 2, 3))),
        ("1.2", "No Major.Minor.Patch elements found", SemverValue((1, 2, 0))),
        ("v1", "No Major.Minor.Patch elements found", SemverValue((1, 0, 0))),
        ("", "Version string empty", _EMPTY),
        ("v", "No Major.Minor.Patch elements found", _EMPTY),
        ("1.2.3.4", f'{_INVALID} patch number "3.4"', f'{_INVALID} patch number "3.4"'),
        ("01.2.3", f'Major {_LEADING} "01"', SemverValue((1, 2, 3))),
        ("1.02.3", f'Minor {_LEADING} "02"', SemverValue((1, 2, 3))),
        ("1.2.03", f'Patch {_LEADING} "03"', SemverValue((1, 2, 3))),
        ("0.0.0", SemverValue((0, 0, 0)), SemverValue((0, 0, 0))),
        ("00.00.00", f'Major {_LEADING} "00"', SemverValue((0, 0, 0))),
        ("1.2.3-", "Prerelease is empty", "Prerelease is empty"),
        ("1.2.3-a..b", "Prerelease is empty", "Prerelease is empty"),
        ("1.2.3-01", _NUMERIC, _NUMERIC),
        ("1.2.3-0", SemverValue((1, 2, 3), (0,)), SemverValue((1, 2, 3), (0,))),
        ("1.2.3-0a.7", SemverValue((1, 2, 3), ("0a", 7)), SemverValue((1, 2, 3), ("0a", 7))),
        ("1.2.3-a-b+c", SemverValue((1, 2, 3), ("a-b",)), SemverValue((1, 2, 3), ("a-b",))),
        ("1.2.3-a_b", f'{_INVALID} prerelease "a_b"', f'{_INVALID} prerelease "a_b"'),
        ("1.2.3+", "Build meta data is empty", "Build meta data is empty"),
        ("1.2.3+a..b", "Build meta data is empty", "Build meta data is empty"),
        ("1.2.3+a_b", f'{_INVALID} build meta data "a_b"', f'{_INVALID} build meta data "a_b"'),
        ("1.2.3+01", SemverValue((1, 2, 3)), SemverValue((1, 2, 3))),
        ("1.x.3", f'{_INVALID} minor number "x"', f'{_INVALID} minor number "x"'),
        ("1..3", _EMPTY, _EMPTY),
        ("1.2.", _EMPTY, _EMPTY),
        ("-1.2.3", f'{_INVALID} major number "-1"', f'{_INVALID} major number "0-1"'),
        ("1.2.-a", _EMPTY, SemverValue((1, 2, 0), ("a",))),
        ("1.2-a", "No Major.Minor.Patch elements found", _SHORT),
        ("1+a", "No Major.Minor.Patch elements found", _SHORT),
        ("1.a", "No Major.Minor.Patch elements found", f'{_INVALID} minor number "a"'),
        ("18446744073709551615.0.0", SemverValue(((1 << 64) - 1, 0, 0)), SemverValue(((1 << 64) - 1, 0, 0))),
        ("18446744073709551616.0.0", _OVER, _OVER),
        ("1.2.3-18446744073709551615", SemverValue((1, 2, 3), ((1 << 64) - 1,)), SemverValue((1, 2, 3), ((1 << 64) - 1,))),
        ("1.2.3-18446744073709551616", _OVER, _OVER),
    ],
)  # fmt: skip
def test_a_version_is_read_strictly_or_normalised_first(text: str, plain: Value, normalised: Value) -> None:
    found = said(parse, text), said(parse, text, True)
    assert [value if isinstance(value, str) else (value.numbers, value.pre_release) for value in found] == [
        value if isinstance(value, str) else (value.numbers, value.pre_release) for value in (plain, normalised)
    ]
    assert (is_semver(text), is_semver(text, True)) == (not isinstance(plain, str), not isinstance(normalised, str))


def test_versions_have_the_order_of_their_parts() -> None:
    ascending = [
        "1.0.0-1", "1.0.0-2", "1.0.0-10", "1.0.0-A", "1.0.0-a", "1.0.0-a.1", "1.0.0-a.1.1", "1.0.0-a.b", "1.0.0-b", "1.0.0", "1.0.1",
        "1.1.0", "2.0.0-a", "10.0.0",
    ]  # fmt: skip
    versions = [parse(text) for text in ascending]
    for at, left in enumerate(versions):
        for other, right in enumerate(versions):
            assert compare(left, right) == (at > other) - (at < other)
            assert (is_less(left, right), is_greater(left, right)) == (at < other, at > other)
            assert left.equals(right) == (at == other)
    assert compare(parse("1.0.0+x"), parse("1.0.0+y")) == 0
    assert parse("1.0.0").equals("1.0.0") is None


@pytest.mark.parametrize(("number", "read"), [(0, 0), (MOST := (1 << 63) - 1, MOST), (1 << 63, -(1 << 63)), ((1 << 64) - 1, -1)])
def test_a_part_beyond_an_int_wraps_as_in_go(number: int, read: int) -> None:
    for index, name in enumerate(("major", "minor", "patch")):
        numbers = [7, 7, 7]
        numbers[index] = number
        call = OVERLOADS[f"semver_{name}"].call
        assert call is not None
        assert call(SemverValue((numbers[0], numbers[1], numbers[2]))) == read
