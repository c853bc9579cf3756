"""How an operator's mutating webhook rewrites an object: it decodes the object into Go's structs and encodes these again.

After that the API server validates the object against the schema. Go writes some fields always, with an empty value where the author left
them out: a missing string is `""`, a missing number 0, and a missing object has the fields that Go writes into it. A missing list is null,
which the schema refuses. A null is dropped, an item of a list that is null becomes an empty one, and a quantity that was a number becomes
its text. Go leaves out lists and maps that are empty, and some strings.

The schema requires the fields that Go always writes; `GoForm` has the exceptions. Source: Go's encoding/json; controller-runtime v0.19,
pkg/webhook/admission/defaulter_custom.go.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from weighbridge.policies.families.go_times import read_time
from weighbridge.policies.ground.fields import amount
from weighbridge.policies.ground.objects import JSONObject, JSONValue, Path
from weighbridge.policies.ground.records import dataclass, field

#: Structs of Kubernetes, recognised by their fields, of which Go writes parts that no schema requires: containers, volume claims, the data
#: source of a claim, amounts of a container in variables and files, and volumes of several sources. ScaleIO's secret is null, not empty.
KUBERNETES: Final[tuple[tuple[frozenset[str], Mapping[str, JSONValue]], ...]] = (
    (frozenset({"image", "resources", "volumeMounts"}), {"resources": {}}),
    (frozenset({"accessModes", "resources"}), {"resources": {}}),
    (frozenset({"divisor", "resource"}), {"divisor": "0"}),
    (frozenset({"apiGroup", "kind", "name"}), {"apiGroup": None}),
    (frozenset({"defaultMode", "sources"}), {"sources": None}),
    (frozenset({"gateway", "secretRef", "system"}), {"secretRef": None}),
)


@dataclass(frozen=True, slots=True)
class GoForm:
    """How the structs of an operator differ from the schema of their CRD.

    `parts` are structs, recognised by their fields, with the values that Go writes into them though the schema doesn't require these.
    `omitted` are required numbers that Go leaves out where they are 0. `emptied` are strings that it leaves out where they are empty, each
    with a keyword of its schema that distinguishes it from other fields of its name. With `drops_empty`, empty lists and maps are left out.
    """

    parts: tuple[tuple[frozenset[str], Mapping[str, JSONValue]], ...] = KUBERNETES
    omitted: frozenset[str] = frozenset()
    emptied: Mapping[str, str] = field(default_factory=dict)
    drops_empty: bool = False


@dataclass(slots=True)
class Rewritten:
    """The object as it is stored, and the changed values, each with the reason."""

    object: JSONObject
    changes: list[tuple[Path, JSONValue, str]] = field(default_factory=list)


def rewritten(obj: JSONObject, schema: JSONObject, form: GoForm) -> Rewritten:
    """The object as the webhook returns it; `schema` is that of its CRD."""
    out = Rewritten(obj)
    spec = obj.get("spec")
    if spec is None or isinstance(spec, dict):
        out.object = {**obj, "spec": _Walk(out, form).value(spec or {}, _below(schema, "spec"), ("spec",))}
    return out


class _Walk:
    """One walk down an object and its schema."""

    def __init__(self, out: Rewritten, form: GoForm) -> None:
        self._out, self._form = out, form

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
            return [self.value(_empty(below) if item is None else item, below, (*path, place)) for place, item in enumerate(value)]
        return value

    def _map(self, value: JSONObject, schema: JSONObject, path: Path) -> JSONObject:
        properties, others = schema.get("properties") or {}, schema.get("additionalProperties")
        out: dict[str, Any] = {}
        for name, inner in value.items():
            if name in properties:
                if inner is not None and not self._is_left_out(name, inner, schema):
                    out[name] = self.value(inner, properties[name], (*path, name))
                continue
            below = others if isinstance(others, dict) else {}
            out[name] = self.value(_empty(below) if inner is None and below else inner, below, (*path, name))
        for name, empty in self._missing(schema, out):
            where = (*path, name)
            out[name] = self.value(empty, properties.get(name) or {}, where)
            if not (isinstance(out[name], dict) and out[name]):
                self._out.changes.append((where, empty, "was missing; Go writes an empty value"))
        return out

    def _is_left_out(self, name: str, value: JSONValue, schema: JSONObject) -> bool:
        """Whether Go leaves out a value because it is empty."""
        below = schema["properties"][name]
        if value == "":
            return name in self._form.emptied and self._form.emptied[name] in below
        if not self._form.drops_empty or value not in ([], {}) or (value == {} and "additionalProperties" not in below):
            return False
        return name not in (schema.get("required") or ()) and name not in self._parts(schema)

    def _missing(self, schema: JSONObject, present: JSONObject) -> Iterator[tuple[str, JSONValue]]:
        """The missing fields that Go writes, each with its empty value: null for a list."""
        properties, parts = schema.get("properties") or {}, self._parts(schema)
        yield from ((name, empty) for name, empty in parts.items() if name not in present)
        for name in schema.get("required") or ():
            if name not in present and name not in parts and name not in self._form.omitted:
                found = properties.get(name)
                empty = _empty(found if isinstance(found, dict) else {})
                if empty is not None or (isinstance(found, dict) and found.get("type") == "array"):
                    yield name, empty

    def _parts(self, schema: JSONObject) -> dict[str, JSONValue]:
        """The fields of a struct that Go always writes though the schema doesn't require them, with their empty values."""
        properties = schema.get("properties") or {}
        always = (part for fields, found in self._form.parts if properties.keys() >= fields for part in found.items())
        # If two structs have the same fields, Go leaves the part out of the one whose schema has a default.
        return {name: empty for name, empty in always if "default" not in (properties.get(name) or {})}

    def _quantity(self, value: JSONValue, path: Path) -> JSONValue:
        found = amount(value)
        if found is None or value == found.canonical():
            return value
        text = found.canonical()
        self._out.changes.append((path, text, "quantities are stored as upstream writes them"))
        return text

    def _time(self, value: str, path: Path) -> JSONValue:
        """A time as Go writes it; one that Go can't read stays as it is."""
        found = read_time(value)
        if found is None or found.written == value:
            return value
        self._out.changes.append((path, found.written, "times are stored as upstream writes them"))
        return found.written


def _empty(schema: JSONObject) -> JSONValue:
    """What Go writes for a value that isn't there; null for a list."""
    kind = schema.get("type")
    if kind == "object":
        return {}
    if kind == "string":
        return ""
    if kind == "boolean":
        return False
    return 0 if kind == "integer" or schema.get("x-kubernetes-int-or-string") is True else None


def _below(schema: JSONObject, name: str) -> JSONObject:
    found = (schema.get("properties") or {}).get(name)
    return found if isinstance(found, dict) else {}


def _items(schema: JSONObject) -> JSONObject:
    found = schema.get("items")
    return found if isinstance(found, dict) else {}
