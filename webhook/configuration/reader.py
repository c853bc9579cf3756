"""From a file's bytes to a configuration, or to all of its mistakes at once."""

from __future__ import annotations

import errno
import hashlib
import sys
from collections.abc import Callable, Iterable
from typing import Any, Final, TypeVar

from pydantic import ValidationError

from weighbridge.certs.regular_file import read_regular_file, too_large
from weighbridge.policies.config import API_VERSION, KIND, Configuration
from weighbridge.policies.families.configuration import document_type, parse
from weighbridge.policies.ground.objects import JSONObject, Path, PathStep
from weighbridge.policies.ground.records import dataclass
from weighbridge.webhook.cache.inputs import file_was_read, not_repeatable
from weighbridge.webhook.configuration.contradictions import contradictions
from weighbridge.webhook.configuration.mistake import ConfigurationError, Mistake, mistake_at
from weighbridge.webhook.configuration.mistakes import meant, mistake_of
from weighbridge.webhook.manifests import ABSENT, DEFAULT_MAX_BYTES, STDIN, Document, documents
from weighbridge.webhook.texts.streams import as_text

_HEADER: Final = (("apiVersion", API_VERSION), ("kind", KIND))
_Parsed = TypeVar("_Parsed")


@dataclass(frozen=True, slots=True)
class ReadConfiguration:
    """A configuration with the document that it was read from; `digest` is the SHA-256 of the file's bytes."""

    config: Configuration
    document: Document
    digest: str

    def place(self, path: Path) -> str:
        """The place of a setting: ``config.yaml:7``."""
        return f"{self.document.source}:{self.document.position(path).line}"


def read_configuration(path: str) -> Configuration:
    """Read one document of kind Configuration. Raises ConfigurationError with all of its mistakes."""
    return read(path).config


def read(path: str) -> ReadConfiguration:
    """Read a file, or standard input for ``-``, with what explains it. Raises ConfigurationError with all of its mistakes."""
    return read_bytes(as_text(path), bytes_of(path))


def read_bytes(name: str, data: bytes) -> ReadConfiguration:
    """Read the bytes of a file of that name. Raises ConfigurationError with all of its mistakes."""
    document, mistakes = only_document(name, data, KIND)
    value = document.value
    if not isinstance(value, dict):
        raise ConfigurationError([Mistake(name, 1, 0, "", "a configuration is a map with apiVersion, kind and settings")])
    mistakes += [Mistake(name, 1, 0, key, f"missing; write {key}: {wanted}") for key, wanted in _HEADER if key not in value]
    config, found, original = parsed(document, value, parse, document_type())
    mistakes += found
    if config is not None:
        mistakes += [mistake_at(document, original(path), text) for path, text in contradictions(config)]
    if config is None or mistakes:
        raise ConfigurationError(mistakes)
    return ReadConfiguration(config, document, hashlib.sha256(data).hexdigest())


def parsed(
    document: Document, value: JSONObject, parse_as: Callable[[JSONObject], _Parsed], section: Any
) -> tuple[_Parsed | None, list[Mistake], Callable[[Path], Path]]:
    """What a document says as far as it can be read, what of it can't, and the way from a path in the former to the document's own.

    An entry with a mistake is left out and the rest is read.
    """
    try:
        return parse_as(value), [], _unchanged
    except ValidationError as error:
        details = list(meant(error.errors()))
    mistakes = [mistake_of(document, entry, section) for entry in details]
    readable = Readable(value, [tuple(entry["loc"]) for entry in details])
    try:
        return parse_as(readable.value), mistakes, readable.original
    except ValidationError:
        return None, mistakes, _unchanged


def _unchanged(path: Path) -> Path:
    return path


class Readable:
    """A document without the entries that mistakes are in: those of lists and maps one by one, anything else as a whole."""

    def __init__(self, value: JSONObject, mistakes: Iterable[Path]) -> None:
        self.value: JSONObject = dict(value)
        self._left: dict[object, list[int]] = {}
        for key, wrong in _by_key(mistakes).items():
            held = value.get(str(key))
            if None in wrong or not isinstance(held, (dict, list)):
                self.value.pop(str(key), None)
            elif isinstance(held, dict):
                self.value[str(key)] = {name: entry for name, entry in held.items() if name not in wrong}
            else:
                left = self._left[key] = [index for index in range(len(held)) if index not in wrong]
                self.value[str(key)] = [held[index] for index in left]

    def original(self, path: Path) -> Path:
        """The path in the whole document of what has this one here."""
        left = self._left.get(path[0]) if len(path) > 1 else None
        return path if left is None or not isinstance(path[1], int) else (path[0], left[path[1]], *path[2:])


def _by_key(mistakes: Iterable[Path]) -> dict[PathStep, set[PathStep | None]]:
    """The entries with mistakes by the setting that they are in; `None` where it is the setting itself."""
    found: dict[PathStep, set[PathStep | None]] = {}
    for path in mistakes:
        if path:
            found.setdefault(path[0], set()).add(path[1] if len(path) > 1 else None)
    return found


def only_document(name: str, data: bytes, kind: str, most: int | None = None) -> tuple[Document, list[Mistake]]:
    """The one document of a text, of `most` values, and what is wrong with the text.

    Raises ConfigurationError where there are more documents, or it can't be read.
    """
    found = [document for document in documents(name, data, most) if document.value is not None]
    if len(found) != 1:
        raise ConfigurationError([Mistake(name, 0, 0, "", f"one document of kind {kind} is wanted, here are {len(found)}")])
    issues = [Mistake(issue.source, issue.line, issue.column, "", issue.message) for issue in found[0].issues]
    if found[0].value is ABSENT:
        raise ConfigurationError(issues)
    return found[0], issues


def bytes_of(path: str, *, is_watched: bool = False) -> bytes:
    """The bytes of a file, or of standard input for ``-``; one that is watched must be a regular file. Raises ConfigurationError."""
    name = as_text(path)
    try:
        if path == STDIN:
            not_repeatable()
            data = sys.stdin.buffer.read(DEFAULT_MAX_BYTES + 1)
        elif is_watched:
            data = read_regular_file(path, DEFAULT_MAX_BYTES)
        else:
            with open(path, "rb") as stream:
                data = stream.read(DEFAULT_MAX_BYTES + 1)
                file_was_read(path, data, stream.fileno())
    except OSError as error:
        text = "standard input is closed" if path == STDIN and error.errno == errno.EBADF else error.strerror or str(error)
        raise ConfigurationError([Mistake(name, 0, 0, "", f"{text[:1].lower()}{text[1:]}; give a file of kind {KIND}")]) from None
    if len(data) > DEFAULT_MAX_BYTES:
        raise ConfigurationError([Mistake(name, 0, 0, "", too_large(DEFAULT_MAX_BYTES))])
    return data
