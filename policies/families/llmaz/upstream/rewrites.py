"""How llmaz's mutating webhooks rewrite objects: all four decode the object into Go's structs and encode these again.

The API server validates the schema after that. Fields that Go always writes are there by then, empty: a missing string is `""`, and a
missing object has the fields that Go writes into it. A list stays null, which the schema refuses. A quantity that was a number becomes its
text, and a null is dropped. A time is written in UTC, in whole seconds.

Source: llmaz 3c13ff3, pkg/webhook, measured on kube-apiserver 1.36; Go's encoding/json.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any, Final

from weighbridge.policies.ground.fields import amount
from weighbridge.policies.ground.objects import JSONObject, JSONValue, Path
from weighbridge.policies.ground.records import dataclass, field

#: Numbers that Go leaves out where they are 0, so that the schema misses them.
_OMITTED: Final = frozenset({"maxReplicas"})
#: Structs, known by their fields, of which Go writes parts that nothing requires: those of pod templates and claim templates, of a Service,
#: of containers and volume claims, and of variables that take an amount of the container.
_PARTS: Final[tuple[tuple[frozenset[str], dict[str, JSONValue]], ...]] = (
    (frozenset({"metadata", "spec"}), {"metadata": {}, "spec": {}}),
    (frozenset({"modelClaims", "workloadTemplate"}), {"modelClaims": {}}),
    (frozenset({"image", "resources", "volumeMounts"}), {"resources": {}}),
    (frozenset({"accessModes", "resources"}), {"resources": {}}),
    (frozenset({"divisor", "resource"}), {"divisor": "0"}),
)


@dataclass(slots=True)
class Rewritten:
    """The object as it is stored, and the changed values, each with the reason."""

    object: JSONObject
    changes: list[tuple[Path, JSONValue, str]] = field(default_factory=list)


def rewritten(obj: JSONObject, schema: JSONObject) -> Rewritten:
    """The object as the webhooks return it; `schema` is that of its CRD."""
    out = Rewritten({})
    walk = _Walk(out)
    spec = walk.value(obj.get("spec") if isinstance(obj.get("spec"), dict) else {}, _below(schema, "spec"), ("spec",))
    out.object = {**obj, "spec": spec}
    return out


def encoded(value: JSONValue) -> JSONValue:
    """A value without what Go leaves out of a trigger: nulls and empty lists."""
    if isinstance(value, dict):
        return {name: encoded(inner) for name, inner in value.items() if inner is not None and inner != []}
    return [encoded(inner) for inner in value] if isinstance(value, list) else value


class _Walk:
    """One walk down an object and its schema."""

    def __init__(self, out: Rewritten) -> None:
        self._out = out

    def value(self, value: JSONValue, schema: JSONObject, path: Path) -> JSONValue:
        """A value as Go writes it."""
        if schema.get("x-kubernetes-int-or-string") is True and "pattern" in schema:
            return self._quantity(value, path)
        if schema.get("format") == "date-time" and isinstance(value, str):
            return self._time(value, path)
        if isinstance(value, dict):
            return self._map(value, schema, path)
        if isinstance(value, list):
            below = _items(schema)
            return [
                self.value({} if item is None and _is_object(below) else item, below, (*path, place)) for place, item in enumerate(value)
            ]
        return value

    def _map(self, value: JSONObject, schema: JSONObject, path: Path) -> JSONObject:
        properties, others = schema.get("properties") or {}, schema.get("additionalProperties")
        out: dict[str, Any] = {}
        for name, inner in value.items():
            if inner is None and name in properties:
                continue
            below = properties.get(name) or (others if isinstance(others, dict) else {})
            out[name] = self.value(inner, below, (*path, name))
        for name, empty in _missing(schema, out):
            where = (*path, name)
            out[name] = self.value(empty, properties.get(name) or {}, where)
            if not (isinstance(out[name], dict) and out[name]):
                self._out.changes.append((where, empty, "missing, and Go writes it all the same"))
        return out

    def _quantity(self, value: JSONValue, path: Path) -> JSONValue:
        found = amount(value)
        if found is None or value == found.canonical():
            return value
        text = found.canonical()
        self._out.changes.append((path, text, "quantities are stored as upstream writes them"))
        return text

    def _time(self, value: str, path: Path) -> JSONValue:
        """A time as Go writes it: of UTC, in whole seconds."""
        try:
            found = datetime.fromisoformat(value)
        except ValueError:
            return value
        text = found.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ") if found.tzinfo is not None else value
        if text != value:
            self._out.changes.append((path, text, "times are stored as upstream writes them"))
        return text


def _missing(schema: JSONObject, present: JSONObject) -> Iterator[tuple[str, JSONValue]]:
    """The missing fields that Go writes all the same, with what it writes: null for a list."""
    properties = schema.get("properties") or {}
    parts = {name: empty for fields, found in _PARTS if properties.keys() >= fields for name, empty in found.items()}
    yield from ((name, empty) for name, empty in parts.items() if name not in present)
    for name in schema.get("required") or ():
        kind = (properties.get(name) or {}).get("type")
        if name in present or name in parts or name in _OMITTED:
            continue
        if kind == "object":
            yield name, {}
        elif kind == "array":
            yield name, None
        elif kind == "string":
            yield name, ""
        elif kind == "integer" or (properties.get(name) or {}).get("x-kubernetes-int-or-string") is True:
            yield name, 0


def _below(schema: JSONObject, name: str) -> JSONObject:
    found = (schema.get("properties") or {}).get(name)
    return found if isinstance(found, dict) else {}


def _items(schema: JSONObject) -> JSONObject:
    found = schema.get("items")
    return found if isinstance(found, dict) else {}


def _is_object(schema: JSONObject) -> bool:
    return schema.get("type") == "object"
