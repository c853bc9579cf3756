"""Reads a file of settings: plain keys, which are the names of the command line's options, and `overrides` for some paths.

A file that is a configuration (`kind: Configuration`) sets `config` to itself. Every mistake has line, field and the nearest key.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Final

from weighbridge.certs.regular_file import too_large
from weighbridge.policies.ground.objects import JSONObject, JSONValue, Path
from weighbridge.policies.ground.spelling import closest
from weighbridge.webhook.cache.inputs import file_was_read
from weighbridge.webhook.configuration.mistake import ConfigurationError, Mistake, mistake_at, mistaken_key
from weighbridge.webhook.manifests import ABSENT, Document, documents
from weighbridge.webhook.settings.keys import KEYS, OF_PATHS, OVERRIDES, PATHS, REASON, Key
from weighbridge.webhook.settings.values import OptionSetting, Override, Settings
from weighbridge.webhook.texts.streams import as_text

_MOST_BYTES: Final = 1 << 20
_CONFIGURATION: Final = "Configuration"


def read_settings(path: str) -> Settings:
    """Read a file of settings. Raises ConfigurationError with all of its mistakes."""
    return settings_of(path, _bytes_of(path))


def settings_of(path: str, data: bytes) -> Settings:
    """The settings that the bytes of a file have. Raises ConfigurationError with all of its mistakes."""
    name = as_text(path)
    found = [document for document in documents(name, data) if document.value is not None]
    if not found:
        return Settings(file=path)
    if len(found) > 1:
        place = found[1].position()
        raise ConfigurationError(
            [Mistake(name, place.line, place.column, "", f"a second document; a file of settings has one, here are {len(found)}")]
        )
    document = found[0]
    mistakes = [Mistake(issue.source, issue.line, issue.column, "", issue.message) for issue in document.issues]
    if document.value is ABSENT:
        raise ConfigurationError(mistakes)
    if is_configuration(document.value):
        return Settings({"config": OptionSetting((path,), f"{name}:{document.position().line}")}, file=path)
    reader = _Reader(path, document)
    settings = reader.settings()
    mistakes += reader.mistakes
    if mistakes:
        raise ConfigurationError(mistakes)
    return settings


def is_configuration(value: JSONValue) -> bool:
    """Whether a document says that it is a configuration."""
    return isinstance(value, dict) and value.get("kind") == _CONFIGURATION


def _bytes_of(path: str) -> bytes:
    try:
        with open(path, "rb") as stream:
            data = stream.read(_MOST_BYTES + 1)
            file_was_read(path, data, stream.fileno())
    except OSError as error:
        text = error.strerror or str(error)
        raise ConfigurationError([Mistake(as_text(path), 0, 0, "", f"{text[:1].lower()}{text[1:]}; give a file of settings")]) from None
    if len(data) > _MOST_BYTES:
        raise ConfigurationError([Mistake(as_text(path), 0, 0, "", too_large(_MOST_BYTES))])
    return data


class _Reader:
    """Reads one document, and collects its mistakes."""

    def __init__(self, path: str, document: Document) -> None:
        self._path = path
        self._document = document
        self.mistakes: list[Mistake] = []

    def settings(self) -> Settings:
        """The settings of the document."""
        value = self._document.value
        if not isinstance(value, dict):
            self._wrong((), f"settings are a map; the keys are {', '.join((*KEYS, OVERRIDES))}")
            return Settings()
        named = self._named(value, (), tuple(KEYS), (OVERRIDES,))
        overrides = list(self._overrides(value.get(OVERRIDES)))
        return Settings(named, overrides, self._path)

    def _named(self, value: JSONObject, path: Path, keys: tuple[str, ...], others: tuple[str, ...]) -> dict[str, OptionSetting]:
        """The settings among the keys of a map."""
        found: dict[str, OptionSetting] = {}
        for name, held in value.items():
            if name in keys:
                values = self._values(held, (*path, name), KEYS[name])
                if values is not None:
                    lines = tuple(
                        self._line((*path, name, index) if isinstance(held, list) else (*path, name)) for index in range(len(values))
                    )
                    found[name] = OptionSetting(values, f"{self._document.source}:{self._line((*path, name))}", lines)
            elif name not in others:
                self.mistakes.append(mistaken_key(self._document, (*path, name), _unknown_key(name, (*others, *keys))))
        return found

    def _overrides(self, value: JSONValue) -> Iterator[Override]:
        if value is None:
            return
        if not isinstance(value, list):
            self._wrong((OVERRIDES,), f"isn't a list; write a list of entries, each with {PATHS} and what is set for them")
            return
        folder = os.path.dirname(os.path.realpath(self._path))
        for index, entry in enumerate(value):
            path: Path = (OVERRIDES, index)
            if not isinstance(entry, dict):
                self._wrong(path, f"isn't a map; write {PATHS} and what is set for them")
                continue
            patterns = self._values(entry.get(PATHS), (*path, PATHS), KEYS["exclude"]) if PATHS in entry else None
            if PATHS not in entry:
                self._wrong(path, f"{PATHS} is missing; write the paths that the entry is for")
            reason = entry.get(REASON, "")
            if not isinstance(reason, str):
                self._wrong((*path, REASON), "isn't a text; put it in quotes")
            named = self._named(entry, path, OF_PATHS, (PATHS, REASON))
            origin = f"{self._document.source}:{self._line(path)}"
            yield Override(patterns or (), named, folder, origin, reason if isinstance(reason, str) else "")

    def _values(self, value: JSONValue, path: Path, key: Key) -> tuple[str, ...] | None:
        """The values of a setting; `None` if one can't be used."""
        held = value if isinstance(value, list) and key.shape.is_list else [value]
        places: list[Path] = [(*path, index) for index in range(len(held))] if held is value else [path]
        before = len(self.mistakes)
        found = [self._text(entry, place, key) for entry, place in zip(held, places, strict=True)]
        if len(self.mistakes) == before and (trouble := key.trouble_with_all(found)):
            self._wrong(path, trouble)
        if len(self.mistakes) > before:
            return None
        if not key.shape.is_path:
            return tuple(found)
        return tuple(os.path.join(os.path.dirname(self._path), entry) for entry in found)

    def _text(self, value: JSONValue, path: Path, key: Key) -> str:
        """A value as text; a number as it is written, since 1.30 is a version."""
        text = value if isinstance(value, str) else self._document.plain_text(path) if isinstance(value, (int, float)) else ""
        if not text or isinstance(value, bool):
            what = {list: "a list", dict: "a map", type(None): "empty"}.get(type(value), f"{value!r}".lower())
            self._wrong(path, f"{what} is no {'item' if key.shape.is_list else 'value'} here; write a text such as {key.example}")
        elif trouble := key.trouble(text):
            self._wrong(path, trouble)
        return text

    def _line(self, path: Path) -> int:
        return self._document.position(path).line

    def _wrong(self, path: Path, message: str) -> None:
        self.mistakes.append(mistake_at(self._document, path, message))


def _unknown_key(name: str, keys: tuple[str, ...]) -> str:
    near = closest(name, keys)
    return "unknown key; " + (f"did you mean {near}?" if near else f"the keys here are {', '.join(keys)}")
