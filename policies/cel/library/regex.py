"""Finds the matches of a regular expression (RE2 syntax, searched).

'abc 123'.find('[0-9]+')            -> '123'
'123 abc 456'.findAll('[0-9]+')     -> ['123', '456']
'123 abc 456'.findAll('[0-9]+', 1)  -> ['123']
"""

from __future__ import annotations

from typing import Final

from weighbridge.policies.cel.library.errors import illegal_pattern
from weighbridge.policies.cel.library.overload import EstimatedArguments, Library
from weighbridge.policies.cel.library.patterns import find_all
from weighbridge.policies.cel.library.ranges import CallEstimate, Range
from weighbridge.policies.cel.library.standard_text import matches_cost, matches_estimate
from weighbridge.policies.cel.values.types import INT, STRING, list_of
from weighbridge.policies.cel.values.values import CelError, Value


def find(text: str, pattern: str) -> str:
    """The first match, or the empty string."""
    found = find_every(text, pattern, 1)
    return found[0] if found else ""


def find_every(text: str, pattern: str, limit: int = -1) -> list[str]:
    """The matches from the left, at most `limit` if that isn't negative."""
    try:
        return find_all(pattern, text, limit)
    except CelError as error:
        raise CelError(illegal_pattern(error)) from None


def _cost(result: Value, *args: Value) -> int:
    return matches_cost(result, args[0], args[1])


def _estimate(args: EstimatedArguments) -> CallEstimate:
    return CallEstimate(matches_estimate(args).cost, Range(0, args.size(0).high))


LIBRARY: Final = Library()
LIBRARY.member("find", "string_find_string", (STRING, STRING), STRING, find, cost=_cost, estimate=_estimate)
_STRINGS: Final = list_of(STRING)
LIBRARY.member("findAll", "string_find_all_string", (STRING, STRING), _STRINGS, find_every, cost=_cost, estimate=_estimate)
LIBRARY.member("findAll", "string_find_all_string_int", (STRING, STRING, INT), _STRINGS, find_every, cost=_cost, estimate=_estimate)
