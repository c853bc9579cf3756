"""Reads parts of values: fields, keys, indexes, presence, sizes, iteration.

These are the general forms, for any value; where the types are known, generated code reads the JSON itself. A field of an object is found
by its identifier, an entry of a map by its key. Null at a declared field counts as absent. Source: cel-go's `interpreter/attributes.go`
(`refQualify`) and k8s.io/apiserver `pkg/cel/common/valuesunstructured.go`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import repeat
from typing import Any, Final

from weighbridge.policies.cel.run_time_errors import (
    EMPTY_OPTIONAL,
    NO_SUCH_OVERLOAD,
    index_out_of_bounds,
    invalid_qualifier_type,
    no_such_key,
    no_such_overload_of,
    not_iterable,
    unsupported_index,
    unsupported_index_type,
    unsupported_index_value,
    unsupported_key_type,
)
from weighbridge.policies.cel.values.data import item, items, read, untyped
from weighbridge.policies.cel.values.declared import LIST_OF_VALUES, TYPED_JSON, DeclaredType, Shape
from weighbridge.policies.cel.values.escapes import escape, unescape
from weighbridge.policies.cel.values.go_values import go_text
from weighbridge.policies.cel.values.values import (
    NONE,
    CelError,
    DataList,
    DataMap,
    Duration,
    LazyMap,
    MapValue,
    Optional,
    Timestamp,
    Uint,
    Unreadable,
    Value,
    go_type_name,
    type_name,
)

MAX_INT64: Final = (1 << 63) - 1
#: Types whose values receive calls themselves, before a missing overload is reported.
RECEIVERS: Final = (Timestamp, Duration)


def find(container: Value, key: Value) -> tuple[Value, bool]:
    """The value under a key of a map, and whether there is one. Raises CelError for data or keys of the wrong type."""
    if container.__class__ is MapValue:
        value, present = container.find(key)
        return used(value), present
    return _find_data(container, key)


def _find_data(container: DataMap, key: Value) -> tuple[Value, bool]:
    declared = container.declared
    if declared.shape is Shape.JSON:
        if key.__class__ is str and key in container.raw:
            return read(container.raw[key], declared), True
        if declared is TYPED_JSON and key.__class__ is not str:
            raise CelError(unsupported_key_type(go_type_name(key)))
        return None, False
    if key.__class__ is not str:
        raise CelError(NO_SUCH_OVERLOAD)
    is_object = declared.shape is Shape.OBJECT
    name = unescape(key) if is_object else key
    if name is None or name not in container.raw:
        return None, False
    raw = container.raw[name]
    if is_object:
        inner = declared.properties.get(name)
        return (None, False) if raw is None or inner is None else (read(raw, inner), True)
    return (None, False) if declared.element is None else (read(raw, declared.element), True)


def list_index(index: Value) -> int:
    """An index as an int; raises CelError for what can't be one."""
    if index.__class__ is int or index.__class__ is Uint:
        if index.__class__ is Uint and index > MAX_INT64:
            raise CelError(unsupported_index_value(go_text(index)))
        return int(index)
    if index.__class__ is float:
        if index.is_integer() and abs(index) < 1 << 63:
            return int(index)
        raise CelError(unsupported_index_value(go_text(index)))
    raise CelError(unsupported_index_type(type_name(index)))


def qualify(container: Value, key: Value) -> tuple[Value, bool]:
    """``container.key`` or ``container[key]`` if it is there; values without parts have nothing."""
    kind = container.__class__
    if kind is DataMap or kind is MapValue:
        return find(container, key)
    if kind is list or kind is DataList:
        position = list_index(key)
        if not 0 <= position < len(container):
            return None, False
        if kind is list:
            return container[position], True
        if key.__class__ is not int:
            raise CelError(unsupported_index(go_text(key)))
        return item(container, position), True
    if kind is LazyMap:
        found: tuple[Value, bool] = container.find(key)
        return found
    fields = getattr(container, "built_fields", None)
    return (None, False) if fields is None else (fields.get(key), key in fields)


def qualify_held(container: Value, key: Value) -> tuple[Value, bool]:
    """As `qualify`, for an optional step: an element of an object's list is there even if it can't be read or found by such an index."""
    container = used(container)
    if container.__class__ is DataList and 0 <= list_index(key) < len(container):
        return _held(get, container, key), True
    return qualify(container, key)


def get(container: Value, key: Value) -> Value:
    """``container.key`` or ``container[key]``; raises CelError if there is no such part."""
    value, present = qualify(container, key)
    if present:
        return value
    if container.__class__ is list or container.__class__ is DataList:
        raise CelError(index_out_of_bounds(go_text(key)))
    if hasattr(container, "built_fields"):
        return container.unset(key)
    raise CelError(no_such_key(go_text(key)))


def valid_key(key: Value) -> Value:
    """A computed key, unchanged; raises CelError for types that can't be a key."""
    if key.__class__ in (str, int, bool, float, Uint):
        return key
    raise CelError(invalid_qualifier_type(go_type_name(key)))


def opened(value: Value) -> tuple[Value, bool, bool]:
    """What a step into a value starts from: the value or an optional's content, whether it was an optional, and whether that was empty.

    The content loses its declared type.
    """
    if value.__class__ is not Optional:
        return value, False, False
    return (used(untyped(value.value)), True, False) if value.present else (None, True, True)


