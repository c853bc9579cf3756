"""A value as lines of YAML, each with its field, so that remarks can be added to lines."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Final

from weighbridge.policies.ground.expressions import expression
from weighbridge.policies.ground.go_text import json_text
from weighbridge.policies.ground.objects import JSONValue, Path, field
from weighbridge.webhook.texts.escapes import in_yaml
from weighbridge.webhook.texts.yaml_text import yaml_text

#: Deeper levels are shown on one line.
_DEEPEST: Final = 100
_ITEM: Final = expression(r"\[[0-9]+\]")
_UNBROKEN: Final = 2**31 - 1


def lines_of(value: JSONValue) -> Iterator[tuple[str, str]]:
    """The lines of a value as block YAML, each with the field that begins on it. Keys are sorted, so that a diff ignores their order."""
    yield from _walk(value, 0, ())


def take_origin(origins: dict[str, str], field: str) -> str:
    """Take the origin of the value that begins on the line of this field; empty if it isn't known.

    An item of a list begins on the line of its first field, so the item's origin is shown there, once.
    """
    for at in (len(field), *(match.end() for match in _ITEM.finditer(field))):
        if field[:at] in origins:
            return origins.pop(field[:at])
    return ""


def _walk(value: JSONValue, depth: int, path: Path) -> Iterator[tuple[str, str]]:
    indent = "  " * depth
    if len(path) > _DEEPEST:
        yield f"{indent}{in_yaml(json_text(value))}", field(path)
    elif isinstance(value, dict) and value:
        for key in _ordered(value):
            child = value[key]
            if isinstance(child, (dict, list)) and child:
                yield f"{indent}{_scalar(key)}:", field((*path, key))
                yield from _walk(child, depth + (0 if isinstance(child, list) else 1), (*path, key))
            else:
                yield f"{indent}{_scalar(key)}: {_scalar(child)}", field((*path, key))
    elif isinstance(value, list) and value:
        for index, item in enumerate(value):
            lines = list(_walk(item, depth + 1, (*path, index)))
            first, origin = lines[0]
            yield f"{indent}- {first.strip()}", origin
            yield from lines[1:]
    else:
        yield f"{indent}{_scalar(value)}", field(path)


def _ordered(value: dict[str, JSONValue]) -> list[str]:
    first = [key for key in ("apiVersion", "kind", "metadata", "name", "namespace") if key in value]
    return first + sorted(key for key in value if key not in first)


def _scalar(value: JSONValue) -> str:
    if isinstance(value, str) and "\n" in value:
        return in_yaml(json.dumps(value, ensure_ascii=False))
    return yaml_text(value, width=_UNBROKEN).removesuffix("\n...\n").rstrip("\n")
