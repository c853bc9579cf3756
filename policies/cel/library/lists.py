"""List functions: Kubernetes' own and cel-go's (version 3, since 1.34).

[1, 2, 3].isSorted()            -> true
[1, 3].sum()                    -> 4
['b', 'a'].min()                -> 'a'
[1, 2, 1].lastIndexOf(1)        -> 2
[1, 2, 3, 4].slice(1, 3)        -> [2, 3]
[[1], [2, 3]].flatten()         -> [1, 2, 3]
[3, 1, 2].sort()                -> [1, 2, 3]
[1, 2, 1].distinct()            -> [1, 2]
lists.range(3)                  -> [0, 1, 2]
['ab', 'c'].sortBy(e, e.size()) -> ['c', 'ab']
"""

from __future__ import annotations

from functools import cmp_to_key
from itertools import pairwise
from typing import Final

from weighbridge.policies.cel.library.errors import (
    NEGATIVE_LEVEL,
    NOT_COMPARABLE,
    SEVERAL_TYPES,
    empty_list,
    negative_range,
    negative_slice,
    not_a_list,
    not_an_int,
    range_too_long,
    reversed_slice,
    slice_too_long,
)
from weighbridge.policies.cel.library.overload import EstimatedArguments, Library, Overload
from weighbridge.policies.cel.library.ranges import MAX, ONE, STRING_FACTOR, CallEstimate, Range
from weighbridge.policies.cel.library.standard_arithmetic import add
from weighbridge.policies.cel.library.standard_logic import compare
from weighbridge.policies.cel.run_time_errors import NO_SUCH_OVERLOAD, no_such_overload_of
from weighbridge.policies.cel.values.access import RECEIVERS, cost_size, elements, held, held_entries, is_list, is_map, list_of_held, used
from weighbridge.policies.cel.values.equality import quietly_equal
from weighbridge.policies.cel.values.growth import check_comparisons, check_list
from weighbridge.policies.cel.values.types import (
    BOOL,
    BYTES,
    DOUBLE,
    DURATION,
    DYN,
    INT,
    STRING,
    TIMESTAMP,
    UINT,
    Kind,
    Type,
    list_of,
    parameter,
)
from weighbridge.policies.cel.values.values import CelError, Duration, PanicError, Timestamp, Uint, Value, go_type_name, type_name
from weighbridge.policies.ground.server_release import release

_COMPARABLE: Final = {
    "int": INT, "uint": UINT, "double": DOUBLE, "bool": BOOL, "duration": DURATION, "timestamp": TIMESTAMP, "string": STRING,
    "bytes": BYTES,
}  # fmt: skip
_ZEROS: Final[dict[str, Value]] = {"int": 0, "uint": Uint(0), "double": 0.0, "duration": Duration(0)}


def traversal_cost(value: Value) -> int:
    """The cost of going through a value: one for a scalar, a tenth of the bytes of a text, the sum of the parts of a container.

    If a value contains another one in many places, counting might not end. So it stops where the cost exceeds every limit.
    """
    total = met = 0
    pending = [value]
    while pending:
        part = pending.pop()
        met += 1
        check_list(met)
        if part.__class__ is str:
            total += int(float(len(part.encode("utf-8", "surrogatepass"))) * STRING_FACTOR)
        elif part.__class__ is bytes:
            total += int(float(len(part)) * STRING_FACTOR)
        elif is_list(part):
            pending += held(part)
        elif is_map(part):
            entries = held_entries(part)
            # For each field that isn't declared the server meets a key that is nil, and no value under it.
            total += 2 * (len(part) - len(entries))
            pending += [half for entry in entries for half in entry]
        else:
            total += 1
    return total


def positions_cost(_result: Value, *args: Value) -> int:
    """The cost of searching a list or a text."""
    return traversal_cost(args[0])


