"""Access to parts of values and comparisons of values, in edge cases, as in Kubernetes 1.36."""

from __future__ import annotations

import math
from typing import Final

import pytest

from tests.cel.library_calls import made, said
from weighbridge.policies.cel.library.cidr import parse as parse_cidr
from weighbridge.policies.cel.library.format import FORMATS
from weighbridge.policies.cel.library.ip import parse as parse_ip
from weighbridge.policies.cel.library.optional import of
from weighbridge.policies.cel.library.quantity import parse as parse_quantity
from weighbridge.policies.cel.library.semver import parse as parse_semver
from weighbridge.policies.cel.values.access import dereference, get, has_field, opened, optional_get, reopened, size, valid_key
from weighbridge.policies.cel.values.data import read
from weighbridge.policies.cel.values.declared import JSON_TYPE
from weighbridge.policies.cel.values.equality import compare_with_double, equal
from weighbridge.policies.cel.values.escapes import escape, unescape
from weighbridge.policies.cel.values.go_values import go_text
from weighbridge.policies.cel.values.values import (
    NONE,
    Duration,
    Hidden,
    Optional,
    Timestamp,
    TypeValue,
    Uint,
    Value,
    go_type_name,
    type_name,
)

_BAD: Final = "unsupported index value {} in list"
_TYPE: Final = "unsupported index type '{}' in list"


@pytest.mark.parametrize(
    ("key", "found"),
    [
        (0, 5),
        (1, 6),
        (1.0, 6),
        (Uint(1), 6),
        (2, "index out of bounds: 2"),
        (-1, "index out of bounds: -1"),
        (-1.0, "index out of bounds: -1"),
        (1.5, _BAD.format("1.5")),
        (9223372036854775808.0, _BAD.format("9.223372036854776e+18")),
        (-9223372036854775808.0, _BAD.format("-9.223372036854776e+18")),
        (9223372036854774784.0, "index out of bounds: 9.223372036854775e+18"),
        (Uint((1 << 63) - 1), "index out of bounds: 9223372036854775807"),
        (Uint(1 << 63), _BAD.format("9223372036854775808")),
        ("a", _TYPE.format("string")),
        (True, _TYPE.format("bool")),
    ],
)
def test_an_index_is_a_whole_number_within_the_list(key: Value, found: Value) -> None:
    assert said(get, [5, 6], key) == found
    there = said(optional_get, [5, 6], key)
    if isinstance(found, int) or "out of bounds" in found:
        assert there == (Optional(present=True, value=found) if isinstance(found, int) else NONE)
    else:
        assert there == found


@pytest.mark.parametrize(
    ("key", "within"),
    [
        (1, "1 1u"),
        (1.0, "1 1u"),
        (Uint(1), "1 1u"),
        (1.5, ""),
        (-1, "-1"),
        (-1.0, "-1"),
        (True, "true"),
        ("1", "text"),
        (None, ""),
        (math.inf, ""),
    ],
)  # fmt: skip
def test_numbers_of_any_type_find_each_other_as_keys(key: Value, within: str) -> None:
    maps = {"1": made((1, "a")), "1u": made((Uint(1), "a")), "-1": made((-1, "a")), "true": made((True, "a")), "text": made(("1", "a"))}
    assert " ".join(name for name, held in maps.items() if said(get, held, key) == "a") == within


def test_a_map_keeps_the_order_of_its_keys_and_drops_them() -> None:
    held = made(("b", 1), ("a", 2))
    held.put("b", 3)
    copied = held.copy()
    copied.drop("b")
    copied.drop("x")
    assert (list(held), list(held.items()), list(copied), len(held)) == (["b", "a"], [("b", 3), ("a", 2)], ["a"], 2)


@pytest.mark.parametrize(
    ("key", "kind"),
    [
        (None, "types.Null"),
        (b"a", "types.Bytes"),
        (Timestamp(0), "types.Timestamp"),
        (Duration(0), "types.Duration"),
        ([1], "*types.baseList"),
        (made(), "*types.baseMap"),
        (TypeValue("int"), "*types.Type"),
        (NONE, "*types.Optional"),
        (read([1], JSON_TYPE), "*types.baseList"),
        (read({}, JSON_TYPE), "*types.baseMap"),
        (parse_ip("::1"), "cel.IP"),
        (FORMATS["uuid"], "cel.Format"),
    ],
)
def test_a_computed_key_is_of_a_simple_type(key: Value, kind: str) -> None:
    assert said(valid_key, key) == f"invalid qualifier type: {kind}"


def test_what_a_computed_key_may_be() -> None:
    assert [valid_key(key) for key in ("a", 1, True, 1.5, Uint(1))] == ["a", 1, True, 1.5, Uint(1)]


def test_what_has_no_parts_has_no_key_and_no_size() -> None:
    assert [said(get, value, "a") for value in (1, None, "a", NONE)] == ["no such key: a"] * 4
    assert [said(size, value) for value in (1, None, NONE)] == ["no such overload: size"] * 3
    assert [said(size, value) for value in (Timestamp(0), Duration(0))] == ["no such overload"] * 2
    assert [size(value) for value in ("né", b"abc", [1], made((1, 2)), read([1, 2], JSON_TYPE), read({"a": 1}, JSON_TYPE))] == [
        2,
        3,
        1,
        1,
        2,
        1,
    ]


