"""The variables of policies and their types.

`object` and `oldObject` are typed by the CRD of their kind, with an object's whole metadata. As in a ValidatingAdmissionPolicy, parts that
a schema leaves open can be read as JSON.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache, cached_property
from typing import Final

from weighbridge.policies.cel.values import types
from weighbridge.policies.cel.values.declared import JSON_TYPE, DeclaredType, SelfTypes, Shape
from weighbridge.policies.cel.values.types import Type
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.policies.schema.node import Schema
from weighbridge.policies.user_policies.core_types import kind_schema, type_schema

#: Every variable with declared data.
OBJECT: Final = "object"
OLD: Final = "oldObject"
REQUEST: Final = "request"
NAMESPACE: Final = "namespaceObject"
EFFECTIVE: Final = "effective"
PLACEMENT: Final = "placement"
#: Variables whose values aren't data.
CLUSTER: Final = "cluster"
NOW: Final = "now"
VARIABLES: Final = "variables"
CLUSTER_TYPE: Final = types.opaque("weighbridge.Cluster")
_VARIABLES_TYPE: Final = types.struct(VARIABLES)

_ANY: Final[JSONObject] = {"x-kubernetes-preserve-unknown-fields": True}
_TEXT: Final[JSONObject] = {"type": "string"}
_NUMBER: Final[JSONObject] = {"type": "integer"}
_TRUTH: Final[JSONObject] = {"type": "boolean"}


def _list(items: JSONObject) -> JSONObject:
    return {"type": "array", "items": items}


def _map(values: JSONObject) -> JSONObject:
    return {"type": "object", "additionalProperties": values}


def _struct(**properties: JSONObject) -> JSONObject:
    return {"type": "object", "properties": properties}


class OpenType(DeclaredType):
    """A schema node whose undeclared content is read as JSON, instead of being hidden."""

    @cached_property
    def shape(self) -> Shape:
        """The form of its values; undeclared content is JSON."""
        found = DeclaredType.shape.func(self)  # type: ignore[attr-defined]
        is_open = found in (Shape.HIDDEN, Shape.INVALID) or (found is Shape.EMPTY and self.schema.preserve_unknown_fields)
        return Shape.JSON if is_open else found

    @cached_property
    def element(self) -> DeclaredType | None:
        """The type of its items or values; `None` if it has none."""
        inner = self.schema.items if self.shape is Shape.LIST else self.schema.additional_properties
        return None if inner is None else OpenType(inner)

    @cached_property
    def properties(self) -> dict[str, DeclaredType]:
        """The types of its fields."""
        return {name: OpenType(schema) for name, schema in self.schema.properties.items()}


class PolicyTypes(SelfTypes):
    """The structs below all variables, by the path that leads to each."""

    def __init__(self, roots: Mapping[str, DeclaredType]) -> None:
        super().__init__(JSON_TYPE)
        # Equal schemas are the same type, so that `object.spec == oldObject.spec` is possible.
        first = {id(declared): name for name, declared in reversed(list(roots.items()))}
        self.variables = {name: self._type(declared, first[id(declared)]) for name, declared in roots.items()}

    def add(self, name: str, declared: DeclaredType) -> Type:
        """Add the type of other data, such as a kind that is looked up."""
        return self._type(declared, name)

    def has_struct(self, name: str) -> bool:
        """Whether a name is that of a struct, or of the variables."""
        return name == VARIABLES or super().has_struct(name)

    def field(self, struct: str, identifier: str, *, keywords: bool = True) -> Type | None:
        """The type of a field of a struct; `None` if it has none of that name."""
        # Existing variables are found by their whole names.
        return None if struct == VARIABLES else super().field(struct, identifier, keywords=keywords)

    def declared_as(self, struct: str) -> DeclaredType | None:
        """The declared type of a struct; `None` if it isn't data."""
        return self._structs.get(struct)

    def fields(self, struct: str) -> Iterator[str]:
        """The fields of a struct, by their names in expressions."""
        if super().has_struct(struct):
            yield from self._structs[struct].fields


def variable_types(types_: PolicyTypes, own: Mapping[str, Type]) -> dict[str, Type]:
    """All variables with their types; `own` are those of the policy, by their names."""
    named = {f"{VARIABLES}.{name}": found for name, found in own.items()}
    return {**types_.variables, CLUSTER: CLUSTER_TYPE, NOW: types.TIMESTAMP, VARIABLES: _VARIABLES_TYPE, **named}


