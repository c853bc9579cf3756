"""From the bytes of a file to its documents, divided as kubectl divides them.

kubectl decides by the first character whether a stream is JSON, switches to YAML if that fails within the first two values, and divides
YAML at lines that begin with `---`, before any YAML parser gets it. kubectl stops at the first error; here reading continues with the next
document. Source: k8s.io/apimachinery v0.36 util/yaml decoder.go, k8s.io/cli-runtime v0.36 resource/visitor.go.
"""

from __future__ import annotations

import codecs
import re
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Final

from weighbridge.policies.ground.expressions import expression
from weighbridge.policies.ground.go_text import float_text
from weighbridge.policies.ground.objects import JSONValue, Path, field
from weighbridge.policies.ground.records import dataclass
from weighbridge.webhook.manifests import errors
from weighbridge.webhook.manifests.documents import ABSENT, Document, InputIssue, IssueKind, Position
from weighbridge.webhook.manifests.errors import UnreadableError
from weighbridge.webhook.manifests.lines import SourceText
from weighbridge.webhook.manifests.outline import Extent, OutlineNode, OutlineShape, locate
from weighbridge.webhook.manifests.yaml_outline import outline_yaml
from weighbridge.webhook.manifests.yaml_reader import Reading, read_yaml

if TYPE_CHECKING:
    from weighbridge.webhook.manifests.json_reader import JSONText

#: The bytes in which kubectl looks for the first character.
_LOOK_AHEAD: Final = 4096
_OFFSET: Final = expression("json: offset [0-9]+: ")
_NO_TEXT: Final = expression("[\udc80-\udcff]+")
#: One of these signs precedes each key, and each value of a JSON text except the first.
_JSON_SIGN: Final = expression(rb"[\[{,:]")
_JSON_STRING: Final = expression(rb'"(?:[^"\\]|\\.)*"', re.DOTALL)
_JSON_LIKE: Final = expression(rb'\s*\{\s*["}]')


