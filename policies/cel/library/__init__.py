"""The function libraries: one module each, in the order in which kube-apiserver adds them.

The order decides which overload of a function is tried first.
"""

from __future__ import annotations

from typing import Final

from policies.cel.library import (
    folds,
    lists,
    optional,
    regex,
    sets,
    standard_arithmetic,
    standard_conversions,
    standard_logic,
    standard_text,
    standard_time,
    strings,
)
from policies.cel.library.overload import Library

LIBRARIES: Final[tuple[Library, ...]] = (
    standard_logic.LIBRARY,
    standard_arithmetic.LIBRARY,
    standard_conversions.LIBRARY,
    standard_text.LIBRARY,
    standard_time.LIBRARY,
    regex.LIBRARY,
    lists.LIBRARY,
    optional.LIBRARY,
    strings.LIBRARY,
    sets.LIBRARY,
    folds.LIBRARY,
    lists.MORE,
)

__all__ = ["LIBRARIES"]
