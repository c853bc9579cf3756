"""Whatever JSON arrives, the answer has the right form, and our code doesn't fail."""

from __future__ import annotations

import json
from functools import cache

from hypothesis import given, settings
from hypothesis import strategies as st
from starlette.types import ASGIApp

from tests.webhook.asgi import post
from tests.webhook.reviews import UID, model, request
from weighbridge.policies.config import Configuration
from weighbridge.policies.ground.objects import JSONObject, JSONValue, Path, lookup, walk
from weighbridge.webhook.inputs.facts import load_facts
from weighbridge.webhook.server.app import create_app
from weighbridge.webhook.server.service import Service
from weighbridge.webhook.server.settings import ServerSettings

_TEXT = st.text(st.characters(codec="utf-8"), max_size=8)
_SCALAR = st.none() | st.booleans() | st.integers(-(2**70), 2**70) | st.floats(allow_nan=False, allow_infinity=False) | _TEXT
_JSON = st.recursive(_SCALAR, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_TEXT, inner, max_size=3), max_leaves=8)
_PATHS = st.sampled_from(["/mutate", "/validate"])


@cache
def _app() -> ASGIApp:
    return create_app(Service(ServerSettings(), load_facts(), Configuration()))


def _review() -> JSONObject:
    gpu = {"enabled": True, "count": 2, "vendor": "amd", "memory": "80Gi", "resourceClaims": [{"name": "a"}]}
    obj = model(hardware={"accelerator": "cpu", "gpu": gpu}, resources={"cpu": "1"})
    return {"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview", "request": request(obj, oldObject=model(), operation="UPDATE")}


_PLACES = [path for path, _ in walk(_review()) if path[:1] == ("request",) and path[1:] not in {(), ("uid",)}]


@given(body=_JSON, path=_PATHS)
@settings(max_examples=100)
def test_json_that_is_no_review_is_a_bad_call(body: JSONValue, path: str) -> None:
    answer = post(_app(), path, json.dumps(body).encode())
    assert answer.status == 400
    assert list(answer.json) == ["error"]


@given(changes=st.lists(st.tuples(st.sampled_from(_PLACES), _JSON), min_size=1, max_size=3), path=_PATHS)
@settings(max_examples=300)
def test_review_with_anything_anywhere_is_answered(changes: list[tuple[Path, JSONValue]], path: str) -> None:
    review = _review()
    for place, value in changes:
        _put(review, place, value)
    answer = post(_app(), path, json.dumps(review).encode())
    response = answer.json["response"]
    assert (answer.status, response["uid"]) == (200, UID)
    assert response["allowed"] is True or response["status"]["message"]
    assert "WB-000" not in answer.body.decode(), "something of ours failed"


def _put(review: JSONObject, place: Path, value: JSONValue) -> None:
    """Replaces a value, unless one of its parents was replaced before."""
    parent, last = lookup(review, place[:-1]), place[-1]
    is_there = isinstance(parent, dict if isinstance(last, str) else list) and lookup(review, place, ...) is not ...
    if is_there:
        parent[last] = value
