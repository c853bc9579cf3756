"""JSON that can't be read because of comments or trailing commas, as in settings of editors and compilers.

Such a text is read only as far as needed to see whether it is meant to be a manifest.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from weighbridge.policies.ground.expressions import expression

_TOKEN: Final = expression(rb'"(?:[^"\\]|\\.)*"|//[^\n]*|/\*.*?(?:\*/|\Z)|[{}\[\]:]', re.DOTALL)


def is_other_json(name: str, data: bytes) -> bool:
    """Whether a file that can't be read is JSON that isn't meant to be a manifest."""
    return name.endswith(".json") and not _is_meant_as_manifest(data)


def _is_meant_as_manifest(data: bytes) -> bool:
    """Whether the text is an object, or a list with one, whose own keys are those of a manifest."""
    keys = set(_own_keys(data))
    return {b'"apiVersion"', b'"kind"'} <= keys or bool({b'"apiVersion"', b'"kind"'} & keys and {b'"metadata"', b'"spec"'} & keys)


def first_comment(data: bytes) -> int:
    """The offset of the first comment; -1 if there is none."""
    return next((match.start() for match in _TOKEN.finditer(data) if match[0].startswith(b"/")), -1)


def _own_keys(data: bytes) -> Iterator[bytes]:
    """The keys of the outermost object, or of the objects of an outermost list."""
    opened: list[bytes] = []
    text = b""
    for match in _TOKEN.finditer(data):
        token = match[0]
        if token in b"{[":
            opened.append(token)
        elif token in b"}]":
            del opened[-1:]
        elif token == b":" and opened in ([b"{"], [b"[", b"{"]):
            yield text
        text = token if token.startswith(b'"') else text
