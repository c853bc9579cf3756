"""The functions that generated code of the direct form calls, by name."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from weighbridge.policies.cel.emit.steps import finish, is_present, presence, start, step, tested, variable
from weighbridge.policies.cel.library.standard_arithmetic import add, divide, modulo, multiply, negate, subtract
from weighbridge.policies.cel.library.standard_conversions import to_double
from weighbridge.policies.cel.library.standard_logic import greater, greater_or_equal, less, less_or_equal, not_equal
from weighbridge.policies.cel.values.access import dereference, get, has_field, keys, valid_key
from weighbridge.policies.cel.values.data import items, read
from weighbridge.policies.cel.values.equality import contains, equal
from weighbridge.policies.cel.values.same_data import same_data
from weighbridge.policies.cel.values.undecided import END, CostExceededError, RetryError
from weighbridge.policies.cel.values.values import NONE, CelError, DataList, DataMap, Uint, Value

_TEXT: Final = frozenset({str})


def all_texts(values: Iterable[Value]) -> bool:
    """Whether all elements are texts."""
    return _TEXT.issuperset(map(type, values))


DIRECT: Final = {
    function.__name__: function
    for function in (
        add, all_texts, contains, dereference, divide, equal, finish, get, greater, greater_or_equal, has_field, is_present, items, iter,
        keys, less, less_or_equal, modulo, multiply, negate, next, not_equal, presence, read, same_data, start, step, subtract, tested,
        to_double, valid_key, variable,
    )
} | {
    "CelError": CelError, "CostExceededError": CostExceededError, "DataList": DataList, "DataMap": DataMap, "END": END, "NONE": NONE,
    "RetryError": RetryError, "Uint": Uint,
}  # fmt: skip
