"""The estimated cost of a call and the size of its result, from the sizes of its arguments: cost.go of Kubernetes 1.36."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import pytest

from tests.cel.library_calls import OVERLOADS
from weighbridge.policies.cel.library.overload import Overload
from weighbridge.policies.cel.library.ranges import EMPTY, MAX, CallEstimate, Range, by_factor
from weighbridge.policies.cel.values.types import BYTES, INT, STRING, Type
from weighbridge.policies.cel.values.values import Value

S, OLD, NEW, LIST = Range(7, 30), Range(0, 3), Range(2, 4), Range(3, 5)


@dataclass
class Arguments:
    """Arguments of known sizes; the first may be a list with elements, any may be a literal."""

    sizes: tuple[Range, ...]
    element: Type | None = None
    element_range: Range | None = None
    constants: Mapping[int, Value] = field(default_factory=dict)

    def size(self, index: int) -> Range:
        return self.sizes[index]

    def element_size(self, index: int) -> Range | None:
        return self.element_range if index == 0 else None

    def element_type(self, index: int) -> Type | None:
        return self.element if index == 0 else None

    def constant(self, index: int) -> Value:
        return self.constants.get(index)

    def type(self, index: int) -> Type:
        return OVERLOADS["equals"].parameters[index]

    def __len__(self) -> int:
        return len(self.sizes)


def estimated(overload: Overload, arguments: Arguments) -> tuple[Range, Range | None]:
    assert overload.estimate is not None
    found = overload.estimate(arguments)
    assert isinstance(found, CallEstimate)
    return found.cost, found.size


@pytest.mark.parametrize(
    ("id_", "sizes", "cost", "size"),
    [
        ("contains_string", (S, Range(3, 21)), Range(1, 9), None),
        ("starts_with_string", (S, Range(3, 41)), Range(1, 5), None),
        ("ends_with_string", (S, Range(3, 41)), Range(1, 5), None),
        ("matches_string", (S, Range(3, 21)), Range(1, 24), None),
        ("string_find_string", (S, Range(3, 21)), Range(1, 24), Range(0, 30)),
        ("string_find_all_string_int", (S, Range(3, 21), Range(1, 1)), Range(1, 24), Range(0, 30)),
        ("string_to_bytes", (S,), Range(1, 3), Range(7, 120)),
        # Upstream's own numbers overflow: four times the largest, and twice the largest plus two.
        ("string_to_bytes", (Range(7, MAX),), Range(1, 1844674407370955264), Range(7, MAX - 3)),
        ("bytes_to_string", (S,), Range(1, 3), Range(1, 30)),
        ("string_lower_ascii", (S,), Range(1, 3), S),
        ("string_trim", (S,), Range(1, 3), S),
        ("string_substring_int_int", (S, Range(1, 1), Range(1, 1)), Range(1, 3), S),
        ("string_format", (S, LIST), Range(1, 3), None),
        ("strings_quote", (S,), Range(1, 3), Range(9, 62)),
        ("strings_quote", (Range(7, MAX),), Range(1, 1844674407370955264), Range(9, 0)),
        ("string_to_url", (S,), Range(1, 3), S),
        ("string_to_ip", (S,), Range(1, 3), None),
        ("ip_is_canonical", (S,), Range(2, 6), None),
        ("cidr_contains_ip_ip", (Range(1, 1), Range(1, 1)), Range(1, 4), None),
        ("cidr_contains_ip_string", (Range(1, 1), S), Range(2, 7), None),
        ("cidr_contains_cidr", (Range(1, 1), Range(1, 1)), Range(3, 7), None),
        ("cidr_contains_cidr_string", (Range(1, 1), S), Range(4, 10), None),
        ("format-validate", (Range(1, 1), S), Range(32, 96), None),
        ("format-named", (S,), Range(1, 1), None),
        ("list_sets_contains_list", (LIST, NEW), Range(7, 21), None),
        ("list_sets_intersects_list", (LIST, NEW), Range(7, 21), None),
        ("list_sets_equivalent_list", (LIST, NEW), Range(13, 41), None),
        ("list_reverse", (LIST,), Range(14, 16), LIST),
        ("list_flatten", (LIST,), Range(14, 16), LIST),
        ("list_distinct", (LIST,), Range(29, 61), Range(9, 25)),
        ("list_int_sort", (LIST,), Range(29, 61), Range(9, 25)),
        ("list_string_sort", (LIST,), Range(30, 64), Range(9, 25)),
        ("list_bytes_sort", (LIST,), Range(30, 64), Range(9, 25)),
        ("list_double_sortByAssociatedKeys", (Range(1, 1), LIST), Range(29, 61), Range(9, 25)),
        ("list_bytes_sortByAssociatedKeys", (Range(1, 1), LIST), Range(30, 64), Range(9, 25)),
        ("authorizer_fieldselector", (Range(1, 1), S), Range(211, 763), None),
        ("authorizer_labelselector", (Range(1, 1), Range(0, 2)), Range(10, 61), None),
        ("resourcecheck_check", (Range(1, 1), S), Range(350_000, 350_000), None),
        ("resourcecheck_name", (Range(1, 1), S), Range(1, 1), None),
    ],
)
def test_the_estimate_of_a_call_follows_from_sizes(id_: str, sizes: tuple[Range, ...], cost: Range, size: Range | None) -> None:
    assert estimated(OVERLOADS[id_], Arguments(sizes)) == (cost, size)


@pytest.mark.parametrize(
    ("old", "new", "size"),
    [
        (Range(0, 3), Range(2, 4), Range(6, 154)),
        (Range(0, 0), Range(2, 4), Range(23, 154)),
        (Range(4, 9), Range(1, 4), Range(1, 30)),
        (Range(1, 3), Range(3, 5), Range(7, 150)),
        (Range(4, 4), Range(4, 4), Range(7, 30)),
        (Range(4, 4), Range(5, 5), Range(7, 40)),
        (Range(4, 4), Range(3, 3), Range(6, 30)),
    ],
)
def test_a_replacement_makes_a_text_as_short_or_long_as_can_be(old: Range, new: Range, size: Range) -> None:
    assert estimated(OVERLOADS["string_replace_string_string"], Arguments((S, old, new))) == (Range(2, 6), size)


@pytest.mark.parametrize(
    ("text", "old", "size"),
    [
        (Range(7, MAX), Range(0, 3), Range(6, MAX)),
        (Range(MAX, MAX), Range(0, 0), Range(MAX, MAX)),
        (Range(7, MAX), Range(1, 9), Range(2, MAX)),
    ],
)
def test_a_text_without_bounds_stays_without_bounds(text: Range, old: Range, size: Range) -> None:
    assert estimated(OVERLOADS["string_replace_string_string_int"], Arguments((text, old, NEW, Range(1, 1))))[1] == size


@pytest.mark.parametrize(
    ("sizes", "element", "cost", "size"),
    [
        ((LIST,), Range(2, 4), Range(1, 2), Range(6, 20)),
        ((LIST, Range(1, 3)), Range(2, 4), Range(1, 4), Range(8, 32)),
        ((Range(0, 1), Range(1, 3)), Range(2, 4), Range(0, 1), Range(0, 4)),
        ((Range(1, 2), Range(20, 30)), Range(2, 4), Range(1, 4), Range(2, 38)),
        ((LIST, Range(1, 3)), None, Range(1, 2), Range(2, 12)),
    ],
)
def test_a_joined_text_has_one_separator_less_than_parts(sizes: tuple[Range, ...], element: Range | None, cost: Range, size: Range) -> None:
    id_ = "list_join" if len(sizes) == 1 else "list_join_string"
    assert estimated(OVERLOADS[id_], Arguments(sizes, STRING, element)) == (cost, size)


@pytest.mark.parametrize(("constants", "most"), [({}, 30), ({2: 5}, 5), ({2: 0}, 0), ({2: -1}, MAX), ({2: "x"}, 30)])
def test_a_text_splits_into_as_many_parts_as_a_literal_limit_says(constants: dict[int, Value], most: int) -> None:
    found = estimated(OVERLOADS["string_split_string_int"], Arguments((S, Range(1, 1), Range(1, 1)), constants=constants))
    assert found == (Range(2, 6), Range(0, most))
    assert estimated(OVERLOADS["string_split_string"], Arguments((S, Range(1, 1)), constants=constants)) == (Range(2, 6), Range(0, 30))


@pytest.mark.parametrize(
    ("element", "size", "cost"),
    [
        (INT, None, Range(3, 5)),
        (STRING, Range(2, 40), Range(6, 25)),
        (BYTES, Range(0, 11), Range(3, 15)),
        (STRING, None, Range(3, 5 * (1844674407370955264 + 1))),
    ],
)
def test_searching_a_list_costs_its_elements_and_a_tenth_of_their_texts(element: Type, size: Range | None, cost: Range) -> None:
    for id_ in ("list_a_index_of_int", "list_string_min_string", "list_bytes_is_sorted_bool", "list_int_sum_int"):
        assert estimated(OVERLOADS[id_], Arguments((LIST,), element, size)) == (cost, None)


def test_searching_a_text_costs_a_tenth() -> None:
    assert estimated(OVERLOADS["string_last_index_of_string_int"], Arguments((S, Range(1, 1), Range(1, 1)))) == (Range(1, 3), None)


@pytest.mark.parametrize(
    ("id_", "constants", "cost", "size"),
    [
        ("list_slice", {1: 1, 2: 3}, Range(13, 13), Range(2, 2)),
        ("list_slice", {}, Range(16, 16), Range(5, 5)),
        ("list_slice", {1: 2}, Range(14, 14), Range(3, 3)),
        ("list_slice", {2: -1}, Range(11, 11), Range(0, 0)),
        ("list_slice", {1: -1, 2: 4}, Range(15, 15), Range(4, 4)),
        ("list_slice", {1: 4, 2: 3}, Range(MAX, MAX), Range(MAX, MAX)),
        ("lists_range", {0: 7}, Range(18, 18), Range(7, 7)),
        ("lists_range", {0: -7}, Range(11, 11), Range(0, 0)),
        ("lists_range", {}, Range(MAX, MAX), Range(MAX, MAX)),
        ("list_flatten_int", {1: 2}, Range(17, 21), LIST),
        ("list_flatten_int", {1: 0}, Range(11, 11), LIST),
        ("list_flatten_int", {1: -3}, Range(11, 11), LIST),
        ("list_flatten_int", {}, Range(MAX, MAX), LIST),
    ],
)
def test_literals_bound_what_a_list_function_makes(id_: str, constants: dict[int, Value], cost: Range, size: Range) -> None:
    sizes = (LIST, *(Range(1, 1) for _ in OVERLOADS[id_].parameters[1:]))
    assert estimated(OVERLOADS[id_], Arguments(sizes, constants=constants)) == (cost, size)


def test_ranges_saturate_where_64_bits_end() -> None:
    assert Range(1, MAX) + Range(2, 1) == Range(3, MAX)
    assert Range(MAX, MAX) + Range(0, 0) == Range(MAX, MAX)
    assert Range(2, MAX) * Range(3, 2) == Range(6, MAX)
    assert Range(1 << 32, 1 << 32) * Range((1 << 32) - 1, 1 << 32) == Range((1 << 64) - (1 << 32), MAX)
    assert Range(1, 11).times(0.1) == Range(1, 2)
    assert Range(0, MAX).times(2.0) == Range(0, MAX)
    assert (by_factor(10, 0.1), by_factor(MAX, 1.0)) == (1, MAX)
    assert Range(3, 5).union(Range(2, 4)) == Range(2, 5)
    assert EMPTY.union(Range(3, 5)) == Range(3, 5)
    assert Range.of(4) == Range(4, 4)
