"""Changes of an object made in its text: by the places of its fields, so that comments, order and style are kept.

Each change becomes pieces of text that are replaced. They are made without checking the result; the caller reads the text again and
compares (`files.py`), so an unexpected form never leads to a wrong manifest.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator, Sequence
from itertools import pairwise

from weighbridge.policies.families.migration import Add, Change, Lift, Lone, Move, Remove, SetTo, Wrap
from weighbridge.policies.ground.go_text import json_text
from weighbridge.policies.ground.objects import JSONObject, JSONValue, Path
from weighbridge.policies.ground.records import dataclass
from weighbridge.webhook.manifests.outline import Extent, OutlineEntry, OutlineNode, OutlineShape
from weighbridge.webhook.texts.yaml_text import yaml_text

_STEP = "  "


@dataclass(frozen=True, slots=True)
class Piece:
    """A replacement of the text from `start` to `end`, in characters of the file."""

    start: int
    end: int
    text: str


class UneditableError(Exception):
    """The text has a form that can't be changed in place."""


def needed(text: str, pieces: Sequence[Piece]) -> list[Piece]:
    """The pieces in the order of the text; those at one place keep their order. Raises UneditableError if they overlap."""
    kept, gone_to = [], 0
    for piece in sorted(pieces, key=lambda piece: (piece.start, -piece.end)):
        if not piece.text.strip() and piece.start < gone_to and piece.end <= gone_to:
            # A removed line isn't indented.
            continue
        kept.append(piece)
        if not piece.text and "\n" in text[piece.start : piece.end]:
            gone_to = max(gone_to, piece.end)
    kept.sort(key=lambda piece: (piece.start, piece.end))
    if any(piece.start < before.end for before, piece in pairwise(kept)):
        raise UneditableError
    return kept


def exchanged(text: str, pieces: Sequence[Piece]) -> str:
    """The text with these pieces, which are in order, replaced."""
    parts, done = [], 0
    for piece in pieces:
        parts += [text[done : piece.start], piece.text]
        done = piece.end
    return "".join([*parts, text[done:]])


def json_lines(obj: JSONObject, text: str) -> str:
    """An object as JSON in the layout of the text: on one line, or on lines that are indented like that of its first field."""
    step = re.match(r"\s*\{[ \t\r]*\n([ \t]+)", text)
    return json.dumps(obj, indent=step[1], ensure_ascii=False) if step else json_text(obj)


