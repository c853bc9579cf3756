"""What has changed between two states of an object, field by field."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from weighbridge.policies.ground.objects import JSONObject, JSONValue, Path
from weighbridge.policies.schema.go_values import deep_equal


def changes(before: JSONObject, after: JSONObject) -> Iterator[tuple[Path, JSONValue]]:
    """The fields that differ with their new values, null for those that are gone; a list of another length counts as a whole."""
    return _changes(before, after, ())


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
