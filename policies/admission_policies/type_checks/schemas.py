"""The types of kinds that kube-controller-manager knows.

Those of built-in kinds come from its own code; those of custom resources from the OpenAPI document that the API server publishes, in which
every object has its whole metadata. A field whose schema has no type doesn't exist for it: a quantity, and one that keeps unknown fields.
Source: k8s.io/apiserver pkg/cel/openapi/resolver and pkg/cel/openapi/{adaptor,extensions}.go; k8s.io/apiextensions-apiserver
pkg/controller/openapi/builder/builder.go, `buildKubeNative`, 1.34 to 1.37.
"""

from __future__ import annotations

from functools import cached_property, lru_cache
from typing import Final

from weighbridge.policies.apiserver.built_in import is_built_in
from weighbridge.policies.apiserver.built_in_types import BUILT_IN_FORMS, built_in_types, types_of
from weighbridge.policies.apiserver.definitions import Definitions
from weighbridge.policies.cel.values.declared import DeclaredType, Shape
from weighbridge.policies.cel.values.values import NotKnownError
from weighbridge.policies.ground.objects import GroupVersionKind, JSONObject
from weighbridge.policies.ground.server_release import release
from weighbridge.policies.schema.node import Schema

_TEXT: Final[JSONObject] = {"type": "string"}
#: A format that means the same as ``x-kubernetes-int-or-string``.
_INT_OR_STRING: Final = "int-or-string"
_LIST: Final = "List"


class PublishedType(DeclaredType):
    """A node of a published schema."""

    @cached_property
    def shape(self) -> Shape:
        """The form of its values. A format may say that they are numbers or texts."""
        if self.schema.format == _INT_OR_STRING:
            return Shape.INT_OR_STRING
        found: Shape = DeclaredType.shape.func(self)  # type: ignore[attr-defined]
        return found

    @cached_property
    def element(self) -> DeclaredType | None:
        """The type of its items or values; `None` if it has none."""
        inner = self.schema.items if self.shape is Shape.LIST else self.schema.additional_properties
        return None if inner is None else PublishedType(inner)

    @cached_property
    def properties(self) -> dict[str, DeclaredType]:
        """The types of its fields; an embedded resource has apiVersion, kind and metadata too."""
        found: dict[str, DeclaredType] = {name: PublishedType(schema) for name, schema in self.schema.properties.items()}
        return {**found, **_parts_of_resources(release().name)} if self._root else found


@lru_cache(maxsize=64)
def _parts_of_resources(server: str) -> dict[str, DeclaredType]:
    text, metadata = PublishedType(Schema(_TEXT)), PublishedType(Schema(_schema(server, "ObjectMeta")))
    return {"apiVersion": text, "kind": text, "metadata": metadata}


@lru_cache(maxsize=64)
def _schema(server: str, name: str) -> JSONObject:
    """The schema of a built-in type."""
    return types_of(server).whole_schema(name, BUILT_IN_FORMS)


def declared_kind(gvk: GroupVersionKind, definitions: Definitions) -> DeclaredType | None:
    """The type of a kind; `None` if it has no schema. Raises NotKnownError if only the server has one."""
    built_in = built_in_types().any_type_of(gvk)
    if built_in is not None and is_built_in(gvk.group, gvk.version, gvk.kind):
        return PublishedType(Schema(_schema(release().name, built_in)), root=True)
    listed = gvk.kind.removesuffix(_LIST)
    if any(is_built_in(gvk.group, gvk.version, kind) for kind in (gvk.kind, listed)):
        raise NotKnownError(str(gvk))
    definition = definitions.get(gvk)
    if definition is not None:
        return PublishedType(Schema(definition.openapi_schema), root=True)
    if definitions.get(GroupVersionKind(gvk.group, gvk.version, listed)) is not None:
        raise NotKnownError(str(gvk))
    return None