def positions_estimate(args: EstimatedArguments) -> CallEstimate:
    """For a list one per element, and a tenth of the size of each element that is a text; for a text a tenth of its size."""
    element = args.element_type(0)
    if element is None:
        return CallEstimate(args.size(0).times(STRING_FACTOR))
    each = ONE
    if element.kind in (Kind.STRING, Kind.BYTES):
        each += (args.element_size(0) or Range(0, MAX)).times(STRING_FACTOR)
    return CallEstimate(args.size(0) * each)


def is_sorted(values: Value) -> bool:
    """Whether no element is less than the one before it."""
    return all(_quiet_compare(left, right) != 1 for left, right in pairwise(map(used, held(values))))


def _quiet_compare(left: Value, right: Value) -> int:
    try:
        return compare(left, right)
    except CelError:
        if left is None or right is None:
            raise
        return 0


def _extreme(name: str, wanted: int) -> object:
    def extreme(values: Value) -> Value:
        found = elements(values)
        if not found:
            raise CelError(empty_list(name))
        best = found[0]
        for value in found[1:]:
            if _quiet_compare(best, value) == wanted:
                best = value
        return best

    return extreme


def _sum_from(zero: Value) -> object:
    def total(values: Value) -> Value:
        result = zero
        for value in elements(values):
            result = add(result, value)
        return result

    return total


def includes_estimate(args: EstimatedArguments) -> CallEstimate:
    """For a list one per element, and a tenth of the size of each element that is a text; for a text one per byte."""
    element = args.element_type(0)
    each = ONE
    if element is not None and element.kind in (Kind.STRING, Kind.BYTES):
        each += (args.element_size(0) or Range(0, MAX)).times(STRING_FACTOR)
    return CallEstimate(args.size(0) * each)


def includes(values: Value, wanted: Value) -> bool:
    """Whether a list has an equal element, or a value that isn't a list is equal itself."""
    if is_list(values):
        return any(quietly_equal(element, wanted) for element in held(values))
    return quietly_equal(values, wanted)


def index_of(values: Value, wanted: Value) -> int:
    """The position of the first equal element, or -1."""
    return next((position for position, value in enumerate(held(values)) if quietly_equal(value, wanted)), -1)


def last_index_of(values: Value, wanted: Value) -> int:
    """The position of the last equal element, or -1."""
    found = held(values)
    return next((position for position in range(len(found) - 1, -1, -1) if quietly_equal(found[position], wanted)), -1)


def slice_(values: Value, start: int, end: int) -> Value:
    """The elements from `start` up to `end`."""
    if start < 0 or end < 0:
        raise CelError(negative_slice(start, end))
    if start > end:
        raise CelError(reversed_slice(start, end))
    if len(values) < end:
        raise CelError(slice_too_long(start, end, len(values)))
    return list_of_held(held(values)[start:end])


def flatten(values: Value, depth: int = 1) -> Value:
    """The list with inner lists replaced by their elements, `depth` levels deep."""
    if not is_list(values):
        raise CelError(no_such_overload_of(f"{'map(dyn, dyn)' if is_map(values) else type_name(values)}.flatten()"))
    if depth < 0:
        raise CelError(NEGATIVE_LEVEL)
    found = held(values)
    while depth > 0 and any(map(is_list, found)):
        check_list(sum(len(value) if is_list(value) else 1 for value in found))
        found = [inner for value in found for inner in (held(value) if is_list(value) else [value])]
        depth -= 1
    return list_of_held(found)


def sort(values: Value) -> Value:
    """The elements in ascending order."""
    if not is_list(values):
        raise CelError(NO_SUCH_OVERLOAD if values.__class__ in (str, *RECEIVERS) else no_such_overload_of("sort"))
    return sort_by_keys(values, values)


def sort_by_keys(values: Value, sort_keys: Value) -> Value:
    """The elements in the ascending order of their keys."""
    if not is_list(values):
        raise CelError(no_such_overload_of("@sortByAssociatedKeys"))
    found: list[Value] = held(values)
    wanted: list[Value] = held(sort_keys)
    if not found:
        return values
    first = type_name(wanted[0])
    check_comparisons(len(wanted) ** 2, _comparison_cost(wanted))
    if first not in _ORDERED:
        raise CelError(NOT_COMPARABLE)
    if any(type_name(key) != first for key in wanted):
        raise CelError(SEVERAL_TYPES)

    def compare_at(left: int, right: int) -> int:
        return _quiet_compare(wanted[left], wanted[right])

    order = sorted(range(len(found)), key=cmp_to_key(compare_at))
    return list_of_held([found[position] for position in order])


