"""Functions that treat lists as sets.

sets.contains([1, 2], [2])          -> true
sets.equivalent([1, 1], [1])        -> true
sets.intersects([1], [2, 3])        -> false
"""

from __future__ import annotations

from typing import Final

from weighbridge.policies.cel.library.overload import Cost, Estimate, EstimatedArguments, Library
from weighbridge.policies.cel.library.ranges import CallEstimate, Range
from weighbridge.policies.cel.values.access import cost_size, held, used
from weighbridge.policies.cel.values.equality import contains as list_contains
from weighbridge.policies.cel.values.equality import is_of_values
from weighbridge.policies.cel.values.growth import check_comparisons
from weighbridge.policies.cel.values.types import BOOL, list_of, parameter
from weighbridge.policies.cel.values.values import CelError, Unreadable, Value


def contains(container: Value, wanted: Value) -> bool:
    """Whether every element of `wanted` is in `container`."""
    check_comparisons(cost_size(container) * cost_size(wanted))
    return all(_contains(container, value) for value in held(wanted))


def equivalent(left: Value, right: Value) -> bool:
    """Whether each list contains the other."""
    check_comparisons(cost_size(left) * cost_size(right), 2)
    return contains(left, right) and contains(right, left)


def intersects(left: Value, right: Value) -> bool:
    """Whether the lists have an element in common."""
    check_comparisons(cost_size(left) * cost_size(right))
    return any(_quietly_contains(right, value) for value in held(left))


def _quietly_contains(container: Value, value: Value) -> bool:
    try:
        return _contains(container, value)
    except CelError:
        return False


def _contains(container: Value, value: Value) -> bool:
    if value.__class__ is Unreadable and is_of_values(container):
        # The server looks for it, and no value is equal.
        return False
    return list_contains(container, used(value))


def _cost(factor: int) -> Cost:
    def cost(_result: Value, left: Value, right: Value) -> int:
        return 1 + cost_size(left) * cost_size(right) * factor

    return cost


def _estimate(factor: float) -> Estimate:
    def estimate(args: EstimatedArguments) -> CallEstimate:
        return CallEstimate((args.size(0) * args.size(1)).times(factor) + Range.of(1))

    return estimate


LIBRARY: Final = Library(since=(1, 29))
_LIST: Final = list_of(parameter("T"))
for _name, _call, _factor in (("contains", contains, 1), ("equivalent", equivalent, 2), ("intersects", intersects, 1)):
    LIBRARY.function(
        f"sets.{_name}", f"list_sets_{_name}_list", (_LIST, _LIST), BOOL, _call, cost=_cost(_factor), estimate=_estimate(float(_factor))
    )
