"""The JSON Schema of a file of settings, for editors."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from weighbridge.policies.ground.objects import JSONObject
from weighbridge.policies.ground.server_release import RELEASES
from weighbridge.webhook.settings.keys import KEYS, OF_PATHS, OVERRIDES, PATHS, REASON, Key
from weighbridge.webhook.settings.values import WORDS

_SCHEMA: Final = "https://json-schema.org/draft/2020-12/schema"
_TEXT: Final[JSONObject] = {"type": "string", "minLength": 1}


def json_schema() -> JSONObject:
    """The schema."""
    entry: JSONObject = {
        "type": "object",
        "additionalProperties": False,
        "required": [PATHS],
        "properties": {
            PATHS: {"description": "the paths that the entry is for, as in .gitignore", **_texts(_TEXT)},
            REASON: {"type": "string", "description": "why; it is shown with what the entry ignores"},
            **_properties(OF_PATHS),
        },
    }
    overrides = {"type": "array", "items": entry, "description": "settings for some paths; of two entries the later counts"}
    return {
        "$schema": _SCHEMA,
        "title": "Settings of the command line",
        "description": "weighbridge.yaml: what the options of the command line are unless they are given; paths are relative to the file",
        "type": "object",
        "additionalProperties": False,
        "properties": {**_properties(KEYS), OVERRIDES: overrides},
    }


def _properties(names: Iterable[str]) -> JSONObject:
    return {name: {"description": KEYS[name].meaning, **_shape(name, KEYS[name]), **_default(KEYS[name])} for name in names}


def _shape(name: str, key: Key) -> JSONObject:
    word: JSONObject = _TEXT
    if name == "fail-on":
        word = {"anyOf": [{"enum": list(WORDS)}, {"type": "string", "pattern": "^[a-z]+(, *[a-z]+)+$"}]}
    elif name == "kubernetes-version":
        word = {"type": ["string", "number"], "examples": [release.name for release in RELEASES]}
    return _texts(word) if key.shape.is_list else word


def _texts(word: JSONObject) -> JSONObject:
    return {"anyOf": [word, {"type": "array", "items": word}]}


def _default(key: Key) -> JSONObject:
    return {"default": key.default} if key.default else {}
