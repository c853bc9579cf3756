"""Types as the vectors write them, read into the types of the checker."""

from __future__ import annotations

from typing import Final

from weighbridge.policies.cel.values.types import (
    BOOL,
    BYTES,
    DOUBLE,
    DURATION,
    DYN,
    INT,
    NULL,
    STRING,
    TIMESTAMP,
    TYPE,
    UINT,
    Type,
    list_of,
    map_of,
    opaque,
    type_of,
)


def parse_type(text: str) -> Type:
    """Read a type: ``map(string, list(int))``; other names are opaque.

    Raises ValueError for text that is no type.
    """
    found, rest = _parse(text.strip())
    if rest.strip():
        raise ValueError(f"no type: {text!r}")
    return found


_NAMED: Final = {
    "bool": BOOL, "bytes": BYTES, "double": DOUBLE, "dyn": DYN, "int": INT, "string": STRING, "uint": UINT, "null": NULL,
    "null_type": NULL, "type": TYPE, "timestamp": TIMESTAMP, "duration": DURATION,
    "google.protobuf.Timestamp": TIMESTAMP, "google.protobuf.Duration": DURATION,
}  # fmt: skip


def _parse(text: str) -> tuple[Type, str]:
    end = next((index for index, char in enumerate(text) if char in "(),"), len(text))
    name, rest = text[:end].strip(), text[end:]
    if not name:
        raise ValueError(f"no type: {text!r}")
    parameters: list[Type] = []
    if rest.startswith("("):
        rest = "," + rest[1:]
        while rest.startswith(","):
            found, rest = _parse(rest[1:].lstrip())
            parameters.append(found)
            rest = rest.lstrip()
        if not rest.startswith(")"):
            raise ValueError(f"no type: {text!r}")
        rest = rest[1:]
    if not parameters:
        return _NAMED.get(name) or opaque(name), rest
    if name == "list" and len(parameters) == 1:
        return list_of(parameters[0]), rest
    if name == "map" and len(parameters) == 2:
        return map_of(parameters[0], parameters[1]), rest
    if name == "type":
        return type_of(parameters[0]), rest
    return opaque(name, *parameters), rest
