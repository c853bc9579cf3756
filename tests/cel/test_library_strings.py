"""The string functions at the ends of texts and of counts, as in Kubernetes 1.36."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import pytest

from tests.cel.library_calls import said
from weighbridge.policies.cel.library.regex import find, find_every
from weighbridge.policies.cel.library.standard_text import contains, ends_with, matches, starts_with
from weighbridge.policies.cel.library.strings import (
    char_at,
    index_of,
    join,
    last_index_of,
    lower_ascii,
    quote,
    replace,
    split,
    substring,
    trim,
    upper_ascii,
)
from weighbridge.policies.cel.values import growth
from weighbridge.policies.cel.values.undecided import CostExceededError
from weighbridge.policies.cel.values.values import Duration, Timestamp, Value

_OUT: Final = "index out of range: "


@pytest.mark.parametrize(("index", "found"), [(-1, _OUT + "-1"), (0, "a"), (2, "c"), (3, ""), (4, _OUT + "4")])
def test_a_character_may_be_asked_for_up_to_right_behind_the_end(index: int, found: str) -> None:
    assert said(char_at, "abc", index) == found


@pytest.mark.parametrize(
    ("part", "first", "last"),
    [
        ("", (0, -1, 0, 1, 3, 5, 6, 7), (6, -1, 0, 1, 3, 5, 6, 7)),
        ("a", (0, _OUT + "-1", 0, 3, 3, -1, -1, -1), (3, _OUT + "-1", 0, 0, 3, 3, -1, -1)),
        ("c", (2, _OUT + "-1", 2, 2, 5, 5, -1, -1), (5, _OUT + "-1", -1, -1, 2, 5, -1, -1)),
        ("bc", (1, _OUT + "-1", 1, 1, 4, -1, -1, -1), (4, _OUT + "-1", -1, 1, 1, 4, -1, -1)),
        ("cd", (-1, _OUT + "-1", -1, -1, -1, -1, -1, -1), (-1, _OUT + "-1", -1, -1, -1, -1, -1, -1)),
    ],
)
def test_a_part_is_found_from_an_offset_on_or_back_from_it(part: str, first: tuple[Value, ...], last: tuple[Value, ...]) -> None:
    offsets = (-1, 0, 1, 3, 5, 6, 7)
    assert (said(index_of, "abcabc", part), *(said(index_of, "abcabc", part, offset) for offset in offsets)) == first
    assert (said(last_index_of, "abcabc", part), *(said(last_index_of, "abcabc", part, offset) for offset in offsets)) == last


@pytest.mark.parametrize(
    ("count", "replaced", "surrounded", "parts", "characters"),
    [
        (-2, "a--b--c", "-a-b-c-", ["a", "b", "c"], ["a", "b", "c"]),
        (-1, "a--b--c", "-a-b-c-", ["a", "b", "c"], ["a", "b", "c"]),
        (0, "aXbXc", "abc", [], []),
        (1, "a--bXc", "-abc", ["aXbXc"], ["abc"]),
        (2, "a--b--c", "-a-bc", ["a", "bXc"], ["a", "bc"]),
        (3, "a--b--c", "-a-b-c", ["a", "b", "c"], ["a", "b", "c"]),
        (9, "a--b--c", "-a-b-c-", ["a", "b", "c"], ["a", "b", "c"]),
    ],
)
def test_a_count_bounds_replacements_and_parts_unless_it_is_negative(
    count: int, replaced: str, surrounded: str, parts: list[str], characters: list[str]
) -> None:
    assert replace("aXbXc", "X", "--", count) == replaced
    assert replace("abc", "", "-", count) == surrounded
    assert split("aXbXc", "X", count) == parts
    assert split("abc", "", count) == characters


def test_without_a_count_all_is_replaced_and_split() -> None:
    assert (replace("aXbXc", "X", "--"), replace("abc", "", "-")) == ("a--b--c", "-a-b-c-")
    assert (split("aXbXc", "X"), split("abc", ""), split("", ""), split("", "x")) == (["a", "b", "c"], ["a", "b", "c"], [], [""])


@pytest.mark.parametrize(
    ("start", "found"),
    [
        (-1, (_OUT + "-1", _OUT + "-1", _OUT + "-1", _OUT + "-1", _OUT + "-1")),
        (0, ("abc", "invalid substring range. start: 0, end: -1", "", "abc", _OUT + "4")),
        (1, ("bc", "invalid substring range. start: 1, end: -1", "invalid substring range. start: 1, end: 0", "bc", _OUT + "4")),
        (3, ("", "invalid substring range. start: 3, end: -1", "invalid substring range. start: 3, end: 0", "", _OUT + "4")),
        (4, (_OUT + "4", *(f"invalid substring range. start: 4, end: {end}" for end in (-1, 0, 3)), _OUT + "4")),
    ],
)
def test_a_substring_lies_within_its_text(start: int, found: tuple[str, ...]) -> None:
    assert (said(substring, "abc", start), *(said(substring, "abc", start, end) for end in (-1, 0, 3, 4))) == found


def test_only_ascii_letters_change_their_case() -> None:
    assert lower_ascii("ÀÉz@[`{AZaz") == "ÀÉz@[`{azaz"
    assert upper_ascii("àéZ@[`{AZaz") == "àéZ@[`{AZAZ"


def test_what_go_takes_for_spaces_is_trimmed() -> None:
    assert trim("\t\n\v\f\r \x85\xa0\u1680\u2000\u200a\u2028\u2029\u202f\u205fa \u200bb\u3000") == "a \u200bb"
    assert trim("\u200b\ufeff\x1f") == "\u200b\ufeff\x1f"


def test_lists_of_strings_are_joined() -> None:
    assert (join([], "-"), join(["a"], "-"), join(["a", "b"], "-"), join(["a", "b"])) == ("", "a", "a-b", "ab")
    assert said(join, ["a", 1.0], "-") == "join: invalid input: 1"


def test_a_quoted_string_has_the_escapes_of_a_literal() -> None:
    assert quote('\a\b\f\n\r\t\v\\"é\x01') == '"\\a\\b\\f\\n\\r\\t\\v\\\\\\"é\x01"'


@pytest.mark.parametrize(
    ("call", "args", "length"),
    [
        (replace, ("xxz", "x", "y" * 49), 99),
        (replace, ("xxzz", "x", "y" * 49), 100),
        (replace, ("xxxzzz", "x", "y" * 48, 2), 100),
        (replace, ("x" * 100, "xx", "y", 0), 100),
        (join, (["x" * 50] * 2, ""), 100),
        (join, (["x" * 20] * 3, "y" * 20), 100),
    ],
)
def test_texts_up_to_the_longest_that_can_be_paid_for_are_made(
    monkeypatch: pytest.MonkeyPatch, call: Callable[..., Value], args: tuple[Value, ...], length: int
) -> None:
    monkeypatch.setattr(growth, "LONGEST_TEXT", 100)
    assert len(said(call, *args)) == length


@pytest.mark.parametrize(
    ("call", "args"),
    [
        (replace, ("xxzzz", "x", "y" * 49)),
        (replace, ("xxxzzzz", "x", "y" * 48, 2)),
        (replace, ("xxxzzzz", "x", "y" * 48)),
        (join, (["x" * 50] * 2, "-")),
        (join, (["x" * 20] * 3, "y" * 21)),
    ],
)
def test_longer_texts_are_not_made(monkeypatch: pytest.MonkeyPatch, call: Callable[..., Value], args: tuple[Value, ...]) -> None:
    monkeypatch.setattr(growth, "LONGEST_TEXT", 100)
    with pytest.raises(CostExceededError):
        said(call, *args)


def test_the_tests_of_texts() -> None:
    assert [contains("a-b", part) for part in ("-", "", "a-b", "ab")] == [True, True, True, False]
    assert [starts_with("abc", part) for part in ("ab", "", "bc", "abcd")] == [True, True, False, False]
    assert [ends_with("abc", part) for part in ("bc", "", "ab", "abcd")] == [True, True, False, False]
    assert [matches("abc", pattern) for pattern in ("b", "^b", "^abc$", "")] == [True, False, True, True]


@pytest.mark.parametrize("call", [contains, starts_with, ends_with, matches])
@pytest.mark.parametrize("value", [1, None, b"a", ["a"]])
def test_the_tests_of_texts_take_nothing_else(call: Callable[..., Value], value: Value) -> None:
    assert said(call, "a", value) == "no such overload"
    assert said(call, value, "a") == ("no such overload: matches" if call is matches else "no such overload")


@pytest.mark.parametrize("value", [Timestamp(0), Duration(0)])
def test_a_time_takes_a_call_before_it_misses_the_function(value: Value) -> None:
    assert said(matches, value, "a") == "no such overload"


def test_matches_are_found_from_the_left() -> None:
    assert (find("abc 123 45", "[0-9]+"), find("abc", "[0-9]+")) == ("123", "")
    assert [find_every("1 2 3", "[0-9]", limit) for limit in (-1, 0, 1, 2, 9)] == [["1", "2", "3"], [], ["1"], ["1", "2"], ["1", "2", "3"]]
    assert find_every("1 2 3", "[0-9]") == ["1", "2", "3"]
    assert said(find, "a", "(") == "Illegal regex: error parsing regexp: missing closing ): `(`"
    assert said(matches, "a", "(") == "error parsing regexp: missing closing ): `(`"
