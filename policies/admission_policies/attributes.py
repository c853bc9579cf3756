"""A request as policies get it: the resource that is asked for, and the object before and after.

The object of a creation has values that only the server makes, such as its uid. They are marked as not known, so that an expression that
reads one isn't guessed. Source: k8s.io/apiserver pkg/admission/attributes.go and pkg/registry/rest/create.go, 1.37.
"""

from __future__ import annotations

from typing import Final

from weighbridge.policies.apiserver.built_in import plural_of
from weighbridge.policies.apiserver.prepare import generated_name
from weighbridge.policies.cel.values.values import NotKnown, PartialMap
from weighbridge.policies.ground.fields import text
from weighbridge.policies.ground.objects import (
    GroupVersionKind,
    GroupVersionResource,
    JSONObject,
    JSONValue,
    Operation,
    metadata_of,
    name_of,
)
from weighbridge.policies.ground.records import dataclass
from weighbridge.policies.ground.request import Request

#: What the server writes into the metadata of every object.
_WRITTEN: Final = ("uid", "creationTimestamp", "managedFields")
_NAMESPACE: Final = GroupVersionKind("", "v1", "Namespace")


@dataclass(frozen=True, slots=True)
class Attributes:
    """What a policy is asked about. `name` is what is printed of an object's name; `is_named` says that it is the real one.

    `user_info` and `options` are `None` where they aren't known. The objects may hold marks of what isn't known.
    """

    operation: Operation
    kind: GroupVersionKind
    resource: GroupVersionResource
    subresource: str
    name: str
    is_named: bool
    namespace: str
    object: JSONValue
    old_object: JSONValue
    user_info: JSONObject | None = None
    options: JSONObject | None = None
    dry_run: bool = False

    @property
    def is_namespace(self) -> bool:
        """Whether it is about a Namespace itself."""
        return self.kind == _NAMESPACE


def attributes_of(request: Request, obj: JSONValue, old: JSONValue) -> Attributes:
    """The attributes of a request; `obj` is the object as it would be stored, `None` for a deletion, `old` the stored one as it is read."""
    resource = request.resource or GroupVersionResource(request.gvk.group, request.gvk.version, plural_of(request.gvk.kind))
    stored = old if isinstance(old, dict) else None
    name = request.name or name_of(obj) or name_of(stored)
    prefix = text(metadata_of(obj), "generateName")
    is_named = bool(name) or not prefix
    if not is_named:
        name = generated_name(prefix)
    is_new = request.operation is Operation.CREATE
    return Attributes(
        operation=request.operation,
        kind=request.gvk,
        resource=resource,
        subresource=request.subresource,
        name=name,
        is_named=is_named,
        # The server takes the name of a namespace for the namespace of requests about it.
        namespace=name if request.gvk == _NAMESPACE else request.namespace,
        object=_as_created(obj, is_named=is_named) if is_new else _as_updated(obj, stored),
        old_object=None if stored is None or is_new else as_stored(stored),
        user_info=request.user_info,
        dry_run=request.dry_run,
    )


def _as_created(obj: JSONValue, *, is_named: bool) -> JSONValue:
    """A new object, with marks for what the server writes into it."""
    if not isinstance(obj, dict) or not metadata_of(obj):
        return obj
    metadata = {**metadata_of(obj), **{key: NotKnown(f"metadata.{key} of a new object") for key in _WRITTEN}}
    if not is_named:
        metadata["name"] = NotKnown("the name that the server generates")
    return with_metadata(obj, metadata)


def _as_updated(obj: JSONValue, stored: JSONObject | None) -> JSONValue:
    """A changed object: its managedFields aren't known, and neither is what the stored one lacks that every stored object has."""
    if not isinstance(obj, dict) or stored is None or not metadata_of(obj):
        return obj
    metadata = metadata_of(as_stored(obj))
    return with_metadata(obj, {**metadata, "managedFields": NotKnown("metadata.managedFields of a changed object")})


def as_stored(obj: JSONObject) -> JSONObject:
    """A stored object, which may come without what its server wrote into the metadata."""
    metadata = metadata_of(obj)
    missing = [key for key in (*_WRITTEN, "resourceVersion") if key not in metadata]
    if not missing or not metadata:
        return obj
    marks = {key: NotKnown(f"metadata.{key} of the stored object") for key in missing}
    return with_metadata(obj, {**metadata, **marks})


def with_metadata(obj: JSONObject, metadata: JSONObject) -> JSONObject:
    """An object with other metadata. What isn't known of the rest stays so."""
    if isinstance(obj, PartialMap):
        return PartialMap({**dict(obj.items()), "metadata": metadata}, obj.reason)
    return {**obj, "metadata": metadata}
