"""What begins a document: written with the first of its parts, so that nothing is written where none comes to be."""

from __future__ import annotations


class Opening:
    """The beginning of a document, which is taken once."""

    def __init__(self, text: str) -> None:
        self._text = text

    def take(self) -> str:
        """The text the first time, then an empty string."""
        text, self._text = self._text, ""
        return text
