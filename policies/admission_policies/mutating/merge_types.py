"""How the parts of an object merge: the types of server-side apply, read from the schema that the server publishes.

An `Atom` says what a value can be: a scalar, a list, a map, or several of these. Lists are associative (sets, and lists of items with keys)
or atomic. Maps have fields and may be atomic. Source: kube-openapi `pkg/schemaconv/openapi.go`, structured-merge-diff `schema/elements.go`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any, Final, TypeAlias

from weighbridge.policies.ground.objects import JSONObject, JSONValue
from weighbridge.policies.ground.records import dataclass

#: The schemas of definitions, by name.
Definitions: TypeAlias = Mapping[str, JSONObject]

NUMERIC: Final = "numeric"
STRING: Final = "string"
BOOLEAN: Final = "boolean"
UNTYPED: Final = "untyped"


class Lazy:
    """An atom that is read on first use, since types can contain themselves."""

    def __init__(self, read: Callable[[], Atom]) -> None:
        self._read = read

    @cached_property
    def atom(self) -> Atom:
        """The atom."""
        return self._read()


@dataclass(frozen=True, slots=True)
class ListType:
    """A list; an associative one without keys is a set."""

    element: Lazy
    associative: bool = False
    keys: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class MapType:
    """A map or an object; keys other than its fields have the type `element`, and aren't allowed if that is `None`."""

    fields: Mapping[str, Lazy]
    defaults: Mapping[str, JSONValue]
    element: Lazy | None
    atomic: bool = False

    def type_of(self, key: str) -> Lazy | None:
        """The type of the value under a key."""
        return self.fields.get(key, self.element)


@dataclass(frozen=True, slots=True)
class Atom:
    """The types that a value can have."""

    scalar: str | None = None
    list: ListType | None = None
    map: MapType | None = None


def _untyped_atom() -> Atom:
    return Atom(UNTYPED, ListType(_UNTYPED), MapType({}, {}, _UNTYPED, atomic=True))


def _deduced_atom() -> Atom:
    return Atom(UNTYPED, ListType(_UNTYPED), MapType({}, {}, _DEDUCED))


_UNTYPED: Final = Lazy(_untyped_atom)
#: The type of values that a schema doesn't describe: maps merge, lists are atomic.
_DEDUCED: Final = Lazy(_deduced_atom)
_SCALARS: Final = {"integer": NUMERIC, "number": NUMERIC, "boolean": BOOLEAN}
_PLAIN_STRINGS: Final = frozenset({"", "byte"})
#: Definitions whose schemas say less than what the type accepts.
_FIXED: Final[Mapping[str, Callable[[], Atom]]] = {
    "io.k8s.apimachinery.pkg.api.resource.Quantity": lambda: Atom(UNTYPED),
    "io.k8s.apimachinery.pkg.runtime.RawExtension": _untyped_atom,
}


class MergeTypes:
    """Reads atoms from schemas, each definition only once."""

    def __init__(self, definitions: Definitions) -> None:
        self._definitions = definitions
        self._named: dict[str, Lazy] = {}

    def of(self, schema: JSONObject) -> Lazy:
        """The type of a schema that isn't among the definitions."""
        return Lazy(lambda: self._read(schema, preserves=False))

    def named(self, name: str) -> Lazy:
        """The type of a definition; KeyError if there is none."""
        found = self._named.get(name)
        if found is None:
            schema = self._definitions[name]
            found = self._named[name] = Lazy(_FIXED.get(name) or (lambda: self._read(schema, preserves=False)))
        return found

    def _read(self, schema: JSONObject, *, preserves: bool) -> Atom:
        keeps = preserves or schema.get("x-kubernetes-preserve-unknown-fields") is True
        kind = schema.get("type") or ""
        if kind == "":
            return Atom(UNTYPED, self._list(schema, keeps=keeps), self._map(schema, keeps=keeps))
        if kind == "object":
            return Atom(map=self._map(schema, keeps=keeps))
        if kind == "array":
            return Atom(list=self._list(schema, keeps=keeps))
        if kind == "string":
            return Atom(STRING if schema.get("format", "") in _PLAIN_STRINGS else UNTYPED)
        return Atom(_SCALARS.get(kind, UNTYPED))

    def _reference(self, schema: JSONObject, *, keeps: bool) -> Lazy:
        name = _referred(schema)
        if not name:
            return Lazy(lambda: self._read(schema, preserves=keeps))
        relationship = schema.get("x-kubernetes-map-type")
        if relationship not in ("atomic", "granular"):
            return self.named(name)
        return Lazy(lambda: _with_relationship(self.named(name).atom, atomic=relationship == "atomic"))

    def _map(self, schema: JSONObject, *, keeps: bool) -> MapType:
        properties: dict[str, JSONObject] = schema.get("properties") or {}
        fields = {name: self._reference(member, keeps=keeps) for name, member in properties.items()}
        defaults = {name: member["default"] for name, member in properties.items() if member.get("default") is not None}
        return MapType(fields, defaults, self._element(schema, properties, keeps=keeps), schema.get("x-kubernetes-map-type") == "atomic")

    def _element(self, schema: JSONObject, properties: JSONObject, *, keeps: bool) -> Lazy | None:
        additional: Any = schema.get("additionalProperties")
        if additional is None:
            return _DEDUCED if keeps or not properties else None
        if isinstance(additional, dict):
            return self._reference(additional, keeps=keeps)
        return _DEDUCED if additional else None

    def _list(self, schema: JSONObject, *, keeps: bool) -> ListType:
        items = schema.get("items")
        element = self._reference(items, keeps=keeps) if isinstance(items, dict) else _UNTYPED
        associative, keys = _list_relationship(schema)
        return ListType(element, associative, keys)


