"""The types of the kinds that kube-apiserver brings itself, by release: `built_in_types.json`.

A field is written as its Go type, with marks for JSON and for server-side apply:

- ``*T`` is a pointer, ``!T`` is written in JSON even if it is empty;
- ``[]T`` is an atomic list, ``[=]T`` a set, ``[a,b]T`` a list of maps with these keys;
- ``{}T`` is a map, ``{~}T`` an atomic one; ``~T`` is a struct that is atomic in this place, ``+T`` one that isn't, whatever T is elsewhere;
- ``T="x"`` has a default that the type declares; ``string:N`` is a string that Go calls N.

A type with a field ``~`` is atomic everywhere. Objects of the file's `kinds` are read as the server reads them; of `others`, the other
stable kinds, only the types are known. The file has the types of the newest release, and for each older release its differences from the
next one. Source: Kubernetes v1.34 to v1.37, api/openapi-spec/v3, and the structs of k8s.io/api, apimachinery and others; written by
`tests/programs/built_in_types`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache, cached_property
from typing import Any, Final, NamedTuple

from weighbridge.policies.ground.objects import GroupVersionKind, JSONObject, JSONValue
from weighbridge.policies.ground.server_release import release

_REFERENCE: Final = "#/components/schemas/"
_RELATIONSHIPS: Final = {"~": "atomic", "+": "granular"}
#: Types that read and write themselves, as the server's OpenAPI has them.
_SCHEMAS: Final[Mapping[str, JSONObject]] = {
    "any": {},
    "bool": {"type": "boolean"},
    "bytes": {"type": "string", "format": "byte"},
    "duration": {"type": "string"},
    "fields": {"type": "object"},
    "float": {"type": "number", "format": "double"},
    "int32": {"type": "integer", "format": "int32"},
    "int64": {"type": "integer", "format": "int64"},
    "intstr": {"x-kubernetes-int-or-string": True, "oneOf": [{"type": "integer"}, {"type": "string"}]},
    "microtime": {"type": "string", "format": "date-time"},
    "quantity": {"$ref": f"{_REFERENCE}io.k8s.apimachinery.pkg.api.resource.Quantity"},
    "raw": {"$ref": f"{_REFERENCE}io.k8s.apimachinery.pkg.runtime.RawExtension"},
    "string": {"type": "string"},
    "time": {"type": "string", "format": "date-time"},
}


#: These types in kube-controller-manager's own code, where a quantity has no type.
BUILT_IN_FORMS: Final[Mapping[str, JSONObject]] = {**_SCHEMAS, "quantity": {}, "raw": {"type": "object"}}


class FieldType(NamedTuple):
    """One field of a type. `kind` is a name. For a list or a map it begins with brackets, and the kind of the items follows."""

    kind: str
    pointer: bool
    always: bool
    default: JSONValue


class BuiltInTypes:
    """The types of one release."""

    def __init__(self, kinds: Mapping[str, str], others: Mapping[str, str], types: dict[str, dict[str, str]]) -> None:
        self._kinds = kinds
        self._others = others
        self._types = types

    def type_of(self, gvk: GroupVersionKind) -> str | None:
        """The type of a kind whose objects are read, or `None`."""
        return self._kinds.get(f"{gvk.api_version} {gvk.kind}")

    def any_type_of(self, gvk: GroupVersionKind) -> str | None:
        """The type of a kind, even if its objects aren't read."""
        return self.type_of(gvk) or self._others.get(f"{gvk.api_version} {gvk.kind}")

    def fields(self, name: str) -> Iterator[tuple[str, FieldType]]:
        """The fields of a type by name."""
        return ((key, read_field(written)) for key, written in self._types[name].items() if key != "~")

    def is_atomic(self, name: str) -> bool:
        """Whether a type is atomic everywhere."""
        return "~" in self._types[name]

    def whole_schema(self, name: str, forms: Mapping[str, JSONObject], without: str = "") -> JSONObject:
        """A type as one schema without references. `forms` has the schemas of types without fields; `without` is a field to leave out."""
        return self._whole(name, forms, without, {})

    def _whole(self, name: str, forms: Mapping[str, JSONObject], without: str, known: dict[str, JSONObject]) -> JSONObject:
        found = known.get(name)
        if found is None:
            # A type that contains itself is an object without fields there.
            known[name] = {"type": "object"}
            fields = ((key, field.kind) for key, field in self.fields(name) if key != without)
            properties = {key: self._whole_form(kind, forms, without, known) for key, kind in fields}
            found = known[name] = {"type": "object", "properties": properties}
        return found

    def _whole_form(self, kind: str, forms: Mapping[str, JSONObject], without: str, known: dict[str, JSONObject]) -> JSONObject:
        if kind[0] == "[":
            return {"type": "array", "items": self._whole_form(kind.partition("]")[2], forms, without, known)}
        if kind[0] == "{":
            return {"type": "object", "additionalProperties": self._whole_form(kind.partition("}")[2], forms, without, known)}
        plain = kind.lstrip("~+").partition(":")[0]
        return forms[plain] if plain in forms else self._whole(plain, forms, without, known)

    @cached_property
    def schemas(self) -> Mapping[str, JSONObject]:
        """The types as schemas of the server's OpenAPI document; each is made on first use."""
        return _Schemas(self)


