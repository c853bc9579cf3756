"""Ranges of costs and sizes for static estimates: unsigned 64-bit numbers that stay at the largest instead of overflowing.

Source: cel-go's `checker/cost.go`.
"""

from __future__ import annotations

import math
from typing import Final

from weighbridge.policies.ground.records import dataclass

MAX: Final = (1 << 64) - 1
STRING_FACTOR: Final = 0.1
REGEX_FACTOR: Final = 0.25


def by_factor(number: int, factor: float) -> int:
    """`number` times `factor` in floating point, rounded up."""
    product = math.ceil(float(number) * factor)
    return min(product, MAX)


@dataclass(frozen=True, slots=True)
class Range:
    """From `low` to `high`, both included."""

    low: int
    high: int

    @classmethod
    def of(cls, number: int) -> Range:
        """The range of one number."""
        return cls(number, number)

    def __add__(self, other: Range) -> Range:
        return Range(min(self.low + other.low, MAX), min(self.high + other.high, MAX))

    def __mul__(self, other: Range) -> Range:
        return Range(min(self.low * other.low, MAX), min(self.high * other.high, MAX))

    def times(self, factor: float) -> Range:
        """Both ends times a factor, rounded up."""
        return Range(by_factor(self.low, factor), by_factor(self.high, factor))

    def union(self, other: Range) -> Range:
        """The smallest range that holds both."""
        return Range(min(self.low, other.low), max(self.high, other.high))


UNKNOWN: Final = Range(0, MAX)
ONE: Final = Range(1, 1)
ZERO: Final = Range(0, 0)
EMPTY: Final = Range(MAX, 0)


@dataclass(frozen=True, slots=True)
class CallEstimate:
    """The cost of a call, and the size of its result, if known."""

    cost: Range
    size: Range | None = None
