"""A manifest document: its value, the errors of its text, and the place of each field in the text.

Rules use paths, people lines: a document keeps its text and finds the place of a path when a finding needs it. Most documents never need
it, so nothing is recorded while they are read. Lines and columns count from 1, columns in characters.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import Enum, StrEnum
from typing import Final

from weighbridge.policies.ground.objects import JSONValue, Path
from weighbridge.policies.ground.records import dataclass, field
from weighbridge.webhook.manifests.lines import SourceText
from weighbridge.webhook.manifests.outline import OutlineNode, locate, locate_key, plain_text


class IssueKind(StrEnum):
    """An error: kubectl wouldn't read the text, or we can't. A finding: kubectl reads something else than the author wrote."""

    ERROR = "error"
    FINDING = "finding"


@dataclass(frozen=True, slots=True)
class InputIssue:
    """An issue of a manifest's text, not of the object in it.

    `line` and `column` are 0 if it has no place (a missing file). `kubectl` is the message of kubectl 1.36, with its own line numbers (from
    the start of the document, sometimes one too low); empty if it prints nothing or nothing useful.
    """

    source: str
    line: int
    column: int
    message: str
    kind: IssueKind = IssueKind.ERROR
    kubectl: str = ""

    def __str__(self) -> str:
        place = f":{self.line}:{self.column}" if self.line else ""
        return f"{self.source}{place}: {self.message}"


@dataclass(frozen=True, slots=True)
class PassedOver:
    """A file, a folder or a document that isn't judged; `path` is as shown, with a slash at the end of a folder.

    `line` is that of a document in its file, else 0. `is_judged` says that it is judged in another form, as a part of something else.
    """

    path: str
    reason: str
    line: int = 0
    is_judged: bool = False

    def __str__(self) -> str:
        place = f"{self.path}:{self.line}" if self.line else self.path
        return f"{place}: {self.reason}"


@dataclass(frozen=True, slots=True)
class Position:
    """A place in a file."""

    line: int
    column: int


@dataclass(frozen=True, slots=True)
class Span:
    """A range of a file; `end` is after the last character."""

    start: Position
    end: Position


class Absent(Enum):
    """The value of a document that can't be read."""

    ABSENT = "absent"


ABSENT: Final = Absent.ABSENT


@dataclass(slots=True)
class Document:
    """One document of one file.

    `source` is the file's name as shown (`-` for standard input), `index` the document's number in it from 0, empty documents counted.
    `value` is ABSENT if it couldn't be read (the reason is in `issues`) and None if the document is empty, which kubectl skips. `stretch`
    is its range in the file's data. `duplicate_fields` are the paths that occur twice, in the order of the text; the last value counts.
    `begins` is the start of the value, which is needed often enough to be kept.
    """

    source: str
    index: int
    value: JSONValue
    text: SourceText
    stretch: tuple[int, int]
    outline: Callable[[], OutlineNode]
    issues: list[InputIssue] = field(default_factory=list)
    duplicate_fields: list[Path] = field(default_factory=list)
    begins: Position | None = None
    _root: OutlineNode | None = None

    @property
    def errors(self) -> list[InputIssue]:
        """The errors among its issues."""
        return [issue for issue in self.issues if issue.kind is IssueKind.ERROR]

    def span(self, path: Path = ()) -> Span:
        """The place of the carets for a field.

        The value's place, or its key's if the value begins on a later line or is empty; for a missing field that of the nearest parent.
        A document that couldn't be read has only the place of its first issue.
        """
        if self.value is ABSENT:
            here = Position(self.issues[0].line, self.issues[0].column)
            return Span(here, here)
        extent = locate(self._outlined(), path)
        return Span(Position(extent.line, extent.column), Position(extent.end_line, extent.end_column))

    def plain_text(self, path: Path) -> str:
        """The text of the scalar at a path if it is YAML without quotes and tag; empty for anything else."""
        return plain_text(self._outlined(), path) if self.value is not ABSENT else ""

    def _outlined(self) -> OutlineNode:
        if self._root is None:
            self._root = self.outline()
        return self._root

    def position(self, path: Path = ()) -> Position:
        """The start of `span(path)`."""
        return self.begins if self.begins is not None and not path else self.span(path).start

    def key_position(self, path: Path) -> Position:
        """The place of the key that a path ends with."""
        if self.value is ABSENT:
            return self.position(path)
        extent = locate_key(self._outlined(), path)
        return Position(extent.line, extent.column)

    def contains(self, text: bytes) -> bool:
        """Whether the document's text contains these bytes."""
        return self.text.data.find(text, *self.stretch) >= 0

    @property
    def text_lines(self) -> Sequence[str]:
        """Every line of the file, without line breaks; line n of a position is item n - 1."""
        return self.text.lines
