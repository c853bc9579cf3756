"""Outgoing bodies: the review with a decision."""

from __future__ import annotations

import base64
import json

import jsonpatch
import pytest
from starlette.types import ASGIApp

from tests.webhook.asgi import post
from tests.webhook.reviews import UID, Judge, model, review
from weighbridge.policies.ground.findings import Decision
from weighbridge.policies.ground.objects import JSONObject

_PATCH: list[JSONObject] = [
    {"op": "add", "path": "/spec/hardware", "value": {}},
    {"op": "add", "path": "/spec/hardware/a~1b~0c", "value": [1, {"ü": None}]},
]


def _response(app: ASGIApp, path: str) -> JSONObject:
    answer = post(app, path, review())
    assert (answer.status, answer.headers["content-type"]) == (200, "application/json")
    body: JSONObject = answer.json
    assert {key: body[key] for key in ("apiVersion", "kind")} == {"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview"}
    assert sorted(body) == ["apiVersion", "kind", "response"]
    response: JSONObject = body["response"]
    assert response["uid"] == UID
    return response


def test_refusal_carries_code_reason_message_and_causes(app: ASGIApp, judge: Judge) -> None:
    causes: list[JSONObject] = [{"reason": "FieldValueInvalid", "message": "too many", "field": "spec.count"}]
    judge.decision = Decision(allowed=False, code=403, message="spec.count: too many (X-1)", causes=causes, patch=_PATCH)
    assert _response(app, "/mutate") == {
        "uid": UID,
        "allowed": False,
        "status": {
            "status": "Failure",
            "code": 403,
            "message": "spec.count: too many (X-1)",
            "reason": "Forbidden",
            "details": {"causes": causes},
        },
    }


def test_refusal_of_an_invalid_object_names_no_reason_so_that_the_message_is_shown(app: ASGIApp, judge: Judge) -> None:
    judge.decision = Decision(allowed=False, code=422, message="no")
    assert _response(app, "/validate")["status"] == {"status": "Failure", "code": 422, "message": "no"}


def test_patch_leads_to_the_mutated_object(app: ASGIApp, judge: Judge) -> None:
    judge.decision = Decision(allowed=True, code=201, patch=_PATCH)
    response = _response(app, "/mutate")
    assert response["patchType"] == "JSONPatch"
    operations = json.loads(base64.b64decode(response["patch"], validate=True))
    patched = jsonpatch.JsonPatch(operations).apply(model())
    assert patched == model(hardware={"a/b~c": [1, {"ü": None}]})


def test_validating_webhook_sends_no_patch(app: ASGIApp, judge: Judge) -> None:
    judge.decision = Decision(allowed=True, code=201, patch=_PATCH)
    assert _response(app, "/validate") == {"uid": UID, "allowed": True}


@pytest.mark.parametrize("path", ["/mutate", "/validate"])
def test_warnings_and_audit_annotations_go_out_from_both(app: ASGIApp, judge: Judge, path: str) -> None:
    judge.decision = Decision(allowed=True, code=201, warnings=["one", "two\nlines", "one"], audit_annotations={"rules": "X-1"})
    assert _response(app, path) == {
        "uid": UID,
        "allowed": True,
        "warnings": ["one", "two lines"],
        "auditAnnotations": {"rules": "X-1"},
    }
