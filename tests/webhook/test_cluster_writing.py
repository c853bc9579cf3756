"""The writes to a cluster: the certificates in the Secret, the caBundle in the registration, and nothing else in either."""

from __future__ import annotations

import asyncio
from base64 import b64encode
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from tests.webhook.held_api import HeldAPI
from weighbridge.certs import files
from weighbridge.certs.bundle import bundle
from weighbridge.certs.rotation import RotationPolicy, create
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.webhook.cluster.kubernetes_api import APIError
from weighbridge.webhook.cluster.writes import CertificateSecret, publish_bundle, published_bundles
from weighbridge.webhook.server import ca_bundle
from weighbridge.webhook.server.ca_bundle import keep_registered
from weighbridge.webhook.server.service import Service
from weighbridge.webhook.texts.logs import FIELDS

FOLDER = "/api/v1/namespaces/system/secrets"
SECRET: JSONObject = {
    "metadata": {"name": "tls", "resourceVersion": "7"},
    "type": "Opaque",
    "data": {"ca.crt": "YQ==", "tls.key": "not base64"},
}


def written(api: HeldAPI, data: dict[str, bytes]) -> tuple[dict[str, bytes], bool]:
    """The data read from the Secret, and whether a later write is accepted."""

    async def run() -> tuple[dict[str, bytes], bool]:
        secret = CertificateSecret(api.api, "system", "tls")
        return await secret.read(), await secret.write(data)

    return asyncio.run(run())


def test_a_secret_is_replaced_as_it_was_read() -> None:
    api = HeldAPI({f"{FOLDER}/tls": SECRET})
    assert written(api, {"ca.crt": b"b"}) == ({"ca.crt": b"a", "tls.key": b""}, True)
    assert api.sent == [("PUT", f"{FOLDER}/tls", {**SECRET, "data": {"ca.crt": "Yg=="}}, {})]


def test_a_secret_that_is_not_there_is_made() -> None:
    api = HeldAPI({})
    assert written(api, {"ca.crt": b"b"}) == ({}, True)
    made = {
        "apiVersion": "v1",
        "kind": "Secret",
        "metadata": {"name": "tls", "labels": {"app.kubernetes.io/name": "weighbridge"}},
        "data": {"ca.crt": "Yg=="},
    }
    assert api.sent == [("POST", FOLDER, made, {})]


@pytest.mark.parametrize("replies", [{}, {f"{FOLDER}/tls": SECRET}], ids=["new", "there"])
@pytest.mark.parametrize("status", [404, 409])
def test_a_secret_that_others_changed_meanwhile_is_not_written(replies: dict[str, Any], status: int) -> None:
    refusal = APIError(status, "", "changed")
    assert written(HeldAPI(replies, {"POST": refusal, "PUT": refusal}), {})[1] is False


@pytest.mark.parametrize("status", [0, 403, 422, 500])
def test_a_secret_that_may_not_be_read_or_written_is_an_error(status: int) -> None:
    refusal = APIError(status, "", "no")
    with pytest.raises(APIError) as caught:
        written(HeldAPI({}, {"POST": refusal}), {})
    assert caught.value is refusal
    with pytest.raises(APIError) as caught:
        written(HeldAPI({f"{FOLDER}/tls": refusal}), {})
    assert caught.value is refusal


# --- the registration ---

MUTATING, VALIDATING = (
    f"/apis/admissionregistration.k8s.io/v1/{plural}/weighbridge"
    for plural in ("mutatingwebhookconfigurations", "validatingwebhookconfigurations")
)


def registration(**bundles: bytes) -> JSONObject:
    """A configuration with a webhook for each bundle."""
    return {"webhooks": [{"name": name, "clientConfig": {"caBundle": b64encode(pem).decode()}} for name, pem in bundles.items()]}


@pytest.mark.parametrize(
    ("answer", "bundles"),
    [
        (registration(a=b"x", b=b""), {"a": b"x", "b": b""}),
        ({"webhooks": [{"name": "a"}, {"name": "b", "clientConfig": {"caBundle": "?"}}]}, {"a": b"", "b": b""}),
        ({"webhooks": None}, {}),
        ({}, {}),
        (APIError(404, "NotFound", "not there"), None),
    ],
)
def test_the_bundles_of_a_registration_are_read_by_webhook(answer: JSONObject | APIError, bundles: dict[str, bytes] | None) -> None:
    assert asyncio.run(published_bundles(HeldAPI({MUTATING: answer}).api, "mutatingwebhookconfigurations")) == bundles


def test_a_registration_that_may_not_be_read_is_an_error() -> None:
    with pytest.raises(APIError, match=r"^403 Forbidden: no$"):
        asyncio.run(published_bundles(HeldAPI({MUTATING: APIError(403, "Forbidden", "no")}).api, "mutatingwebhookconfigurations"))