#: The largest list that lists.range makes from 1.37 on.
_LONGEST_RANGE: Final = 1_000_000
_ORDERED: Final = frozenset({"int", "uint", "double", "bool", "string", "bytes", DURATION.name, TIMESTAMP.name})


def range_(count: int) -> list[Value]:
    """0, 1, ... below `count`."""
    if release().bounds_ranges and count < 0:
        raise CelError(negative_range(count))
    if release().bounds_ranges and count > _LONGEST_RANGE:
        raise CelError(range_too_long(count, _LONGEST_RANGE))
    check_list(count)
    return list(range(count))


def reverse(values: Value) -> Value:
    """The elements in reverse."""
    return list_of_held(held(values)[::-1])


def distinct(values: Value) -> Value:
    """Each element once, at its first position."""
    found, own = list[Value](), held(values)
    check_comparisons(len(own) ** 2, _comparison_cost(own))
    for value in own:
        if not any(quietly_equal(value, other) for other in found):
            found.append(value)
    return list_of_held(found) if found else values


#: The types of values that can be summed.
_ADDABLE: Final = frozenset({int, Uint, float, str, bytes, Duration, Timestamp})


def _allocating(size: int, factor: float = 1.0) -> int:
    return int(float(size) * factor) + 11


def _output_cost(result: Value, *_args: Value) -> int:
    return _allocating(cost_size(result))


def _flatten_cost(_result: Value, *args: Value) -> int:
    if len(args) == 2 and args[1].__class__ is not int:
        raise PanicError(not_an_int(go_type_name(args[1])))
    depth = float(args[1]) if len(args) == 2 else 1.0
    is_like_one = depth < 0 and release().prices_negative_depths
    return _allocating(cost_size(args[0]), 1.0 if is_like_one else depth)


def _compare_cost(values: Value) -> int:
    if not is_list(values):
        # The server computes this cost for a failed call too, and then takes the error for a list.
        missing = "Contains" if values.__class__ in _ADDABLE else "Add"
        raise PanicError(not_a_list(go_type_name(values), missing))
    return _allocating(cost_size(values) ** 2, _comparison_cost(held(values)))


def _comparison_cost(values: list[Value]) -> float:
    return 2.0 + (STRING_FACTOR if values and values[0].__class__ in (str, bytes) else 0.0)


def _self_compare_cost(_result: Value, *args: Value) -> int:
    return _compare_cost(args[0])


def _key_compare_cost(_result: Value, *args: Value) -> int:
    return _compare_cost(args[1])


def _allocating_estimate(size: Range, factor: float = 1.0) -> CallEstimate:
    return CallEstimate(size.times(factor) + Range.of(11), size)


def _constant_or(args: EstimatedArguments, index: int, otherwise: int) -> int:
    value = args.constant(index)
    return max(value, 0) if value.__class__ is int else otherwise


def _slice_estimate(args: EstimatedArguments) -> CallEstimate:
    size = args.size(0)
    length = _constant_or(args, 2, size.high) - _constant_or(args, 1, 0)
    return _allocating_estimate(Range.of(length % (1 << 64)))


def _range_estimate(args: EstimatedArguments) -> CallEstimate:
    return _allocating_estimate(Range.of(_constant_or(args, 0, MAX)))


def _reverse_estimate(args: EstimatedArguments) -> CallEstimate:
    return _allocating_estimate(args.size(0))


def _flatten_estimate(args: EstimatedArguments) -> CallEstimate:
    depth = _constant_or(args, 1, MAX) if len(args) > 1 else 1
    return _allocating_estimate(args.size(0), float(depth))


