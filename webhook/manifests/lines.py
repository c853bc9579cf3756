"""The text of a file and its lines.

Lines break where libyaml breaks them (YAML 1.1 production b-char): LF, CR LF, CR, NEL, LS and PS, so that all counts of lines agree. All
but the first two are so rare that the text is searched for them first.
"""

from __future__ import annotations

from bisect import bisect_right

from weighbridge.policies.ground.expressions import expression
from weighbridge.policies.ground.records import dataclass

_BREAK = expression("\r\n|[\n\r\x85\u2028\u2029]")
_BREAK_BYTES = expression(b"\r\n|\n|\r|\xc2\x85|\xe2\x80[\xa8\xa9]")


def line_starts(text: str) -> list[int]:
    """Where each line begins, in characters."""
    return [0, *(match.end() for match in _BREAK.finditer(text))]


class LineStarts:
    """Finds line and column of many character offsets of one text."""

    __slots__ = ("_starts",)

    def __init__(self, text: str) -> None:
        self._starts = line_starts(text)

    def place(self, offset: int) -> tuple[int, int]:
        """Line and column, both from 1."""
        line = bisect_right(self._starts, offset)
        return line, offset - self._starts[line - 1] + 1


@dataclass(slots=True)
class SourceText:
    """A file's text as UTF-8 without byte order mark; derived values are computed on first use."""

    name: str
    data: bytes
    _text: str | None = None
    _lines: list[str] | None = None
    _starts: LineStarts | None = None
    _ends: list[int] | None = None
    _only_feeds: bool | None = None

    @property
    def text(self) -> str:
        """The text as characters."""
        if self._text is None:
            self._text = self.data.decode()
        return self._text

    @property
    def lines(self) -> list[str]:
        """The lines without their breaks."""
        if self._lines is None:
            self._lines = _BREAK.split(self.text)
        return self._lines

    @property
    def starts(self) -> LineStarts:
        """Where the lines begin."""
        if self._starts is None:
            self._starts = LineStarts(self.text)
        return self._starts

    def lines_before(self, offset: int) -> int:
        """The number of lines that end before a byte offset; fast for many calls."""
        if self._ends is None:
            self._ends = [match.end() for match in _BREAK_BYTES.finditer(self.data)]
        return bisect_right(self._ends, offset)

    def breaks(self, start: int, end: int) -> int:
        """The number of lines that end between two byte offsets."""
        if self._only_feeds is None:
            self._only_feeds = not any(mark in self.data for mark in (b"\r", b"\xc2\x85", b"\xe2\x80\xa8", b"\xe2\x80\xa9"))
        if self._only_feeds:
            return self.data.count(b"\n", start, end)
        return sum(1 for _ in _BREAK_BYTES.finditer(self.data, start, end))


def place_in(data: bytes, offset: int) -> tuple[int, int]:
    """Line and column of a byte offset in UTF-8 text, which may be cut or invalid there."""
    before = _BREAK_BYTES.split(data[:offset])
    return len(before), len(before[-1].decode(errors="replace")) + 1
