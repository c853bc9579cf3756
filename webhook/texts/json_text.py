"""JSON in and out, with the numbers and the words of Go's decoder, and to its depth.

orjson does nearly all of it. It stops at 1,024 levels going in and at 254 going out; deeper texts go the slow way. It also refuses lone
surrogates and broken UTF-8, which no API server sends but each takes: `loads_as_server` takes them, too. Whole numbers beyond 64 bits
signed become floats, as in k8s.io/apimachinery/pkg/util/json; orjson itself does so only beyond 64 bits unsigned.
"""

from __future__ import annotations

from typing import Final

import orjson

from weighbridge.policies.ground.go_text import json_text
from weighbridge.policies.ground.objects import JSONValue
from weighbridge.webhook.texts.escapes import in_json

_INT64_MAX: Final = 2**63 - 1
_DIGITS_AS_ZERO: Final = bytes(ord("0") if ord("0") <= byte <= ord("9") else ord(" ") for byte in range(256))
#: Why orjson doesn't write what can be written.
_SLOWLY_WRITTEN: Final = ("Recursion limit", "surrogates not allowed")
_LONG_NUMBER: Final = b"0" * len(str(_INT64_MAX))


class JSONTextError(ValueError):
    """The text is no JSON; the message is Go's, except where Go would read it."""


def loads(text: bytes) -> JSONValue:
    """Read JSON that is UTF-8 throughout. Raises JSONTextError."""
    try:
        return _loads_fast(text)
    except orjson.JSONDecodeError as error:
        value = _loads_slowly(text)
        if "limit" not in str(error):
            raise JSONTextError(str(error)) from error
        return value


def loads_as_server(text: bytes) -> JSONValue:
    """Read JSON with U+FFFD for what is no text in it. Raises JSONTextError."""
    try:
        return _loads_fast(text)
    except orjson.JSONDecodeError:
        return _loads_slowly(text)


def _loads_fast(text: bytes) -> JSONValue:
    value = orjson.loads(text)
    # Nearly no text has a number of so many digits, and looking for one costs less than looking at every value.
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
    """Write JSON. Raises TypeError for what JSON can't hold."""
    return _dumps(value, None)


def document_text(value: JSONValue, form: str) -> str:
    """A document for people to read, as `json` or `yaml`."""
    if form == "json":
        return readable(value, indent=True) + "\n"
    from weighbridge.webhook.texts.yaml_text import yaml_text

    return yaml_text(value)


def readable(value: JSONValue, *, indent: bool = False) -> str:
    """Write JSON for people and tools: what isn't printable is escaped. What is too deep for `indent` is written on one line."""
    return in_json(_dumps(value, orjson.OPT_INDENT_2 if indent else None).decode())


def _dumps(value: JSONValue, option: int | None) -> bytes:
    try:
        return orjson.dumps(value, option=option)
    except orjson.JSONEncodeError as error:
        if not any(reason in str(error) for reason in _SLOWLY_WRITTEN):
            raise
        return json_text(value).encode(errors="replace")
