"""Numbers of parameters, as OME reads them: ``8B``, ``500M``, ``1.5T``.

The suffix is T, B or M in upper case, and the rest a number in Go's form. Any other text silently counts as 0.

Source: OME v0.1.5, pkg/runtimeselector/matcher.go parseModelSize; Go 1.24, strconv.ParseFloat.
"""

from __future__ import annotations

import math
import re
from typing import Final

from weighbridge.policies.ground.expressions import expression
from weighbridge.policies.ground.memory import once_a_text

_UNITS: Final = {"T": 1e12, "B": 1e9, "M": 1e6}
_DIGITS: Final = "[0-9](?:_?[0-9])*"
_DECIMAL: Final = expression(rf"[+-]?(?:{_DIGITS}(?:\.(?:{_DIGITS})?)?|\.{_DIGITS})(?:[eE][+-]?{_DIGITS})?")
_HEXADECIMAL: Final = expression(r"[+-]?0[xX](?:_?[0-9a-fA-F])*(?:\.(?:[0-9a-fA-F](?:_?[0-9a-fA-F])*)?)?[pP][+-]?[0-9](?:_?[0-9])*")
_WORD: Final = expression(r"[+-]?inf(?:inity)?|nan", re.IGNORECASE | re.ASCII)


@once_a_text(4096)
def parse_size(text: str) -> float | None:
    """The number of parameters; `None` if OME can't read it, and counts it as 0."""
    unit = _UNITS.get(text[-1:])
    number = parse_float(text[:-1] if unit is not None else text)
    return number * (unit or 1) if number is not None else None


def size_or_zero(text: str) -> float:
    """The number of parameters as OME counts with it."""
    found = parse_size(text)
    return 0.0 if found is None else found


def parse_float(text: str) -> float | None:
    """A number as Go's ParseFloat reads it; `None` if it can't."""
    if _WORD.fullmatch(text):
        return float(text)
    plain = text.replace("_", "")
    try:
        if _DECIMAL.fullmatch(text):
            found = float(plain)
        elif _HEXADECIMAL.fullmatch(text):
            found = float.fromhex(plain)
        else:
            return None
    except (ValueError, OverflowError):
        return None
    # For Go a number that is too large is an error.
    return found if math.isfinite(found) else None
