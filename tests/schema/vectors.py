"""Reads the conformance vectors, and compares lists of errors as multisets, since the server's order isn't fixed.

JSON keeps Go's kinds: integers are int64, integers beyond it and numbers with a point or an exponent are float64, and what JSON can't
write is ``{"$float": "+Inf"}``.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from weighbridge.policies.ground.field_errors import OMITTED, FieldError
from weighbridge.policies.schema.compiled import CompiledSchema
from weighbridge.policies.schema.go_values import as_go_number
from weighbridge.policies.schema.node import Schema

ErrorKey = tuple[str, str, str, str]


def go_kinds(value: Any) -> Any:
    """A vector's JSON with Go's number kinds."""
    if isinstance(value, dict):
        if value.keys() == {"$float"}:
            return float(value["$float"])
        return {key: go_kinds(item) for key, item in value.items()}
    if isinstance(value, list):
        return [go_kinds(item) for item in value]
    return as_go_number(value) if type(value) is int else value


def load(shared: Path, name: str) -> Any:
    """One vector file."""
    return go_kinds(json.loads((shared / "conformance" / f"{name}.json").read_text("utf-8")))


def compiled(raw: Any) -> CompiledSchema:
    """A schema of the vectors, compiled; null is the schema that allows anything."""
    return CompiledSchema(Schema(raw or {}), "vector")


def prefix(path: str) -> str:
    """A vector's path in the form that `validate` expects."""
    return "" if path == "<nil>" else path


def same_json(left: Any, right: Any) -> bool:
    """Equality in which 1, 1.0 and true differ."""
    return json.dumps(left, sort_keys=True) == json.dumps(right, sort_keys=True)


def found(errors: Iterable[FieldError]) -> Counter[ErrorKey]:
    """The errors that we found, in a form that compares."""
    return Counter((str(error.type), error.field_text, error.detail, json.dumps(_bad_value(error), sort_keys=True)) for error in errors)


def _bad_value(error: FieldError) -> Any:
    return "<value omitted>" if error.bad_value is OMITTED else error.bad_value


def expected(errors: Iterable[dict[str, Any]] | None) -> Counter[ErrorKey]:
    """The errors that the server found; a bad value that it omits (lists and maps under rules) is marked as omitted."""
    return Counter(
        (error["type"], error["field"], error["detail"], json.dumps(error.get("badValue", "<value omitted>"), sort_keys=True))
        for error in errors or []
    )
