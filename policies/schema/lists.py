"""Lists of type set and map (``x-kubernetes-list-type``): the errors for repeated items.

Only the second appearance is reported. Scalars are equal if their kinds and values are; lists and objects if their JSON texts are. A single
key of an item is compared as a scalar, several keys as JSON text. In these paths keys of maps are in brackets. Source:
k8s.io/apiextensions-apiserver 1.36 ``pkg/apiserver/schema/listtype/validation.go``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from weighbridge.policies.ground.field_errors import FieldError
from weighbridge.policies.ground.objects import JSONValue
from weighbridge.policies.schema import errors
from weighbridge.policies.schema.go_values import as_go_number, canonical_text
from weighbridge.policies.schema.node import MAX_DEPTH, Schema, SchemaTooDeepError

#: The value of a key that an item doesn't have; it differs from every other value.
_UNSPECIFIED = object()


def list_type_errors(schema: Schema, value: JSONValue, path: str, depth: int = 0) -> Iterator[FieldError]:
    """All errors of the lists in `value`, at any depth; their fields begin with `path`.

    Raises `SchemaTooDeepError` if the schema nests deeper than can be followed.
    """
    if depth > MAX_DEPTH:
        raise SchemaTooDeepError
    if type(value) is list:
        yield from _own_errors(schema, value, path)
        if schema.items is not None:
            for index, item in enumerate(value):
                yield from list_type_errors(schema.items, item, f"{path}[{index}]", depth + 1)
    elif type(value) is dict:
        values = schema.additional_properties
        for key, item in value.items():
            if values is not None:
                yield from list_type_errors(values, item, f"{path}[{key}]", depth + 1)
            if key in schema.properties:
                yield from list_type_errors(schema.properties[key], item, _child_path(path, key), depth + 1)


def _child_path(path: str, key: str) -> str:
    """A field's path; an empty name prints as an empty index."""
    if not key:
        return f"{path}[]"
    return f"{path}.{key}" if path else key


def _own_errors(schema: Schema, items: list[JSONValue], path: str) -> Iterator[FieldError]:
    if schema.list_type == "set":
        for index in _second_appearances(items):
            yield errors.duplicate_item(f"{path}[{index}]", items[index])
    elif schema.list_type == "map":
        yield from _map_errors(schema.list_map_keys, items, path)


def _map_errors(names: list[str], items: list[JSONValue], path: str) -> Iterator[FieldError]:
    for index, item in enumerate(items):
        if item is not None and type(item) is not dict:
            yield errors.not_an_object(f"{path}[{index}]", item)
            return
    keys = [{name: item[name] for name in names if name in item} if item is not None else {} for item in items]
    compared = keys if len(names) != 1 else [key.get(names[0], _UNSPECIFIED) for key in keys]
    for index in _second_appearances(compared):
        yield errors.duplicate_item(f"{path}[{index}]", keys[index])


def _second_appearances(items: Iterable[object]) -> list[int]:
    """The indexes of items that appear for the second time; a third appearance doesn't count."""
    seen: dict[object, int] = {}
    found = []
    for index, item in enumerate(items):
        key = _identity(item)
        seen[key] = seen.get(key, 0) + 1
        if seen[key] == 2:
            found.append(index)
    return found


def _identity(item: JSONValue) -> object:
    if isinstance(item, (dict, list)):
        return ("json", canonical_text(item))
    value = as_go_number(item) if type(item) is int else item
    return (type(value), value)
