"""The contents of a call and its answer, as typed dictionaries.

`review` writes answers of these types, and the OpenAPI document describes them. They have only the fields that the webhook reads or
writes. Source: k8s.io/api/admission/v1 and k8s.io/apimachinery, meta/v1.
"""

from __future__ import annotations

from typing import Any, Final, Literal, NotRequired

from typing_extensions import TypedDict

from weighbridge.policies.ground.objects import JSONObject
from weighbridge.webhook.dry_run_report.parts.shapes import CauseRecord

_REFERENCE: Final = "#/components/schemas/{model}"


class GroupVersionKind(TypedDict):
    """The kind of an object."""

    group: NotRequired[str]
    version: str
    kind: str


class GroupVersionResource(TypedDict):
    """The resource under which an object is served."""

    group: NotRequired[str]
    version: str
    resource: str


class AdmissionRequest(TypedDict):
    """A request to create, update, delete or connect to an object. Fields that aren't listed are ignored."""

    uid: str
    kind: GroupVersionKind
    resource: NotRequired[GroupVersionResource]
    subResource: NotRequired[str]
    name: NotRequired[str]
    namespace: NotRequired[str]
    operation: Literal["CREATE", "UPDATE", "DELETE", "CONNECT"]
    userInfo: NotRequired[dict[str, Any]]
    object: NotRequired[dict[str, Any] | None]
    oldObject: NotRequired[dict[str, Any] | None]
    dryRun: NotRequired[bool]
    options: NotRequired[dict[str, Any] | None]


class Causes(TypedDict):
    """Every reason for a refusal, with its field."""

    causes: list[CauseRecord]


class Status(TypedDict):
    """Why a request is refused."""

    status: Literal["Failure"]
    code: int
    message: str
    reason: NotRequired[str]
    details: NotRequired[Causes]


class AdmissionResponse(TypedDict):
    """The decision. A patch is a JSON Patch in base64, and comes from /mutate alone."""

    uid: str
    allowed: bool
    status: NotRequired[Status]
    warnings: NotRequired[list[str]]
    patchType: NotRequired[Literal["JSONPatch"]]
    patch: NotRequired[str]
    auditAnnotations: NotRequired[dict[str, str]]


class AdmissionReview(TypedDict):
    """A call has the request, its answer the response."""

    apiVersion: Literal["admission.k8s.io/v1"]
    kind: Literal["AdmissionReview"]
    request: NotRequired[AdmissionRequest]
    response: NotRequired[AdmissionResponse]


class CallFailure(TypedDict):
    """The reason why a call was answered without a review."""

    error: str


def reference(shape: type) -> JSONObject:
    """The `content` of a call or an answer with this body, in an OpenAPI document."""
    return {"application/json": {"schema": {"$ref": _REFERENCE.format(model=shape.__name__)}}}


def schemas() -> JSONObject:
    """The schemas to which the references point."""
    from pydantic import TypeAdapter

    # NB: if the routes had models, FastAPI would derive the schemas at every start. That takes 37 ms, half of it to import pydantic's first
    # version.
    adapters: list[tuple[type, Literal["validation"], TypeAdapter[Any]]] = [
        (shape, "validation", TypeAdapter(shape)) for shape in (AdmissionReview, CallFailure)
    ]
    _, found = TypeAdapter.json_schemas(adapters, ref_template=_REFERENCE)
    defined: JSONObject = found["$defs"]
    return defined
