"""Limits the size of a kept object, so that its author can't fill the memory.

The API server accepts a megabyte and a half, which takes ten times as much in memory; labels have no separate limit. Only the first entries
of a map or list and the beginning of a text are kept. The number of values is limited too: those at higher levels come first, so that a
long list deep in a spec doesn't displace the fields around it. Usual objects have a tenth of that.
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
    """The object itself, or the kept part of an object that is too large."""
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
