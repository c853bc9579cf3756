"""Reads and writes JSON with the numbers, error messages and depth of Go's decoder.

orjson does nearly all of it. It reads at most 1,024 levels and writes at most 254; deeper texts take a slower way. It also refuses lone
surrogates and broken UTF-8, which API servers accept but never send; `loads_as_server` accepts them, too. Integers beyond signed 64 bits
become floats, as in k8s.io/apimachinery/pkg/util/json; in orjson itself, only those beyond unsigned 64 bits.
"""

from __future__ import annotations

from typing import Final

import orjson

from weighbridge.policies.ground.go_text import json_text
from weighbridge.policies.ground.objects import JSONValue
from weighbridge.webhook.texts.escapes import in_json

_INT64_MAX: Final = 2**63 - 1
_DIGITS_AS_ZERO: Final = bytes(ord("0") if ord("0") <= byte <= ord("9") else ord(" ") for byte in range(256))
#: orjson's errors for values that can be written in another way.
_SLOWLY_WRITTEN: Final = ("Recursion limit", "surrogates not allowed")
_LONG_NUMBER: Final = b"0" * len(str(_INT64_MAX))


class JSONTextError(ValueError):
    """The text isn't JSON. The message is Go's, unless Go would read the text."""


def loads(text: bytes) -> JSONValue:
    """Read JSON that has to be valid UTF-8. Raises JSONTextError."""
    try:
        return _loads_fast(text)
    except orjson.JSONDecodeError as error:
        value = _loads_slowly(text)
        if not nests_too_deep(error):
            raise JSONTextError(str(error)) from error
        return value


def nests_too_deep(error: orjson.JSONDecodeError) -> bool:
    """Whether orjson failed only because a text nests deeper than it reads."""
    return "limit" in str(error)


def loads_as_server(text: bytes) -> JSONValue:
    """Read JSON with U+FFFD in place of invalid characters. Raises JSONTextError."""
    try:
        return _loads_fast(text)
    except orjson.JSONDecodeError:
        return _loads_slowly(text)


def _loads_fast(text: bytes) -> JSONValue:
    value = orjson.loads(text)
    # Hardly any text has a number with so many digits, and searching the text is cheaper than looking at every value.
    return _with_go_numbers(value) if _LONG_NUMBER in text.translate(_DIGITS_AS_ZERO) else value


def _loads_slowly(text: bytes) -> JSONValue:
    from weighbridge.webhook.texts.json_syntax import JSONSyntaxError, NumberOverflowError, read_json_text

    try:
        return read_json_text(text)
    except (JSONSyntaxError, NumberOverflowError) as error:
        raise JSONTextError(str(error)) from error


def _with_go_numbers(value: JSONValue) -> JSONValue:
    holder = [value]
    containers: list[JSONValue] = [holder]
    while containers:
        container = containers.pop()
        for key, inner in container.items() if isinstance(container, dict) else enumerate(container):
            if isinstance(inner, dict | list):
                containers.append(inner)
            elif isinstance(inner, int) and inner > _INT64_MAX:
                container[key] = float(inner)
    return holder[0]


def dumps(value: JSONValue) -> bytes:
    """Write JSON. Raises TypeError for values that JSON doesn't have."""
    return _dumps(value, None)


def document_text(value: JSONValue, form: str) -> str:
    """Write a document for people, as `json` or `yaml`."""
    if form == "json":
        return readable(value, indent=True) + "\n"
    from weighbridge.webhook.texts.yaml_text import yaml_text

    return yaml_text(value)


def readable(value: JSONValue, *, indent: bool = False) -> str:
    """Write JSON for people and tools, with unprintable characters escaped. If it is too deep for `indent`, it is written on one line."""
    return in_json(_dumps(value, orjson.OPT_INDENT_2 if indent else None).decode())


def _dumps(value: JSONValue, option: int | None) -> bytes:
    try:
        return orjson.dumps(value, option=option)
    except orjson.JSONEncodeError as error:
        if not any(reason in str(error) for reason in _SLOWLY_WRITTEN):
            raise
        return json_text(value).encode(errors="replace")
