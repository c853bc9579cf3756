"""Equality of values.

Numbers can be equal across types, other values only within their type. Lists of an object that are declared as sets or maps are compared
without regard to order, but only on the left side. Objects are compared as raw data if a field isn't declared. Sources: cel-go's
`common/types`, k8s.io/apiserver `pkg/cel/common/valuesunstructured.go`, defects included: map lists are looked up under escaped key names.
"""

from __future__ import annotations

import math
from collections.abc import Hashable
from contextlib import suppress
from typing import Any, Final, TypeAlias

from weighbridge.policies.cel.run_time_errors import NO_SUCH_OVERLOAD, NOT_SCALARS, unhashable
from weighbridge.policies.cel.values.access import elements, find, held, held_entries, held_under, is_list, is_map, used
from weighbridge.policies.cel.values.data import go_type, item, items, native, read, summand
from weighbridge.policies.cel.values.declared import JOINED_LISTS, JSON_TYPE, LIST_OF_VALUES, TYPED_JSON, Shape, ValuesOf
from weighbridge.policies.cel.values.values import (
    CelError,
    DataList,
    DataMap,
    Hidden,
    MapValue,
    Optional,
    PanicError,
    Timestamp,
    Uint,
    Unreadable,
    Value,
)
from weighbridge.policies.ground.objects import JSONValue
from weighbridge.policies.ground.server_release import release
from weighbridge.policies.schema.go_values import deep_equal, plain_text

_NUMBERS: Final = frozenset({int, float, Uint})
#: What Go can't hash.
_UNHASHABLE: Final = frozenset({dict, list, tuple, bytes, MapValue})
#: The most keys of a map list that the server hashes as they are. It joins more of them to a text.
_MOST_HASHED: Final = 3


def equal(left: Value, right: Value) -> bool:
    """``left == right``. Raises CelError if the comparison itself fails."""
    if left is None or right is None:
        return left is right
    kind = left.__class__
    if kind in _NUMBERS:
        return right.__class__ in _NUMBERS and numbers_equal(left, right)
    if kind is list:
        return _equal_lists(left, right)
    if kind is DataMap or is_map(left):
        return _equal_maps(left, right)
    if kind is DataList:
        return _equal_data_lists(left, right)
    if kind is Optional:
        return _equal_optionals(left, right)
    if kind is Hidden:
        return semantic_equal(left.raw, native(right))
    if hasattr(kind, "equals"):
        return _equal_library_values(left, right)
    return right.__class__ is kind and bool(left == right)


def _equal_library_values(left: Value, right: Value) -> bool:
    """Values of the libraries compare themselves; their answer `None` means that upstream finds no overload."""
    result: bool | None = left.equals(right)
    if result is None:
        raise CelError(NO_SUCH_OVERLOAD)
    return result


def numbers_equal(left: Value, right: Value) -> bool:
    """Equality of two numbers: an int is compared with a double as a double, unless a double can't hold it."""
    if left.__class__ is float or right.__class__ is float:
        return compare_with_double(left, right) == 0
    return int(left) == int(right)


def compare_with_double(left: float, right: float) -> int:
    """-1, 0 or 1 for numbers of which at least one is a double; 2 if one is NaN."""
    if math.isnan(left) or math.isnan(right):
        return 2
    if left.__class__ is float and right.__class__ is not float:
        return _double_against(left, int(right), unsigned=right.__class__ is Uint)
    if left.__class__ is not float:
        return -_double_against(right, int(left), unsigned=left.__class__ is Uint)
    return (left > right) - (left < right)


def _double_against(double: float, whole: int, *, unsigned: bool) -> int:
    lowest, highest = (0.0, 18446744073709551616.0) if unsigned else (-9223372036854775808.0, 9223372036854775808.0)
    if double < lowest:
        return -1
    if double > highest:
        return 1
    other = float(whole)
    return (double > other) - (double < other)


def _equal_optionals(left: Optional, right: Value) -> bool:
    if right.__class__ is not Optional:
        return False
    if not left.present or not right.present:
        return left.present is right.present
    return _meets(used(left.value), right.value)


#: Types whose values can contain one value in many places, so that comparing place by place might take forever.
_BUILT: Final = frozenset({list, MapValue})
_SPECIAL: Final = _BUILT | {Unreadable}
#: The pairs found equal in one comparison. They are kept alive so that their ids aren't used again.
_Met: TypeAlias = dict[tuple[int, int], tuple[Value, Value]]


def _equal_lists(left: list[Value], right: Value, met: _Met | None = None) -> bool:
    if not is_list(right) or len(left) != len(right):
        return False
    if _SPECIAL.isdisjoint(map(type, left)):
        with suppress(CelError):
            return all(map(equal, left, elements(right)))
    known: _Met = {} if met is None else met
    for mine, theirs in zip(left, held(right), strict=True):
        # Go passes over elements that it can't compare.
        with suppress(CelError):
            if mine.__class__ is not Unreadable and not _equal_parts(mine, theirs, known):
                return False
    return True


