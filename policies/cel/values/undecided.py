"""The exceptions with which the direct form stops at anything unusual, so that the tracked form decides.

They are in a separate module, since code that another run has compiled often needs nothing else.
"""

from __future__ import annotations

from typing import Final

from weighbridge.policies.cel.values.values import CelError, PanicError


class RetryError(Exception):
    """Something unusual: the tracked form has to decide."""


class CostExceededError(Exception):
    """An evaluation exceeds its cost limit; never leaves a program. `cost` is what is known of its cost."""

    def __init__(self, cost: int = 0) -> None:
        super().__init__(cost)
        self.cost = cost


#: The exceptions that the direct form may raise; none of them is a verdict.
UNDECIDED: Final = (RetryError, CostExceededError, PanicError, CelError, LookupError, TypeError, AttributeError)

#: Marks the end of an iterator.
END: Final = object()
