"""Incoming bodies: reviews, and bodies that only claim to be one."""

from __future__ import annotations

import json

import pytest
from starlette.types import ASGIApp

from tests.webhook.asgi import post
from tests.webhook.reviews import UID, Judge, envelope, model, request, review
from weighbridge.policies.ground.objects import FieldValidation, GroupVersionKind, GroupVersionResource, JSONObject, JSONValue, Operation
from weighbridge.policies.verdict.engine import Phase
from weighbridge.webhook.server.review import read_head

_REVIEW = {"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview"}


def test_request_reaches_the_engine_as_it_was_sent(app: ASGIApp, judge: Judge) -> None:
    old = model(source="https://models.example/old.gguf")
    body = review(model(), operation="UPDATE", oldObject=old, dryRun=True, subResource="status")
    assert post(app, "/mutate", body).json["response"] == {"uid": UID, "allowed": True}
    seen = judge.seen[0]
    assert judge.phases == [Phase.MUTATE]
    assert seen.operation is Operation.UPDATE
    assert seen.gvk == GroupVersionKind("inference.llmkube.dev", "v1alpha1", "Model")
    assert (seen.object, seen.old_object) == (model(), old)
    assert (seen.subresource, seen.namespace, seen.name) == ("status", "team-a", "llama")
    assert seen.resource == GroupVersionResource("inference.llmkube.dev", "v1alpha1", "models")
    assert seen.user_info == {"username": "anna", "groups": ["system:authenticated"]}
    assert seen.dry_run is True
    assert seen.field_validation is FieldValidation.STRICT


def test_object_that_is_yet_to_be_named_is_judged(app: ASGIApp, judge: Judge) -> None:
    nameless = {key: value for key, value in request(model(name=None)).items() if key != "name"}
    assert post(app, "/validate", envelope(nameless)).json["response"]["allowed"] is True
    assert judge.seen[0].name == ""
    assert judge.phases == [Phase.VALIDATE]


@pytest.mark.parametrize("operation", ["DELETE", "CONNECT"])
def test_deletion_needs_no_object(app: ASGIApp, judge: Judge, operation: str) -> None:
    body = envelope(request(operation=operation) | {"object": None, "oldObject": model(), "options": None, "userInfo": None})
    assert post(app, "/validate", body).json["response"]["allowed"] is True
    assert judge.seen[0].object is None