def _referred(schema: JSONObject) -> str:
    """The name of the definition that a schema refers to, directly or in an allOf with one entry."""
    found = schema.get("$ref") or ""
    branches = schema.get("allOf") or []
    if not found and len(branches) == 1:
        found = branches[0].get("$ref") or ""
    return str(found).rpartition("/")[2]


def _with_relationship(atom: Atom, *, atomic: bool) -> Atom:
    """A type in a field that says whether it is atomic."""
    if atom.map is not None:
        found = atom.map
        return Atom(atom.scalar, atom.list, MapType(found.fields, found.defaults, found.element, atomic))
    return atom


def _list_relationship(schema: JSONObject) -> tuple[bool, tuple[str, ...]]:
    """Whether a list is associative, and its keys; older schemas say that by the patch strategy."""
    kind = schema.get("x-kubernetes-list-type")
    if kind is not None:
        keys = schema.get("x-kubernetes-list-map-keys") or () if kind == "map" else ()
        return kind in ("set", "map"), tuple(keys)
    if schema.get("x-kubernetes-patch-strategy") in ("merge", "merge,retainKeys"):
        key = schema.get("x-kubernetes-patch-merge-key")
        return True, (key,) if key else ()
    return False, ()


_TIME: Final = {"type": "string", "format": "date-time"}
_TEXT: Final = {"type": "string"}
_TEXTS: Final = {"type": "object", "additionalProperties": _TEXT}
#: The metadata of every object, as the server's OpenAPI has it.
OBJECT_META: Final = "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta"
_OBJECT_META: Final[JSONObject] = {
    "type": "object",
    "properties": {
        "annotations": _TEXTS,
        "creationTimestamp": _TIME,
        "deletionGracePeriodSeconds": {"type": "integer"},
        "deletionTimestamp": _TIME,
        "finalizers": {"type": "array", "items": _TEXT, "x-kubernetes-list-type": "set"},
        "generateName": _TEXT,
        "generation": {"type": "integer"},
        "labels": _TEXTS,
        "managedFields": {
            "type": "array",
            "x-kubernetes-list-type": "atomic",
            "items": {
                "type": "object",
                "properties": {
                    "apiVersion": _TEXT, "fieldsType": _TEXT, "fieldsV1": {"type": "object"}, "manager": _TEXT, "operation": _TEXT,
                    "subresource": _TEXT, "time": _TIME,
                },
            },
        },
        "name": _TEXT,
        "namespace": _TEXT,
        "ownerReferences": {
            "type": "array",
            "x-kubernetes-list-type": "map",
            "x-kubernetes-list-map-keys": ["uid"],
            "items": {
                "type": "object",
                "x-kubernetes-map-type": "atomic",
                "properties": {
                    "apiVersion": _TEXT, "blockOwnerDeletion": {"type": "boolean"}, "controller": {"type": "boolean"}, "kind": _TEXT,
                    "name": _TEXT, "uid": _TEXT,
                },
            },
        },
        "resourceVersion": _TEXT,
        "selfLink": _TEXT,
        "uid": _TEXT,
    },
}  # fmt: skip
_META_REFERENCE: Final = {"allOf": [{"$ref": f"#/components/schemas/{OBJECT_META}"}]}
_RESOURCE_PARTS: Final = {"apiVersion": _TEXT, "kind": _TEXT, "metadata": _META_REFERENCE}


def custom_resource_type(schema: JSONObject) -> Atom:
    """The type of a custom resource, by the schema of its version.

    The server publishes that schema with the usual metadata added, also in embedded resources. Source: k8s.io/apiextensions-apiserver
    `pkg/controller/openapi/builder/builder.go`.
    """
    published = _with_resources(schema)
    published["properties"] = {**(published.get("properties") or {}), **_RESOURCE_PARTS}
    return MergeTypes({OBJECT_META: _OBJECT_META}).of(published).atom


def _with_resources(schema: JSONObject) -> JSONObject:
    """A schema with the metadata of embedded resources, and without keywords that don't affect types."""
    found = dict(schema)
    if schema.get("x-kubernetes-int-or-string") is True:
        found.pop("type", None)
    found.pop("allOf", None)
    if isinstance(schema.get("properties"), dict):
        found["properties"] = {name: _with_resources(member) for name, member in schema["properties"].items()}
    for part in ("items", "additionalProperties"):
        if isinstance(schema.get(part), dict):
            found[part] = _with_resources(schema[part])
    if schema.get("x-kubernetes-embedded-resource") is True:
        found["properties"] = {**(found.get("properties") or {}), **_RESOURCE_PARTS}
    return found
