"""Optional values, which are present or not; a missing value isn't an error.

`or` and `orValue` evaluate their argument only if they need it, so generated code handles them, as it does ``?.`` and ``[?]``.

    optional.of(1).value()                 -> 1
    optional.none().hasValue()             -> false
    {'a': 1}[?'b'].orValue(2)              -> 2
    [optional.of(1), optional.none()].unwrapOpt() -> [1]
"""

from __future__ import annotations

from typing import Final

from weighbridge.policies.cel.library.overload import Library, Overload
from weighbridge.policies.cel.run_time_errors import not_optional
from weighbridge.policies.cel.values.access import dereference, elements, held_at, list_of_held, optional_get
from weighbridge.policies.cel.values.go_values import go_text
from weighbridge.policies.cel.values.types import BOOL, DYN, INT, STRING, list_of, map_of, optional_of, parameter
from weighbridge.policies.cel.values.values import NONE, CelError, Duration, MapValue, Optional, Timestamp, Value


def of(value: Value) -> Optional:
    """``optional.of(value)``."""
    return Optional(present=True, value=value)


def of_non_zero(value: Value) -> Optional:
    """``optional.ofNonZeroValue(value)``: none for empty and zero values."""
    return NONE if _is_zero(value) else Optional(present=True, value=value)


def _is_zero(value: Value) -> bool:
    if value is None or isinstance(value, (str, bytes, int, float, list, MapValue)):
        return not value if not isinstance(value, MapValue) else len(value) == 0
    if isinstance(value, Duration):
        return value.nanoseconds == 0
    if isinstance(value, Timestamp):
        return value.nanoseconds == -62135596800 * 1_000_000_000
    # Upstream doesn't know zero values of data from an object.
    return False


def none() -> Optional:
    """``optional.none()``."""
    return NONE


def has_value(value: Optional) -> bool:
    """``optional.hasValue()``."""
    return value.present


def unwrap(values: Value) -> Value:
    """``optional.unwrap(list)``: the values that are present."""
    found = []
    for value in elements(values):
        if value.__class__ is not Optional:
            raise CelError(not_optional(go_text(value)))
        if value.present:
            found.append(value.value)
    return list_of_held(found)


def first(values: Value) -> Optional:
    """``list.first()``. An element that can't be read is an error only where the optional's value is used."""
    return of(held_at(values, 0)) if len(values) else NONE


def last(values: Value) -> Optional:
    """``list.last()``."""
    return of(held_at(values, len(values) - 1)) if len(values) else NONE


_K: Final = parameter("K")
_V: Final = parameter("V")
_OPTIONAL: Final = optional_of(_V)
_LIST: Final = list_of(_V)
_MAP: Final = map_of(_K, _V)

LIBRARY: Final = Library(since=(1, 28))
LIBRARY.function("optional.of", "optional_of", (_V,), _OPTIONAL, of)
LIBRARY.function("optional.ofNonZeroValue", "optional_ofNonZeroValue", (_V,), _OPTIONAL, of_non_zero)
LIBRARY.function("optional.none", "optional_none", (), _OPTIONAL, none)
LIBRARY.member("value", "optional_value", (_OPTIONAL,), _V, dereference)
LIBRARY.member("hasValue", "optional_hasValue", (_OPTIONAL,), BOOL, has_value)
LIBRARY.add("or", Overload("optional_or_optional", (_OPTIONAL, _OPTIONAL), _OPTIONAL, member=True, since=(1, 28)))
LIBRARY.add("orValue", Overload("optional_orValue_value", (_OPTIONAL, _V), _V, member=True, since=(1, 28)))
LIBRARY.singleton("_?._", optional_get, [Overload("select_optional_field", (DYN, STRING), _OPTIONAL, since=(1, 28))])
LIBRARY.singleton(
    "_[?_]",
    optional_get,
    [
        Overload("list_optindex_optional_int", (_LIST, INT), _OPTIONAL, since=(1, 28)),
        Overload("optional_list_optindex_optional_int", (optional_of(_LIST), INT), _OPTIONAL, since=(1, 28)),
        Overload("map_optindex_optional_value", (_MAP, _K), _OPTIONAL, since=(1, 28)),
        Overload("optional_map_optindex_optional_value", (optional_of(_MAP), _K), _OPTIONAL, since=(1, 28)),
    ],
)
LIBRARY.add(
    "_[_]",
    Overload("optional_list_index_int", (optional_of(_LIST), INT), _OPTIONAL, since=(1, 28)),
    Overload("optional_map_index_value", (optional_of(_MAP), _K), _OPTIONAL, since=(1, 28)),
)
LIBRARY.member("last", "list_last", (_LIST,), _OPTIONAL, last)
LIBRARY.member("first", "list_first", (_LIST,), _OPTIONAL, first)
LIBRARY.function("optional.unwrap", "optional_unwrap", (list_of(_OPTIONAL),), _LIST, unwrap)
LIBRARY.member("unwrapOpt", "optional_unwrapOpt", (list_of(_OPTIONAL),), _LIST, unwrap)
