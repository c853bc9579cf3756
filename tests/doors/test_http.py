"""Every case through the webhook: the mutating call, then the validating one, with the API server's own steps between them."""

from __future__ import annotations

import base64
import json
from typing import Any

import jsonpatch
import pytest

from tests.doors.applied import with_managed_fields
from tests.doors.cases import CASES, IDS, Case
from tests.e2e.comparison import rewritten
from tests.webhook.asgi import post
from weighbridge.policies.apiserver.admission import decode, redefault
from weighbridge.policies.facts import Facts
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.policies.schema.object_meta import stored_numbers
from weighbridge.webhook.server.app import create_app
from weighbridge.webhook.server.service import Service
from weighbridge.webhook.server.settings import ServerSettings


def call(service: Service, path: str, case: Case, obj: JSONObject) -> dict[str, Any]:
    """One call of the API server."""
    request = case.request()
    review = {
        "apiVersion": "admission.k8s.io/v1",
        "kind": "AdmissionReview",
        "request": {
            "uid": "case",
            "kind": {"group": request.gvk.group, "version": request.gvk.version, "kind": request.gvk.kind},
            "resource": {"group": request.gvk.group, "version": request.gvk.version, "resource": "any"},
            "name": request.name,
            "namespace": request.namespace,
            "operation": str(request.operation),
            "userInfo": {"username": "anna"},
            "object": obj,
            "oldObject": request.old_object,
            "options": {"fieldValidation": str(request.field_validation)},
        },
    }
    answer = post(create_app(service), path, json.dumps(review).encode())
    assert answer.status == 200
    response: dict[str, Any] = answer.json["response"]
    assert response["uid"] == "case"
    return response


@pytest.mark.parametrize("case", [case for case in CASES if case.expect.get("code") not in {400, 422}], ids=lambda case: case.id)
def test_webhook_answers_what_the_engine_says(case: Case) -> None:
    facts: Facts = case.facts()
    service = Service(ServerSettings(), facts, case.configuration())
    expected = case.decision
    definition = facts.definitions.get(case.request().gvk)
    assert definition is not None
    decoded = decode(case.request(), definition)
    # The API server writes 8.0 as 8 when it calls a webhook.
    sent = with_managed_fields(stored_numbers(decoded.object), case.object)
    mutated = call(service, "/mutate", case, sent)
    assert mutated["allowed"]
    patch = json.loads(base64.b64decode(mutated["patch"])) if "patch" in mutated else []
    assert patch == list(expected.patch)
    obj = jsonpatch.apply_patch(sent, patch)
    redefault(obj, definition)
    # The operator's webhook is asked, too.
    obj = rewritten(obj)
    if case.old is None:
        # A new object has these fields when validating webhooks are called.
        obj["metadata"] = {"uid": "7f9c", "creationTimestamp": "2026-08-22T09:30:00Z", **obj["metadata"]}
    validated = call(service, "/validate", case, obj)
    assert validated["allowed"] is expected.allowed
    assert "patch" not in validated
    warnings = [*decoded.warnings, *mutated.get("warnings", []), *validated.get("warnings", [])]
    assert warnings == list(expected.warnings)
    if not expected.allowed:
        assert expected.message.endswith(f"denied the request: {validated['status']['message']}")
        assert validated["status"]["details"]["causes"] == list(expected.causes)


def test_all_cases_but_those_the_api_server_refuses_are_here() -> None:
    assert len(IDS) == len(CASES)
    assert {case.expect.get("code") for case in CASES} >= {400, 403, 422}
