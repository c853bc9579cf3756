"""The actual cost of a call, from the sizes of its arguments: cost.go and runtimecost.go of Kubernetes 1.36."""

from __future__ import annotations

from typing import Any

import pytest

from tests.cel.library_calls import OVERLOADS, made
from weighbridge.policies.cel.library import cidr, ip
from weighbridge.policies.cel.library.format import FORMATS
from weighbridge.policies.cel.library.lists import traversal_cost
from weighbridge.policies.cel.library.quantity import QuantityValue
from weighbridge.policies.cel.library.semver import SemverValue
from weighbridge.policies.cel.library.url import parse as parse_url
from weighbridge.policies.cel.values.access import cost_size
from weighbridge.policies.cel.values.data import read
from weighbridge.policies.cel.values.declared import JSON_TYPE
from weighbridge.policies.cel.values.values import NONE, CelError, Duration, Optional, PanicError, Timestamp, Uint, Value
from weighbridge.policies.ground.quantity import Quantity

S11, S21, S30 = "x" * 11, "x" * 21, "x" * 30
CIDR_4, CIDR_6 = cidr.parse("10.0.0.0/31"), cidr.parse("2001:db8::/127")
QUANTITY = QuantityValue(Quantity.parse("1"))


def cost(id_: str, result: Value, *args: Value) -> int:
    counted = OVERLOADS[id_].cost
    assert counted is not None
    return counted(result, *args)


@pytest.mark.parametrize(
    ("id_", "result", "args", "wanted"),
    [
        ("contains_string", True, (S21, S11), 6),
        ("contains_string", True, (S21, ""), 0),
        ("starts_with_string", True, (S21, "x"), 3),
        ("ends_with_string", True, (S11, S30), 2),
        ("matches_string", True, (S30, "x" * 9), 12),
        ("matches_string", True, ("", "x"), 1),
        ("matches_string", True, ("x" * 9, "x" * 4), 1),
        ("matches_string", True, ("x" * 10, "x" * 5), 4),
        ("string_find_string", "", (S30, "x" * 9), 12),
        ("string_find_all_string_int", [], (S30, "x" * 9, 1), 12),
        ("string_to_bytes", b"", (S21,), 3),
        ("bytes_to_string", "", (b"x" * 30,), 3),
        ("string_lower_ascii", S21, (S21,), 3),
        ("string_trim", "", (S30,), 3),
        ("string_replace_string_string", "", (S21, S30, S30), 5),
        ("string_split_string_int", [], (S30, "x", 1), 6),
        ("string_format", "", (S21, [1]), 3),
        ("strings_quote", "", (S21,), 3),
        ("list_join", S21, ([],), 5),
        ("list_join_string", S30, ([], "x"), 6),
        ("string_index_of_string", 0, (S21, S30), 2),
        ("string_last_index_of_string_int", 0, ("é" * 15, "x", 0), 3),
        ("list_a_index_of_int", 0, ([1, 2.0, None], 1), 3),
        ("list_string_min_string", "", ([S21, S11, "x"],), 3),
        ("add_string", "", (S11, S11), 3),
        ("add_bytes", b"", (b"x" * 11, b"x" * 19), 3),
        ("equals", True, (S21, S11), 2),
        ("equals", True, ([1] * 30, [2] * 31), 3),
        ("equals", True, (QUANTITY, [1] * 30), 1),
        ("equals", True, (CIDR_6, CIDR_6), 1),
        ("equals", True, (1, S30), 1),
        ("not_equals", True, (CIDR_6, CIDR_6), 2),
        ("not_equals", True, (S30, S21), 3),
        ("less_string", True, (S21, S30), 3),
        ("greater_equals_bytes", True, (b"x" * 11, b"x"), 1),
        ("in_list", True, (S30, [1, 2, 3]), 3),
        ("string_to_url", None, (S21,), 3),
        ("string_to_ip", None, (S21,), 3),
        ("ip_is_canonical", True, (S21,), 5),
        ("string_to_cidr", None, (S30,), 3),
        ("cidr_contains_ip_ip", True, (CIDR_4, None), 1),
        ("cidr_contains_ip_ip", True, (CIDR_6, None), 4),
        ("cidr_contains_ip_string", True, (CIDR_6, S21), 7),
        ("cidr_contains_cidr", True, (CIDR_4, None), 3),
        ("cidr_contains_cidr", True, (CIDR_6, None), 7),
        ("cidr_contains_cidr_string", True, (CIDR_6, S11), 9),
        ("format-validate", NONE, (FORMATS["dns1123Label"], "x" * 9), 8),
        ("format-validate", NONE, (FORMATS["uri"], "x" * 10), 552),
        ("format-validate", NONE, (FORMATS["uuid"], ""), 18),
        ("format-validate", NONE, (None, S30), 1),
        ("format-named", NONE, (S30,), 1),
        ("list_sets_contains_list", True, ([1, 2, 3], [1, 2]), 7),
        ("list_sets_equivalent_list", True, ([1, 2, 3], [1, 2]), 13),
        ("list_sets_intersects_list", True, ([1, 2, 3], []), 1),
        ("list_slice", [1, 2], ([1, 2, 3], 0, 2), 13),
        ("list_flatten", [], ([[1], [2], [3]],), 14),
        ("list_flatten_int", [], ([[1], [2], [3]], 3), 20),
        ("list_int_sort", [], ([1, 2, 3],), 29),
        ("list_string_sort", [], (["a", "b", "c"],), 29),
        ("list_string_sort", [], (["a", "b", "c", "d", "e"],), 63),
        ("list_bytes_sort", [], ([],), 11),
        ("list_int_sortByAssociatedKeys", [], (["a"] * 9, [1, 2, 3]), 29),
        ("list_distinct", [], ([1, 2, 3],), 29),
        ("list_reverse", [1, 2, 3], ([1, 2, 3],), 14),
        ("lists_range", [0, 1], (2,), 13),
        ("pathcheck_check", None, (None, S30), 350_000),
        ("decision_allowed", True, (None,), 1),
        ("authorizer_fieldselector", None, (None, "a=b"), 111),
        ("authorizer_labelselector", None, (None, ""), 10),
        ("quantity_add_int", QUANTITY, (QUANTITY, 1), 1),
        ("is_semver_string_bool", True, (S11, True), 2),
    ],
)  # fmt: skip
def test_the_cost_of_a_call_follows_from_what_it_was_given(id_: str, result: Value, args: tuple[Value, ...], wanted: int) -> None:
    assert cost(id_, result, *args) == wanted


