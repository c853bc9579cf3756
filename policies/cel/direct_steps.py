"""What generated code of the direct form calls, by name."""

from __future__ import annotations

from typing import Any, Final

from policies.cel.access import get, has_field, keys, valid_key
from policies.cel.data import items, read
from policies.cel.declared import DeclaredType, Shape
from policies.cel.equality import contains, equal
from policies.cel.library.standard_arithmetic import add, divide, modulo, multiply, negate, subtract
from policies.cel.library.standard_logic import greater, greater_or_equal, less, less_or_equal, not_equal
from policies.cel.steps import CostExceededError, finish, is_present, presence, start, step, tested, variable
from policies.cel.values import NONE, CelError, DataList, DataMap, Uint


class RetryError(Exception):
    """Something out of the ordinary: the tracked form has to decide."""


def same_data(left: Any, right: Any, declared: DeclaredType) -> bool:
    """Equality of two pieces of data of one declared type; raises CelError or RetryError."""
    if declared.is_plain:
        if left != right:
            return False
        if declared.holds_numbers:
            _check_numbers(left, declared)
            _check_numbers(right, declared)
        return True
    label = DataList if declared.shape is Shape.LIST else DataMap
    return equal(label(left, declared), label(right, declared))


_NUMBER_CLASSES: Final = {Shape.INT: (int,), Shape.BOOL: (bool,), Shape.DOUBLE: (int, float)}


def _check_numbers(raw: Any, declared: DeclaredType) -> None:
    """Make sure that plain data has only numbers of the kinds its type names; what isn't there can't be wrong."""
    shape = declared.shape
    if shape is Shape.OBJECT:
        for name, inner in declared.number_fields:
            value = raw.get(name)
            if value is not None:
                _check_numbers(value, inner)
    elif shape is Shape.LIST or shape is Shape.MAP:
        element = declared.element
        if element is not None and element.holds_numbers:
            for value in raw if shape is Shape.LIST else raw.values():
                _check_numbers(value, element)
    elif raw.__class__ not in _NUMBER_CLASSES[shape]:
        raise RetryError


#: Marks the end of an iterator.
END: Final = object()

DIRECT: Final = {
    function.__name__: function
    for function in (
        add, contains, divide, equal, finish, get, greater, greater_or_equal, has_field, is_present, items, iter, keys, less,
        less_or_equal, modulo, multiply, negate, next, not_equal, presence, read, same_data, start, step, subtract, tested, valid_key,
        variable,
    )
} | {
    "CelError": CelError, "CostExceededError": CostExceededError, "DataList": DataList, "DataMap": DataMap, "END": END, "NONE": NONE,
    "RetryError": RetryError, "Uint": Uint,
}  # fmt: skip
