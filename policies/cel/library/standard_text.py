"""The string tests of the standard library; `matches` searches with RE2.

'kubernetes'.startsWith('kube')   -> true
'a-b'.contains('-')               -> true
'v12'.matches('^v[0-9]+$')        -> true
"""

from __future__ import annotations

import math
from typing import Final

from weighbridge.policies.cel.library.overload import EstimatedArguments, Library, Overload, traversal_estimated
from weighbridge.policies.cel.library.patterns import search
from weighbridge.policies.cel.library.ranges import ONE, REGEX_FACTOR, STRING_FACTOR, CallEstimate
from weighbridge.policies.cel.run_time_errors import NO_SUCH_OVERLOAD, no_such_overload_of
from weighbridge.policies.cel.values.access import RECEIVERS, cost_size
from weighbridge.policies.cel.values.types import BOOL, STRING
from weighbridge.policies.cel.values.values import CelError, Value
from weighbridge.policies.ground.server_release import release


def _texts(left: Value, right: Value) -> None:
    if left.__class__ is not str or right.__class__ is not str:
        raise CelError(NO_SUCH_OVERLOAD)


def contains(text: Value, part: Value) -> bool:
    """``text.contains(part)``."""
    _texts(text, part)
    return part in text


def ends_with(text: Value, part: Value) -> bool:
    """``text.endsWith(part)``."""
    _texts(text, part)
    return bool(text.endswith(part))


def starts_with(text: Value, part: Value) -> bool:
    """``text.startsWith(part)``."""
    _texts(text, part)
    return bool(text.startswith(part))


def matches(text: Value, pattern: Value) -> bool:
    """``text.matches(pattern)``: whether the pattern is found anywhere."""
    if text.__class__ is not str:
        raise CelError(NO_SUCH_OVERLOAD if text.__class__ in RECEIVERS else no_such_overload_of("matches"))
    _texts(text, pattern)
    return search(pattern, text)


def affix_cost(_result: Value, text: Value, part: Value) -> int:
    """A tenth of the length of the affix; before 1.37 a tenth of the text's."""
    return math.ceil(cost_size(part if release().prices_affixes else text) * STRING_FACTOR)


def contains_cost(_result: Value, text: Value, part: Value) -> int:
    """A tenth of each length, multiplied."""
    return math.ceil(cost_size(text) * STRING_FACTOR) * math.ceil(cost_size(part) * STRING_FACTOR)


def matches_cost(_result: Value, text: Value, pattern: Value) -> int:
    """A tenth of the text's length plus one, times a quarter of the pattern's length."""
    return math.ceil((1.0 + cost_size(text)) * STRING_FACTOR) * math.ceil(cost_size(pattern) * REGEX_FACTOR)


def _called_cost(result: Value, text: Value, pattern: Value) -> int:
    """The cost of ``matches(text, pattern)``."""
    return matches_cost(result, text, pattern) if release().prices_matches else 1


def _called_estimate(args: EstimatedArguments) -> CallEstimate | None:
    return matches_estimate(args) if release().prices_matches else None


def _contains_estimate(args: EstimatedArguments) -> CallEstimate:
    return CallEstimate(args.size(0).times(STRING_FACTOR) * args.size(1).times(STRING_FACTOR))


def matches_estimate(args: EstimatedArguments) -> CallEstimate:
    """As `matches_cost`, for ranges."""
    return CallEstimate((args.size(0) + ONE).times(STRING_FACTOR) * args.size(1).times(REGEX_FACTOR))


LIBRARY: Final = Library()
_PAIR: Final = (STRING, STRING)
LIBRARY.singleton(
    "contains", contains, [Overload("contains_string", _PAIR, BOOL, member=True, cost=contains_cost, estimate=_contains_estimate)]
)
LIBRARY.singleton(
    "endsWith", ends_with, [Overload("ends_with_string", _PAIR, BOOL, member=True, cost=affix_cost, estimate=traversal_estimated(1))]
)
LIBRARY.singleton(
    "startsWith",
    starts_with,
    [Overload("starts_with_string", _PAIR, BOOL, member=True, cost=affix_cost, estimate=traversal_estimated(1))],
)
LIBRARY.singleton(
    "matches",
    matches,
    [
        Overload("matches", _PAIR, BOOL, cost=_called_cost, estimate=_called_estimate),
        Overload("matches_string", _PAIR, BOOL, member=True, cost=matches_cost, estimate=matches_estimate),
    ],
)
