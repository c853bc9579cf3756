"""The places in a JSON document, and the fields that occur twice in it.

A tokenizer of text that has been read: it finds the places of keys and values, without checks. `json` itself keeps no places.
"""

from __future__ import annotations

import json
import re
from typing import Final

from weighbridge.policies.ground.expressions import expression
from weighbridge.policies.ground.objects import Path
from weighbridge.policies.ground.records import dataclass, field
from weighbridge.webhook.manifests.duplicates import Duplicates
from weighbridge.webhook.manifests.lines import LineStarts, SourceText
from weighbridge.webhook.manifests.outline import Extent, OutlineEntry, OutlineNode, OutlineShape

_TOKEN: Final = expression(r'[{}\[\],:]|"(?:[^"\\]|\\.)*"|[^\s{}\[\],:"]+')
_SURROGATE: Final = expression("[\ud800-\udfff]")


@dataclass(slots=True)
class _Level:
    """A collection that is being read: its key or index so far."""

    node: OutlineNode
    is_map: bool
    key: str | None = None
    key_extent: Extent | None = None


@dataclass(slots=True)
class JSONOutline:
    """The root's node, and the duplicates with the place of the later key."""

    root: OutlineNode
    duplicates: Duplicates[Extent] = field(default_factory=Duplicates)


class _Outliner:
    """Builds the outline of one document; one use."""

    __slots__ = ("_lines", "_stack", "result")

    def __init__(self, lines: LineStarts) -> None:
        self._lines = lines
        holder = OutlineNode(Extent(1, 1, 1, 1), OutlineShape.FLOW)
        self._stack = [_Level(holder, is_map=False)]
        self.result = JSONOutline(holder)

    def outline(self, text: str, start: int, end: int) -> JSONOutline:
        """Walk through the tokens between two offsets."""
        for match in _TOKEN.finditer(text, start, end):
            sign = match[0]
            if sign in "{[":
                self._stack.append(_Level(OutlineNode(self._extent(match), OutlineShape.FLOW), sign == "{"))
            elif sign in "}]":
                closed = self._stack.pop().node
                last = self._extent(match)
                closed.extent = Extent(closed.extent.line, closed.extent.column, last.end_line, last.end_column)
                self._add(closed)
            elif sign not in ",:":
                self._scalar(match)
        self.result.root = self._stack[0].node.items[0]
        return self.result

    def _extent(self, match: re.Match[str]) -> Extent:
        return Extent(*self._lines.place(match.start()), *self._lines.place(match.end()))

    def _scalar(self, match: re.Match[str]) -> None:
        level = self._stack[-1]
        if not level.is_map or level.key is not None:
            self._add(OutlineNode(self._extent(match), OutlineShape.SCALAR))
            return
        level.key, level.key_extent = json.loads(match[0]), self._extent(match)
        if not level.key.isascii():
            level.key = _SURROGATE.sub("\ufffd", level.key)
        if level.key in level.node.fields:
            self.result.duplicates.note(self._path(), level.key_extent)

    def _path(self) -> Path:
        return tuple(len(level.node.items) if level.key is None else level.key for level in self._stack[1:])

    def _add(self, node: OutlineNode) -> None:
        level = self._stack[-1]
        if level.key is None or level.key_extent is None:
            level.node.items.append(node)
        else:
            level.node.fields[level.key] = OutlineEntry(level.key_extent, node)
            level.key = None


def outline_json(source: SourceText, start: int, end: int) -> JSONOutline:
    """The outline of the one JSON value between two character offsets of a file."""
    return _Outliner(source.starts).outline(source.text, start, end)