def _equal_joined(left: list[Value], right: Value) -> bool:
    """Whether a sum of lists equals a list. Elements that can't be compared are an error, if all others are equal."""
    failure: CelError | None = None
    for mine, theirs in zip(left, held(right), strict=True):
        try:
            if not _meets(used(mine), theirs):
                return False
        except CelError as error:
            failure = failure or error
    if failure is not None:
        raise failure
    return True


def _equal_parts(mine: Value, theirs: Value, met: _Met) -> bool:
    if mine.__class__ not in _BUILT:
        return _meets(mine, theirs)
    if theirs.__class__ is Unreadable:
        return False
    pair = (id(mine), id(theirs))
    if pair in met:
        return True
    same = _equal_lists(mine, theirs, met) if mine.__class__ is list else _equal_maps(mine, theirs, met)
    if same:
        met[pair] = (mine, theirs)
    return same


def _equal_maps(left: Value, right: Value, met: _Met | None = None) -> bool:
    if left.__class__ is DataMap and left.declared.shape is not Shape.JSON:
        return _equal_data_maps(left, right)
    if left.__class__ is DataMap and left.declared is TYPED_JSON and not is_map(right):
        raise CelError(NO_SUCH_OVERLOAD)
    if not is_map(right) or len(left) != len(right):
        return False
    known: _Met = {} if met is None else met
    for key, mine in held_entries(left):
        theirs, present = held_under(right, key)
        if not present:
            return False
        # Go passes over values that it can't compare.
        with suppress(CelError):
            if mine.__class__ is not Unreadable and not _equal_parts(mine, theirs, known):
                return False
    return True


def _equal_data_maps(left: DataMap, right: Value) -> bool:
    if not is_map(right):
        raise CelError(NO_SUCH_OVERLOAD)
    if len(left) != len(right):
        return False
    declared = left.declared
    known = declared.properties if declared.shape is Shape.OBJECT else None
    for key, raw in left.raw.items():
        if declared.shape is Shape.MAP or (known is not None and key in known):
            if not _equal_at(left, right, key):
                return False
        elif not isinstance(right, DataMap):
            raise CelError(NO_SUCH_OVERLOAD)
        elif key in right.raw and not semantic_equal(raw, right.raw[key]):
            return False
    return True


def _equal_at(left: DataMap, right: Value, key: str) -> bool:
    mine, present = held_under(left, key)
    theirs, other_present = held_under(right, key)
    if present != other_present:
        return False
    return not present or _meets(used(mine), theirs)


def _equal_data_lists(left: DataList, right: Value) -> bool:
    if left.declared is TYPED_JSON and not is_list(right):
        raise CelError(NO_SUCH_OVERLOAD)
    if left.declared.shape is Shape.JSON:
        return _equal_lists(items(left), right)
    if not is_list(right):
        raise CelError(NO_SUCH_OVERLOAD)
    if len(left) != len(right):
        return False
    if left.declared is LIST_OF_VALUES:
        return _equal_lists(left.raw, right)
    if left.declared is JOINED_LISTS:
        return _equal_joined(left.raw, right)
    if left.declared.list_type == "set":
        return _equal_sets(left, right)
    if left.declared.list_type == "map":
        return _equal_map_lists(left, right)
    return all(_meets(item(left, position), other) for position, other in enumerate(held(right)))


def _meets(mine: Value, theirs: Value) -> bool:
    """Whether a value equals another one that may be an error. A scalar differs from an error; a list or map of an object raises it."""
    if theirs.__class__ is not Unreadable:
        return equal(mine, theirs)
    if (is_list(mine) or is_map(mine)) and getattr(mine, "declared", None) is not JSON_TYPE:
        raise CelError(theirs.text)
    return False


def raw_key(raw: Any, *, in_empty: bool = False) -> Hashable:
    """The key that distinguishes Go's data as keys of a map. Raises PanicError for data that Go can't hash.

    `in_empty` says that the key is sought in an empty map.
    """
    if raw.__class__ in _UNHASHABLE:
        raise PanicError(unhashable(go_type(raw), in_empty=in_empty))
    return ("error", id(raw)) if raw.__class__ is Unreadable else go_key(raw)


def go_key(value: Value) -> Hashable:
    """The key that distinguishes Go's map keys: the kind and the value."""
    if value.__class__ in (dict, list):
        return (value.__class__.__name__, id(value))
    return (value.__class__.__name__, value)


def set_key(element: Value) -> Hashable:
    """The key that distinguishes the items of a set from 1.37 on; raises CelError for a value that can't be an item."""
    if is_list(element) or is_map(element):
        raise CelError(NOT_SCALARS)
    if element.__class__ is Unreadable:
        return ("error", id(element))
    return (element.__class__.__name__, (element.nanoseconds, element.offset) if element.__class__ is Timestamp else element)


