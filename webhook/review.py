"""AdmissionReview ``admission.k8s.io/v1``: in to the engine's request, and back out from its decision.

The envelope is checked field by field, since a review may come from anyone who reaches the port; the object inside is the engine's
matter. Source: https://kubernetes.io/docs/reference/access-authn-authz/extensible-admission-controllers/ and k8s.io/api/admission/v1.
"""

from __future__ import annotations

from base64 import b64encode
from typing import Final

from policies.engine import Phase
from policies.findings import Decision
from policies.objects import FieldValidation, GroupVersionKind, GroupVersionResource, JSONObject, JSONValue, Operation
from policies.request import Request
from webhook.calls import CallError, TurnedAway
from webhook.json_text import JSONTextError, dumps, loads
from webhook.user_warnings import fit

API_VERSION: Final = "admission.k8s.io/v1"
KIND: Final = "AdmissionReview"
_OPERATIONS: Final = {str(operation): operation for operation in Operation}
_FIELD_VALIDATIONS: Final = {str(validation): validation for validation in FieldValidation}
_WITH_OBJECT: Final = frozenset({Operation.CREATE, Operation.UPDATE})
# 422 has no word here on purpose: of an answer with the reason Invalid kubectl prints the causes only, not who refused and why.
_REASONS: Final = {400: "BadRequest", 403: "Forbidden", 500: "InternalError"}


class EnvelopeError(ValueError):
    """The request inside a review can't be understood; as its uid is known, the answer is a review that refuses."""


def read_review(body: bytes) -> JSONObject:
    """The `request` of a review, which has a uid. Raises CallError where nothing could be answered to."""
    try:
        review = loads(body)
    except JSONTextError as error:
        raise CallError(TurnedAway.MALFORMED, f"the body is no JSON: {error}") from error
    if not isinstance(review, dict):
        raise CallError(TurnedAway.MALFORMED, f"the body must be an {KIND}, not {_type_of(review)}")
    found = review.get("apiVersion"), review.get("kind")
    if found != (API_VERSION, KIND):
        raise CallError(TurnedAway.MALFORMED, f"the body must be an {KIND} of {API_VERSION}, not {_shown(found[1])} of {_shown(found[0])}")
    request = review.get("request")
    if not isinstance(request, dict):
        raise CallError(TurnedAway.MALFORMED, f"request must be an object, not {_type_of(request)}")
    uid = request.get("uid")
    if not isinstance(uid, str) or not uid:
        raise CallError(TurnedAway.MALFORMED, "request.uid must be a string that isn't empty")
    return request


def as_request(envelope: JSONObject) -> Request:
    """The engine's request. Raises EnvelopeError where a field isn't of its type, or the object to judge is missing."""
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


def answer(uid: str, decision: Decision, phase: Phase) -> bytes:
    """The review that carries the decision; the patch goes out from the mutating webhook only, since a validating one may not have any."""
    response: JSONObject = {"uid": uid, "allowed": decision.allowed}
    if not decision.allowed:
        response["status"] = _status(decision)
    warnings = fit(decision.warnings)
    if warnings:
        response["warnings"] = warnings
    if phase is Phase.MUTATE and decision.allowed and decision.patch:
        response["patchType"] = "JSONPatch"
        response["patch"] = b64encode(dumps(list(decision.patch))).decode("ascii")
    if decision.audit_annotations:
        response["auditAnnotations"] = decision.audit_annotations
    return dumps({"apiVersion": API_VERSION, "kind": KIND, "response": response})


def _status(decision: Decision) -> JSONObject:
    status: JSONObject = {"status": "Failure", "code": decision.code, "message": decision.message}
    reason = _REASONS.get(decision.code)
    if reason is not None:
        status["reason"] = reason
    if decision.causes:
        status["details"] = {"causes": list(decision.causes)}
    return status


def _operation(envelope: JSONObject) -> Operation:
    found = envelope.get("operation")
    operation = _OPERATIONS.get(found) if isinstance(found, str) else None
    if operation is None:
        raise EnvelopeError(f"request.operation must be one of {', '.join(Operation)}, not {_shown(found)}")
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
    """A text that may be missing."""
    value = holder.get(key)
    if value is None:
        return ""
    if not isinstance(value, str):
        raise EnvelopeError(f"{prefix}{key} must be a string, not {_type_of(value)}")
    return value


def _mapping(envelope: JSONObject, key: str) -> JSONObject:
    """A map that may be missing."""
    return _object(envelope, key) or {}


def _object(envelope: JSONObject, key: str) -> JSONObject | None:
    value = envelope.get(key)
    if value is not None and not isinstance(value, dict):
        raise EnvelopeError(f"request.{key} must be an object, not {_type_of(value)}")
    return value


def _type_of(value: JSONValue) -> str:
    names = {dict: "an object", list: "a list", str: "a string", bool: "a boolean", type(None): "null"}
    return names.get(type(value), "a number")


def _shown(value: JSONValue) -> str:
    """A value in a message, as long as it is a short text."""
    return repr(value[:64]) if isinstance(value, str) else _type_of(value)
