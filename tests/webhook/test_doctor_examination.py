"""The order of the checks of `weighbridge doctor`, and the failures after which it stops."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping

import pytest

from tests.webhook.answering_api import AnsweringAPI, Reply
from weighbridge.webhook.cluster.kubernetes_api import APIError, KubernetesAPI
from weighbridge.webhook.doctor.check import Check, Health, ok, problem, unknown
from weighbridge.webhook.doctor.examination import examine
from weighbridge.webhook.texts.errors import InputError

FORBIDDEN = APIError(403, "Forbidden", "no")
LISTS = "/apis/admissionregistration.k8s.io/v1/{}webhookconfigurations"
MUTATING, VALIDATING = LISTS.format("mutating"), LISTS.format("validating")
VERSION = {"gitVersion": "v1.36.0"}


class Closing(AnsweringAPI):
    """A server that knows whether it was closed."""

    is_closed = False

    async def close(self) -> None:
        """Notes that it was closed."""
        self.is_closed = True


def _examined(monkeypatch: pytest.MonkeyPatch, replies: Mapping[str, Reply]) -> list[Check]:
    server = Closing(replies)

    async def connect(kubeconfig: str | None, context: str | None) -> KubernetesAPI:
        assert (kubeconfig, context) == ("file", "there")
        return server.api

    monkeypatch.setattr(KubernetesAPI, "connect", connect)
    try:
        return asyncio.run(examine("file", "there", "weighbridge"))
    finally:
        assert server.is_closed


@pytest.mark.parametrize(
    ("version", "check"),
    [
        ("v1.36.0", ok("the API server", "Kubernetes v1.36.0")),
        ("v1.33.0-eks-1", ok("the API server", "Kubernetes v1.33.0-eks-1")),
        ("1.33", ok("the API server", "Kubernetes 1.33")),
        ("v2.0.0", ok("the API server", "Kubernetes v2.0.0")),
        ("v1.32.9", problem("the API server", "Kubernetes v1.32.9 is older than 1.33", "upgrade the control plane")),
        ("v0.40.0", problem("the API server", "Kubernetes v0.40.0 is older than 1.33", "upgrade the control plane")),
        ("", ok("the API server", "Kubernetes of an unknown version")),
    ],
)
def test_the_oldest_version_that_is_judged_is_1_33(monkeypatch: pytest.MonkeyPatch, version: str, check: Check) -> None:
    told = unknown("webhook configurations", str(FORBIDDEN), "run it as a user who may list them")
    assert _examined(monkeypatch, {"/version": {"gitVersion": version}, MUTATING: FORBIDDEN}) == [check, told]


def test_a_cluster_that_does_not_answer_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(InputError, match=r"^the cluster can't be reached: .*refused"):
        _examined(monkeypatch, {"/version": APIError(0, "", "refused")})
    assert _examined(monkeypatch, {"/version": FORBIDDEN}) == [unknown("the API server", str(FORBIDDEN))]


def test_without_configurations_nothing_else_is_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    found = _examined(monkeypatch, {"/version": VERSION, MUTATING: {"items": []}, VALIDATING: {"items": []}})
    names = ["the API server", "MutatingWebhookConfiguration", "ValidatingWebhookConfiguration", "other webhooks"]
    assert [check.name for check in found] == names


def test_webhooks_that_are_called_by_url_have_no_pods_to_look_at(monkeypatch: pytest.MonkeyPatch) -> None:
    ours = {"metadata": {"name": "weighbridge"}, "webhooks": [{"name": "a", "clientConfig": {"url": "https://127.0.0.1:1/validate"}}]}
    found = _examined(monkeypatch, {"/version": VERSION, MUTATING: {"items": [ours]}, VALIDATING: {"items": []}})
    assert found[-3] == ok("Service", "the webhooks are called by URL, outside of the cluster")
    assert (found[-2].name, found[-2].health) == ("handshake with 127.0.0.1:1", Health.UNKNOWN)
    assert found[-1:] == [
        problem("a call from the API server", "no validating webhook is registered", "kubectl apply -f deploy/install.yaml"),
    ]
    ours["webhooks"] = [{"name": "a", "clientConfig": {"service": {"namespace": "ns", "name": "wb"}}}]
    found = _examined(monkeypatch, {"/version": VERSION, MUTATING: {"items": []}, VALIDATING: {"items": [ours]}})
    assert [check.name for check in found][-5:] == [
        "Deployment ns/wb",
        "Service ns/wb",
        "rights of ServiceAccount ns/wb",
        "what the pods say",
        "a call from the API server",
    ]
