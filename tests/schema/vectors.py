"""Reads the conformance vectors and compares error lists the way the server's own order demands: as multisets.

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
    """A schema of the vectors; null is the schema that allows anything."""
    return CompiledSchema(Schema(raw or {}), "vector")


def prefix(path: str) -> str:
    """A vector's path as `validate` takes it."""
    return "" if path == "<nil>" else path


def same_json(left: Any, right: Any) -> bool:
    """Equality in which 1, 1.0 and true differ."""
    return json.dumps(left, sort_keys=True) == json.dumps(right, sort_keys=True)


def found(errors: Iterable[FieldError]) -> Counter[ErrorKey]:
    """What we found."""
    return Counter((str(error.type), error.field_text, error.detail, json.dumps(_bad_value(error), sort_keys=True)) for error in errors)


def _bad_value(error: FieldError) -> Any:
    return "<value omitted>" if error.bad_value is OMITTED else error.bad_value


def expected(errors: Iterable[dict[str, Any]] | None) -> Counter[ErrorKey]:
    """What the server found; an omitted bad value (lists and maps under rules) reads as such."""
    return Counter(
        (error["type"], error["field"], error["detail"], json.dumps(error.get("badValue", "<value omitted>"), sort_keys=True))
        for error in errors or []
    )
