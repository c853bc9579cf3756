"""Where the parts of a document stand: the shape of its text, without its values.

Built from the text a second time, and only for documents that somebody has something to say about: marks on every value would cost all
the others more.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum

from policies.objects import Path


@dataclass(slots=True)
class Extent:
    """A stretch of text; lines and columns from 1, the end behind the last character."""

    line: int
    column: int
    end_line: int
    end_column: int


class Shape(Enum):
    """How a node is written."""

    SCALAR = 0
    EMPTY = 1
    FLOW = 2
    BLOCK = 3


@dataclass(slots=True)
class Entry:
    """One field of a map: where its key stands, and its value."""

    key: Extent
    node: Node


@dataclass(slots=True)
class Node:
    """One value; an alias has a place of its own and shares its target's children."""

    extent: Extent
    shape: Shape
    fields: dict[str, Entry] = field(default_factory=dict)
    items: list[Node] = field(default_factory=list)


def _shown(node: Node, key: Extent | None) -> Extent:
    """The value's place, or its key's where the value is empty or a block below the key."""
    if key is not None and (node.shape is Shape.EMPTY or (node.shape is Shape.BLOCK and node.extent.line > key.line)):
        return key
    return node.extent


def locate(root: Node, path: Path) -> Extent:
    """The place of a path, or of its nearest existing parent, whose key is shown rather than all of its value."""
    node, key = root, None
    for step in path:
        if isinstance(step, str):
            entry = node.fields.get(step)
            if entry is None:
                return key or node.extent
            node, key = entry.node, entry.key
        else:
            if not 0 <= step < len(node.items):
                return key or node.extent
            node, key = node.items[step], None
    return _shown(node, key)