def reopened(value: Value) -> Value:
    """The value that reading a variable gives: an optional gets its content anew."""
    if value.__class__ is not Optional or not value.present:
        return value
    return Optional(present=True, value=untyped(value.value))


def has_field(container: Value, key: str) -> bool:
    """``has(container.key)``. An optional has a field if its content has."""
    content, optional, empty = opened(container)
    if optional and empty:
        return False
    return qualify(content, key)[1]


def dereference(value: Optional) -> Value:
    """``optional.value()``."""
    if not value.present:
        raise CelError(EMPTY_OPTIONAL)
    return used(value.value)


def size(value: Value) -> int:
    """``size()``; raises CelError if the value has none."""
    if value.__class__ in (str, bytes, list, DataList, MapValue, DataMap):
        return len(value)
    raise CelError(NO_SUCH_OVERLOAD if value.__class__ in RECEIVERS else no_such_overload_of("size"))


def cost_size(value: Value) -> int:
    """The size by which costs are counted; one for a value without a size."""
    kind = value.__class__
    if kind is str or kind is list or kind is DataList or kind is DataMap or kind is MapValue or kind is bytes:
        return len(value)
    if kind is Optional and value.present:
        return cost_size(value.value)
    sizer = getattr(value, "cost_size", None)
    return sizer if isinstance(sizer, int) else 1


def elements(value: Value) -> list[Value]:
    """The values that a comprehension runs over: the elements of a list, or the keys of a map."""
    if value.__class__ is list:
        return value
    if value.__class__ is DataList:
        return items(value)
    if value.__class__ is MapValue or value.__class__ is DataMap:
        return list(iterated_keys(value))
    raise CelError(not_iterable(go_type_name(value)))


def held(values: Value) -> list[Value]:
    """The elements of a list, with an `Unreadable` instead of each one that doesn't fit its type."""
    if values.__class__ is list:
        return values
    try:
        return items(values)
    except CelError:
        return [_held(item, values, position) for position in range(len(values))]


def held_at(values: Value, position: int) -> Value:
    """The element at a position that exists, or an `Unreadable`."""
    return _held(item_at, values, position)


def held_entries(value: DataMap | MapValue) -> list[tuple[Value, Value]]:
    """The keys and values of a map, with an `Unreadable` instead of each value that doesn't fit its type."""
    return [(key, _held(entry_at, value, key)) for key in iterated_keys(value)]


def _held(reader: Callable[[Any, Any], Value], container: Value, key: Value) -> Value:
    try:
        return reader(container, key)
    except CelError as error:
        return Unreadable(str(error))


def held_under(container: Value, key: Value) -> tuple[Value, bool]:
    """The value under a key, or an `Unreadable`, and whether there is one."""
    try:
        return find(container, key)
    except CelError as error:
        return Unreadable(str(error)), True


def entry_at(container: Value, key: Value) -> Value:
    """The value under a key over which a map is iterated. Raises CelError if it is null or can't be read, or if there is no such key."""
    value, present = find(container, key)
    if not present:
        raise CelError(no_such_key(go_text(key)))
    return value


def list_of_held(found: list[Value], declared: DeclaredType = LIST_OF_VALUES) -> Value:
    """A list of these elements, of which some may be unreadable; the list is of the declared type then."""
    return DataList(found, declared) if any(value.__class__ is Unreadable for value in found) else found


def used(value: Value) -> Value:
    """An element that is used; raises CelError if it can't be read."""
    if value.__class__ is Unreadable:
        raise CelError(value.text)
    return value


def keys(value: DataMap | MapValue) -> Iterator[Value]:
    """The keys of a map; for an object the identifiers of declared fields that are present."""
    if isinstance(value, MapValue):
        return iter(value)
    if value.declared.shape is Shape.OBJECT:
        return (escape(name) or name for name in value.raw if name in value.declared.properties)
    return iter(()) if value.declared.shape is Shape.EMPTY else iter(value.raw)


def iterated_keys(value: DataMap | MapValue) -> Iterator[Value]:
    """The keys over which the server iterates: those of `keys`, and null for each field that the schema doesn't know."""
    count = 0
    for key in keys(value):
        yield key
        count += 1
    if value.__class__ is DataMap and value.declared.shape is not Shape.JSON:
        yield from repeat(None, len(value) - count)


def pairs(value: Value) -> list[tuple[Value, Value]]:
    """The pairs that a comprehension with two variables runs over: index and element, or key and value."""
    if value.__class__ is MapValue:
        return list(value.items())
    if value.__class__ is DataMap:
        return [(key, entry_at(value, key)) for key in iterated_keys(value)]
    return list(enumerate(elements(value)))


def item_at(value: Value, position: int) -> Value:
    """The element at a position that exists."""
    return item(value, position) if value.__class__ is DataList else value[position]


def is_list(value: Value) -> bool:
    """Whether a value is a list of either kind."""
    return value.__class__ is list or value.__class__ is DataList


def is_map(value: Value) -> bool:
    """Whether a value is a map of either kind."""
    return value.__class__ is DataMap or value.__class__ is MapValue


def optional_get(container: Value, key: Value) -> Optional:
    """``container.?key`` or ``container[?key]``."""
    value, present = qualify_held(container, key)
    return Optional(present=True, value=value) if present else NONE
