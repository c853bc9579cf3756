"""A request as policies get it: the requested resource, and the object before and after.

The object of a creation has values that only the server makes, such as its uid. They are marked as not known, so an expression that reads
one isn't evaluated. Source: k8s.io/apiserver pkg/admission/attributes.go and pkg/registry/rest/create.go, 1.37.
"""

from __future__ import annotations

from typing import Final

from weighbridge.policies.admission_policies import wordings
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

#: Fields of metadata that the server writes for every object.
_WRITTEN: Final = ("uid", "creationTimestamp", "managedFields")
_NAMESPACE: Final = GroupVersionKind("", "v1", "Namespace")


@dataclass(frozen=True, slots=True)
class Attributes:
    """The request that a policy evaluates. `name` is the object's name in messages; `is_named` says that it is the real one.

    `user_info` and `options` are `None` where they aren't known. The objects may have marks for values that aren't known.
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
        """Whether the request is about a Namespace itself."""
        return self.kind == _NAMESPACE


def attributes_of(request: Request, obj: JSONValue, old: JSONValue) -> Attributes:
    """The attributes of a request.

    `obj` is the object as it would be stored, `None` for a deletion; `old` is the stored one as it is read.
    """
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
        # For a request about a namespace the server uses its name as the namespace.
        namespace=name if request.gvk == _NAMESPACE else request.namespace,
        object=_as_created(obj, is_named=is_named) if is_new else _as_updated(obj, stored),
        old_object=None if stored is None or is_new else as_stored(stored),
        user_info=request.user_info,
        dry_run=request.dry_run,
    )


def _as_created(obj: JSONValue, *, is_named: bool) -> JSONValue:
    """A new object, with marks for the values that the server writes."""
    if not isinstance(obj, dict) or not metadata_of(obj):
        return obj
    metadata = {**metadata_of(obj), **{key: NotKnown(wordings.metadata_of_new(key)) for key in _WRITTEN}}
    if not is_named:
        metadata["name"] = NotKnown(wordings.GENERATED_NAME)
    return with_metadata(obj, metadata)


def _as_updated(obj: JSONValue, stored: JSONObject | None) -> JSONValue:
    """A changed object, with marks for its managedFields and for values that every stored object has but the given one lacks."""
    if not isinstance(obj, dict) or stored is None or not metadata_of(obj):
        return obj
    metadata = metadata_of(as_stored(obj))
    return with_metadata(obj, {**metadata, "managedFields": NotKnown(wordings.CHANGED_MANAGED_FIELDS)})


def as_stored(obj: JSONObject) -> JSONObject:
    """A stored object, with marks for metadata that its server wrote and that is missing."""
    metadata = metadata_of(obj)
    missing = [key for key in (*_WRITTEN, "resourceVersion") if key not in metadata]
    if not missing or not metadata:
        return obj
    marks = {key: NotKnown(wordings.metadata_of_stored(key)) for key in missing}
    return with_metadata(obj, {**metadata, **marks})


def with_metadata(obj: JSONObject, metadata: JSONObject) -> JSONObject:
    """An object with other metadata. The rest keeps its marks."""
    if isinstance(obj, PartialMap):
        return PartialMap({**dict(obj.items()), "metadata": metadata}, obj.reason)
    return {**obj, "metadata": metadata}
