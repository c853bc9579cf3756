"""Parts of objects that may be of any shape, the numbers and amounts in them, and exponents beyond what they may be."""

from __future__ import annotations

import pytest

from weighbridge.policies.ground import fields
from weighbridge.policies.ground.durations import nanoseconds
from weighbridge.policies.ground.go_numbers import whole_number
from weighbridge.policies.ground.objects import JSONValue, is_stored
from weighbridge.policies.ground.quantity import Quantity, QuantityError

OBJ = {"a": {"b": {"c": 1}, "l": [{"x": 1}, 2, {"y": 3}, None]}, "t": "text", "n": 5, "f": True, "z": None, "ts": ["a", 1, "b"]}
NOT_MAPS: list[JSONValue] = [None, 5, "a", [{"a": 1}], True]


def test_a_part_is_a_map_at_a_path_or_empty() -> None:
    assert fields.part(OBJ, "a", "b") == {"c": 1}
    assert fields.part(OBJ) is OBJ
    assert [fields.part(OBJ, *path) for path in (("x",), ("a", "x"), ("t",), ("t", "a"), ("z",), ("a", "l"))] == [{}] * 6
    assert [fields.part(value, "a") for value in NOT_MAPS] == [fields.part(value) for value in NOT_MAPS] == [{}] * 5


def test_items_are_the_maps_of_a_list() -> None:
    assert fields.items(OBJ, "a", "l") == [{"x": 1}, {"y": 3}]
    assert [fields.items(OBJ, *path) for path in (("x",), ("t", "a"), ("a",), ("t",))] == [[]] * 4
    assert fields.items([{"a": 1}, 2]) == [{"a": 1}]
    assert [fields.items(value, "a") for value in NOT_MAPS] == [[]] * 5


def test_texts_and_flags_are_read_if_they_are_such() -> None:
    assert [fields.text(OBJ, key) for key in ("t", "n", "z", "x")] == ["text", "", "", ""]
    assert [fields.text(OBJ, key, "d") for key in ("t", "n")] == ["text", "d"]
    assert [fields.texts(OBJ, key) for key in ("ts", "t", "x")] == [("a", "b"), (), ()]
    assert fields.text_map({"m": {"a": "b", "c": 1, "d": None}}, "m") == {"a": "b"}
    assert fields.text_map({"m": []}, "m") == fields.text_map(None, "m") == {}
    assert [fields.flag({"f": value}, "f") for value in (True, False, 1, "true", None)] == [True, *[False] * 4]
    assert [(fields.text(value, "a"), fields.texts(value, "a"), fields.flag(value, "a")) for value in NOT_MAPS] == [("", (), False)] * 5


def test_a_whole_number_is_no_flag_and_no_fraction() -> None:
    assert [fields.whole({"n": value}, "n", 7) for value in (5, 0, -1, True, False, 1.0, "5", None)] == [5, 0, -1, 7, 7, 7, 7, 7]
    assert [fields.whole(value, "a") for value in NOT_MAPS] == [0] * 5


@pytest.mark.parametrize(
    ("value", "amount"),
    [("1Ki", "1Ki"), ("0", "0"), (5, "5"), (0, "0"), (1.5, "1500m"), (True, None), (None, None), ("x", None), ("", None), ([], None)],
)
def test_an_amount_is_a_text_or_a_number(value: JSONValue, amount: str | None) -> None:
    found = fields.amount(value)
    assert (None if found is None else str(found)) == amount
    assert fields.amounts({"m": {"a": value, "b": "x"}}, "m") == ({} if found is None else {"a": found})


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("", 0),
        ("0", 0),
        ("-0", 0),
        ("-", 0),
        ("+7", 7),
        ("-7", -7),
        ("007", 7),
        ("-0070", -70),
        ("0" * 100 + "7", 7),
        ("18446744073709551616", 2**64),
        ("9" * 20, 10**20 - 1),
        ("-" + "9" * 20, 1 - 10**20),
        ("9" * 21, None),
        ("-" + "1" * 21, None),
        ("9" * 5000, None),
    ],
)
def test_a_number_has_20_digits_at_most(text: str, number: int | None) -> None:
    assert whole_number(text) == number


def test_a_duration_of_more_digits_is_none() -> None:
    assert nanoseconds("1" * 21 + "ns") is nanoseconds("1" * 5000 + "h") is None


@pytest.mark.parametrize(
    ("text", "amount"),
    [
        ("1e9223372036854775807", "100m"),
        ("3e9223372036854775806", "30m"),
        ("1E9223372036854775807", "100m"),
        ("1e-9223372036854775808", "1"),
        ("1e4294967296", "1"),
    ],
)
def test_an_exponent_wraps_round_at_32_bits(text: str, amount: str) -> None:
    assert Quantity.parse(text) == Quantity.parse(amount)


@pytest.mark.parametrize("text", ["1e9223372036854775808", "1e-9223372036854775809", "1e", "1e+"])
def test_an_exponent_beyond_64_bits_is_refused(text: str) -> None:
    with pytest.raises(QuantityError) as raised:
        Quantity.parse(text)
    assert str(raised.value) == "unable to parse quantity's suffix"


@pytest.mark.parametrize(
    ("metadata", "stored"),
    [({"uid": "u"}, True), ({"creationTimestamp": None}, True), ({"name": "n", "": ""}, False), ({}, False), (None, False)],
)
def test_what_a_server_has_stored_says_so(metadata: JSONValue, stored: bool) -> None:
    assert is_stored({"metadata": metadata}) is stored
