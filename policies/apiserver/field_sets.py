"""Sets of fields in the form of ``FieldsV1``: nested maps whose keys are path elements like ``f:spec`` or ``k:{"name":"a"}``.

Source: sigs.k8s.io/structured-merge-diff/v6/fieldpath/{serialize,serialize-pe}.go.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from weighbridge.policies.ground.expressions import expression
from weighbridge.policies.ground.objects import JSONObject, JSONValue
from weighbridge.policies.ground.records import dataclass

_INTEGER: Final = expression(r"[-+]?[0-9]+", re.ASCII)
_INT64: Final = range(-(2**63), 2**63)


class FieldSetError(ValueError):
    """A set of fields can't be read."""


@dataclass(frozen=True, slots=True)
class PathElement:
    """One step of a path: `kind` is ``f`` for a field, ``v`` for an item by value, ``k`` for one by its keys, ``i`` by its index."""

    kind: str
    value: JSONValue


def field_set_paths(fields: JSONValue) -> Iterator[list[PathElement]]:
    """Every path of the set. Raises FieldSetError, perhaps after some."""
    pending: list[tuple[JSONValue, list[PathElement]]] = [(fields, [])]
    while pending:
        node, path = pending.pop()
        if node is None:
            node = {}
        if not isinstance(node, dict):
            raise FieldSetError("a set of fields is a map")
        below = list(_children(node, path))
        if path and ("." in node or not below):
            yield path
        pending.extend(below)


def _children(node: JSONObject, path: list[PathElement]) -> Iterator[tuple[JSONValue, list[PathElement]]]:
    for key, inner in node.items():
        element = None if key == "." else _element(key)
        if element is not None:
            yield inner, [*path, element]


def _element(key: str) -> PathElement | None:
    """The element of a key; `None` for a kind of a later version, which is skipped."""
    if key[1:2] != ":":
        raise FieldSetError(f"{key!r} is no path element")
    kind, text = key[0], key[2:]
    if kind == "f":
        return PathElement(kind, text)
    if kind == "i":
        if not _INTEGER.fullmatch(text) or int(text) not in _INT64:
            raise FieldSetError(f"{text!r} isn't an index")
        return PathElement(kind, int(text))
    if kind not in {"v", "k"}:
        return None
    from json import JSONDecoder

    try:
        value, _ = JSONDecoder().raw_decode(text.lstrip(" \t\r\n"))
    except (ValueError, RecursionError) as error:
        raise FieldSetError(f"{text!r} is no JSON") from error
    if kind == "k" and not isinstance(value, dict):
        raise FieldSetError(f"{text!r} is no map of keys")
    return PathElement(kind, value)
