"""Comments and annotations of manifests that ignore findings: ``# weighbridge: ignore[LLMKUBE-085] reason until 2027-01-31``.

A comment after a field is for the findings of that line. A comment on a separate line is for the next line, and above an object for the
whole object. An annotation is for the whole object.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import Final

from weighbridge.policies.config.ignores import ANNOTATION, Ignore, ignores_of, read_ignore
from weighbridge.policies.ground.expressions import expression
from weighbridge.policies.ground.records import dataclass, field
from weighbridge.webhook.manifests import Document, Manifest, Position, Span
from weighbridge.webhook.manifests.outline import Extent, OutlineNode, OutlineShape

#: A part of every text with such a comment or annotation.
MARK: Final = b"weighbridge"
#: The comment, its beginning, and the entry. Another word before a bracket counts as a typing error.
_COMMENT: Final = expression(r"(?:^|\s)(#[ \t#]*(weighbridge:?[ \t]*(?:ignore\b|\w+(?=[ \t]*\[)))(.*))", re.DOTALL)
_BEGINNING: Final = expression(r"weighbridge:[ \t]*ignore")
#: Lines that may be between a comment and the object below it.
_BETWEEN: Final = expression(r"\s*(?:#.*|(?:---|\.\.\.)(?:\s.*)?|%.*)?", re.DOTALL)


@dataclass(slots=True)
class Silence:
    """A comment or an entry of an annotation: its content or its error, and its place.

    `target` is its line, 0 for the whole object. `by` says what it is. `used` are the rules of findings that it ignored, and `ended` those
    of findings that it would have ignored before it ended.
    """

    said: Ignore | str
    span: Span
    target: int
    by: str
    used: set[str] = field(default_factory=set)
    ended: set[str] = field(default_factory=set)

    def covers(self, rule: str, span: Span) -> bool:
        """Whether it is for a rule's finding in this place."""
        if isinstance(self.said, str) or rule not in self.said.rules:
            return False
        return not self.target or span.start.line <= self.target <= span.end.line


COMMENT: Final = "comment"
OWN_ANNOTATION: Final = "annotation"


def silences_of(given: Sequence[Manifest]) -> dict[int, list[Silence]]:
    """The comments and annotations for each object, by its number."""
    by_file: dict[int, list[int]] = {}
    for number, manifest in enumerate(given):
        by_file.setdefault(id(manifest.document.text), []).append(number)
    found: dict[int, list[Silence]] = {}
    for numbers in by_file.values():
        if MARK in given[numbers[0]].document.text.data:
            for number, silence in _of_file(given, numbers):
                found.setdefault(number, []).append(silence)
    return found


def _of_file(given: Sequence[Manifest], numbers: Sequence[int]) -> Iterator[tuple[int, Silence]]:
    begins = [given[number].position().line for number in numbers]
    scalars: dict[int, list[Extent]] = {}
    lines = given[numbers[0]].document.text.lines
    for at, line in enumerate(lines):
        match = _COMMENT.search(line) if "weighbridge" in line else None
        if match is None:
            continue
        here = Position(at + 1, match.start(1) + 1)
        is_alone = not line[: match.start(1)].strip()
        target = _below(lines, at) if is_alone else here.line
        place = bisect_right(begins, target) - 1
        if place < 0:
            continue
        number = numbers[place]
        document = given[number].document
        if not _holds(document, target) or _is_in_text(document, here, scalars):
            continue
        whole = is_alone and begins[place] == target
        yield number, Silence(_said(match[2], match[3]), Span(here, Position(here.line, len(line) + 1)), 0 if whole else target, COMMENT)
    for number in numbers:
        yield from ((number, silence) for silence in _of_annotation(given[number]))


def silences_in(lines: Sequence[str]) -> list[Silence]:
    """The comments of a file from which objects are rendered; only their lines are known."""
    found = []
    for at, line in enumerate(lines):
        match = _COMMENT.search(line) if "weighbridge" in line else None
        if match is not None:
            here = Position(at + 1, match.start(1) + 1)
            is_alone = not line[: match.start(1)].strip()
            target = _below(lines, at) if is_alone else here.line
            found.append(Silence(_said(match[2], match[3]), Span(here, Position(here.line, len(line) + 1)), target, COMMENT))
    return found


def _said(beginning: str, entry: str) -> Ignore | str:
    if _BEGINNING.fullmatch(beginning):
        return read_ignore(entry)
    return f"it begins with {beginning!r}; write # weighbridge: ignore[RULE] reason"


def _of_annotation(manifest: Manifest) -> Iterator[Silence]:
    entries = list(ignores_of(manifest.value)) if manifest.document.contains(ANNOTATION.encode()) else []
    if entries:
        span = manifest.span(("metadata", "annotations", ANNOTATION))
        yield from (Silence(entry, span, 0, OWN_ANNOTATION) for entry in entries)


def _below(lines: Sequence[str], at: int) -> int:
    """The next line that isn't empty, from 1; that of the comment itself if there is none."""
    return next((number + 1 for number in range(at + 1, len(lines)) if not _BETWEEN.fullmatch(lines[number])), at + 1)


def _holds(document: Document, line: int) -> bool:
    """Whether a line of the file belongs to a document."""
    start, end = document.stretch
    return document.text.lines_before(start) < line <= document.text.lines_before(end) + 1


def _is_in_text(document: Document, place: Position, known: dict[int, list[Extent]]) -> bool:
    """Whether a text that looks like a comment is a part of a value."""
    scalars = known.get(document.index)
    if scalars is None:
        scalars = known[document.index] = list(_scalars(document.outline()))
    return any(_is_within(place, extent, document.text.lines) for extent in scalars)


def _is_within(place: Position, extent: Extent, lines: Sequence[str]) -> bool:
    here = (place.line, place.column)
    if not (extent.line, extent.column) <= here < (extent.end_line, extent.end_column):
        return False
    # A comment may follow the sign of a block of text.
    is_block = lines[extent.line - 1][extent.column - 1 : extent.column] in {"|", ">"}
    return not (is_block and place.line == extent.line)


def _scalars(root: OutlineNode) -> Iterator[Extent]:
    """The places of all keys and values that aren't collections."""
    waiting = [root]
    while waiting:
        node = waiting.pop()
        if node.shape is OutlineShape.SCALAR:
            yield node.extent
        for entry in node.fields.values():
            yield entry.key
            waiting.append(entry.node)
        waiting.extend(node.items)
