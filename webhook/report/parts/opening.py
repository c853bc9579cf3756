"""The beginning of a document: written with the first part, so that a command that fails before it writes nothing."""

from __future__ import annotations


class Opening:
    """The beginning of a document; only the first `take` returns it."""

    def __init__(self, text: str) -> None:
        self._text = text

    def take(self) -> str:
        """Return the text the first time, then an empty string."""
        text, self._text = self._text, ""
        return text
