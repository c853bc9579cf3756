"""Resource quantities: ``500m``, ``2Gi``, ``1e3``.

    quantity('1.5Gi').isGreaterThan(quantity('1500M'))  -> true
    quantity('1k') == quantity('1000')                  -> true
    quantity('50k').add(20000).asInteger()              -> 70000
    isQuantity('1KB')                                   -> false
    sign(quantity('-1'))                                -> -1

As upstream, an equality whose right side is a sum or difference is an error.
"""

from __future__ import annotations

from typing import ClassVar, Final

from weighbridge.policies.cel.library.overload import Library, one, one_estimated, traversal, traversal_estimated
from weighbridge.policies.cel.library.standard_logic import FLAT
from weighbridge.policies.cel.values.types import BOOL, DOUBLE, INT, STRING, struct
from weighbridge.policies.cel.values.values import CelError
from weighbridge.policies.ground.quantity import Quantity, QuantityError
from weighbridge.policies.ground.records import dataclass


@dataclass(slots=True, eq=False)
class QuantityValue:
    """A quantity as a CEL value; `derived` marks the results of arithmetic."""

    quantity: Quantity
    derived: bool = False

    cel_type: ClassVar[str] = "kubernetes.Quantity"
    go_type: ClassVar[str] = "cel.Quantity"

    @property
    def printed(self) -> str:
        """How Go prints it."""
        return str(self.quantity)

    def equals(self, other: object) -> bool | None:
        """Numeric equality; `None` if upstream finds no overload."""
        if not isinstance(other, QuantityValue) or other.derived:
            return None
        return self.quantity == other.quantity


def parse(text: str) -> QuantityValue:
    """``quantity(text)``."""
    try:
        return QuantityValue(Quantity.parse(text))
    except QuantityError as error:
        raise CelError(str(error)) from None


def is_quantity(text: str) -> bool:
    """``isQuantity(text)``."""
    try:
        Quantity.parse(text)
    except QuantityError:
        return False
    return True


def sign(value: QuantityValue) -> int:
    """-1, 0 or 1."""
    return value.quantity.sign()


def compare(left: QuantityValue, right: QuantityValue) -> int:
    """-1, 0 or 1."""
    return left.quantity.compare(right.quantity)


def is_greater(left: QuantityValue, right: QuantityValue) -> bool:
    """Whether the left one is greater."""
    return compare(left, right) == 1


def is_less(left: QuantityValue, right: QuantityValue) -> bool:
    """Whether the left one is less."""
    return compare(left, right) == -1


def as_float(value: QuantityValue) -> float:
    """An approximate double."""
    return value.quantity.as_approximate_float()


def as_integer(value: QuantityValue) -> int:
    """The amount as an int."""
    try:
        return value.quantity.as_int()
    except QuantityError as error:
        raise CelError(str(error)) from None


def is_integer(value: QuantityValue) -> bool:
    """Whether `as_integer` has an answer."""
    return value.quantity.is_integer()


def _amount(value: QuantityValue | int) -> Quantity:
    return value.quantity if isinstance(value, QuantityValue) else Quantity.from_int(value)


def add(left: QuantityValue, right: QuantityValue | int) -> QuantityValue:
    """The sum with a quantity or an int."""
    try:
        return QuantityValue(left.quantity.add(_amount(right)), derived=True)
    except QuantityError as error:
        raise CelError(str(error)) from None


def subtract(left: QuantityValue, right: QuantityValue | int) -> QuantityValue:
    """The difference from a quantity or an int."""
    try:
        return QuantityValue(left.quantity.sub(_amount(right)), derived=True)
    except QuantityError as error:
        raise CelError(str(error)) from None


TYPE: Final = struct("kubernetes.Quantity")
FLAT.add(QuantityValue)
LIBRARY: Final = Library(since=(1, 28))
LIBRARY.function("quantity", "string_to_quantity", (STRING,), TYPE, parse, cost=traversal(0), estimate=traversal_estimated(0))
LIBRARY.function("isQuantity", "is_quantity_string", (STRING,), BOOL, is_quantity, cost=traversal(0), estimate=traversal_estimated(0))
LIBRARY.function("sign", "quantity_sign", (TYPE,), INT, sign, cost=one, estimate=one_estimated)
LIBRARY.member("isGreaterThan", "quantity_is_greater_than", (TYPE, TYPE), BOOL, is_greater, cost=one, estimate=one_estimated)
LIBRARY.member("isLessThan", "quantity_is_less_than", (TYPE, TYPE), BOOL, is_less, cost=one, estimate=one_estimated)
LIBRARY.member("compareTo", "quantity_compare_to", (TYPE, TYPE), INT, compare, cost=one, estimate=one_estimated)
LIBRARY.member("asApproximateFloat", "quantity_get_float", (TYPE,), DOUBLE, as_float, cost=one, estimate=one_estimated)
LIBRARY.member("asInteger", "quantity_get_int", (TYPE,), INT, as_integer, cost=one, estimate=one_estimated)
LIBRARY.member("isInteger", "quantity_is_integer", (TYPE,), BOOL, is_integer, cost=one, estimate=one_estimated)
LIBRARY.member("add", "quantity_add", (TYPE, TYPE), TYPE, add, cost=one, estimate=one_estimated)
LIBRARY.member("add", "quantity_add_int", (TYPE, INT), TYPE, add, cost=one, estimate=one_estimated)
LIBRARY.member("sub", "quantity_sub", (TYPE, TYPE), TYPE, subtract, cost=one, estimate=one_estimated)
LIBRARY.member("sub", "quantity_sub_int", (TYPE, INT), TYPE, subtract, cost=one, estimate=one_estimated)
