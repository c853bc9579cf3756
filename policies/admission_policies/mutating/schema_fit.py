"""Fits an object to its schema after a policy has changed it, as the server does between and after mutations.

Source: k8s.io/apiextensions-apiserver pkg/apiserver/customresource_handler.go (`unstructuredDefaulter`) and
pkg/apiserver/conversion/converter.go, k8s.io/apimachinery pkg/runtime/serializer/json/json.go, 1.37.
"""

from __future__ import annotations

from weighbridge.policies.admission_policies.mutating import wordings
from weighbridge.policies.admission_policies.mutating.compiled import MutationError
from weighbridge.policies.admission_policies.mutating.merge_types import Atom, custom_resource_type
from weighbridge.policies.apiserver.definitions import ResourceDefinition
from weighbridge.policies.apiserver.refusal import Refusal
from weighbridge.policies.apiserver.type_meta import first_look
from weighbridge.policies.apiserver.wordings import internal_error, no_kind
from weighbridge.policies.ground.fields import text
from weighbridge.policies.ground.go_text import json_text
from weighbridge.policies.ground.objects import GroupVersionKind, JSONObject, JSONValue
from weighbridge.policies.schema.go_values import deep_copy


class ChangedError(Exception):
    """A policy has changed an object so that the server can't read it; the text is the server's."""

    @property
    def refusal(self) -> Refusal:
        """The server's answer."""
        return Refusal(500, internal_error(str(self)), [{"message": str(self)}])


def type_of(definition: ResourceDefinition) -> Atom:
    """The type by which the objects of a kind merge."""
    return definition.once("merge type", lambda: custom_resource_type(definition.openapi_schema))


def redefault(obj: JSONValue, definition: ResourceDefinition | None, version: str) -> JSONObject:
    """A copy of a changed object with the defaults of its version filled in.

    Without a definition it is the Scale of a custom resource, which the server can't convert back. Raises ChangedError and MutationError.
    """
    if definition is None:
        raise MutationError(wordings.no_version(version))
    look = first_look(obj)
    if look.why:
        raise ChangedError(look.why)
    if not isinstance(obj, dict) or not text(obj, "kind"):
        raise ChangedError(no_kind(json_text(_sorted(obj))))
    found: JSONObject = deep_copy(obj)
    described = _described(found, definition)
    if described is not None:
        described.schema.default(found)
    return found


def _sorted(value: JSONValue) -> JSONValue:
    if isinstance(value, dict):
        return {key: _sorted(value[key]) for key in sorted(value)}
    return list(map(_sorted, value)) if isinstance(value, list) else value


def _described(obj: JSONObject, definition: ResourceDefinition) -> ResourceDefinition | None:
    """The definition of the version that an object claims."""
    group, _, version = text(obj, "apiVersion").rpartition("/")
    if (group, obj.get("kind")) != (definition.gvk.group, definition.gvk.kind):
        return None
    return definition.siblings.get(version)


def fit(obj: JSONObject, definition: ResourceDefinition) -> JSONObject:
    """A changed object in the version of the request; raises ChangedError.

    Fields that its schema doesn't know remain until it is stored.
    """
    claimed = text(obj, "apiVersion")
    group, _, version = claimed.rpartition("/")
    if group != definition.gvk.group:
        found = GroupVersionKind(group, version, text(obj, "kind"))
        raise ChangedError(wordings.other_group(found, definition.gvk.api_version))
    if version not in definition.siblings:
        raise ChangedError(wordings.other_version(claimed))
    return obj if version == definition.gvk.version else {**obj, "apiVersion": definition.gvk.api_version}
