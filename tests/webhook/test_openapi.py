"""The OpenAPI document describes the paths that both ports serve, and reviews as really received and sent."""

from __future__ import annotations

import json
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from starlette.types import ASGIApp

from tests.command_line import run
from tests.conftest import ROOT
from tests.webhook.asgi import post
from tests.webhook.reviews import Judge, review
from weighbridge.policies.ground.findings import Decision
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.webhook.server.app import create_app
from weighbridge.webhook.server.calls import STATUS
from weighbridge.webhook.server.health import create_health_app
from weighbridge.webhook.server.service import Service

CAUSE: JSONObject = {"reason": "FieldValueInvalid", "field": "spec.source", "message": "no"}
DECISIONS = {
    "allowed": Decision(allowed=True, code=200),
    "mutated": Decision(
        allowed=True, code=200, patch=({"op": "add", "path": "/spec/a", "value": 1},), warnings=("w",), audit_annotations={"a": "b"}
    ),
    "refused": Decision(allowed=False, code=403, message="no", causes=(CAUSE,)),
    "invalid": Decision(allowed=False, code=422, message="no"),
}


def document(service: Service) -> Any:
    """The document as the health port serves it."""
    answer = post(create_health_app(service), "/openapi.json", b"", method="GET")
    assert (answer.status, answer.headers["content-type"]) == (200, "application/json")
    return answer.json


def validator(service: Service, shape: str) -> Draft202012Validator:
    """Validates bodies with a schema of the document; other fields aren't allowed here."""
    schemas = document(service)["components"]["schemas"]
    for schema in schemas.values():
        schema.setdefault("additionalProperties", False)
    # Fields of requests that aren't listed are ignored.
    schemas["AdmissionRequest"]["additionalProperties"] = True
    return Draft202012Validator({"$ref": f"#/components/schemas/{shape}", "components": {"schemas": schemas}})


def test_the_document_is_the_one_that_the_command_prints_and_that_is_kept(service: Service) -> None:
    kept = json.loads((ROOT / "docs" / "schemas" / "openapi.json").read_text())
    assert json.loads(run("schema", "openapi").stdout) == kept, "run: make schemas"
    assert document(service) == kept


def test_every_route_is_described(service: Service) -> None:
    routes = [*create_app(service).routes, *create_health_app(service).routes]
    described = {path: set(operations) for path, operations in document(service)["paths"].items()}
    assert described == {route.path: {next(iter(route.methods - {"HEAD"})).lower()} for route in routes}  # type: ignore[attr-defined]


def test_every_status_of_a_call_is_described(service: Service) -> None:
    paths = document(service)["paths"]
    for path in ("/mutate", "/validate"):
        assert set(paths[path]["post"]["responses"]) == {"200", *map(str, STATUS.values())}


@pytest.mark.parametrize("path", ["/livez", "/healthz", "/readyz", "/metrics", "/openapi.json"])
def test_a_page_may_be_asked_for_its_head(service: Service, path: str) -> None:
    app = create_health_app(service)
    assert post(app, path, b"", method="HEAD").status == 200
    refused = post(app, path, b"", method="POST")
    assert (refused.status, set(refused.headers["allow"].split(", "))) == (405, {"GET", "HEAD"})


@pytest.mark.parametrize("decision", DECISIONS)
@pytest.mark.parametrize("path", ["/mutate", "/validate"])
def test_reviews_are_as_described(service: Service, app: ASGIApp, judge: Judge, path: str, decision: str) -> None:
    judge.decision = DECISIONS[decision]
    body = review()
    answer = post(app, path, body)
    validate = validator(service, "AdmissionReview").validate
    validate(json.loads(body))
    validate(answer.json)


def test_a_call_that_is_not_judged_is_answered_as_described(service: Service, app: ASGIApp) -> None:
    validator(service, "CallFailure").validate(post(app, "/mutate", b"{").json)
