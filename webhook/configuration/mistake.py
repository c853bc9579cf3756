"""A mistake of a file that a user wrote for Weighbridge itself, and the error with all mistakes of one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from weighbridge.policies.ground.findings import Reported
from weighbridge.policies.ground.objects import Path, field
from weighbridge.policies.ground.records import dataclass
from weighbridge.webhook.manifests import Document
from weighbridge.webhook.texts.errors import InputError


@dataclass(frozen=True, slots=True)
class Mistake(Reported):
    """One mistake; `line` and `column` are 0 if it has no place, and `field` is empty if it is about the whole file."""

    source: str
    line: int
    column: int
    field: str
    message: str

    def __str__(self) -> str:
        return f"{self._place}: {self._words}"

    def as_warning(self) -> str:
        """The line about a setting without effect."""
        return f"{self._place}: warning: {self._words}"

    @property
    def _place(self) -> str:
        place = f":{self.line}" if self.line else ""
        column = f":{self.column}" if self.column else ""
        return f"{self.source}{place}{column}"

    @property
    def _words(self) -> str:
        return f"{self.field}{': ' if self.field else ''}{self.message}"


class ConfigurationError(InputError):
    """A configuration that can't be used, with all of its mistakes in the order of the text, each a line of the message."""

    def __init__(self, mistakes: Iterable[Mistake]) -> None:
        self.mistakes: Sequence[Mistake] = sorted(dict.fromkeys(mistakes), key=lambda mistake: (mistake.line, mistake.column))
        super().__init__("\n".join(map(str, self.mistakes)))


def mistake_at(document: Document, path: Path, message: str) -> Mistake:
    """A mistake in a field of a document."""
    place = document.position(path)
    return Mistake(document.source, place.line, place.column, field(path), message)


def mistaken_key(document: Document, path: Path, message: str) -> Mistake:
    """A mistake in the key that a path ends with."""
    place = document.key_position(path)
    return Mistake(document.source, place.line, place.column, field(path), message)
