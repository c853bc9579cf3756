"""Checks the fields of a version apart from its schema: subresources, printer columns, selectable fields, a deprecation.

Source: k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation/validation.go, 1.36.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from typing import Final

from weighbridge.policies.apiserver.acceptance import wordings
from weighbridge.policies.apiserver.acceptance.field_path import FieldPath
from weighbridge.policies.apiserver.acceptance.wordings import NO_JSON_PATH, none_of
from weighbridge.policies.cel.rules.rule_verdict import field_path_error
from weighbridge.policies.ground.expressions import expression
from weighbridge.policies.ground.field_errors import ErrorType, FieldError
from weighbridge.policies.ground.go_text import json_text
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.policies.schema.node import Schema

_COLUMN_TYPES: Final = "boolean,date,integer,number,string"
_COLUMN_FORMATS: Final = "byte,date,date-time,double,float,int32,int64,password"
_MAX_WARNING_BYTES: Final = 256
MAX_SELECTABLE: Final = 8
#: The names between the dots of a path; a quoted name may have dots.
_STEP: Final = expression(r"\.('(?:[^']|(?<=\\)')*(?<!\\)'|[^.]+)")


def has_status(subresources: JSONObject | None) -> bool:
    """Whether the status has its own endpoint."""
    return subresources is not None and subresources.get("status") is not None


def deprecation_errors(version: JSONObject, path: FieldPath) -> Iterator[FieldError]:
    """The errors of ``deprecationWarning``."""
    warning = version.get("deprecationWarning")
    if warning is None:
        return
    for message in _warning_messages(warning, deprecated=bool(version.get("deprecated"))):
        yield (path / "deprecationWarning").invalid_text(json_text(warning), message)


def _warning_messages(warning: str, *, deprecated: bool) -> Iterator[str]:
    if not deprecated:
        yield wordings.WARNING_WITHOUT_DEPRECATION
        return
    if len(warning.encode(errors="replace")) > _MAX_WARNING_BYTES:
        yield wordings.warning_too_long(_MAX_WARNING_BYTES)
    if not warning:
        yield wordings.EMPTY_WARNING
    position = 0
    for char in warning:
        if char != " " and unicodedata.category(char)[0] in "CZ":
            yield wordings.unprintable_warning(position)
            break
        position += len(char.encode(errors="replace"))


def subresource_errors(subresources: JSONObject | None, path: FieldPath) -> Iterator[FieldError]:
    """The errors of the paths of a scale subresource."""
    scale = (subresources or {}).get("scale")
    if scale is None:
        return
    for key, part in (("specReplicasPath", ".spec"), ("statusReplicasPath", ".status")):
        where, text = path / "scale" / key, scale.get(key, "")
        if not text:
            yield where.required()
        else:
            yield from _scale_path(text, where, (part,), wordings.not_below(part))
    selector = scale.get("labelSelectorPath")
    if selector:
        where = path / "scale" / "labelSelectorPath"
        yield from _scale_path(selector, where, (".spec", ".status"), wordings.NOT_BELOW_SPEC_OR_STATUS)


def _scale_path(text: str, path: FieldPath, parts: tuple[str, ...], detail: str) -> Iterator[FieldError]:
    if not text.startswith("."):
        yield path.invalid(text, NO_JSON_PATH)
    elif not any(text.startswith(f"{part}.") for part in parts):
        yield path.invalid(text, detail)


def column_errors(columns: list[JSONObject], path: FieldPath) -> Iterator[FieldError]:
    """The errors of printer columns."""
    for index, column in enumerate(columns):
        yield from _column(column, path[index])


def _column(column: JSONObject, path: FieldPath) -> Iterator[FieldError]:
    kind, layout, json_path = column.get("type", ""), column.get("format", ""), column.get("jsonPath", "")
    if not column.get("name"):
        yield (path / "name").required()
    if not kind:
        yield (path / "type").required(none_of(_COLUMN_TYPES))
    elif kind not in _COLUMN_TYPES.split(","):
        yield (path / "type").invalid(kind, none_of(_COLUMN_TYPES))
    if layout and layout not in _COLUMN_FORMATS.split(","):
        yield (path / "format").invalid(layout, none_of(_COLUMN_FORMATS))
    if not json_path:
        yield (path / "JSONPath").required()
    elif not json_path.startswith("."):
        yield (path / "JSONPath").invalid(json_path, NO_JSON_PATH)


def selectable_errors(fields: list[JSONObject], schema: JSONObject, path: FieldPath, *, any_number: bool) -> Iterator[FieldError]:
    """The errors of selectable fields; with `any_number` there may be too many of them."""
    chosen: set[tuple[str, ...]] = set()
    for index, field in enumerate(fields):
        where, text = path[index] / "jsonPath", field.get("jsonPath", "")
        if not text:
            yield where.required()
            continue
        why = field_path_error(text, Schema(schema), brackets=False)
        if why:
            yield where.invalid(text, wordings.invalid_path(why))
            continue
        steps = tuple(_STEP.findall(text))
        if steps[0] == "metadata":
            yield where.invalid(text, wordings.SELECTABLE_METADATA)
        if not _is_selectable(schema, steps):
            yield where.invalid(text, wordings.NOT_SELECTABLE)
        if steps in chosen:
            yield FieldError(ErrorType.DUPLICATE, str(where), text)
        chosen.add(steps)
    if len(chosen) > MAX_SELECTABLE and not any_number:
        yield FieldError(ErrorType.TOO_MANY, str(path), len(chosen), wordings.too_many_selectable(MAX_SELECTABLE))


def _is_selectable(schema: JSONObject, steps: tuple[str, ...]) -> bool:
    node: JSONObject = schema
    for step in steps:
        properties, values = node.get("properties"), node.get("additionalProperties")
        node = properties.get(step, {}) if properties else values if isinstance(values, dict) else {}
    return node.get("type") in ("string", "boolean", "integer")
