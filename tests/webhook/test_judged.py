"""The two webhooks with the engine behind them, as kube-apiserver uses them: mutate, apply the patch, validate."""

from __future__ import annotations

import base64
import json
from typing import Any

import jsonpatch
import pytest
from starlette.types import ASGIApp

from tests.doors.applied import with_managed_fields
from tests.webhook.asgi import post
from tests.webhook.reviews import model, review
from weighbridge.policies.config import Configuration
from weighbridge.policies.families.configuration import parse
from weighbridge.policies.ground.findings import Decision
from weighbridge.policies.ground.objects import JSONObject, JSONValue
from weighbridge.policies.ground.request import Request
from weighbridge.policies.verdict.engine import decide
from weighbridge.webhook.inputs.facts import load_facts
from weighbridge.webhook.server.app import create_app
from weighbridge.webhook.server.service import Service
from weighbridge.webhook.server.settings import ServerSettings


@pytest.fixture(scope="module")
def app() -> ASGIApp:
    """The application as served if nothing is known about the cluster."""
    return create_app(Service(ServerSettings(), load_facts(), Configuration()))


def _amd(**gpu: JSONValue) -> JSONObject:
    gpu = {"enabled": True, "count": 1, "vendor": "amd", "runtime": "rocm"} | gpu
    # The API server's object already has the CRD's defaults, and lists the applied fields.
    return dict(with_managed_fields(model(hardware={"accelerator": "cpu", "gpu": gpu}), model(hardware={"gpu": gpu})))


def _mutated(app: ASGIApp, obj: JSONObject) -> JSONObject:
    response = post(app, "/mutate", review(obj)).json["response"]
    assert response["allowed"] is True
    patch = json.loads(base64.b64decode(response.get("patch", base64.b64encode(b"[]"))))
    return dict(jsonpatch.JsonPatch(patch).apply(obj))


def test_patch_fills_in_what_was_left_open_and_tells_the_author(app: ASGIApp) -> None:
    response = post(app, "/mutate", review(_amd())).json["response"]
    hardware = _mutated(app, _amd())["spec"]["hardware"]
    assert (hardware["accelerator"], hardware["gpu"]["resourceName"]) == ("rocm", "devic.es/dri-render")
    assert len(response["warnings"]) == 2


@pytest.mark.parametrize("obj", [model(), _amd(), _amd(resourceName="example.com/gpu"), _amd(vendor="nvidia", runtime=None)])
def test_patched_object_is_not_patched_again(app: ASGIApp, obj: JSONObject) -> None:
    once = _mutated(app, obj)
    assert _mutated(app, once) == once


def test_validation_refuses_with_causes(app: ASGIApp) -> None:
    response = post(app, "/validate", review(_amd(resourceName="-bad-/gpu"))).json["response"]
    assert response["allowed"] is False
    assert response["status"]["code"] == 403
    assert "spec.hardware.gpu.resourceName" in [cause["field"] for cause in response["status"]["details"]["causes"]]


def test_kind_of_no_family_is_allowed(app: ASGIApp) -> None:
    kind = {"group": "autoscaling", "version": "v1", "kind": "Scale"}
    for path in ("/mutate", "/validate"):
        response = post(app, path, review({"spec": {"replicas": 3}}, kind=kind, subResource="scale")).json["response"]
        assert response == {"uid": response["uid"], "allowed": True}


@pytest.mark.parametrize(
    "spec", [None, [], "text", 7, {"hardware": []}, {"hardware": {"gpu": "amd"}}, {"hardware": {"gpu": {"count": "x"}}}]
)
@pytest.mark.parametrize("path", ["/mutate", "/validate"])
def test_object_of_any_shape_gets_a_review(app: ASGIApp, path: str, spec: JSONValue) -> None:
    obj = model() | {"spec": spec, "metadata": [spec]}
    answer = post(app, path, review(obj, operation="UPDATE", oldObject=obj | {"spec": {}}))
    assert answer.status == 200
    assert "WB-000" not in answer.body.decode()


@pytest.mark.parametrize("mode", ["deny", "audit"])
@pytest.mark.parametrize("path", ["/mutate", "/validate"])
def test_an_object_that_comes_again_gets_the_same_answer_without_being_judged(path: str, mode: str) -> None:
    judged = []

    def counted(request: Request, *args: Any, **options: Any) -> Decision:
        judged.append(request.uid)
        return decide(request, *args, **options)

    service = Service(ServerSettings(), load_facts(), parse({"mode": mode}), decide=counted)
    app, obj = create_app(service), _amd(resourceName="-bad-/gpu")
    answers = [post(app, path, review(obj, uid=uid, dryRun=True)).json["response"] for uid in ("one", "two")]
    assert [answer.pop("uid") for answer in answers] == ["one", "two"]
    assert answers[0] == answers[1]
    assert set(judged) == {"one"}
    service.config = parse({"mode": mode})
    post(app, path, review(obj, uid="three", dryRun=True))
    assert set(judged) == {"one", "three"}