class Editor:
    """Makes the pieces for the changes of one document. Lines must end with line feeds."""

    def __init__(self, text: str, starts: Sequence[int], root: OutlineNode, changes: Collection[tuple[Change, Path]]) -> None:
        """`starts` are the beginnings of lines, and the text's end.

        `changes` are all changes that will be made, with the prefix of each.
        """
        self._text = text
        self._starts = starts
        self._root = root
        self._gone = {(*prefix, *change.path) for change, prefix in changes if isinstance(change, Remove)}
        self._opened: set[Path] = set()
        self._filled = {(*prefix, *change.path) for change, prefix in changes if isinstance(change, Add)}
        first = next(iter(root.fields.values()), None) if root.shape is OutlineShape.FLOW else None
        self._is_json = first is not None and text.startswith('"', self._range(first.key)[0])

    def pieces(self, change: Change, prefix: Path = ()) -> Iterator[Piece]:
        """The pieces of one change of the object at `prefix`. Raises UneditableError."""
        if isinstance(change, Add):
            yield from self._add((*prefix, *change.path), change)
            return
        path = (*prefix, *change.path)
        if isinstance(change, SetTo):
            node = self._node(path)
            yield Piece(*self._range(node.extent), self._inline(change.value, self._is_quoted(node.extent)))
            return
        if isinstance(change, Lone):
            yield from self._lone(self._node(path))
            return
        parent = self._node(path[:-1])
        if isinstance(change, Wrap):
            yield from self._wrap(parent, self._node(path), change)
            return
        entry = parent.fields.get(str(path[-1]))
        if entry is None:
            raise UneditableError
        if isinstance(change, Remove):
            yield from self._remove(parent, path)
        elif isinstance(change, Lift):
            yield from self._lift(entry)
        else:
            yield from self._move(parent, entry, change)

    def _move(self, parent: OutlineNode, entry: OutlineEntry, change: Move) -> Iterator[Piece]:
        quoted = self._is_quoted(entry.key)
        key, value = self._range(entry.key), self._range(entry.node.extent)
        name = self._inline(change.key, quoted)
        if not change.below:
            yield Piece(*key, name)
        elif parent.shape is OutlineShape.FLOW:
            opened = "".join("[" if step == 0 else f"{{{self._inline(step, quoted)}: " for step in change.below)
            closed = "".join("]" if step == 0 else "}" for step in reversed(change.below))
            yield Piece(*key, name)
            yield Piece(value[0], value[0], opened)
            yield Piece(value[1], value[1], closed)
        elif entry.node.shape is OutlineShape.BLOCK:
            yield Piece(*key, name)
            yield from self._nested(entry, change.below)
        else:
            if "#" in self._text[self._range(entry.key)[1] : value[0]]:
                # A comment between the key and its value would have no place any more.
                raise UneditableError
            indent, lines = " " * (entry.key.column - 1), ""
            for depth, step in enumerate(change.below):
                if step == 0:
                    lines += f"\n{indent}{_STEP * (depth + 1)}- "
                else:
                    lines += f"{step}: " if lines.endswith("- ") else f"\n{indent}{_STEP * (depth + 1)}{step}: "
            yield Piece(key[0], value[0], f"{name}:{lines.replace(': ' + chr(10), ':' + chr(10))}")

    def _nested(self, entry: OutlineEntry, below: Sequence[str | int]) -> Iterator[Piece]:
        """The lines of a block further in, with the new keys above them."""
        first, last = entry.node.extent.line, self._last_line(entry.node)
        if first == entry.key.line or 0 in below:
            raise UneditableError
        indent = " " * (entry.key.column - 1)
        heads = "".join(f"{indent}{_STEP * (depth + 1)}{step}:\n" for depth, step in enumerate(below))
        after_key = self._starts[entry.key.line]
        yield Piece(after_key, after_key, heads)
        for line in range(entry.key.line + 1, last + 1):
            start = self._starts[line - 1]
            if self._text[start : self._starts[line]].strip():
                yield Piece(start, start, _STEP * len(below))

    def _lift(self, entry: OutlineEntry) -> Iterator[Piece]:
        """The fields of a map further out, without the line above them."""
        node, begin = entry.node, self._starts[entry.key.line - 1]
        key, value = self._range(entry.key)[0], self._range(node.extent)
        if node.shape is OutlineShape.FLOW and node.fields:
            yield Piece(key, value[0] + 1, "")
            yield Piece(value[1] - 1, value[1], "")
            return
        if node.shape is not OutlineShape.BLOCK or not node.fields or node.extent.line == entry.key.line or self._text[begin:key].strip():
            raise UneditableError
        yield Piece(begin, self._starts[entry.key.line], "")
        steps = next(iter(node.fields.values())).key.column - entry.key.column
        for line in range(entry.key.line + 1, self._last_line(node) + 1):
            start = self._starts[line - 1]
            yield Piece(start, start + len(self._text[start : start + steps]) - len(self._text[start : start + steps].lstrip(" ")), "")

    def _lone(self, node: OutlineNode) -> Iterator[Piece]:
        """The only item of a list, without its dash or its brackets."""
        if len(node.items) != 1:
            raise UneditableError
        if node.shape is OutlineShape.FLOW:
            start, end = self._range(node.extent)
            yield Piece(start, start + 1, "")
            yield Piece(end - 1, end, "")
            return
        start = self._range(node.items[0].extent)[0]
        before = self._text[self._starts[node.items[0].extent.line - 1] : start]
        if before.strip() != "-":
            raise UneditableError
        dash = start - len(before) + before.index("-")
        yield Piece(dash, dash + 1, " ")

    def _wrap(self, parent: OutlineNode, node: OutlineNode, change: Wrap) -> Iterator[Piece]:
        """An item as the first field of a map, with the other fields after it."""
        (start, end), line = self._range(node.extent), node.extent.line
        if node.shape is not OutlineShape.SCALAR or node.extent.end_line != line:
            raise UneditableError
        quoted = self._is_quoted(node.extent)
        if parent.shape is OutlineShape.FLOW:
            yield Piece(start, start, f"{{{self._inline(change.key, quoted)}: ")
            others = "".join(f", {self._inline(key, quoted)}: {self._inline(value, quoted)}" for key, value in change.others)
            yield Piece(end, end, f"{others}}}")
            return
        yield Piece(start, start, f"{change.key}: ")
        indent, behind = " " * (node.extent.column - 1), self._starts[line]
        others = "".join(f"{indent}{key}: {self._inline(value, False)}\n" for key, value in change.others)
        if others:
            yield Piece(behind, behind, others if self._text.endswith("\n", 0, behind) else f"\n{others}")

    def _remove(self, parent: OutlineNode, path: Path) -> Iterator[Piece]:
        keys, entries = list(parent.fields), list(parent.fields.values())
        index = keys.index(str(path[-1]))
        entry, staying = entries[index], [at for at, key in enumerate(keys) if (*path[:-1], key) not in self._gone]
        start = self._range(entry.key)[0]
        following = self._range(entries[index + 1].key)[0] if index + 1 < len(entries) else None
        is_emptied = not staying and path[:-1] not in self._filled
        if parent.shape is OutlineShape.FLOW:
            if not staying and index == 0:
                # All text between the braces.
                yield Piece(start, self._range(entries[-1].node.extent)[1], "")
            elif not staying:
                return
            elif following is not None and index < staying[-1]:
                yield Piece(start, following, "")
            else:
                # After the last kept entry each removed one includes the comma before it.
                yield Piece(self._range(entries[index - 1].node.extent)[1], self._range(entry.node.extent)[1], "")
            return
        begin, end = self._starts[entry.key.line - 1], self._starts[self._last_line(entry.node)]
        if is_emptied and index == 0:
            yield Piece(start, end, "{}\n" if self._text.endswith("\n", 0, end) else "{}")
        elif not self._text[begin:start].strip():
            yield Piece(begin, end, "")
        elif following is None:
            raise UneditableError
        else:
            # The removed field follows the dash of an item. The item's next field, or the comment before that, moves to its place.
            yield Piece(start, end if "#" in self._text[end:following] else following, "")

    def _add(self, path: Path, change: Add) -> Iterator[Piece]:
        node = self._node(path)
        entries = list(node.fields.values())
        if not entries:
            raise UneditableError
        last, quoted = entries[-1], self._is_quoted(entries[-1].key)
        if node.shape is OutlineShape.FLOW:
            end = self._range(last.node.extent)[1]
            is_first = path not in self._opened and all((*path, key) in self._gone for key in node.fields)
            self._opened.add(path)
            yield Piece(end, end, f"{'' if is_first else ', '}{self._inline(change.key, quoted)}: {self._inline(change.value, quoted)}")
            return
        indent = " " * (last.key.column - 1)
        lines = "".join(f"{indent}{line}\n" for line in yaml_text({change.key: change.value}).splitlines())
        end = self._starts[self._last_line(last.node)]
        yield Piece(end, end, lines if self._text.endswith("\n", 0, end) else f"\n{lines}")

    def appended(self, path: Path, objects: Sequence[JSONObject]) -> Iterator[Piece]:
        """More items at the end of a list. Raises UneditableError."""
        node = self._node(path)
        if not node.items:
            raise UneditableError
        if node.shape is OutlineShape.FLOW:
            (start, end), line = self._range(node.items[-1].extent), self._starts[node.items[-1].extent.line - 1]
            indent = self._text[line:start]
            for obj in objects:
                if indent.strip():
                    yield Piece(end, end, f", {json_text(obj)}")
                else:
                    lines = json_lines(obj, self._text).replace("\n", f"\n{indent}")
                    yield Piece(end, end, f",\n{indent}{lines}")
            return
        first = node.items[0].extent
        before = self._text[self._starts[first.line - 1] : self._range(first)[0]]
        if before.strip() != "-":
            raise UneditableError
        indent, dash = before[: before.index("-")], before[before.index("-") :]
        end = self._starts[self._last_line(node)]
        new = ""
        for obj in objects:
            head, *rest = yaml_text(obj).splitlines()
            new += f"{indent}{dash}{head}\n" + "".join(f"{' ' * len(before)}{line}\n" for line in rest)
        yield Piece(end, end, new if self._text.endswith("\n", 0, end) else f"\n{new}")

    def _node(self, path: Path) -> OutlineNode:
        node = self._root
        for step in path:
            if isinstance(step, str) and step in node.fields:
                node = node.fields[step].node
            elif isinstance(step, int) and step < len(node.items):
                node = node.items[step]
            else:
                raise UneditableError
        return node

    def _last_line(self, node: OutlineNode) -> int:
        """The line of the last character of a value."""
        if node.shape is OutlineShape.BLOCK and (node.fields or node.items):
            return max(self._last_line(child) for child in (*(entry.node for entry in node.fields.values()), *node.items))
        extent = node.extent
        return extent.end_line - 1 if extent.end_column == 1 and extent.end_line > extent.line else extent.end_line

    def _range(self, extent: Extent) -> tuple[int, int]:
        return self._starts[extent.line - 1] + extent.column - 1, self._starts[extent.end_line - 1] + extent.end_column - 1

    def _is_quoted(self, extent: Extent) -> bool:
        """Whether a replacement is written as JSON: in a JSON file, or if the replaced text is quoted."""
        return self._is_json or self._text.startswith('"', self._range(extent)[0])

    def _inline(self, value: JSONValue, quoted: bool) -> str:
        """A value on one line; as JSON if `quoted`."""
        if quoted or isinstance(value, list):
            return json_text(value)
        if isinstance(value, dict):
            return "{" + ", ".join(f"{key}: {self._inline(inner, quoted)}" for key, inner in value.items()) + "}"
        return yaml_text(value).removesuffix("\n").removesuffix("\n...")
