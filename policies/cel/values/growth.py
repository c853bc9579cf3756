"""Keeps values from growing past what any evaluation could pay for.

The server counts a call's cost when it has been made, and some calls cost little for the size of what they make: replacing each letter of
a text by the text costs its length and yields its square. Nothing so large can be looked at within the limit of one evaluation, so such an
evaluation ends here as it would end at the next step that reads the value, before the memory is spent.
"""

from __future__ import annotations

from typing import Final

from weighbridge.policies.cel.values.outcome import PER_CALL_LIMIT
from weighbridge.policies.cel.values.undecided import CostExceededError

#: Going through a longer text costs more than an evaluation may (a tenth for each character).
LONGEST_TEXT: Final = 10 * PER_CALL_LIMIT
#: The same of a list, of which each element costs one.
LONGEST_LIST: Final = 2 * PER_CALL_LIMIT


def check_text(length: int) -> None:
    """Raises CostExceededError for a text too long to be made."""
    if length > LONGEST_TEXT:
        raise CostExceededError


def check_list(length: int) -> None:
    """Raises CostExceededError for a list too long to be made."""
    if length > LONGEST_LIST:
        raise CostExceededError


def check_comparisons(count: int) -> None:
    """Raises CostExceededError for a call that will have cost so many comparisons, each of them at least one."""
    if count > PER_CALL_LIMIT:
        raise CostExceededError