def _equal_sets(left: DataList, right: Value) -> bool:
    if not release().counts_equal_items:
        known = {raw_key(raw) for raw in left.raw}
        return all(other.__class__ is not Unreadable and raw_key(summand(other)) in known for other in held(right))
    # An unreadable item is known by its identity, so the items have to stay.
    own = held(left)
    mine, met = set(map(set_key, own)), set()
    for other in held(right):
        key = set_key(other)
        if key not in mine:
            return False
        met.add(key)
    return len(met) == len(mine)


def map_list_key(element: JSONValue, escaped_keys: list[str], *, in_empty: bool = False) -> Hashable:
    """The key by which the server distinguishes the items of a map list; see `raw_key`. What isn't an object differs from everything."""
    if element.__class__ is not dict:
        return object()
    values = [element.get(key) for key in escaped_keys]
    if len(values) <= _MOST_HASHED and not _UNHASHABLE.isdisjoint(map(type, values)):
        raise PanicError(unhashable(next(go_type(value) for value in values if value.__class__ in _UNHASHABLE), in_empty=in_empty))
    return _key_of(values)


def _key_of(values: list[Value]) -> Hashable:
    if len(values) <= _MOST_HASHED:
        return tuple(map(go_key, values))
    if release().counts_equal_items:
        # The server joins more than three keys to a text. In it numbers lose their kinds, and before 1.37 the borders between texts are
        # lost too.
        return tuple(plain_text(value) if value.__class__ in _NUMBERS else go_key(value) for value in values)
    return plain_text(values)


def value_key(element: Value, escaped_keys: list[str]) -> Hashable:
    """The key of an item of a sum of map lists, which are values from 1.37 on."""
    return _key_of([_quiet_native(element, key) for key in escaped_keys])


def _quiet_native(element: Value, key: str) -> Value:
    try:
        return native(find(element, key)[0]) if is_map(element) else None
    except CelError:
        return None


def _equal_map_lists(left: DataList, right: Value) -> bool:
    escaped = left.declared.escaped_keys
    element = left.declared.element
    of_values = isinstance(left.declared, ValuesOf)
    mine = {(value_key if of_values else map_list_key)(raw, escaped): raw for raw in left.raw}
    met = set()
    for other in held(right):
        if other.__class__ is Unreadable and not of_values:
            return False
        key = value_key(other, escaped) if of_values else map_list_key(native(other), escaped)
        if key not in mine:
            return False
        if element is None or not _meets(read(mine[key], element), other):
            return False
        met.add(key)
    return len(met) == len(mine) or not release().counts_equal_items


def semantic_equal(left: JSONValue, right: JSONValue) -> bool:
    """``equality.Semantic.DeepEqual``: like that of `reflect`, but null equals an empty list or map."""
    pending = [(left, right)]
    while pending:
        one, other = pending.pop()
        if one.__class__ is not other.__class__:
            return False
        if one.__class__ is dict:
            if len(one) != len(other) or one.keys() != other.keys():
                return False
            pending.extend((one[key], other[key]) for key in one)
        elif one.__class__ is list:
            if len(one) != len(other):
                return False
            pending.extend(zip(one, other, strict=True))
        elif not deep_equal(one, other):
            return False
    return True


def contains(container: Value, wanted: Value) -> bool:
    """``wanted in container``; raises CelError if the container is neither list nor map."""
    if container.__class__ is list:
        return any(quietly_equal(wanted, element) for element in container)
    if container.__class__ is DataList:
        if container.declared.shape is Shape.JSON:
            return any(quietly_equal(wanted, element) for element in items(container))
        if is_of_values(container):
            return _holds(held(container), wanted)
        return _joined_contains(held(container), wanted) if container.declared is JOINED_LISTS else _data_contains(container, wanted)
    if container.__class__ is MapValue:
        return bool(container.find(wanted)[1])
    if container.__class__ is DataMap:
        return find(container, wanted)[1]
    raise CelError(NO_SUCH_OVERLOAD)


def quietly_equal(left: Value, right: Value) -> bool:
    """Whether two values are equal; false if the comparison fails."""
    try:
        return equal(left, right)
    except CelError:
        return False


def _holds(found: list[Value], wanted: Value) -> bool:
    return any(element.__class__ is not Unreadable and quietly_equal(wanted, element) for element in found)


def _joined_contains(found: list[Value], wanted: Value) -> bool:
    return _holds(found, wanted) or any(used(element).__class__ is Unreadable for element in found)


def _data_contains(container: DataList, wanted: Value) -> bool:
    failure: CelError | None = None
    for position in range(len(container)):
        try:
            if equal(item(container, position), wanted):
                return True
        except CelError as error:
            failure = failure or error
    if failure is not None:
        raise failure
    return False


def is_of_values(container: Value) -> bool:
    """Whether a list holds values that were read before, rather than data of an object."""
    return container.__class__ is list or container.declared is LIST_OF_VALUES or isinstance(container.declared, ValuesOf)
