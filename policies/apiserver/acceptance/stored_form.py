"""A decoded definition as the server stores it and answers with it: with defaults, and written as Go writes JSON.

Source: k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1/defaults.go; encoding/json and its ``omitempty``.
"""

from __future__ import annotations

from typing import Final

from weighbridge.policies.apiserver.acceptance.definition_types import SPEC, STATUS
from weighbridge.policies.apiserver.acceptance.go_types import AnyJSON, Boolean, ByItself, Field, Float, GoType, ListOf, MapOf, Struct, Text
from weighbridge.policies.ground.objects import JSONObject, JSONValue
from weighbridge.policies.schema.names import go_lower
from weighbridge.policies.schema.object_meta import stored_numbers

_HTTPS_PORT: Final = 443


def fill_in(definition: JSONObject) -> None:
    """Fill in the defaults of a decoded definition, in place."""
    spec: JSONObject = definition.setdefault("spec", {})
    names: JSONObject = spec.setdefault("names", {})
    kind: str = names.get("kind", "")
    if kind:
        names.setdefault("singular", go_lower(kind))
        names.setdefault("listKind", f"{kind}List")
    conversion: JSONObject = spec.setdefault("conversion", {"strategy": "None"})
    webhook = conversion.get("webhook") or {}
    if webhook.get("clientConfig") is None and webhook.get("conversionReviewVersions") is None:
        # The server's internal type has no struct for the webhook, and builds it from its two parts.
        conversion.pop("webhook", None)
    service = (webhook.get("clientConfig") or {}).get("service")
    if service is not None:
        service.setdefault("port", _HTTPS_PORT)
    status: JSONObject = definition.setdefault("status", {})
    if not status.get("storedVersions"):
        status.pop("storedVersions", None)
        add_storage_version(definition)


def add_storage_version(definition: JSONObject) -> None:
    """Add the first storage version to those in which objects may be stored, in place."""
    versions = (definition.get("spec") or {}).get("versions") or []
    storage = next((version.get("name", "") for version in versions if version.get("storage")), None)
    if storage is not None and storage not in (definition["status"].get("storedVersions") or []):
        definition["status"]["storedVersions"] = [*(definition["status"].get("storedVersions") or []), storage]


def written(definition: JSONObject) -> JSONObject:
    """The definition as JSON; empty fields are left out, unless they are always written."""
    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": definition["metadata"],
        "spec": _struct(definition.get("spec") or {}, SPEC),
        "status": _struct(definition.get("status") or {}, STATUS),
    }


def _struct(value: JSONObject, shape: Struct) -> JSONObject:
    out: JSONObject = {}
    for key, field in shape.fields.items():
        held = value.get(key)
        if held is None:
            if field.always:
                out[key] = _empty(field.type)
        elif field.always or not _is_left_out(held, field):
            out[key] = _value(held, field.type)
    return out


def _is_left_out(value: JSONValue, field: Field) -> bool:
    if isinstance(field.type, (ListOf, MapOf)):
        return not value
    # An ``items`` that is neither a schema nor a list of schemas is lost when it is stored.
    return isinstance(field.type, ByItself) and value in ([], ())


def _empty(kind: GoType) -> JSONValue:
    if isinstance(kind, Struct):
        return _struct({}, kind)
    return {Text: "", Boolean: False}.get(type(kind))


def _value(value: JSONValue, kind: GoType) -> JSONValue:
    if isinstance(kind, ByItself):
        if isinstance(value, dict):
            return _value(value, kind.map_type)
        # A value that is neither a schema nor a list of schemas is written as null.
        return (_value(value, kind.list_type) or None) if isinstance(value, list) and kind.list_type else value
    if isinstance(kind, Struct):
        return _struct(value, kind)
    if isinstance(kind, ListOf):
        return [_value(item, kind.item) for item in value]
    if isinstance(kind, MapOf):
        return {key: _value(item, kind.value) for key, item in value.items()}
    return stored_numbers(value) if isinstance(kind, (AnyJSON, Float)) else value
