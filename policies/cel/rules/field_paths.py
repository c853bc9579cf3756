"""Normalises a rule's ``fieldPath``: a JSON path of fields and map keys below the node of the rule.

``.a['b-c'].d`` becomes ``a.b-c.d``; a path must lead to a declared field. Source: k8s.io/apiextensions-apiserver
`pkg/apiserver/schema/cel/validation.go` (`ValidFieldPath`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from weighbridge.policies.cel.rules import errors
from weighbridge.policies.ground.expressions import expression
from weighbridge.policies.schema.node import Schema

_ESCAPES: Final = {"a": "\a", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v", "'": "'", "\\": "\\"}
#: A quoted name ends at the first quote without a backslash before it, even if that backslash is escaped.
_TOKEN: Final = expression(r"'(?:[^']|(?<=\\)')*(?<!\\)'|'.*$|[.\[\]]|[^.\[\]]+", re.DOTALL)
_ANYTHING: Final = Schema({})


class FieldPathError(ValueError):
    """The path leads to no declared field; the text is the server's."""


def normalised(path: str, schema: Schema, *, brackets: bool = True) -> str:
    """The path as error messages print it; raises FieldPathError. Without `brackets`, ``['name']`` isn't accepted as a step."""
    tokens = iter(_TOKEN.findall(path))
    text = ""
    for token in tokens:
        if token == "[":  # noqa: S105 - a bracket
            if not brackets:
                raise FieldPathError(errors.NO_BRACKETS)
            name = _unquoted(_next(tokens))
            step, schema = _step(name, schema)
            closing = _next(tokens)
            if closing != "]":
                raise FieldPathError(errors.no_closing_bracket(closing))
        elif token == ".":  # noqa: S105 - a dot
            step, schema = _step(_next(tokens), schema)
        else:
            raise FieldPathError(errors.no_step(token))
        text += step
    return text.removeprefix(".")


def _next(tokens: Iterator[str]) -> str:
    token = next(tokens, None)
    if token is None:
        raise FieldPathError(errors.UNEXPECTED_END)
    return token


def _unquoted(token: str) -> str:
    if len(token) < 2 or not (token.startswith("'") and token.endswith("'")):
        raise FieldPathError(errors.not_quoted(token))

    def replace(match: re.Match[str]) -> str:
        char = match.group(1)
        if char not in _ESCAPES:
            raise FieldPathError(errors.invalid_escape(char))
        return _ESCAPES[char]

    return re.sub(r"\\(.)", replace, token[1:-1])


def _step(name: str, schema: Schema) -> tuple[str, Schema]:
    if schema.raw.get("properties"):
        if name not in schema.properties:
            raise FieldPathError(errors.NO_SUCH_FIELD)
        return f".{name}", schema.properties[name]
    if schema.raw.get("additionalProperties") is None:
        raise FieldPathError(errors.NO_SUCH_FIELD)
    return f"[{name}]", schema.additional_properties or _ANYTHING