@pytest.mark.parametrize(
    ("value", "wanted"),
    [
        (1, 1),
        (None, 1),
        ("x" * 9, 0),
        (S30, 3),
        ("é" * 5, 1),
        (b"x" * 19, 1),
        ([], 0),
        ([1, S21, [2.0, True]], 5),
        (made(("aaaaaaaaaa", 1), ("b", S21)), 4),
        (read({"aaaaaaaaaa": [1, 2]}, JSON_TYPE), 3),
        (QUANTITY, 1),
    ],
)
def test_going_through_a_value_costs_one_for_each_scalar_and_a_tenth_of_a_text(value: Value, wanted: int) -> None:
    assert traversal_cost(value) == wanted


@pytest.mark.parametrize(
    ("value", "size"),
    [
        ("né", 2),
        (b"abc", 3),
        ([1, 2], 2),
        ({}, 1),
        (made(("a", 1)), 1),
        (read({"a": 1, "b": 2}, JSON_TYPE), 2),
        (read([1, 2, 3], JSON_TYPE), 3),
        (Optional(present=True, value="abc"), 3),
        (Optional(present=True, value=Optional(present=True, value=[])), 0),
        (NONE, 1),
        (7, 1),
        (Uint(7), 1),
        (True, 1),
        (None, 1),
        (Duration(5), 1),
        (Timestamp(5), 1),
        (CelError("wrong"), 1),
        (ip.parse("1.2.3.4"), 4),
        (ip.parse("::1"), 16),
        (cidr.parse("::/0"), 0),
        (cidr.parse("::/1"), 1),
        (cidr.parse("::/8"), 1),
        (cidr.parse("::/9"), 2),
        (cidr.parse("::/128"), 16),
        (parse_url("/a"), 1),
        (SemverValue((1, 2, 3)), 1),
    ],
)
def test_the_size_by_which_costs_are_counted(value: Value, size: int) -> None:
    assert cost_size(value) == size


@pytest.mark.parametrize(
    ("id_", "args", "error"),
    [
        ("list_distinct", ("x",), "interface conversion: types.String is not traits.Lister: missing method Contains"),
        ("list_distinct", (1,), "interface conversion: types.Int is not traits.Lister: missing method Contains"),
        ("list_distinct", (None,), "interface conversion: types.Null is not traits.Lister: missing method Add"),
        ("list_int_sort", (True,), "interface conversion: types.Bool is not traits.Lister: missing method Add"),
        ("list_int_sort", (Timestamp(0),), "interface conversion: types.Timestamp is not traits.Lister: missing method Contains"),
        ("list_int_sortByAssociatedKeys", ([], CelError("x")), "interface conversion: *types.Err is not traits.Lister: missing method Add"),
        ("list_int_sort", (QUANTITY,), "interface conversion: cel.Quantity is not traits.Lister: missing method Add"),
        ("list_int_sort", (FORMATS["uri"],), "interface conversion: cel.Format is not traits.Lister: missing method Add"),
        ("list_flatten_int", ([1], Uint(1)), "interface conversion: ref.Val is types.Uint, not types.Int"),
        ("list_flatten_int", ([1], CelError("x")), "interface conversion: ref.Val is *types.Err, not types.Int"),
    ],
)
def test_the_server_breaks_down_where_it_takes_something_else_for_a_list(id_: str, args: tuple[Any, ...], error: str) -> None:
    with pytest.raises(PanicError) as raised:
        cost(id_, None, *args)
    assert str(raised.value) == error
