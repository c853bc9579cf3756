"""Whole numbers as Go's strconv reads them, and as Go converts them. Python reads long ones slowly, or not at all."""

from __future__ import annotations

import re
from typing import Final

from weighbridge.policies.ground.expressions import expression

_WHOLE: Final = expression(r"[+-]?[0-9]+", re.ASCII)
_LEAST: Final = -(2**63)
_MOST: Final = 2**63 - 1
#: No number that 64 bits hold has more digits.
_DIGITS: Final = len(str(2**64))


def whole_number(text: str) -> int | None:
    """The number that digits with or without a sign represent; `None` if it surely needs more than 64 bits. Without digits it is 0."""
    digits = text.lstrip("+-0")
    if len(digits) > _DIGITS:
        return None
    return -int(digits or "0") if text.startswith("-") else int(digits or "0")


def atoi(text: str) -> int:
    """The number that Go's ``strconv.Atoi`` gives together with its error: 0 for a text that is no number, else the nearest in 64 bits."""
    if not _WHOLE.fullmatch(text):
        return 0
    found = whole_number(text)
    if found is None:
        return _LEAST if text.startswith("-") else _MOST
    return max(_LEAST, min(_MOST, found))


def int32(number: int) -> int:
    """A number as Go converts it to 32 bits: without the bits beyond."""
    return (number + 2**31) % 2**32 - 2**31
