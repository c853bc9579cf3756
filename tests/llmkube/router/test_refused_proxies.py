"""If the API server refuses an object of a router's proxy, the router fails, and the error is at the router's field."""

from __future__ import annotations

from typing import Any

import pytest

from tests.llmkube.router.test_pools_and_routers import named, predicted
from weighbridge.policies.families.prediction import Prediction
from weighbridge.policies.ground.findings import Severity
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.policies.ground.server_release import judging, nearest

SERVICE = named("InferenceService", "a", {"modelRef": "m"}, {"readyReplicas": 1})


def of(name: str, **spec: Any) -> Prediction:
    """The prediction of a router of that name."""
    asked: JSONObject = {"backends": [{"name": "a", "inferenceServiceRef": {"name": "a"}}], **spec}
    return predicted(named("ModelRouter", name, asked), SERVICE)


def kinds(found: Prediction) -> list[str]:
    return [obj["kind"] for obj in found.objects]


def test_a_proxy_that_is_right_is_made() -> None:
    found = of("r" * 50)
    assert (kinds(found), found.failure) == (["ConfigMap", "Deployment", "Service"], "")


@pytest.mark.parametrize(
    ("name", "proxy", "words"),
    [
        ("r" * 51, {}, "metadata.labels: Invalid value"),
        ("r", {"resources": {"requests": {"cpu": "2"}, "limits": {"cpu": "1"}}}, "must be less than or equal to cpu limit of 1"),
        ("r", {"nodeSelector": {"a b": "c"}}, "spec.template.spec.nodeSelector: Invalid value"),
    ],
)
def test_a_deployment_that_the_server_refuses_ends_the_router(name: str, proxy: JSONObject, words: str) -> None:
    found = of(name, proxy=proxy)
    assert (kinds(found), found.status["phase"], found.weight) == (["ConfigMap"], "Failed", Severity.ERROR)
    [_, ended] = found.status["conditions"]
    assert (ended["reason"], ended["message"]) == ("ReconcileFailed", found.failure)
    assert found.failure.startswith('Deployment: Deployment.apps "')
    assert words in found.failure


@pytest.mark.parametrize(("version", "made"), [("1.35", ["ConfigMap", "Deployment"]), ("1.36", ["ConfigMap", "Deployment", "Service"])])
def test_a_service_of_the_proxy_begins_with_a_letter_before_1_36(version: str, made: list[str]) -> None:
    release = nearest(version)
    assert release is not None
    with judging(release):
        assert kinds(of("8b")) == made