def test_whole_number_beyond_64_bits_becomes_a_float_as_in_go(app: ASGIApp, judge: Judge) -> None:
    numbers = {"most": 2**63 - 1, "more": 2**63, "muchMore": 2**64, "least": -(2**63), "list": [2**63, [2**63]], "truth": True}
    post(app, "/validate", review(model(numbers=numbers)))
    seen = judge.seen[0].object["spec"]["numbers"]
    floats = {"more": float(2**63), "muchMore": float(2**64), "list": [float(2**63), [float(2**63)]]}
    assert seen == numbers | floats
    assert [type(seen[key]) for key in ("most", "more", "muchMore", "least", "truth")] == [int, float, float, int, bool]
    assert type(seen["list"][1][0]) is float


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (b"", "isn't JSON"),
        (b"{", "isn't JSON"),
        (b'{"a": NaN}', "isn't JSON"),
        (b'{"a": "\\ud800"}', "isn't JSON"),
        (b'{"a": "\xff"}', "isn't JSON"),
        (b"\xef\xbb\xbf{}", "isn't JSON"),
        (b'{"a": 1e999}', "isn't JSON"),
        (b"[" * 100_000, "isn't JSON"),
        (b'{"a":' * 20_000, "isn't JSON"),
        (b"null", "must be an AdmissionReview, not null"),
        (b"[]", "must be an AdmissionReview, not a list"),
        (b"7", "must be an AdmissionReview, not a number"),
        (b"{}", "not null of null"),
        (json.dumps({"apiVersion": 1, "kind": ["AdmissionReview"], "request": {}}).encode(), "not a list of a number"),
        (json.dumps(_REVIEW | {"apiVersion": "admission.k8s.io/v1beta1"}).encode(), "AdmissionReview of admission.k8s.io/v1, not"),
        (json.dumps(_REVIEW | {"kind": "ConversionReview"}).encode(), "'ConversionReview'"),
        (json.dumps(_REVIEW).encode(), "request must be an object, not null"),
        (envelope([]), "request must be an object, not a list"),
        (envelope(True), "request must be an object, not a boolean"),
        (envelope({}), "request.uid must be a string"),
        (envelope(request(uid="")), "request.uid must be a string"),
        (envelope(request(uid=7)), "request.uid must be a string"),
    ],
)
def test_review_without_a_uid_to_answer_to_is_a_bad_call(app: ASGIApp, judge: Judge, body: bytes, message: str) -> None:
    answer = post(app, "/validate", body)
    assert answer.status == 400
    assert answer.headers["content-type"] == "application/json"
    assert message in answer.json["error"]
    assert list(answer.json) == ["error"]
    assert judge.seen == []


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"operation": "PATCH"}, "request.operation must be one of CREATE, UPDATE, DELETE, CONNECT, not 'PATCH'"),
        ({"operation": None}, "request.operation must be one of"),
        ({"operation": ["CREATE"]}, "request.operation must be one of"),
        ({"kind": None}, "request.kind must name a version and a kind"),
        ({"kind": "Model"}, "request.kind must be an object, not a string"),
        ({"kind": {"group": 1, "version": "v1", "kind": "Model"}}, "request.kind.group must be a string, not a number"),
        ({"resource": []}, "request.resource must be an object"),
        ({"resource": {"resource": {}}}, "request.resource.resource must be a string"),
        ({"name": 7}, "request.name must be a string"),
        ({"namespace": ["a"]}, "request.namespace must be a string"),
        ({"subResource": True}, "request.subResource must be a string, not a boolean"),
        ({"userInfo": "anna"}, "request.userInfo must be an object"),
        ({"options": 1.5}, "request.options must be an object, not a number"),
        ({"object": "text"}, "request.object must be an object, not a string"),
        ({"object": None}, "request.object is missing on CREATE"),
        ({"oldObject": []}, "request.oldObject must be an object"),
    ],
)
def test_malformed_request_with_a_uid_is_refused_in_a_review(
    app: ASGIApp, judge: Judge, changes: dict[str, JSONValue], message: str
) -> None:
    answer = post(app, "/mutate", envelope(request() | changes))
    assert answer.status == 200
    response = answer.json["response"]
    assert (response["uid"], response["allowed"]) == (UID, False)
    assert response["status"]["code"] == 400
    assert response["status"]["reason"] == "BadRequest"
    assert message in response["status"]["message"]
    assert judge.seen == []


@pytest.mark.parametrize("options", [None, {}, {"fieldValidation": 1}, {"fieldValidation": "Sometimes"}])
def test_field_validation_that_is_not_known_is_the_servers_default(app: ASGIApp, judge: Judge, options: JSONValue) -> None:
    post(app, "/validate", review(options=options))
    assert judge.seen[0].field_validation is FieldValidation.WARN


@pytest.mark.parametrize(
    ("body", "head"),
    [
        (review(model()), {key: value for key, value in request().items() if key not in {"object", "oldObject", "dryRun", "options"}}),
        (
            envelope({"uid": UID, "userInfo": {"extra": {"a": [', "object": ']}}, "object": None}),
            {"uid": UID, "userInfo": {"extra": {"a": [', "object": ']}}},
        ),
        (envelope({"uid": UID, "userInfo": {"extra": {"a": [], "object": []}}, "object": None}), {}),
        (envelope({"uid": UID, "padding": "x" * 70_000, "object": None}), {}),
        (envelope({"uid": "", "object": None}), {}),
        (b'{"object": {}}', {}),
        (b"\xff", {}),
    ],
    ids=["a review", "a user's text", "a user's key", "far away", "no uid", "no request", "no text"],
)
def test_the_head_of_a_review_is_read_without_its_object(body: bytes, head: JSONObject) -> None:
    assert read_head(body) == head
