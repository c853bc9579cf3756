"""Values of each Go type: the kept value, values that are too large, and the errors for wrong ones."""

from __future__ import annotations

from typing import Any

import pytest

from weighbridge.policies.apiserver.acceptance.go_types import (
    AnyJSON,
    Boolean,
    ByItself,
    Bytes,
    Field,
    Float,
    GoType,
    Integer,
    ListOf,
    MapOf,
    Struct,
    Text,
    Time,
)
from weighbridge.policies.apiserver.acceptance.typed_decode import decode_typed, nests_too_deep
from weighbridge.policies.ground.go_base64 import base64_fault

INNER = Struct("Inner", {"a": Field(Text()), "n": Field(Integer())})
BY_ITSELF = ByItself("v1.Own", INNER, ListOf(Text()), refusal="a map or a list")
OR_ANY = ByItself("v1.Or", INNER, other=lambda value: f"other {value}")


def decoded(kind: GoType, value: Any, **options: Any) -> Any:
    """The kept value of the field ``f``, or the error; `...` if nothing is kept."""
    found = decode_typed({"f": value}, Struct("Outer", {"f": Field(kind, **options)}))
    return found.error or found.value.get("f", ...)


def wrong(word: str, name: str, field: str = "Outer.f") -> str:
    return f"json: cannot unmarshal {word} into Go struct field {field} of type {name}"


@pytest.mark.parametrize(
    ("kind", "value", "kept"),
    [
        (Integer(), 2**63 - 1, 2**63 - 1),
        (Integer(), -(2**63), -(2**63)),
        (Integer(), 2**63, wrong("number 9223372036854775808", "int64")),
        (Integer(), -(2**63) - 1, wrong("number -9223372036854775809", "int64")),
        (Integer(32), 2**31 - 1, 2**31 - 1),
        (Integer(32), -(2**31), -(2**31)),
        (Integer(32), 2**31, wrong("number 2147483648", "int32")),
        (Integer(32), -(2**31) - 1, wrong("number -2147483649", "int32")),
        (Integer(), 2.0, 2),
        (Integer(), 1.5, wrong("number 1.5", "int64")),
        (Integer(), True, wrong("bool", "int64")),
        (Integer(), "1", wrong("string", "int64")),
        (Integer(), [], wrong("array", "int64")),
        (Integer(), {}, wrong("object", "int64")),
        (Integer(), 0, ...),
        (Float(), 1.5, 1.5),
        (Float(), 2, 2),
        (Float(), 0.0, ...),
        (Float(), "1", wrong("string", "float64")),
        (Float(), False, wrong("bool", "float64")),
        (Text(), "a", "a"),
        (Text(), "", ...),
        (Text(), 1, wrong("number", "string")),
        (Text("v1.Scope"), True, wrong("bool", "v1.Scope")),
        (Boolean(), True, True),
        (Boolean(), False, ...),
        (Boolean(), 1, wrong("number", "bool")),
        (Boolean(), None, ...),
        (AnyJSON(), {"x": [1.5]}, {"x": [1.5]}),
        (AnyJSON(), None, ...),
        (INNER, {"a": "x", "n": 0, "z": 1}, {"a": "x"}),
        (INNER, {}, {}),
        (INNER, [], wrong("array", "v1.Inner")),
        (INNER, {"a": 1}, wrong("number", "string", "Inner.f.a")),
        (INNER, {"n": 1.5, "a": 1}, wrong("number", "string", "Inner.f.a")),
        (ListOf(Text()), ["a", None], ["a", ""]),
        (ListOf(Text()), [], []),
        (ListOf(Text()), {}, wrong("object", "[]string")),
        (ListOf(Text()), ["a", 1], wrong("number", "string")),
        (ListOf(Text(), "v1.Names"), "a", wrong("string", "v1.Names")),
        (ListOf(INNER), [None, {"a": "x"}], [{}, {"a": "x"}]),
        (ListOf(INNER), [{"a": 1}], wrong("number", "string", "Inner.f.a")),
        (ListOf(Integer()), [None, 1], [0, 1]),
        (ListOf(Float()), [None, 1.5], [0, 1.5]),
        (ListOf(Boolean()), [None, True], [False, True]),
        (ListOf(BY_ITSELF), [None], [None]),
        (ListOf(OR_ANY), [None, {"a": "x"}], ["other None", {"a": "x"}]),
        (MapOf(Text()), {"b": "x", "a": None}, {"a": "", "b": "x"}),
        (MapOf(Text()), [], wrong("array", "map[string]string")),
        (MapOf(INNER, "v1.Map"), 1, wrong("number", "v1.Map")),
        (MapOf(INNER), {"k": {"n": "x"}}, wrong("string", "int64", "Inner.f.n")),
        (BY_ITSELF, {"a": "x"}, {"a": "x"}),
        (BY_ITSELF, ["a"], ["a"]),
        (BY_ITSELF, "x", "a map or a list"),
        (BY_ITSELF, True, True),
        (BY_ITSELF, None, ...),
        (BY_ITSELF, {"a": 1}, wrong("number", "string", "Outer.f.a")),
        (BY_ITSELF, [1], wrong("number", "string", "Outer.f")),
        (OR_ANY, "x", "other x"),
        (OR_ANY, ["x"], "other ['x']"),
        (Time(), "2026-01-01T01:00:00+01:00", "2026-01-01T00:00:00Z"),
        (Time(), "0001-01-01T00:00:00Z", ...),
        (Time(), 1, wrong("number", "string")),
        (Time(), "x", 'parsing time "x" as "2006-01-02T15:04:05Z07:00": cannot parse "x" as "2006"'),
        (Bytes(), "YQ==", "YQ=="),
        (Bytes(), "Y\r\nQ==\n", "YQ=="),
        (Bytes(), "", ...),
        (Bytes(), "Y", "illegal base64 data at input byte 0"),
        (Bytes(), 1, wrong("number", "[]uint8")),
        (Bytes(), {}, wrong("object", "[]uint8")),
        (Bytes(), [0, 255, 2.0, None], "AP8CAA=="),
        (Bytes(), [256], wrong("number 256", "uint8")),
        (Bytes(), [-1], wrong("number -1", "uint8")),
        (Bytes(), [1.5], wrong("number 1.5", "uint8")),
        (Bytes(), ["a"], wrong("string", "uint8")),
        (Bytes(), [True], wrong("bool", "uint8")),
    ],
)
def test_a_value_is_kept_as_its_type_reads_it(kind: GoType, value: Any, kept: Any) -> None:
    found = decoded(kind, value)
    assert (found, type(found)) == (kept, type(kept))