def _utf8(data: bytes) -> tuple[bytes, list[_Broken]]:
    """The text as UTF-8 without byte order mark, and the places where U+FFFD replaces invalid bytes."""
    for mark, encoding in ((codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be")):
        if data.startswith(mark):
            return data[2:].decode(encoding, errors="replace").encode(), []
    data = data.removeprefix(codecs.BOM_UTF8)
    try:
        data.decode()
    except UnicodeDecodeError:
        return _mended(data.decode(errors="surrogateescape"))
    return data, []


def _mended(text: str) -> tuple[bytes, list[_Broken]]:
    """The text with U+FFFD for surrogates, which mean invalid bytes, and their places."""
    parts: list[bytes] = []
    broken: list[_Broken] = []
    done = offset = index = 0
    for match in _NO_TEXT.finditer(text):
        before = text[done : match.start()].encode()
        stand_in = match[0].encode(errors="surrogateescape").decode(errors="replace")
        offset, index = offset + len(before), index + match.start() - done
        broken.append(_Broken(offset, index))
        parts += [before, stand_in.encode()]
        offset, index, done = offset + len(parts[-1]), index + len(stand_in), match.end()
    return b"".join([*parts, text[done:].encode()]), broken


@dataclass(slots=True)
class _Broken:
    """The places of invalid bytes: in bytes and in characters from the beginning."""

    offset: int
    index: int


@dataclass(frozen=True, slots=True)
class _Chunk:
    """The bytes between two `---` lines; `wrong` is forbidden content of such a line, `wrong_at` that line's offset."""

    start: int
    end: int
    wrong: str = ""
    wrong_at: int = 0


def _separator(data: bytes, start: int) -> tuple[int, str]:
    """The end of the `---` line that begins at `start`, and its content apart from a comment."""
    newline = data.find(b"\n", start)
    end = len(data) if newline < 0 else newline + 1
    rest = data[start + 3 : end].decode().strip()
    return end, "" if rest.startswith("#") else rest


def _chunks(data: bytes, start: int) -> Iterator[_Chunk]:
    """The YAML documents of a stream. As in kubectl, a `---` line directly after another one belongs to the document after it."""
    wrong, wrong_at = "", 0
    while start < len(data):
        if data.startswith(b"---", start) and not wrong:
            wrong, wrong_at = _separator(data, start)[1], start
        newline = data.find(b"\n---", start)
        if newline < 0:
            yield _Chunk(start, len(data), wrong, wrong_at)
            return
        yield _Chunk(start, newline + 1, wrong, wrong_at)
        wrong_at = newline + 1
        start, wrong = _separator(data, wrong_at)
    if wrong:
        yield _Chunk(start, start, wrong, wrong_at)


def _json_root(text: SourceText, start: int, end: int) -> OutlineNode:
    from weighbridge.webhook.manifests.json_outline import outline_json

    return outline_json(text, start, end).root


def _refused(data: bytes, path: Path, value: float) -> UnreadableError:
    """The issue of a document with an infinity or NaN, with its place."""
    extent = locate(outline_yaml(data, 1), path)
    return UnreadableError(*errors.not_finite(float_text(value), field(path)), place=(extent.line, extent.column))


def _nowhere() -> OutlineNode:
    """An outline for a document that has none; it is never used."""
    return OutlineNode(Extent(1, 1, 1, 1), OutlineShape.EMPTY)


class _Stream:
    """Reads one file; one use."""

    __slots__ = ("_broken", "_end", "_index", "_most", "_source", "_stretch")

    def __init__(self, source: SourceText, broken: Sequence[_Broken], most: int | None) -> None:
        self._source = source
        self._most = most
        self._index = 0
        self._stretch = (0, len(source.data))
        self._end = 0
        self._broken = deque(broken)

    def documents(self) -> Iterator[Document]:
        """Every document of the file."""
        beginning = self._source.data[:_LOOK_AHEAD].decode(errors="ignore")
        if not beginning.lstrip().startswith("{"):
            return self._yaml(0)
        if self._most is not None and len(_JSON_SIGN.findall(_JSON_STRING.sub(b"", self._source.data))) > self._most:
            return iter([self._unreadable(UnreadableError(*errors.too_many_nodes(self._most)))])
        return self._json()

    def _document(self, value: JSONValue, issues: list[InputIssue], outline: Callable[[], OutlineNode] = _nowhere) -> Document:
        self._index += 1
        issues = self._not_text() + issues
        return Document(self._source.name, self._index - 1, value, self._source, self._stretch, outline, issues)

    def _not_text(self) -> list[InputIssue]:
        """The issue of invalid bytes before the end of the document that has been read."""
        found = []
        while self._broken and self._broken[0].offset < self._end:
            found.append(self._broken.popleft())
        return [self._issue(self._source.starts.place(found[0].index), errors.invalid_utf8())] if found else []

    def _issue(self, place: tuple[int, int], message: str, kubectl: str = "", kind: IssueKind = IssueKind.ERROR) -> InputIssue:
        return InputIssue(self._source.name, *place, message, kind, kubectl)

    def _unreadable(self, error: UnreadableError, lines_before: int = 0) -> Document:
        line, column = error.place or (1, 1)
        return self._document(ABSENT, [self._issue((line + lines_before, column), error.message, error.kubectl)])

    def _yaml(self, start: int, json_error: UnreadableError | None = None) -> Iterator[Document]:
        """The documents of a YAML stream.

        `json_error` is why its beginning isn't JSON; it is the better error if the text was meant to be JSON.
        """
        lines, counted = 0, 0
        for chunk in _chunks(self._source.data, start):
            lines += self._source.breaks(counted, chunk.start)
            counted = chunk.start
            self._stretch, self._end = (chunk.start, chunk.end), chunk.end
            document = self._yaml_document(chunk, lines)
            if json_error is not None and document.value is ABSENT and _JSON_LIKE.match(self._source.data, start):
                self._index -= 1
                document = self._unreadable(json_error)
            json_error = None
            yield document

    def _yaml_document(self, chunk: _Chunk, lines_before: int) -> Document:
        if chunk.wrong:
            place = lines_before - self._source.breaks(chunk.wrong_at, chunk.start) + 1, 1
            return self._document(ABSENT, [self._issue(place, *errors.invalid_separator(chunk.wrong))])
        data = self._source.data[chunk.start : chunk.end]
        if not data.endswith(b"\n"):
            # kubectl ends every line, which matters in a block scalar.
            data += b"\n"
        try:
            reading = read_yaml(data, self._most)
            if reading.not_finite:
                raise _refused(data, *reading.not_finite)
        except UnreadableError as error:
            return self._unreadable(error, lines_before)
        document = self._document(reading.value, [], partial(outline_yaml, data, lines_before + 1))
        if reading.begins is not None:
            line, column = reading.begins
            document.begins = Position(line + lines_before, column)
        if reading.duplicates or reading.overridden or reading.lost:
            self._note(document, reading, lines_before)
        return document

    def _note(self, document: Document, reading: Reading, lines_before: int) -> None:
        """Add the issues of what kubectl does with the text without a message."""
        found = [(place, errors.duplicate_key(field(path))) for path, place in reading.duplicates.found] if reading.duplicates else []
        found += [(place, errors.merge_overrides(path)) for path, place in reading.overridden]
        if reading.lost is not None:
            found.append((reading.lost, errors.content_lost()))
        for (line, column), message in sorted(found):
            document.issues.append(self._issue((line + lines_before, column), message, kind=IssueKind.FINDING))
        if reading.duplicates:
            document.duplicate_fields.extend(reading.duplicates.paths)

    def _json(self) -> Iterator[Document]:
        """The values of a JSON stream, as long as it is one."""
        from weighbridge.webhook.manifests.json_reader import read_json

        start = count = 0
        while True:
            try:
                parsed = read_json(self._source, start, self._end)
            except UnreadableError as error:
                self._stretch = self._end, len(self._source.data)
                if count > 1:
                    # From here on kubectl's message has no offset.
                    error.kubectl = _OFFSET.sub("", error.kubectl)
                    yield self._unreadable(error)
                else:
                    yield from self._after_json(start, error)
                return
            if parsed is None:
                return
            begin, self._end = self._end, self._end + len(self._source.text[start : parsed.end].encode())
            self._stretch = begin, self._end
            yield self._unreadable(parsed.refused) if parsed.refused else self._json_document(parsed, start)
            start, count = parsed.end, count + 1

    def _json_document(self, parsed: JSONText, start: int) -> Document:
        document = self._document(parsed.value, [], partial(_json_root, self._source, start, parsed.end))
        if parsed.has_duplicates:
            from weighbridge.webhook.manifests.json_outline import outline_json

            duplicates = outline_json(self._source, start, parsed.end).duplicates
            for path, extent in duplicates.found:
                place = extent.line, extent.column
                document.issues.append(self._issue(place, errors.duplicate_key(field(path)), kind=IssueKind.FINDING))
            document.duplicate_fields.extend(duplicates.paths)
        return document

    def _after_json(self, start: int, error: UnreadableError) -> Iterator[Document]:
        """Switch to YAML after the last JSON value; kubectl needs four bytes for that."""
        text = self._source.text
        rest = text[start:]
        stripped = rest.lstrip()
        newline = rest.find("\n", 0, len(rest) - len(stripped))
        after = start + (newline + 1 if newline >= 0 else len(rest) - len(stripped))
        offset = len(text[:after].encode())
        if len(self._source.data) - offset < (3 if newline >= 0 else 4):
            yield self._unreadable(error)
        else:
            yield from self._yaml(offset, error)


def documents(name: str, data: bytes, most: int | None = None) -> Iterator[Document]:
    """Read every document of a file; `name` is the name that is shown.

    Unreadable documents have their issues and the value ABSENT; nothing is raised. With `most` no document may have more values, including
    keys, or any aliases, so that the result is never much larger than the text.
    """
    text, broken = _utf8(data)
    return _Stream(SourceText(name, text), broken, most).documents()
