"""The function libraries: one module each, in the order in which kube-apiserver adds them.

The order decides which overload of a function is tried first. `overload` is the record of a function's overload: signature, implementation,
costs and the version that brought it. `dispatch` picks one by the values of a call, and `ranges` adds up estimates.
"""

from __future__ import annotations

from typing import Final

from weighbridge.policies.cel.library import (
    authz,
    cidr,
    folds,
    format,  # noqa: A004 - named as the functions are
    ip,
    lists,
    optional,
    quantity,
    regex,
    semver,
    sets,
    standard_arithmetic,
    standard_conversions,
    standard_logic,
    standard_text,
    standard_time,
    strings,
    url,
)
from weighbridge.policies.cel.library.overload import Library

LIBRARIES: Final[tuple[Library, ...]] = (
    standard_logic.LIBRARY,
    standard_arithmetic.LIBRARY,
    standard_conversions.LIBRARY,
    standard_text.LIBRARY,
    standard_time.LIBRARY,
    url.LIBRARY,
    regex.LIBRARY,
    lists.LIBRARY,
    authz.LIBRARY,
    authz.SELECTORS,
    optional.LIBRARY,
    quantity.LIBRARY,
    strings.LIBRARY,
    sets.LIBRARY,
    ip.LIBRARY,
    cidr.LIBRARY,
    format.LIBRARY,
    folds.LIBRARY,
    semver.LIBRARY,
    lists.MORE,
    lists.MEMBERSHIP,
)

__all__ = ["LIBRARIES"]
