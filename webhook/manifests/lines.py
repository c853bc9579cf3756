"""The text of a file and its lines.

Lines break where libyaml breaks them (YAML 1.1 production b-char): LF, CR LF, CR, NEL, LS and PS, so that every count of lines agrees.
All but the first two are rare enough to be looked for before they are paid for.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass
from dataclasses import field as default_field

_BREAK = re.compile("\r\n|[\n\r\x85\u2028\u2029]")
_BREAK_BYTES = re.compile(b"\r\n|\n|\r|\xc2\x85|\xe2\x80[\xa8\xa9]")


@dataclass(slots=True)
class SourceText:
    """A file's text as UTF-8 without byte order mark."""

    name: str
    data: bytes
    _lines: list[str] | None = default_field(default=None, repr=False)
    _only_feeds: bool | None = None

    @property
    def lines(self) -> list[str]:
        """The lines without their breaks, split once."""
        if self._lines is None:
            self._lines = _BREAK.split(self.data.decode())
        return self._lines

    def breaks(self, start: int, end: int) -> int:
        """How many lines end between two byte offsets."""
        if self._only_feeds is None:
            self._only_feeds = not any(mark in self.data for mark in (b"\r", b"\xc2\x85", b"\xe2\x80\xa8", b"\xe2\x80\xa9"))
        if self._only_feeds:
            return self.data.count(b"\n", start, end)
        return sum(1 for _ in _BREAK_BYTES.finditer(self.data, start, end))

    def place(self, offset: int) -> tuple[int, int]:
        """Line and column of a byte offset."""
        before = _BREAK_BYTES.split(self.data[:offset])
        return len(before), len(before[-1].decode(errors="replace")) + 1


class LineStarts:
    """Finds line and column of many character offsets of one text."""

    def __init__(self, text: str) -> None:
        self._starts = [0, *(match.end() for match in _BREAK.finditer(text))]

    def place(self, offset: int) -> tuple[int, int]:
        """Line and column, both from 1."""
        line = bisect_right(self._starts, offset)
        return line, offset - self._starts[line - 1] + 1
