"""Checks the parts of a rule that needn't be compiled: its texts, its reason, its field path.

Source: k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation/validation.go, 1.36.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from weighbridge.policies.apiserver.acceptance import schema_wordings
from weighbridge.policies.apiserver.acceptance.field_path import FieldPath
from weighbridge.policies.apiserver.acceptance.structural import unconvertible
from weighbridge.policies.cel.rules.rule_verdict import field_path_error
from weighbridge.policies.ground.field_errors import FieldError
from weighbridge.policies.ground.go_text import trimmed
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.policies.schema.node import Schema

_REASONS: Final = ("FieldValueDuplicate", "FieldValueForbidden", "FieldValueInvalid", "FieldValueRequired")


def rule_field_errors(schema: JSONObject, rule: JSONObject, path: FieldPath) -> Iterator[FieldError]:
    """The errors of one rule of a node."""
    yield from _texts(rule, path)
    message_expression = rule.get("messageExpression", "")
    if message_expression and not trimmed(message_expression):
        yield (path / "messageExpression").required(schema_wordings.EMPTY_MESSAGE_EXPRESSION)
    reason = rule.get("reason")
    if reason is not None and reason not in _REASONS:
        yield (path / "reason").not_supported(reason, _REASONS, as_json=True)
    yield from _field_path(schema, rule.get("fieldPath", ""), path / "fieldPath")


def _texts(rule: JSONObject, path: FieldPath) -> Iterator[FieldError]:
    text, message = trimmed(rule.get("rule", "")), trimmed(rule.get("message", ""))
    if not text:
        yield (path / "rule").required(schema_wordings.NO_RULE)
    elif rule.get("message") and not message:
        yield (path / "message").invalid(rule["message"], schema_wordings.EMPTY)
    elif _has_line_break(message):
        yield (path / "message").invalid(rule["message"], schema_wordings.LINE_BREAKS)
    elif _has_line_break(text) and not message:
        yield (path / "message").required(schema_wordings.NO_MESSAGE)


def _has_line_break(text: str) -> bool:
    return "\n" in text or "\r" in text


def _field_path(schema: JSONObject, field_path: str, path: FieldPath) -> Iterator[FieldError]:
    if not field_path:
        return
    if not trimmed(field_path):
        yield path.invalid(field_path, schema_wordings.EMPTY)
    if _has_line_break(field_path):
        yield path.invalid(field_path, schema_wordings.LINE_BREAKS)
    # If the schema has no structural form, paths aren't checked.
    if not unconvertible(schema) and field_path_error(field_path, Schema(schema)):
        yield path.invalid(field_path, schema_wordings.INVALID_FIELD_PATH)
