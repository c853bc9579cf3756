"""Brings a verdict from a copy of the process back to the process, which remembers it like its own ones."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple

from weighbridge.policies.config import Configuration
from weighbridge.policies.facts import Facts
from weighbridge.policies.verdict.remembered import Verdicts

#: Reading more bytes than this would take the loop too long.
_LONGEST: Final = 256 * 1024
#: The functions of the store's indexes when the copy was made; the copy has the same ones.
Functions = Sequence[Callable[..., Any]]


class _Function(NamedTuple):
    """A function by its position among those of the store. An equal function wouldn't do: indexes compare functions by identity."""

    place: int


def packed(verdicts: Verdicts, functions: Functions) -> bytes:
    """The last verdict, pickled; empty if it wasn't kept, or if the original process can't use it."""
    if verdicts.kept is None:
        return b""
    key, verdict = verdicts.kept
    places = {function: _Function(place) for place, function in enumerate(functions)}
    try:
        looks = tuple(tuple(places[part] if callable(part) else part for part in look) for look in verdict.reads.looks)
        found = pickle.dumps((key, verdict._replace(reads=verdict.reads._replace(looks=looks))), pickle.HIGHEST_PROTOCOL)
    except (KeyError, pickle.PicklingError, TypeError, AttributeError):
        # The copy has made an index that the process doesn't have yet, or the verdict has values that can't be pickled.
        return b""
    return found if len(found) <= _LONGEST else b""


def take(found: bytes, functions: Functions, verdicts: Verdicts, facts: Facts, config: Configuration) -> None:
    """Remember a verdict that `packed` returned in a copy with these functions, facts and configuration."""
    if not found:
        return
    key, verdict = pickle.loads(found)  # noqa: S301 - it comes from this very program
    looks = tuple(tuple(functions[part.place] if isinstance(part, _Function) else part for part in look) for look in verdict.reads.looks)
    verdicts.take(key, verdict._replace(reads=verdict.reads._replace(looks=looks)), facts, config)
