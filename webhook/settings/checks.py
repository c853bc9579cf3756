"""The check of configurations for `weighbridge config check`: their mistakes, exceptions that have ended, settings without an effect."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Final

from weighbridge.policies.config import API_VERSION, KIND
from weighbridge.policies.ground.records import dataclass
from weighbridge.webhook.configuration.mistake import ConfigurationError, Mistake, mistake_at
from weighbridge.webhook.configuration.reader import ReadConfiguration, read
from weighbridge.webhook.configuration.without_effect import without_effect
from weighbridge.webhook.manifests import DEFAULT_MAX_BYTES, Source, documents, sources
from weighbridge.webhook.settings.search import NAMES
from weighbridge.webhook.texts.errors import InputError
from weighbridge.webhook.texts.streams import as_text

if TYPE_CHECKING:
    from weighbridge.webhook.configuration.reader import CRDs

_GROUP: Final = API_VERSION.partition("/")[0]


@dataclass(frozen=True, slots=True)
class Checked:
    """One file with its mistakes, or with warnings if it can be used."""

    name: str
    mistakes: Sequence[Mistake]
    warnings: Sequence[Mistake]


def configurations_in(paths: Iterable[str]) -> Iterator[str]:
    """The files to check: named ones, and in folders those with a Configuration and those with settings. Raises InputError."""
    for path in paths:
        if not os.path.isdir(path):
            yield path
            continue
        given = []
        for source in sources([path], stdin=sys.stdin.buffer):
            if isinstance(source, Source):
                given.append(source)
            elif source.source != as_text(path) or not os.access(path, os.R_OK):
                raise InputError(str(source))
        found = [source for source in given if os.path.basename(source.path) in NAMES or _has_configuration(source)]
        if not found:
            raise InputError(f"{as_text(path)}: no file of kind {KIND} and no {NAMES[0]} in this directory")
        yield from (os.path.normpath(source.path) for source in found)


def _has_configuration(source: Source) -> bool:
    if _GROUP.encode() not in source.data or len(source.data) > DEFAULT_MAX_BYTES:
        return False
    values = (document.value for document in documents(source.name, source.data))
    return any(isinstance(value, dict) and (value.get("apiVersion"), value.get("kind")) == (API_VERSION, KIND) for value in values)


def checked(path: str, moment: datetime, crds: CRDs) -> Checked:
    """The mistakes of a file, or else its settings without effect at a moment."""
    try:
        found = read(path, crds)
    except ConfigurationError as error:
        return Checked(as_text(path), error.mistakes, ())
    warnings = sorted({*_ended(found, moment), *_idle(found)}, key=lambda warning: (warning.line, warning.column, warning.message))
    return Checked(as_text(path), (), warnings)


def _ended(found: ReadConfiguration, moment: datetime) -> Iterator[Mistake]:
    for index, entry in found.config.at(moment).expired:
        message = f"the exception from {', '.join(entry.rules)} ended: {entry.expires} ({entry.reason})"
        yield mistake_at(found.document, ("exceptions", index), message)


def _idle(found: ReadConfiguration) -> Iterator[Mistake]:
    for path, message in without_effect(found.config):
        yield mistake_at(found.document, path, message)