class _Schemas(dict[str, JSONObject]):
    def __init__(self, types: BuiltInTypes) -> None:
        super().__init__()
        self._types = types

    def __missing__(self, name: str) -> JSONObject:
        if "." in name:
            # The schema of such a type says less than what the type accepts.
            return {}
        found: JSONObject = {"type": "object", "properties": {key: _schema(field) for key, field in self._types.fields(name)}}
        if self._types.is_atomic(name):
            found["x-kubernetes-map-type"] = "atomic"
        self[name] = found
        return found


def _schema(field: FieldType) -> JSONObject:
    found = _form(field.kind)
    return found if field.default is None else {**found, "default": field.default}


def _form(kind: str) -> JSONObject:
    if kind[0] == "[":
        how, _, item = kind[1:].partition("]")
        found: dict[str, Any] = {"type": "array", "items": _form(item), "x-kubernetes-list-type": "atomic"}
        if how:
            found["x-kubernetes-list-type"] = "set" if how == "=" else "map"
            found |= {} if how == "=" else {"x-kubernetes-list-map-keys": how.split(",")}
        return found
    if kind[0] == "{":
        how, _, item = kind[1:].partition("}")
        return {"type": "object", "additionalProperties": _form(item), **({"x-kubernetes-map-type": "atomic"} if how else {})}
    if kind[0] in _RELATIONSHIPS:
        return {**_form(kind[1:]), "x-kubernetes-map-type": _RELATIONSHIPS[kind[0]]}
    plain = kind.partition(":")[0]
    return _SCHEMAS.get(plain) or {"$ref": f"{_REFERENCE}{kind}"}


def read_field(written: str) -> FieldType:
    """Read the text of a field's type."""
    kind, _, default = written.partition("=") if "[=]" not in written else (written, "", "")
    mark = kind[0] if kind[0] in "*!" else ""
    if not default:
        return FieldType(kind.removeprefix(mark), mark == "*", mark == "!", None)
    from json import loads

    return FieldType(kind.removeprefix(mark), mark == "*", mark == "!", loads(default))


@cache
def _document() -> dict[str, Any]:
    from json import loads
    from pkgutil import get_data

    document: dict[str, Any] = loads(get_data(__package__, "built_in_types.json") or b"")
    return document


def built_in_types() -> BuiltInTypes:
    """The types of the release in force."""
    return types_of(release().name)


@cache
def types_of(name: str) -> BuiltInTypes:
    """The types of a release."""
    document = _document()
    types: dict[str, dict[str, str]] = document["types"]
    for older in (key for key in document if key not in {"kinds", "others", "types"}):
        if _number(older) < _number(name):
            break
        types = {**types, **{changed: _with(types.get(changed, {}), fields) for changed, fields in document[older].items()}}
    return BuiltInTypes(document["kinds"], document["others"], types)


def _number(name: str) -> tuple[int, ...]:
    return tuple(map(int, name.split(".")))


def _with(fields: dict[str, str], changed: Mapping[str, str | None]) -> dict[str, str]:
    found = {**fields, **{key: written for key, written in changed.items() if written is not None}}
    return {key: written for key, written in found.items() if changed.get(key, "") is not None}
