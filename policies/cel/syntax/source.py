"""The text of an expression and the places in it.

Positions inside the compiler are offsets in code points; people see line and column. As in cel-go's `common.Location`, lines count from one
and columns from zero.
"""

from __future__ import annotations

from bisect import bisect_right
from functools import cached_property

from weighbridge.policies.ground.records import dataclass


@dataclass(frozen=True, slots=True, order=True)
class Location:
    """A place in the text: line from one, column from zero."""

    line: int
    column: int


#: The offset of an error that has no place.
NO_LOCATION = Location(-1, -1)


class Source:
    """The text of one expression."""

    def __init__(self, text: str) -> None:
        self.text = text

    @cached_property
    def _line_starts(self) -> list[int]:
        return [0, *(index + 1 for index, char in enumerate(self.text) if char == "\n")]

    def location(self, offset: int) -> Location:
        """The line and column of a code point; places after the end count as on the last line; -1 means no place."""
        if not self.text or offset < 0:
            return Location(1, -1)
        line = bisect_right(self._line_starts, offset)
        return Location(line, offset - self._line_starts[line - 1])

    def line(self, number: int) -> str | None:
        """A line of the text without its line break, or `None` if there is no such line."""
        if not self.text or not 1 <= number <= len(self._line_starts):
            return None
        start = self._line_starts[number - 1]
        if number < len(self._line_starts):
            return self.text[start : self._line_starts[number] - 1]
        return self.text[start:]
