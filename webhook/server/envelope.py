"""Reads the request inside an AdmissionReview, field by field, since any client may have sent it. The engine checks the object in it.

Source: k8s.io/api/admission/v1, AdmissionRequest.
"""

from __future__ import annotations

from typing import Final

from weighbridge.policies.ground.objects import FieldValidation, GroupVersionKind, GroupVersionResource, JSONObject, JSONValue, Operation
from weighbridge.policies.ground.request import Request

_OPERATIONS: Final = {str(operation): operation for operation in Operation}
_FIELD_VALIDATIONS: Final = {str(validation): validation for validation in FieldValidation}
_WITH_OBJECT: Final = frozenset({Operation.CREATE, Operation.UPDATE})


class EnvelopeError(ValueError):
    """The request inside a review is malformed. Since its uid is known, the answer is a review that refuses it."""


def as_request(envelope: JSONObject) -> Request:
    """The request in the engine's form. Raises EnvelopeError if a field has the wrong type, or if the object to judge is missing."""
    operation = _operation(envelope)
    resource = _mapping(envelope, "resource")
    options = _mapping(envelope, "options")
    obj, old_object = _object(envelope, "object"), _object(envelope, "oldObject")
    if operation in _WITH_OBJECT and obj is None:
        raise EnvelopeError(f"request.object is missing on {operation}")
    return Request(
        uid=envelope["uid"],
        operation=operation,
        gvk=_gvk(envelope),
        object=obj,
        old_object=old_object,
        resource=_resource(resource),
        subresource=_text(envelope, "subResource"),
        namespace=_text(envelope, "namespace"),
        name=_text(envelope, "name"),
        user_info=_mapping(envelope, "userInfo"),
        dry_run=envelope.get("dryRun") is True,
        field_validation=_field_validation(options),
    )


def _operation(envelope: JSONObject) -> Operation:
    found = envelope.get("operation")
    operation = _OPERATIONS.get(found) if isinstance(found, str) else None
    if operation is None:
        raise EnvelopeError(f"request.operation must be one of {', '.join(Operation)}, not {shown(found)}")
    return operation


def _gvk(envelope: JSONObject) -> GroupVersionKind:
    kind = _mapping(envelope, "kind")
    prefix = "request.kind."
    gvk = GroupVersionKind(_text(kind, "group", prefix), _text(kind, "version", prefix), _text(kind, "kind", prefix))
    if not gvk.version or not gvk.kind:
        raise EnvelopeError("request.kind must name a version and a kind")
    return gvk


def _resource(resource: JSONObject) -> GroupVersionResource | None:
    parts = [_text(resource, part, "request.resource.") for part in ("group", "version", "resource")]
    return GroupVersionResource(*parts) if parts[-1] else None


def _field_validation(options: JSONObject) -> FieldValidation:
    found = options.get("fieldValidation")
    return _FIELD_VALIDATIONS.get(found, FieldValidation.WARN) if isinstance(found, str) else FieldValidation.WARN


def _text(holder: JSONObject, key: str, prefix: str = "request.") -> str:
    """A text, which may be missing."""
    value = holder.get(key)
    if value is None:
        return ""
    if not isinstance(value, str):
        raise EnvelopeError(f"{prefix}{key} must be a string, not {type_of(value)}")
    return value


def _mapping(envelope: JSONObject, key: str) -> JSONObject:
    """A map, which may be missing."""
    return _object(envelope, key) or {}


def _object(envelope: JSONObject, key: str) -> JSONObject | None:
    value = envelope.get(key)
    if value is not None and not isinstance(value, dict):
        raise EnvelopeError(f"request.{key} must be an object, not {type_of(value)}")
    return value


def type_of(value: JSONValue) -> str:
    """The JSON type of a value, with its article."""
    names = {dict: "an object", list: "a list", str: "a string", bool: "a boolean", type(None): "null"}
    return names.get(type(value), "a number")


def shown(value: JSONValue) -> str:
    """A value in a message, if it is a short text."""
    return repr(value[:64]) if isinstance(value, str) else type_of(value)
