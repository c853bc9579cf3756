"""The places in a YAML document, from libyaml's events.

It runs only on text that has been read, so nothing is checked again. Keys and merges have the same meaning as in `yaml_reader`: the entry
that counts is found, and the value of an alias is found at its anchor.
"""

from __future__ import annotations

from typing import Any

from weighbridge.policies.ground.objects import JSONValue
from weighbridge.policies.ground.records import dataclass
from weighbridge.webhook.manifests.libyaml import CParser, yaml
from weighbridge.webhook.manifests.outline import Extent, OutlineEntry, OutlineNode, OutlineShape
from weighbridge.webhook.manifests.yaml_reader import is_merge_key
from weighbridge.webhook.texts import yaml_scalars


@dataclass(slots=True)
class _Key:
    """A key that waits for its value."""

    text: str
    extent: Extent
    is_merge: bool = False


@dataclass(slots=True)
class _Level:
    """A collection that is being read."""

    node: OutlineNode
    is_map: bool
    key: _Key | None = None


class _Outliner:
    """Builds the outline of one document; one use."""

    __slots__ = ("_anchors", "_first_line", "_stack")

    def __init__(self, first_line: int) -> None:
        self._first_line = first_line
        self._anchors: dict[str, tuple[OutlineNode, str]] = {}
        self._stack = [_Level(OutlineNode(Extent(first_line, 1, first_line, 1), OutlineShape.BLOCK), is_map=False)]

    def outline(self, data: bytes) -> OutlineNode:
        """The root's node."""
        handlers = {
            yaml.ScalarEvent: self._scalar,
            yaml.MappingStartEvent: self._start,
            yaml.MappingEndEvent: self._end,
            yaml.SequenceStartEvent: self._start,
            yaml.SequenceEndEvent: self._end,
            yaml.AliasEvent: self._alias,
        }
        for event in iter(CParser(data).get_event, None):
            handle = handlers.get(event.__class__)
            if handle is not None:
                handle(event)
            elif event.__class__ is yaml.DocumentEndEvent:
                break
        root = self._stack[0].node
        return root.items[0] if root.items else root

    def _extent(self, event: Any) -> Extent:
        start, end, offset = event.start_mark, event.end_mark, self._first_line
        return Extent(start.line + offset, start.column + 1, end.line + offset, end.column + 1)

    def _wants_key(self) -> bool:
        level = self._stack[-1]
        return level.is_map and level.key is None

    def _scalar(self, event: Any) -> None:
        extent, wants_key = self._extent(event), self._wants_key()
        if wants_key and event.anchor is None:
            self._stack[-1].key = _Key(_key_text(event), extent, event.value == "<<" and is_merge_key(event))
            return
        node = OutlineNode(extent, OutlineShape.SCALAR if event.value or not event.implicit[0] else OutlineShape.EMPTY)
        node.plain = event.value if event.implicit[0] else ""
        if event.anchor is not None:
            self._anchors[event.anchor] = (node, _key_text(event))
        if wants_key:
            self._stack[-1].key = _Key(_key_text(event), extent, is_merge_key(event))
        else:
            self._add(node)

    def _alias(self, event: Any) -> None:
        target, key = self._anchors[event.anchor]
        if self._wants_key():
            self._stack[-1].key = _Key(key, self._extent(event))
        else:
            self._add(OutlineNode(self._extent(event), OutlineShape.SCALAR, target.fields, target.items, target.plain))

    def _start(self, event: Any) -> None:
        node = OutlineNode(self._extent(event), OutlineShape.FLOW if event.flow_style else OutlineShape.BLOCK)
        if event.anchor is not None:
            self._anchors[event.anchor] = (node, "")
        self._stack.append(_Level(node, isinstance(event, yaml.MappingStartEvent)))

    def _end(self, event: Any) -> None:
        node = self._stack.pop().node
        end = self._extent(event)
        node.extent = Extent(node.extent.line, node.extent.column, end.end_line, end.end_column)
        self._add(node)

    def _add(self, node: OutlineNode) -> None:
        level = self._stack[-1]
        key = level.key
        if key is None:
            level.node.items.append(node)
            return
        level.key = None
        if key.is_merge:
            # In a list of maps the first has precedence.
            for merged in reversed(node.items or [node]):
                level.node.fields.update(merged.fields)
        else:
            level.node.fields[key.text] = OutlineEntry(key.extent, node)


def _key_text(event: yaml.ScalarEvent) -> str:
    if event.tag is None and not (event.implicit[0] and event.value[:1] in yaml_scalars.HINTS):
        return event.value
    resolved: JSONValue = yaml_scalars.resolve(event.value, event.tag, plain=event.implicit[0])
    try:
        return yaml_scalars.as_key(resolved)
    except yaml_scalars.ScalarError:
        return event.value


def outline_yaml(data: bytes, first_line: int) -> OutlineNode:
    """The outline of the first document in a chunk of text whose first line is line `first_line` of its file."""
    return _Outliner(first_line).outline(data)
