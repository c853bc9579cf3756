"""Limits what is kept of one object, so that its author can't fill the memory with it.

The API server takes a megabyte and a half, which as maps and texts is ten times that; labels have no limit of their own. No map or list is
kept beyond its first entries, no text beyond its beginning, and of the whole so many values: first those at higher levels, so that a
long list deep in a spec takes nothing away from the fields around it. An object as people write them has a tenth of that.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Final

from weighbridge.policies.ground.objects import JSONObject, JSONValue

MOST_ENTRIES: Final = 500
MOST_VALUES: Final = 10_000
MOST_CHARACTERS: Final = 64 * 1024


def bounded(obj: JSONObject) -> JSONObject:
    """The object itself, or what is kept of one that is too large."""
    return _cut(obj) if _is_large(obj) else obj


def _is_large(obj: JSONObject) -> bool:
    count = 0
    stack: list[JSONValue] = [obj]
    while stack:
        value = stack.pop()
        if isinstance(value, str):
            if len(value) > MOST_CHARACTERS:
                return True
        elif isinstance(value, (dict, list)):
            count += len(value)
            if len(value) > MOST_ENTRIES or count > MOST_VALUES:
                return True
            if isinstance(value, dict):
                stack.extend(value)
            stack.extend(value.values() if isinstance(value, dict) else value)
    return False


def _cut(obj: JSONObject) -> JSONObject:
    kept: JSONObject = {}
    queue: deque[tuple[JSONValue, JSONValue]] = deque([(obj, kept)])
    left = MOST_VALUES
    while queue:
        source, target = queue.popleft()
        for key, value in islice(_entries(source), min(MOST_ENTRIES, left)):
            left -= 1
            below: JSONValue = {} if isinstance(value, dict) else [] if isinstance(value, list) else None
            if below is not None:
                queue.append((value, below))
            elif isinstance(value, str):
                below = value[:MOST_CHARACTERS]
            else:
                below = value
            if isinstance(target, dict):
                target[key] = below
            else:
                target.append(below)
    return kept


def _entries(container: JSONValue) -> Iterator[tuple[str, JSONValue]]:
    """The entries of a map whose keys aren't too long, or of a list."""
    pairs: Iterable[tuple[str, JSONValue]] = container.items() if isinstance(container, dict) else (("", item) for item in container)
    return (pair for pair in pairs if len(pair[0]) <= MOST_CHARACTERS)