def test_an_optional_is_opened_on_the_way() -> None:
    assert (dereference(Optional(present=True, value=5)), said(dereference, NONE)) == (5, "optional.none() dereference")
    held, data = Optional(present=True, value=made(("a", 1))), read({"a": 1}, JSON_TYPE)
    assert [has_field(value, "a") for value in (held, NONE, made(("a", 1)), made(), 1)] == [True, False, True, False, False]
    assert (opened(NONE), opened(5), opened(Optional(present=True, value=5))) == ((None, True, True), (5, False, False), (5, True, False))
    assert (reopened(NONE), reopened(5)) == (NONE, 5)
    assert reopened(Optional(present=True, value=data)).value.raw is data.raw


@pytest.mark.parametrize(
    ("left", "right", "order"),
    [
        (1.5, 2, -1),
        (2, 1.5, 1),
        (2.0, 2, 0),
        (1.0, 2.0, -1),
        (2.0, 1.0, 1),
        (2.0, 2.0, 0),
        (math.nan, 1, 2),
        (1, math.nan, 2),
        (1e19, Uint(1), 1),
    ],
)
def test_a_double_is_compared_with_any_number(left: Value, right: Value, order: int) -> None:
    assert compare_with_double(left, right) == order


@pytest.mark.parametrize(
    ("left", "right", "same"),
    [
        (1, 1.0, True), (1, Uint(1), True), (1, "1", False), (None, None, True), (None, 1, False), ([1], [1.0], True), ([1], [1, 2], False),
        ([1], 1, False), (made((1, 2)), made((Uint(1), 2.0)), True), (made((1, 2)), made((2, 2)), False), (made(), [], False),
        (NONE, NONE, True), (NONE, of(1), False), (of(1), of(1.0), True), (of(1), 1, False), (of(1), of(2), False),
        (NONE, of(None), False), (of(None), NONE, False), (True, 1, False), (b"a", "a", False),
        (TypeValue("int"), TypeValue("int"), True), (Duration(1), Duration(1), True), (Timestamp(1, 60), Timestamp(1), True),
        (parse_ip("::1"), parse_ip("0::1"), True), (FORMATS["uri"], FORMATS["uuid"], False),
    ],
)  # fmt: skip
def test_values_are_equal_within_their_type_and_numbers_across(left: Value, right: Value, same: bool) -> None:
    assert equal(left, right) is same


def test_values_of_libraries_meet_no_others() -> None:
    assert [said(equal, value, 1) for value in (parse_ip("::1"), FORMATS["uri"])] == ["no such overload"] * 2


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "0"), (True, "true"), (False, "false"), (1e6, "1e+06"), (-5, "-5"), (Uint(5), "5"), ("a", "a"), ([1, "a"], "[1, a]"),
        (made(("a", 1), (2, [])), "{a: 1, 2: []}"), (b"ab", "[97 98]"), (of(1), "optional(1)"), (NONE, "optional.none()"),
        (TypeValue("int"), "int"), (TypeValue("list"), "list(dyn)"), (Timestamp(0), "1970-01-01 00:00:00 +0000 UTC"),
        (Timestamp(500_000_000, -27_000), "1969-12-31 16:30:00.5 -0730 -0730"), (Duration(5), "5ns"), (Duration(90_000_000_000), "1m30s"),
        ([Duration(0), None], "[0s, 0]"), (of([Duration(1_500_000)]), "optional([1.5ms])"),
        (read({"a": [1, None, {"b": [2]}], "n": None, "m": {"c": None}}, JSON_TYPE), "{a: [1, <nil>, map[b:[2]]], n: 0, m: {c: 0}}"),
        (parse_ip("0::1"), "::1"), (parse_quantity("1024Mi"), "1Gi"), (parse_semver("1.2.3-rc.1"), "1.2.3-rc.1"),
        (parse_cidr("10.1.2.3/8"), "10.1.2.3/8"),
    ],
)  # fmt: skip
def test_a_value_in_a_message_is_printed_as_in_go(value: Value, text: str) -> None:
    assert go_text(value) == text


@pytest.mark.parametrize(
    ("name", "identifier"),
    [("a", "a"), ("a.b-c/d__e", "a__dot__b__dash__c__slash__d__underscores__e"), ("if", "__if__"), ("a_b", "a_b"), ("-a", "__dash__a")],
)
def test_a_property_has_an_identifier(name: str, identifier: str) -> None:
    assert (escape(name), unescape(identifier)) == (identifier, name)


def test_some_names_have_none_and_some_identifiers_name_nothing() -> None:
    assert [escape(name) for name in ("1a", "", "é", "a b")] == [None] * 4
    assert [unescape(text) for text in ("__if__x", "__word__", "a__if__")] == [None] * 3


def test_values_have_names_of_their_types_and_some_have_none() -> None:
    values = [
        1,
        Uint(1),
        1.5,
        True,
        "a",
        b"a",
        None,
        [1],
        made(),
        NONE,
        Duration(1),
        Timestamp(1),
        TypeValue("int"),
        FORMATS["uri"],
        Hidden(1),
    ]
    assert [type_name(value) for value in values] == [
        "int", "uint", "double", "bool", "string", "bytes", "null_type", "list", "map", "optional_type", "google.protobuf.Duration",
        "google.protobuf.Timestamp", "type", "kubernetes.NamedFormat", "unknown",
    ]  # fmt: skip
    assert [go_type_name(value) for value in (1, Hidden(1), read({}, JSON_TYPE), FORMATS["uri"], object())] == [
        "types.Int", "*common.unstructuredMap", "*types.baseMap", "cel.Format", "unknown",
    ]  # fmt: skip
    assert repr(Uint(7)) == "Uint(7)"
