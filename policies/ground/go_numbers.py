"""Whole numbers as Go's strconv reads them. Python reads long ones slowly, or not at all."""

from __future__ import annotations

from typing import Final

#: No number that 64 bits hold has more digits.
_DIGITS: Final = len(str(2**64))


def whole_number(text: str) -> int | None:
    """The number that digits with or without a sign represent; `None` if it surely needs more than 64 bits. Without digits it is 0."""
    digits = text.lstrip("+-0")
    if len(digits) > _DIGITS:
        return None
    return -int(digits or "0") if text.startswith("-") else int(digits or "0")
