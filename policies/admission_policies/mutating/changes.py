"""Finds the changes between two states of an object, field by field."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import Any

from weighbridge.policies.ground.objects import JSONObject, JSONValue, Path, PathStep
from weighbridge.policies.schema.go_values import deep_copy, deep_equal


def changes(before: JSONObject, after: JSONObject) -> Iterator[tuple[Path, JSONValue]]:
    """The fields that differ with their new values, null for removed ones; a list whose length has changed counts as a whole."""
    return _changes(before, after, ())


def with_changes(obj: JSONObject, changed: Iterable[tuple[Path, JSONValue]]) -> JSONObject:
    """A copy of an object with other values in some places; null removes a value."""
    found: JSONObject = deep_copy(obj)
    for path, value in changed:
        holder: Any = found
        for step, following in pairwise(path):
            holder = _within(holder, step, following)
        if value is None and isinstance(holder, dict):
            holder.pop(path[-1], None)
        else:
            holder[path[-1]] = value
    return found


def _within(holder: Any, step: PathStep, following: PathStep) -> Any:
    """The value within a map or a list; created if a map has none."""
    return holder.setdefault(step, [] if isinstance(following, int) else {}) if isinstance(holder, dict) else holder[step]


def _changes(before: Any, after: Any, path: Path) -> Iterator[tuple[Path, JSONValue]]:
    if isinstance(before, dict) and isinstance(after, dict):
        for key in dict.fromkeys([*before, *after]):
            if key not in after:
                yield (*path, key), None
            elif key not in before:
                yield (*path, key), after[key]
            else:
                yield from _changes(before[key], after[key], (*path, key))
    elif isinstance(before, list) and isinstance(after, list) and len(before) == len(after):
        for index, (old, new) in enumerate(zip(before, after, strict=True)):
            yield from _changes(old, new, (*path, index))
    elif not deep_equal(before, after):
        yield path, after