@pytest.mark.parametrize(("kind", "value"), [(Integer(), 0), (Text(), ""), (Boolean(), False), (Float(), 0)])
def test_a_pointer_tells_the_zero_value_from_none(kind: GoType, value: Any) -> None:
    assert decoded(kind, value, pointer=True) == value
    assert decoded(kind, None, pointer=True) is ...


def test_the_first_wrong_type_is_told_in_the_order_of_names_and_one_that_decodes_itself_ends_it() -> None:
    shape = Struct("Outer", {"b": Field(Text()), "c": Field(Boolean()), "d": Field(BY_ITSELF)})
    assert decode_typed({"c": 1, "b": 2}, shape).error == wrong("number", "string", "Outer.b")
    assert decode_typed({"c": 1, "b": 2, "d": {"a": 3}}, shape).error == wrong("number", "string", "Outer.d.a")


def test_fields_are_known_or_unknown_by_their_paths() -> None:
    shape = Struct("Outer", {"m": Field(MapOf(INNER)), "l": Field(ListOf(INNER)), "o": Field(BY_ITSELF)})
    value = {"z": 1, "m": {"k": {"z": 1, "a": "x"}}, "l": [{}, {"y": 1}], "o": {"z": 1}}
    found = decode_typed(value, shape)
    assert (found.error, found.unknown) == ("", ["l[1].y", "m.k.z", "z"])
    assert found.known == {"l", "m", "m.k", "m.k.a", "o"}


def test_no_more_than_a_hundred_unknown_fields_are_listed() -> None:
    shape = Struct("Outer", {})
    assert len(decode_typed({f"{number:03}": 1 for number in range(100)}, shape).unknown) == 100
    assert decode_typed({f"{number:03}": 1 for number in range(101)}, shape).unknown[-1] == "099"


@pytest.mark.parametrize(("value", "limit", "too_deep"), [
    (1, 1, False), ({}, 1, False), ([], 1, False), ([1], 1, True), ([1], 2, False), ({"a": [{}]}, 2, True), ({"a": [{}]}, 3, False),
])  # fmt: skip
def test_json_may_nest_as_deep_as_the_limit(value: Any, limit: int, too_deep: bool) -> None:
    assert nests_too_deep(value, limit) is too_deep


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("a", 0), ("ab", 0), ("abc", 0), ("abcd", None), ("abcda", 4), ("abcdab", 4), ("abcdabc", 4), ("=", 0), ("a=", 1), ("a==", 1),
        ("ab=", 3), ("ab==", None), ("ab===", 4), ("ab=\n", 4), ("ab=\n=", None), ("ab=\n=\n", None), ("ab=x", 2), ("ab=\nx", 3),
        ("ab=\r\nx", 4), ("abc=", None), ("abc==", 4), ("abc=\n=", 5), ("abc=\nx", 5), ("abc=\n", None), ("abcd=", 4), ("abcd==", 4),
        ("ab==\nx", 5), ("\n\nab==", None), ("\n\na", 2), ("a\nb", 1), ("+/+/", None), ("-_-_", 0), ("abc.", 3), ("abcd ", 4),
    ],
)  # fmt: skip
def test_base64_goes_wrong_at_a_byte(text: str, fault: int | None) -> None:
    assert base64_fault(text) == fault
