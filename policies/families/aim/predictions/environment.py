"""Merges environments variable by variable, and the JSON of `AIM_ENGINE_ARGS`.

Source: aim-engine v0.2.1, internal/utils/utils.go; its treatment of values that are no JSON, empty or from elsewhere was observed.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Final

from weighbridge.policies.ground.fields import text
from weighbridge.policies.ground.go_text import json_text
from weighbridge.policies.ground.objects import JSONObject, JSONValue

ENGINE_ARGUMENTS: Final = "AIM_ENGINE_ARGS"


def merge_environment(base: Sequence[JSONObject], over: Sequence[JSONObject], *, merges_arguments: bool = True) -> list[JSONObject]:
    """Merge `over` over `base`: a variable replaces the one of the same name in its place, and the others come after.

    The JSON of `AIM_ENGINE_ARGS` is merged by default.
    """
    out = {text(entry, "name"): entry for entry in base}
    for entry in over:
        name = text(entry, "name")
        both = merges_arguments and name == ENGINE_ARGUMENTS and name in out
        out[name] = _engine_arguments(out[name], entry) if both else entry
    return list(out.values())


def layered(*layers: Sequence[JSONObject]) -> list[JSONObject]:
    """Merge environments, from the lowest layer to the highest; the result is sorted by name as in the pod."""
    out: list[JSONObject] = []
    for layer in layers:
        out = merge_environment(out, layer)
    return sorted(out, key=lambda entry: text(entry, "name").encode())


def variables(**values: str) -> list[JSONObject]:
    """Variables with literal values; empty ones are left out."""
    return [{"name": name, "value": value} for name, value in values.items() if value]


def repeated(names: Iterable[str]) -> list[str]:
    """The names that are there more than once, each once, in order."""
    seen: set[str] = set()
    again: dict[str, None] = {}
    for name in names:
        if name in seen:
            again[name] = None
        seen.add(name)
    return list(again)


def _engine_arguments(base: JSONObject, over: JSONObject) -> JSONObject:
    """Merge two values of the variable; one that isn't literal counts as empty, and an empty one loses."""
    lower, higher = text(base, "value"), text(over, "value")
    if not lower or not higher:
        return {"name": ENGINE_ARGUMENTS, "value": higher or lower}
    both = [_read(value) for value in (lower, higher)]
    if all(isinstance(value, dict) for value in both):
        return {"name": ENGINE_ARGUMENTS, "value": json_text(_deep(*both))}
    return over


def _read(value: str) -> JSONValue:
    """JSON as Go reads it into an interface: every number is a float64; `None` if it is no JSON."""
    try:
        return json.loads(value, parse_int=float)
    except (ValueError, RecursionError):
        return None


def _deep(base: JSONValue, over: JSONValue) -> JSONValue:
    if isinstance(base, dict) and isinstance(over, dict):
        return base | {key: _deep(base.get(key), value) for key, value in over.items()}
    return over
