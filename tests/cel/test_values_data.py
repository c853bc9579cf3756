"""Data read by the type that a schema declares for it, with the server's message if it doesn't fit."""

from __future__ import annotations

from typing import Any

import pytest

from tests.cel.library_calls import said
from weighbridge.policies.cel.values.data import go_type, item, items, native, read, untyped
from weighbridge.policies.cel.values.declared import JSON_TYPE, DeclaredType
from weighbridge.policies.cel.values.values import DataList, DataMap, Duration, Hidden, Timestamp, Value
from weighbridge.policies.schema.node import Schema

_NULL = "invalid data, got null for schema with nullable=false"


def declared(**schema: Any) -> DeclaredType:
    return DeclaredType(Schema({key.replace("_", "-"): value for key, value in schema.items()}))


TEXT, NUMBER = declared(type="string"), declared(type="number")


@pytest.mark.parametrize(
    ("raw", "type_", "value"),
    [
        ("a", TEXT, "a"),
        (1, TEXT, "invalid data, expected string, got int64"),
        (None, TEXT, _NULL),
        (None, declared(type="string", nullable=True), None),
        (None, JSON_TYPE, None),
        (1.5, NUMBER, 1.5),
        (True, NUMBER, "invalid data, expected float, got bool"),
        (1.0, declared(type="integer"), "invalid data, expected int, got float64"),
        (True, declared(type="integer"), "invalid data, expected int, got bool"),
        (7, declared(type="integer"), 7),
        (1, declared(type="boolean"), "invalid data, expected bool, got int64"),
        (False, declared(type="boolean"), False),
        (1, declared(x_kubernetes_int_or_string=True), 1),
        ("a", declared(x_kubernetes_int_or_string=True), "a"),
        (1.5, declared(x_kubernetes_int_or_string=True), "invalid data, expected XIntOrString value to be either a string or integer"),
        ([], declared(type="object"), "invalid data, expected a map for the provided schema with type=object"),
        ({}, declared(type="array"), "invalid data, expected an array for the provided schema with type=array"),
        ([], declared(type="array"), "invalid array type, expected Items with a non-empty Schema"),
        ("3 days", declared(type="string", format="duration"), Duration(3 * 86400 * 10**9)),
        ("x", declared(type="string", format="duration"), "Invalid duration x: unable to parse x as duration"),
        (7, declared(type="string", format="duration"), "invalid data, expected string, got int64"),
        ("", declared(type="string", format="date-time"), Timestamp(0)),
        ("2024-01-01T00:00:00", declared(type="string", format="date-time"), Timestamp(1704067200 * 10**9)),
        ("2024-01-01", declared(type="string", format="date"), Timestamp(1704067200 * 10**9)),
    ],
)
def test_data_becomes_a_value_of_its_type(raw: Any, type_: DeclaredType, value: Value) -> None:
    found = said(read, raw, type_)
    assert found == value
    assert type(found) is type(value)


def test_whole_numbers_become_doubles_where_the_schema_says_number() -> None:
    assert repr(read(7, NUMBER)) == "7.0"


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("", b""),
        ("YWJj", b"abc"),
        ("YWI=", b"ab"),
        ("YW==", b"a"),
        ("-_8=", b"\xfb\xff"),
        ("YW\r\nI=\n", b"ab"),
        ("Y\nW=\r=", b"a"),
    ],
)
def test_bytes_are_read_with_the_alphabet_of_urls(text: str, value: bytes) -> None:
    assert read(text, declared(type="string", format="byte")) == value


# Each message was printed by encoding/base64 of Go 1.26.
@pytest.mark.parametrize(
    ("text", "position"),
    [
        ("YW+/", 2),
        ("é", 0),
        (" YWI=", 0),
        ("YWJjYW", 4),
        ("YWJjYWJjY", 8),
        ("Y", 0),
        ("YW\r\nJ", 2),
        ("Y=Jj", 1),
        ("=", 0),
        ("Y=!", 1),
        ("YW=I", 2),
        ("YW=", 3),
        ("YWJjY=", 5),
        ("YWJj=", 4),
        ("YWI=YWI=", 4),
        ("YWI==", 4),
        ("YW===", 4),
        ("YW==\nYQ==", 5),
        ("YW=\n!", 3),
        ("a\raY\ra=", 6),
    ],
)
def test_what_is_no_base64_is_refused_with_its_place(text: str, position: int) -> None:
    found = said(read, text, declared(type="string", format="byte"))
    assert found == f"Invalid byte formatted string {text}: illegal base64 data at input byte {position}"


@pytest.mark.parametrize(
    ("raw", "name"),
    [
        ("a", "string"), (True, "bool"), (1, "int64"), (1.5, "float64"), ({}, "map[string]interface {}"), ([], "[]interface {}"),
        (None, "<nil>"), (Duration(1), "time.Duration"), (b"a", "[]uint8"), (Timestamp(0), "time.Time"),
    ],
)  # fmt: skip
def test_data_has_a_type_in_go(raw: Any, name: str) -> None:
    assert go_type(raw) == name


def test_lists_and_maps_are_labelled_and_read_on_demand() -> None:
    numbers = read([1, 2], declared(type="array", items={"type": "number"}))
    assert isinstance(numbers, DataList)
    assert (repr(items(numbers)), repr(item(numbers, 1)), len(numbers)) == ("[1.0, 2.0]", "2.0", 2)
    assert [said(items, read([1, None], declared(type="array", items={"type": "number"})))] == [_NULL]
    held = read({"a": 1}, declared(type="object"))
    assert isinstance(held, DataMap)
    assert (native(held), native(numbers), native(Hidden([1])), native(5)) == ({"a": 1}, [1, 2], [1], 5)
    assert untyped(held).declared is untyped(numbers).declared is JSON_TYPE
    assert (untyped(held).raw, untyped(numbers).raw, untyped(5)) == ({"a": 1}, [1, 2], 5)
    assert isinstance(read({"a": 1}, JSON_TYPE), DataMap)
    assert isinstance(read([1], JSON_TYPE), DataList)
    hidden = read(5, declared(x_kubernetes_preserve_unknown_fields=True))
    assert isinstance(hidden, Hidden)
    assert hidden.raw == 5
    assert said(read, 5, declared()).endswith("x-kubernetes-preserve-unknown-fields is true, got ")