def _distinct_estimate(args: EstimatedArguments) -> CallEstimate:
    return _allocating_estimate(args.size(0) * args.size(0), 2.0)


def _sort_estimate(type_: Type, index: int) -> object:
    factor = 2.0 + (STRING_FACTOR if type_ in (STRING, BYTES) else 0.0)

    def estimate(args: EstimatedArguments) -> CallEstimate:
        return _allocating_estimate(args.size(index) * args.size(index), factor)

    return estimate


LIBRARY: Final = Library()
_SEARCH: Final = {"cost": positions_cost, "estimate": positions_estimate}
for _name, _type in _COMPARABLE.items():
    _of = list_of(_type)
    LIBRARY.member("isSorted", f"list_{_name}_is_sorted_bool", (_of,), BOOL, is_sorted, **_SEARCH)  # type: ignore[arg-type]
    if _name in _ZEROS:
        LIBRARY.member("sum", f"list_{_name}_sum_{_name}", (_of,), _type, _sum_from(_ZEROS[_name]), **_SEARCH)  # type: ignore[arg-type]
    LIBRARY.member("max", f"list_{_name}_max_{_name}", (_of,), _type, _extreme("max", -1), **_SEARCH)  # type: ignore[arg-type]
    LIBRARY.member("min", f"list_{_name}_min_{_name}", (_of,), _type, _extreme("min", 1), **_SEARCH)  # type: ignore[arg-type]
_A: Final = parameter("A")
LIBRARY.member("indexOf", "list_a_index_of_int", (list_of(_A), _A), INT, index_of, **_SEARCH)  # type: ignore[arg-type]
LIBRARY.member("lastIndexOf", "list_a_last_index_of_int", (list_of(_A), _A), INT, last_index_of, **_SEARCH)  # type: ignore[arg-type]

MEMBERSHIP: Final = Library(since=(1, 37))
MEMBERSHIP.member(
    "includes", "list_includes_dyn_dyn", (DYN, DYN), BOOL, includes, cost=positions_cost, estimate=includes_estimate
)  # fmt: skip

MORE: Final = Library(since=(1, 34))
_T: Final = parameter("T")
_LIST: Final = list_of(_T)
MORE.member("slice", "list_slice", (_LIST, INT, INT), _LIST, slice_, cost=_output_cost, estimate=_slice_estimate)
MORE.singleton(
    "flatten",
    flatten,
    [
        Overload(
            "list_flatten", (list_of(_LIST),), _LIST, member=True, cost=_flatten_cost, estimate=_flatten_estimate, since=(1, 34)
        ),
        Overload(
            "list_flatten_int", (list_of(DYN), INT), list_of(DYN), member=True, cost=_flatten_cost, estimate=_flatten_estimate,
            since=(1, 34),
        ),
    ],
)  # fmt: skip
MORE.singleton(
    "sort",
    sort,
    [
        Overload(
            f"list_{type_.name}_sort", (list_of(type_),), list_of(type_), member=True, cost=_self_compare_cost,
            estimate=_sort_estimate(type_, 0), since=(1, 34),  # type: ignore[arg-type]
        )
        for type_ in _COMPARABLE.values()
    ],
)  # fmt: skip
MORE.singleton(
    "@sortByAssociatedKeys",
    sort_by_keys,
    [
        Overload(
            f"list_{type_.name}_sortByAssociatedKeys", (_LIST, list_of(type_)), _LIST, member=True, cost=_key_compare_cost,
            estimate=_sort_estimate(type_, 1), since=(1, 34),  # type: ignore[arg-type]
        )
        for type_ in _COMPARABLE.values()
    ],
)  # fmt: skip
MORE.function("lists.range", "lists_range", (INT,), list_of(INT), range_, cost=_output_cost, estimate=_range_estimate)
MORE.member("reverse", "list_reverse", (_LIST,), _LIST, reverse, cost=_output_cost, estimate=_reverse_estimate)
MORE.member("distinct", "list_distinct", (_LIST,), _LIST, distinct, cost=_self_compare_cost, estimate=_distinct_estimate)
