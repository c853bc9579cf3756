"""Stops values from growing beyond what any evaluation could pay for.

The server counts the cost of a call after it, and some calls cost little for the size of their results: replacing each letter of a text by
the text costs its length and gives its square. Reading so large a value exceeds the limit of an evaluation anyway. So the evaluation ends
here with the same error, before the memory is used.
"""

from __future__ import annotations

from typing import Final

from weighbridge.policies.cel.values.outcome import PER_CALL_LIMIT
from weighbridge.policies.cel.values.undecided import CostExceededError

#: The longest text that an evaluation can pay for: reading it costs a tenth for each character.
LONGEST_TEXT: Final = 10 * PER_CALL_LIMIT
#: The longest list that an evaluation can pay for: reading it costs one for each element.
LONGEST_LIST: Final = 2 * PER_CALL_LIMIT


def check_text(length: int) -> None:
    """Raises CostExceededError for a text too long to be made."""
    if length > LONGEST_TEXT:
        raise CostExceededError


def check_list(length: int) -> None:
    """Raises CostExceededError for a list too long to be made."""
    if length > LONGEST_LIST:
        raise CostExceededError


def check_comparisons(count: int, each: float = 1.0) -> None:
    """Raise CostExceededError if a call with `count` comparisons will exceed the cost limit; `each` is what one of them costs."""
    if count > PER_CALL_LIMIT:
        raise CostExceededError(int(count * each))
