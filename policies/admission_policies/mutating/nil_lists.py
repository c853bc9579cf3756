"""Empty lists that the server holds as nil slices, which ``[]`` in an apply configuration becomes.

In memory such a list is empty, and in JSON it is null. So the next JSON patch finds a null, and the stored object has one.
Source: k8s.io/apiserver `pkg/cel/mutation/dynamic/objects.go` (`convertField`), Go's encoding/json.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from weighbridge.policies.ground.objects import Path, lookup
from weighbridge.policies.schema.go_values import deep_copy


class NilList(list[Any]):
    """A nil slice."""


def nil_paths(value: Any, path: Path = ()) -> Iterator[Path]:
    """The paths of the nil lists in a value."""
    if isinstance(value, NilList):
        yield path
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield from nil_paths(inner, (*path, key))
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from nil_paths(inner, (*path, index))


def mark_nil(obj: Any, paths: Iterable[Path]) -> Any:
    """A copy of an object whose empty lists in these places are nil."""
    return _with(obj, paths, NilList())


def read_back(obj: Any, paths: Iterable[Path]) -> Any:
    """A copy of an object that was written as JSON: its empty lists in these places are null."""
    return _with(obj, paths, None)


def _with(obj: Any, paths: Iterable[Path], nil: Any) -> Any:
    found = deep_copy(obj)
    for path in paths:
        holder: Any = lookup(found, path[:-1])
        if lookup(found, path) == []:
            holder[path[-1]] = nil
    return found


def in_memory(value: Any) -> Any:
    """A value with empty lists instead of nil ones."""
    return _replaced(value, is_json=False)


def as_json_data(value: Any) -> Any:
    """A value as it is written as JSON: with null instead of nil lists."""
    return _replaced(value, is_json=True)


def _replaced(value: Any, *, is_json: bool) -> Any:
    if isinstance(value, NilList):
        return None if is_json else []
    if isinstance(value, dict):
        return {key: _replaced(inner, is_json=is_json) for key, inner in value.items()}
    return [_replaced(inner, is_json=is_json) for inner in value] if isinstance(value, list) else value