def declared_object(schema: JSONObject) -> DeclaredType:
    """The type of an object of a kind whose CRD has this schema."""
    properties = {**(schema.get("properties") or {}), "apiVersion": _TEXT, "kind": _TEXT, "metadata": type_schema("ObjectMeta")}
    return OpenType(Schema({**schema, "type": "object", "properties": properties}), root=True)


@cache
def declared_parts() -> Mapping[str, DeclaredType]:
    """The types of the variables that are the same for every kind."""
    forms = {REQUEST: _request(), NAMESPACE: _namespace(), EFFECTIVE: _effective(), PLACEMENT: _placement()}
    return {name: OpenType(Schema(form)) for name, form in forms.items()}


def _request() -> JSONObject:
    return _struct(
        operation=_TEXT,
        name=_TEXT,
        namespace=_TEXT,
        kind=_struct(group=_TEXT, version=_TEXT, kind=_TEXT),
        subResource=_TEXT,
        dryRun=_TRUTH,
        userInfo=_struct(username=_TEXT, uid=_TEXT, groups=_list(_TEXT), extra=_map(_list(_TEXT))),
    )


def _namespace() -> JSONObject:
    return _struct(metadata=_struct(name=_TEXT, labels=_map(_TEXT)))


def _effective() -> JSONObject:
    choice = _struct(name=_TEXT, source=_TEXT, reason=_TEXT)
    origin = {"source": _TEXT, "reason": _TEXT}
    metadata, service, claim = type_schema("ObjectMeta"), type_schema("ServiceSpec"), type_schema("PersistentVolumeClaimSpec")
    return _struct(
        pods=_list(
            _struct(
                role=_TEXT,
                workload=_struct(kind=_TEXT, name=_TEXT),
                replicas=_NUMBER,
                gpus=_NUMBER,
                metadata=metadata,
                spec=type_schema("PodSpec"),
            )
        ),
        services=_list(_struct(metadata=metadata, spec=service)),
        claims=_list(_struct(metadata=metadata, spec=claim)),
        objects=_list(_ANY),
        images=_list(_struct(image=_TEXT, container=_TEXT, workload=_struct(kind=_TEXT, name=_TEXT), **origin)),
        commands=_list(_struct(container=_TEXT, image=_TEXT, workload=_struct(kind=_TEXT, name=_TEXT), line=_list(_TEXT))),
        gpus=_NUMBER,
        model=choice,
        runtime=choice,
        template=choice,
        configuration=_ANY,
        values=_list(_struct(object=_TEXT, field=_TEXT, value=_ANY, **origin)),
        settings=_list(_struct(name=_TEXT, value=_ANY, origin=_TEXT)),
        status=_ANY,
        failure=_TEXT,
        waits=_TEXT,
    )


def _placement() -> JSONObject:
    labels = _map(_TEXT)
    taint = _struct(key=_TEXT, value=_TEXT, effect=_TEXT)
    return _struct(
        outlook=_TEXT,
        reason=_TEXT,
        nearest=_list(_TEXT),
        pod=_TEXT,
        nodes=_list(_struct(name=_TEXT, labels=labels, taints=_list(taint), allocatable=_map({"x-kubernetes-int-or-string": True}))),
        rejected=_list(_struct(name=_TEXT, labels=labels, reasons=_list(_TEXT))),
    )


def declared_kind(kind: str, crd_schema: JSONObject | None, kept: Mapping[str, object]) -> DeclaredType:
    """The type of a looked-up kind: by its CRD, or by the `kept` part of a built-in one, else any JSON."""
    if crd_schema is not None:
        return declared_object(crd_schema)
    schema = kind_schema(kind)
    return OpenType(Schema(_ANY if schema is None else _only(schema, kept)))


def _only(schema: JSONObject, kept: Mapping[str, object]) -> JSONObject:
    """The part of a schema that has these fields, with its metadata."""
    properties = schema.get("properties")
    if not kept or properties is None:
        return schema
    found = {key: _only(properties[key], below if isinstance(below, dict) else {}) for key, below in kept.items() if key in properties}
    return {**schema, "properties": {**{key: properties[key] for key in ("apiVersion", "kind", "metadata") if key in properties}, **found}}