def applied(kind: str, *names: str, pem: bytes) -> JSONObject:
    """The patch that is applied to a configuration."""
    return {
        "apiVersion": "admissionregistration.k8s.io/v1",
        "kind": kind,
        "metadata": {"name": "weighbridge"},
        "webhooks": [{"name": name, "clientConfig": {"caBundle": b64encode(pem).decode()}} for name in names],
    }


OWNED = {"fieldManager": "weighbridge", "force": "true"}


def test_a_bundle_is_applied_to_the_webhooks_that_are_there_and_to_no_other_field() -> None:
    api = HeldAPI({})
    bundles = {"a": b"", "b": b"old"}
    asyncio.run(publish_bundle(api.api, "validatingwebhookconfigurations", "ValidatingWebhookConfiguration", bundles, b"new"))
    assert api.sent == [("PATCH", VALIDATING, applied("ValidatingWebhookConfiguration", "a", "b", pem=b"new"), OWNED)]


@pytest.fixture(scope="module")
def directory(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A directory of certificates."""
    made = tmp_path_factory.mktemp("certificates")
    files.write(made, create(["weighbridge.system.svc"], datetime.now(UTC), RotationPolicy()))
    return made


def kept(
    api: HeldAPI, service: Service, directory: Path, monkeypatch: pytest.MonkeyPatch, *, rounds: int = 1, ready_after: int = 0
) -> list[float]:
    """Keeps it registered for some rounds; gives the length of each wait."""
    waits: list[float] = []
    sleep = asyncio.sleep

    async def slept(seconds: float) -> None:
        waits.append(seconds)
        if len(waits) == ready_after:
            service.readiness.release("test")
        if waits.count(10) == rounds:
            raise asyncio.CancelledError
        await sleep(0)

    monkeypatch.setattr(asyncio, "sleep", slept)
    made = api.connected(monkeypatch)
    with pytest.raises(asyncio.CancelledError):
        asyncio.run(keep_registered(service, directory, "kubeconfig", "context"))
    assert made == [("kubeconfig", "context")]
    assert api.is_closed
    return waits


def _logged(caplog: pytest.LogCaptureFixture) -> list[tuple[str, str, Any]]:
    return [(each.levelname, each.message, getattr(each, FIELDS)) for each in caplog.records if each.name == "weighbridge.registration"]


def test_both_configurations_get_the_bundle_once_the_server_is_ready(
    service: Service, directory: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO")
    own = bundle(files.read(directory).authorities)
    service.readiness.hold("test", "not yet")
    api = HeldAPI({MUTATING: registration(a=b"", b=own), VALIDATING: registration(c=own)})
    assert kept(api, service, directory, monkeypatch, ready_after=2) == [0.5, 0.5, 10.0]
    assert api.sent == [("PATCH", MUTATING, applied("MutatingWebhookConfiguration", "a", "b", pem=own), OWNED)]
    assert _logged(caplog) == [("INFO", "caBundle published", {"configuration": "mutatingwebhookconfigurations", "webhooks": 2})]


@pytest.mark.parametrize("answer", [APIError(404, "NotFound", "not there"), {"webhooks": []}])
def test_a_configuration_without_webhooks_is_left_alone(
    service: Service, directory: Path, monkeypatch: pytest.MonkeyPatch, answer: JSONObject | APIError
) -> None:
    api = HeldAPI({MUTATING: answer, VALIDATING: registration(c=b"")})
    kept(api, service, directory, monkeypatch)
    assert [path for _, path, _, _ in api.sent] == [VALIDATING]
    registered = [
        service.metrics.registry.get_sample_value("weighbridge_webhook_configuration_present", {"configuration": plural})
        for plural in ("mutatingwebhookconfigurations", "validatingwebhookconfigurations")
    ]
    assert registered == [0 if isinstance(answer, APIError) else 1, 1]


def test_a_failure_is_told_once_for_as_long_as_it_lasts(
    service: Service, directory: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    no, gone = APIError(403, "Forbidden", "no"), APIError(0, "", "gone")
    # The fourth round asks for both configurations.
    answers = iter([no, no, gone, None, None, gone])

    async def published(*_: Any) -> None:
        if answer := next(answers):
            raise answer

    monkeypatch.setattr(ca_bundle, "published_bundles", published)
    kept(HeldAPI({}), service, directory, monkeypatch, rounds=5)
    said = "the caBundle can't be published"
    reasons = ["403 Forbidden: no", "gone", "gone"]
    assert _logged(caplog) == [("WARNING", said, {"reason": reason}) for reason in reasons]
