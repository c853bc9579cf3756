"""JSON in and out, with the numbers of Go's decoder and the strictness of the API server.

orjson refuses what is no JSON (NaN, lone surrogates, a byte order mark) and stops at 1,024 levels. Whole numbers beyond 64 bits signed
become floats, as in k8s.io/apimachinery/pkg/util/json; orjson itself does so only beyond 64 bits unsigned.
"""

from __future__ import annotations

from typing import Final

import orjson

from policies.objects import JSONValue

_INT64_MAX: Final = 2**63 - 1
_DIGITS_AS_ZERO: Final = bytes(ord("0") if ord("0") <= byte <= ord("9") else ord(" ") for byte in range(256))
_LONG_NUMBER: Final = b"0" * len(str(_INT64_MAX))


class JSONTextError(ValueError):
    """The text is no JSON."""


def loads(text: bytes) -> JSONValue:
    """Read JSON. Raises JSONTextError."""
    try:
        value = orjson.loads(text)
    except orjson.JSONDecodeError as error:
        raise JSONTextError(str(error)) from error
    # Nearly no text has a number of so many digits, and looking for one costs less than looking at every value.
    return _with_go_numbers(value) if _LONG_NUMBER in text.translate(_DIGITS_AS_ZERO) else value


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
    return orjson.dumps(value)
