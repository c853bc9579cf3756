"""The places in a YAML document, from libyaml's events.

Runs only over text that was read before, so nothing here is checked again. Keys and merges mean what they mean to `yaml_reader`: the entry
that won is the one that is found, and what an alias stands for is found where its anchor is.
"""

from __future__ import annotations

from typing import Any

import yaml
from yaml.cyaml import CParser

from policies.objects import JSONValue
from webhook.manifests import scalars
from webhook.manifests.outline import Entry, Extent, Node, Shape
from webhook.manifests.yaml_reader import is_merge_key


class _Outliner:
    """Builds the outline of one document; one use."""

    __slots__ = ("_anchors", "_first_line", "_key", "_key_extent", "_keys", "_stack")

    def __init__(self, first_line: int) -> None:
        self._first_line = first_line
        self._anchors: dict[str, tuple[Node, str]] = {}
        root = Node(Extent(first_line, 1, first_line, 1), Shape.BLOCK)
        #: The collection, its pending key and the key's place; a list has no keys.
        self._stack: list[tuple[Node, bool]] = [(root, False)]
        self._keys: list[tuple[str, Extent] | None] = [None]

    def outline(self, data: bytes) -> Node:
        """The root's node."""
        for event in iter(CParser(data).get_event, None):
            if isinstance(event, yaml.ScalarEvent):
                self._scalar(event)
            elif isinstance(event, yaml.AliasEvent):
                self._alias(event)
            elif isinstance(event, yaml.CollectionStartEvent):
                self._start(event)
            elif isinstance(event, yaml.CollectionEndEvent):
                self._end(event)
            elif isinstance(event, yaml.DocumentEndEvent):
                break
        root = self._stack[0][0]
        return root.items[0] if root.items else root

    def _extent(self, event: Any) -> Extent:
        start, end, offset = event.start_mark, event.end_mark, self._first_line
        return Extent(start.line + offset, start.column + 1, end.line + offset, end.column + 1)

    def _wants_key(self) -> bool:
        return self._stack[-1][1] and self._keys[-1] is None

    def _scalar(self, event: Any) -> None:
        extent = self._extent(event)
        node = Node(extent, Shape.SCALAR if event.value or not event.implicit[0] else Shape.EMPTY)
        if event.anchor is not None:
            self._anchors[event.anchor] = (node, _key_text(event))
        if not self._wants_key():
            self._add(node)
        elif is_merge_key(event):
            self._keys[-1] = ("<<", extent)
            self._stack[-1] = (self._stack[-1][0], True)
        else:
            self._keys[-1] = (_key_text(event), extent)

    def _alias(self, event: Any) -> None:
        target, key = self._anchors[event.anchor]
        if self._wants_key():
            self._keys[-1] = (key, self._extent(event))
        else:
            self._add(Node(self._extent(event), Shape.SCALAR, target.fields, target.items))

    def _start(self, event: Any) -> None:
        node = Node(self._extent(event), Shape.FLOW if event.flow_style else Shape.BLOCK)
        if event.anchor is not None:
            self._anchors[event.anchor] = (node, "")
        self._stack.append((node, isinstance(event, yaml.MappingStartEvent)))
        self._keys.append(None)

    def _end(self, event: Any) -> None:
        node, _ = self._stack.pop()
        self._keys.pop()
        end = self._extent(event)
        node.extent = Extent(node.extent.line, node.extent.column, end.end_line, end.end_column)
        self._add(node)

    def _add(self, node: Node) -> None:
        parent, is_map = self._stack[-1]
        key = self._keys[-1]
        if not is_map:
            parent.items.append(node)
        elif key is not None:
            self._keys[-1] = None
            if key[0] == "<<":
                for merged in reversed(node.items or [node]):
                    parent.fields.update(merged.fields)
            else:
                parent.fields[key[0]] = Entry(key[1], node)


def _key_text(event: yaml.ScalarEvent) -> str:
    resolved: JSONValue = scalars.resolve(event.value, event.tag, plain=event.implicit[0])
    try:
        return scalars.as_key(resolved)
    except scalars.ScalarError:
        return event.value


def outline_yaml(data: bytes, first_line: int) -> Node:
    """The outline of the first document in a chunk of text whose first line is line `first_line` of its file."""
    return _Outliner(first_line).outline(data)
