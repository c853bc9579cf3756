"""Rules on one schema with fields of every kind, run on data in both forms, tracked and direct."""

from __future__ import annotations

from functools import cache
from typing import Any

from weighbridge.policies.cel.emit.program import Program
from weighbridge.policies.cel.rules.direct_rule import DirectRule
from weighbridge.policies.cel.rules.evaluation import CompiledRules
from weighbridge.policies.cel.values.outcome import Outcome
from weighbridge.policies.schema.node import Schema

_TEXT: dict[str, Any] = {"type": "string"}
_WHOLE: dict[str, Any] = {"type": "integer"}
_PART: dict[str, Any] = {"type": "object", "properties": {"v": _TEXT, "c": _WHOLE}}
PROPERTIES: dict[str, Any] = {
    "s": _TEXT, "t": _TEXT, "i": _WHOLE, "j": _WHOLE, "d": {"type": "number"}, "e": {"type": "number"}, "b": {"type": "boolean"},
    "y": {**_TEXT, "format": "byte"}, "w": {**_TEXT, "format": "date-time"}, "p": {**_TEXT, "format": "duration"},
    "l": {"type": "array", "items": _TEXT}, "k": {"type": "array", "items": _WHOLE}, "x": {"x-kubernetes-int-or-string": True},
    "m": {"type": "object", "additionalProperties": _TEXT}, "g": {"type": "object", "additionalProperties": _WHOLE},
    "z": {"type": "array", "items": {**_TEXT, "nullable": True}},
    "q": {"type": "object", "additionalProperties": {**_WHOLE, "nullable": True}},
    "o": _PART, "os": {"type": "array", "items": _PART}, "bs": {"type": "array", "items": {"type": "boolean"}},
    "ds": {"type": "array", "items": {"type": "number"}}, "kk": {"type": "array", "items": {"type": "array", "items": _WHOLE}},
}  # fmt: skip


@cache
def rule_on_data(text: str, *, optional_old_self: bool = False) -> DirectRule:
    """The rule, compiled on an object with the properties above."""
    validation = {"rule": text, "optionalOldSelf": optional_old_self}
    node = {"type": "object", "properties": PROPERTIES, "x-kubernetes-validations": [validation]}
    (found,) = CompiledRules(Schema(node), "forms", root=False).tree.direct_rules
    assert not found.error, found.error
    return found


def program(text: str) -> Program:
    """The program of such a rule."""
    found = rule_on_data(text).rule.program
    assert found is not None
    return found


def tracked(text: str, data: Any, old: Any = None) -> Outcome:
    """The result of the tracked form."""
    return program(text).run_on_data(data, old, optional=False, is_typed=False)


def direct(text: str, data: Any, old: Any = None) -> Outcome | None:
    """The result of the direct form; `None` if it doesn't decide."""
    return program(text).direct((data, old))
