"""The places of a document's parts: the shape of its text, without its values.

It is built by reading the text a second time, only for documents with findings: marks on every value would slow down all others.
"""

from __future__ import annotations

from enum import Enum

from weighbridge.policies.ground.objects import Path
from weighbridge.policies.ground.records import dataclass, field


@dataclass(slots=True)
class Extent:
    """A range of text; lines and columns from 1, with the end after the last character."""

    line: int
    column: int
    end_line: int
    end_column: int


class OutlineShape(Enum):
    """How a node is written."""

    SCALAR = 0
    EMPTY = 1
    FLOW = 2
    BLOCK = 3


@dataclass(slots=True)
class OutlineEntry:
    """One field of a map: the place of its key, and its value."""

    key: Extent
    node: OutlineNode


@dataclass(slots=True)
class OutlineNode:
    """One value; an alias has its own place and shares its target's children.

    `plain` is the text of a YAML scalar without quotes and tag, whose type YAML infers; empty for anything else.
    """

    extent: Extent
    shape: OutlineShape
    fields: dict[str, OutlineEntry] = field(default_factory=dict)
    items: list[OutlineNode] = field(default_factory=list)
    plain: str = ""


def _shown(node: OutlineNode, key: Extent | None) -> Extent:
    """The value's place, or its key's if the value is empty or a block below the key."""
    if key is not None and (node.shape is OutlineShape.EMPTY or (node.shape is OutlineShape.BLOCK and node.extent.line > key.line)):
        return key
    return node.extent


def locate(root: OutlineNode, path: Path) -> Extent:
    """The place of a path, or of its nearest existing parent, of which the key is shown instead of the whole value."""
    node, key, is_there = _find(root, path)
    return _shown(node, key) if is_there else key or node.extent


def locate_key(root: OutlineNode, path: Path) -> Extent:
    """The place of the key that a path ends with; that of the value or the nearest parent if there is no such key."""
    node, key, _ = _find(root, path)
    return key or node.extent


def plain_text(root: OutlineNode, path: Path) -> str:
    """The text of the scalar at a path, if it has no quotes and no tag; empty otherwise."""
    node, _, is_there = _find(root, path)
    return node.plain if is_there else ""


def _find(root: OutlineNode, path: Path) -> tuple[OutlineNode, Extent | None, bool]:
    """The node of a path or of its nearest existing parent, with its key, and whether it is the path's own node."""
    node, key, at = root, None, 0
    while at < len(path):
        step = path[at]
        if isinstance(step, str):
            entry, at = _entry(node, path, at)
            if entry is None:
                return node, key, False
            node, key = entry.node, entry.key
        else:
            if not 0 <= step < len(node.items):
                return node, key, False
            node, key, at = node.items[step], None, at + 1
    return node, key, True


def _entry(node: OutlineNode, path: Path, at: int) -> tuple[OutlineEntry | None, int]:
    """The field that a step names, and the next step: in a path that the server wrote, a key with dots is several steps."""
    key = ""
    for end in range(at, len(path)):
        step = path[end]
        if not isinstance(step, str):
            break
        key = f"{key}.{step}" if key else step
        if key in node.fields:
            return node.fields[key], end + 1
    return None, at
