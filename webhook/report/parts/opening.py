"""The beginning of a document. It is written with the first part, so a command that fails before that writes nothing."""

from __future__ import annotations


class Opening:
    """The beginning of a document, which is taken once."""

    def __init__(self, text: str) -> None:
        self._text = text

    def take(self) -> str:
        """Return the text the first time, then an empty string."""
        text, self._text = self._text, ""
        return text
