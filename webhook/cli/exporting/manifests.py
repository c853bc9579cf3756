"""The YAML of a policy or a binding, with its expressions as people write them."""

from __future__ import annotations

from typing import Final

from weighbridge.policies.ground.objects import JSONObject, JSONValue
from weighbridge.webhook.texts.yaml_text import WrittenOut, yaml_text

_EXPRESSIONS: Final = ("expression", "messageExpression")


def manifest(obj: JSONObject) -> str:
    """One document."""
    return yaml_text(_written_out(obj))


def _written_out(value: JSONValue) -> JSONValue:
    if isinstance(value, list):
        return [_written_out(one) for one in value]
    if not isinstance(value, dict):
        return value
    return {key: _expression(one) if key in _EXPRESSIONS else _written_out(one) for key, one in value.items()}


def _expression(value: JSONValue) -> JSONValue:
    """An expression in block style if quotes would make it hard to read: one with quotes, or of several lines."""
    return WrittenOut(value) if isinstance(value, str) and ("'" in value or "\n" in value) else value
