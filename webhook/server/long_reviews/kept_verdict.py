"""Brings the verdict that a copy of the process has worked out back to the process, which remembers it as if it were its own."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple

from weighbridge.policies.config import Configuration
from weighbridge.policies.facts import Facts
from weighbridge.policies.verdict.remembered import Verdicts

#: The loop reads more than this too slowly.
_LONGEST: Final = 256 * 1024
#: The functions of the store's indexes at the time of the copy, which has the same ones.
Functions = Sequence[Callable[..., Any]]


class _Function(NamedTuple):
    """A function by its place among those of the store. Another one that does the same would be another one to an index."""

    place: int


def packed(verdicts: Verdicts, functions: Functions) -> bytes:
    """The verdict that was worked out last; empty if it wasn't kept, or if the process that the copy is of can't use it."""
    if verdicts.kept is None:
        return b""
    key, verdict = verdicts.kept
    places = {function: _Function(place) for place, function in enumerate(functions)}
    try:
        looks = tuple(tuple(places[part] if callable(part) else part for part in look) for look in verdict.reads.looks)
        found = pickle.dumps((key, verdict._replace(reads=verdict.reads._replace(looks=looks))), pickle.HIGHEST_PROTOCOL)
    except (KeyError, pickle.PicklingError, TypeError, AttributeError):
        # The copy has made an index that the process doesn't have yet, or uses what can't be sent.
        return b""
    return found if len(found) <= _LONGEST else b""


def take(found: bytes, functions: Functions, verdicts: Verdicts, facts: Facts, config: Configuration) -> None:
    """Remember what `packed` gave in a copy that had these functions, facts and configuration."""
    if not found:
        return
    key, verdict = pickle.loads(found)  # noqa: S301 - it comes from this very program
    looks = tuple(tuple(functions[part.place] if isinstance(part, _Function) else part for part in look) for look in verdict.reads.looks)
    verdicts.take(key, verdict._replace(reads=verdict.reads._replace(looks=looks)), facts, config)
