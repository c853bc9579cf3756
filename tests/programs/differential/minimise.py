"""Makes the example of a disagreement smaller: fields and items are taken out as long as the two still disagree in the same way."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import fields, replace
from typing import Final

from tests.programs.differential.answers import Answer
from tests.programs.differential.both import Comparison
from tests.programs.differential.cases import Case
from weighbridge.policies.ground.objects import JSONValue, Path, lookup
from weighbridge.policies.schema.go_values import deep_copy

_MOST_REQUESTS: Final = 150


def differing(comparison: Comparison) -> tuple[str, ...]:
    """The parts of the answers that differ."""
    return tuple(part.name for part in fields(Answer) if getattr(comparison.theirs, part.name) != getattr(comparison.ours, part.name))


def minimised(comparison: Comparison, compare: Callable[[Case], Comparison]) -> Comparison:
    """A smaller example of the same disagreement, or the given one."""
    wanted, asked = differing(comparison), 0
    best = comparison
    while asked < _MOST_REQUESTS:
        for path in list(_paths(best.case.body)):
            asked += 1
            found = compare(replace(best.case, body=_without(best.case.body, path)))
            if differing(found) == wanted:
                best = found
                break
            if asked >= _MOST_REQUESTS:
                return best
        else:
            return best
    return best


def _paths(value: JSONValue, path: Path = ()) -> Iterator[Path]:
    """The paths of parts that can be taken out, the larger parts first."""
    level: list[tuple[Path, JSONValue]] = [(path, value)]
    while level:
        below: list[tuple[Path, JSONValue]] = []
        for where, inner in level:
            if where:
                yield where
            if isinstance(inner, dict):
                below += [((*where, key), item) for key, item in inner.items()]
            elif isinstance(inner, list):
                below += [((*where, index), item) for index, item in enumerate(inner)]
        level = below


def _without(value: JSONValue, path: Path) -> JSONValue:
    copied = deep_copy(value)
    holder = lookup(copied, path[:-1])
    del holder[path[-1]]
    return copied
