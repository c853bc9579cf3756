"""Reads the engine's request from an AdmissionReview ``admission.k8s.io/v1``, and writes its decision as one.

Source: https://kubernetes.io/docs/reference/access-authn-authz/extensible-admission-controllers/ and k8s.io/api/admission/v1.
"""

from __future__ import annotations

from base64 import b64encode
from typing import Final, cast

from weighbridge.policies.ground.expressions import expression
from weighbridge.policies.ground.findings import Decision
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.policies.verdict.engine import Phase
from weighbridge.webhook.dry_run_report.parts.shapes import CauseRecord
from weighbridge.webhook.server.admission_v1 import AdmissionResponse, AdmissionReview, Status
from weighbridge.webhook.server.calls import CallError, TurnedAway
from weighbridge.webhook.server.envelope import shown, type_of
from weighbridge.webhook.server.user_warnings import fit
from weighbridge.webhook.texts.json_text import JSONTextError, dumps, loads

API_VERSION: Final = "admission.k8s.io/v1"
#: The beginning of a review's object. It can't occur within a string, where the quotes would be escaped.
_OBJECT: Final = expression(rb',\s*"object"\s*:')
#: More bytes than a review's head has.
_HEAD_BYTES: Final = 64 * 1024
KIND: Final = "AdmissionReview"
# 422 has no reason on purpose: for Invalid, kubectl prints only the causes, and not who refused and why.
_REASONS: Final = {400: "BadRequest", 403: "Forbidden", 500: "InternalError"}


def read_review(body: bytes) -> JSONObject:
    """The `request` of a review. It has a uid; otherwise no review could answer it, and this raises CallError."""
    try:
        review = loads(body)
    except JSONTextError as error:
        raise CallError(TurnedAway.MALFORMED, f"the body isn't JSON: {error}") from error
    if not isinstance(review, dict):
        raise CallError(TurnedAway.MALFORMED, f"the body must be an {KIND}, not {type_of(review)}")
    found = review.get("apiVersion"), review.get("kind")
    if found != (API_VERSION, KIND):
        raise CallError(TurnedAway.MALFORMED, f"the body must be an {KIND} of {API_VERSION}, not {shown(found[1])} of {shown(found[0])}")
    request = review.get("request")
    if not isinstance(request, dict):
        raise CallError(TurnedAway.MALFORMED, f"request must be an object, not {type_of(request)}")
    uid = request.get("uid")
    if not isinstance(uid, str) or not uid:
        raise CallError(TurnedAway.MALFORMED, "request.uid must be a string that isn't empty")
    return request


def read_head(body: bytes) -> JSONObject:
    """The `request` of a review up to its object.

    This is fast even if the object is large. Empty if the beginning of the object isn't found. kube-apiserver writes uid, kind, name,
    namespace, operation and user before the object, in the order of the Go fields.
    """
    found = _OBJECT.search(body, 0, _HEAD_BYTES)
    try:
        return read_review(body[: found.start()] + b"}}") if found is not None else {}
    except CallError:
        return {}


def answer(uid: str, decision: Decision, phase: Phase) -> bytes:
    """The review with the decision. Only the mutating webhook sends a patch, since a validating one may not."""
    response: AdmissionResponse = {"uid": uid, "allowed": decision.allowed}
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
    review: AdmissionReview = {"apiVersion": API_VERSION, "kind": KIND, "response": response}
    return dumps(review)


def _status(decision: Decision) -> Status:
    status: Status = {"status": "Failure", "code": decision.code, "message": decision.message}
    reason = _REASONS.get(decision.code)
    if reason is not None:
        status["reason"] = reason
    if decision.causes:
        status["details"] = {"causes": [cast("CauseRecord", cause) for cause in decision.causes]}
    return status
