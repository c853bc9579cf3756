"""Text in terminal cells: its width, its line breaks, and a window of a long line.

East Asian wide characters take two cells (Unicode Standard Annex 11). The package wcwidth would replace only four lines here, and importing
it takes 30 ms.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable
from typing import Final

from weighbridge.policies.ground.expressions import expression
from weighbridge.webhook.texts.escapes import shown

_ELLIPSIS: Final = "…"
_PART: Final = expression(r"[^./=]*[./=]+|[^./=]+")


def one_line(text: str) -> str:
    """The text on one line."""
    return shown(" ".join(text.splitlines()))


def width(text: str) -> int:
    """The number of cells that the text takes.

    >>> width("chat"), width("推論")
    (4, 4)
    """
    return len(text) if text.isascii() else sum(map(_cells, text))


def _cells(char: str) -> int:
    if unicodedata.combining(char) or unicodedata.category(char) in {"Mn", "Me", "Cf"}:
        return 0
    return 2 if unicodedata.east_asian_width(char) in {"W", "F"} else 1


def wrap(text: str, room: int) -> list[str]:
    """Break the text at spaces into lines of at most `room` cells; a longer word gets a whole line. Spaces inside a line stay."""
    return _lines(text.split(" "), room, lambda word: [word])


def fold(text: str, room: int) -> list[str]:
    """Break the text into lines of at most `room` cells: at spaces; a longer word after one of its parts; a longer part anywhere."""
    return _lines(text.split(), room, lambda word: _pieces(word, room))


def _lines(words: Iterable[str], room: int, pieces_of: Callable[[str], list[str]]) -> list[str]:
    lines: list[str] = []
    line = ""
    for word in words:
        longer = f"{line} {word}" if line else word
        if width(longer) > room:
            if line:
                lines.append(line)
            *whole, longer = pieces_of(word)
            lines += whole
        line = longer
    return [*lines, line]


def _pieces(word: str, room: int) -> list[str]:
    """Break a word into pieces of at most `room` cells, after its parts if these fit. Each piece has at least one character."""
    pieces = [""]
    for part in parts(word):
        if pieces[-1] and width(pieces[-1]) + width(part) > room:
            pieces.append("")
        for char in part:
            if pieces[-1] and width(pieces[-1]) + _cells(char) > room:
                pieces.append("")
            pieces[-1] += char
    return pieces


def parts(word: str) -> list[str]:
    """The parts of a name or a path, each with its final separator: `spec.`, `a/`, `key=`."""
    return _PART.findall(word)


def crop(line: str, start: int, end: int, room: int) -> tuple[str, int, int]:
    """Crop a line to `room` cells around the characters `start` to `end`; also returns their new positions.

    Cut ends show an ellipsis. If the characters don't fit, their beginning is shown.
    """
    if width(line) <= room:
        return line, start, end
    first, last = start, start
    budget = room - 2 - (width(line[start : start + 1]) or 1)
    # A quarter of the room goes to the text before, usually the key; then as much as needed to the text after, and the rest again to the
    # text before.
    while budget > 0 and (first > 0 or last + 1 < len(line)):
        if first > 0 and (width(line[first:start]) < room // 4 or last + 1 >= len(line)):
            first -= 1
            budget -= _cells(line[first])
        else:
            last += 1
            budget -= _cells(line[last])
    head = _ELLIPSIS if first > 0 else ""
    tail = _ELLIPSIS if last + 1 < len(line) else ""
    shift = len(head) - first
    return f"{head}{line[first : last + 1]}{tail}", start + shift, min(end, last + 1) + shift
