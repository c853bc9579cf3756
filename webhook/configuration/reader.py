"""From a file's bytes to a configuration, or to all of its mistakes at once."""

from __future__ import annotations

import errno
import hashlib
import sys
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, Final, TypeVar

from pydantic import ValidationError

from weighbridge.certs.regular_file import read_regular_file, too_large
from weighbridge.policies.config import API_VERSION, KIND, Configuration
from weighbridge.policies.families.configuration import document_type, parse
from weighbridge.policies.ground.objects import JSONObject, Path
from weighbridge.policies.ground.records import dataclass
from weighbridge.policies.ground.spelling import closest
from weighbridge.webhook.cache.inputs import file_was_read, not_repeatable
from weighbridge.webhook.configuration.contradictions import MistakenKey, contradictions
from weighbridge.webhook.configuration.mistake import ConfigurationError, Mistake, mistake_at, mistaken_key
from weighbridge.webhook.configuration.mistakes import meant, mistake_of
from weighbridge.webhook.manifests import ABSENT, DEFAULT_MAX_BYTES, STDIN, Document, documents
from weighbridge.webhook.texts.streams import as_text

if TYPE_CHECKING:
    from weighbridge.policies.apiserver.definitions import Definitions

    #: Gives the CRDs for a configuration by which the expressions of policies are checked.
    CRDs = Callable[[Configuration], Definitions]

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


def read_configuration(path: str, crds: CRDs | None = None) -> Configuration:
    """Read one document of kind Configuration. Raises ConfigurationError with all of its mistakes."""
    return read(path, crds).config


def read(path: str, crds: CRDs | None = None) -> ReadConfiguration:
    """Read a file, or standard input for ``-``, in the form that can be explained. Raises ConfigurationError with all of its mistakes."""
    return read_bytes(as_text(path), bytes_of(path), crds)


def read_bytes(name: str, data: bytes, crds: CRDs | None = None) -> ReadConfiguration:
    """Read the bytes of a file of that name. Raises ConfigurationError with all of its mistakes."""
    document, mistakes = only_document(name, data, KIND)
    return ReadConfiguration(read_document(document, mistakes, crds), document, hashlib.sha256(data).hexdigest())


def read_document(document: Document, issues: Iterable[Mistake] = (), crds: CRDs | None = None) -> Configuration:
    """The configuration of a document in whose text there are `issues`. Raises ConfigurationError with all of its mistakes.

    The expressions of policies are checked if `crds` gives the CRDs of their kinds.
    """
    value, name, mistakes = document.value, document.source, list(issues)
    if not isinstance(value, dict):
        raise ConfigurationError([Mistake(name, 1, 0, "", "a configuration is a map with apiVersion, kind and settings")])
    mistakes += [Mistake(name, 1, 0, key, f"missing; write {key}: {wanted}") for key, wanted in _HEADER if key not in value]
    if other := _of_another_kind(document, value):
        raise ConfigurationError([other])
    config, found, is_authors = parsed(document, value, parse, document_type())
    mistakes += found
    if config is not None:
        mistakes += [placed(document, path, text) for path, text in contradictions(config) if is_authors(path)]
        if config.policies is not None and crds is not None:
            from weighbridge.webhook.configuration.policy_expressions import policy_mistakes

            mistakes += policy_mistakes(document, config.policies, crds(config), is_authors)
    if config is None or mistakes:
        raise ConfigurationError(mistakes)
    return config


def _of_another_kind(document: Document, value: JSONObject) -> Mistake | None:
    """The one mistake of a file that is of another kind. A misspelt kind is one of several mistakes."""
    kind = value.get("kind")
    if not isinstance(kind, str) or closest(kind, [KIND]):
        return None
    return mistake_at(document, ("kind",), f"is {kind}; give a file of kind {KIND}")


def placed(document: Document, path: Path, text: str) -> Mistake:
    """A contradiction as a mistake with its place."""
    is_key = bool(path) and isinstance(path[-1], MistakenKey)
    return (mistaken_key if is_key else mistake_at)(document, path, text)


def parsed(
    document: Document, value: JSONObject, parse_as: Callable[[JSONObject], _Parsed], section: Any
) -> tuple[_Parsed | None, list[Mistake], Callable[[Path], bool]]:
    """The readable part of a document, the errors of the rest, and a function that says whether the author wrote what is at a path."""
    try:
        return parse_as(value), [], lambda _: True
    except ValidationError as error:
        details = list(meant(error.errors()))
    from weighbridge.webhook.configuration.repair import repaired

    mistakes = [mistake_of(document, entry, section) for entry in details]
    found = repaired(value, parse_as, details)
    return (found.parsed, mistakes, found.is_authors) if found is not None else (None, mistakes, lambda _: True)


def only_document(name: str, data: bytes, kind: str, most: int | None = None) -> tuple[Document, list[Mistake]]:
    """The only document of a text, of at most `most` values, and the mistakes of the text.

    Raises ConfigurationError if there are more documents or it can't be read.
    """
    found = [document for document in documents(name, data, most) if document.value is not None]
    if len(found) > 1:
        first, second = (document.position() for document in found[:2])
        message = f"a second document; the first is at line {first.line}, and a file has one of kind {kind}"
        raise ConfigurationError([Mistake(name, second.line, second.column, "", message)])
    if not found:
        raise ConfigurationError([Mistake(name, 0, 0, "", f"the file is empty; write one document of kind {kind}")])
    issues = [Mistake(issue.source, issue.line, issue.column, "", issue.message) for issue in found[0].issues]
    if found[0].value is ABSENT:
        raise ConfigurationError(issues)
    return found[0], issues


def bytes_of(path: str, *, is_watched: bool = False) -> bytes:
    """The bytes of a file, or of standard input for ``-``; a watched file must be a regular one. Raises ConfigurationError."""
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
