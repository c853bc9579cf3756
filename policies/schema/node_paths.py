"""Paths to the nodes of a schema: the keywords, names and positions that lead to a node from the root.

A path is a flat tuple, as in ``("properties", "spec", "items", "allOf", 0)``, and names the same node in every process that reads the same
schema.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from weighbridge.policies.ground.objects import JSONObject
from weighbridge.policies.schema.node import Schema

NodePath = tuple[str | int, ...]

_BRANCHES: Final = ("allOf", "anyOf", "oneOf")


def _children(raw: JSONObject) -> Iterator[tuple[NodePath, JSONObject]]:
    """The nodes directly below one, with the steps that lead to them."""
    for name, child in (raw.get("properties") or {}).items():
        yield ("properties", name), child
    for keyword in ("items", "additionalProperties", "not"):
        child = raw.get(keyword)
        if isinstance(child, dict):
            yield (keyword,), child
    for keyword in _BRANCHES:
        for position, child in enumerate(raw.get(keyword) or ()):
            yield (keyword, position), child


def node_paths(root: JSONObject) -> dict[int, NodePath]:
    """The path of every node by the identity of its JSON; any of its paths if a node is in several places."""
    found: dict[int, NodePath] = {}
    pending: list[tuple[NodePath, JSONObject]] = [((), root)]
    while pending:
        path, raw = pending.pop()
        found[id(raw)] = path
        pending += [((*path, *steps), child) for steps, child in _children(raw)]
    return found


def node_at(root: Schema, path: NodePath) -> Schema:
    """The node that a path leads to; raises LookupError, TypeError or ValueError if there is none."""
    node: Schema | None = root
    steps: Iterator[Any] = iter(path)
    for keyword in steps:
        if node is None:
            break
        if keyword == "properties":
            node = node.properties[next(steps)]
        elif keyword in _BRANCHES:
            branches = {"allOf": node.all_of, "anyOf": node.any_of, "oneOf": node.one_of}
            node = branches[keyword][next(steps)]
        else:
            node = {"items": node.items, "additionalProperties": node.additional_properties, "not": node.not_}[keyword]
    if node is None:
        raise KeyError(path)
    return node
