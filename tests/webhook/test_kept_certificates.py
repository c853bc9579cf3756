"""The tasks for certificates and CRDs while a server runs: the Secret, the registered names, replaced files, lost checks."""

from __future__ import annotations

import asyncio
from base64 import b64encode
from collections.abc import Awaitable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from tests.webhook.held_api import HeldAPI
from weighbridge.certs import files
from weighbridge.certs.certificate_set import CertificateSet
from weighbridge.certs.rotation import RotationPolicy, create
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.webhook.cluster.kubernetes_api import APIError
from weighbridge.webhook.server import crd_losses
from weighbridge.webhook.server.certificate_secret import SharedCertificates
from weighbridge.webhook.server.certificates import ServingCertificate
from weighbridge.webhook.server.crd_losses import CRDLosses
from weighbridge.webhook.server.metrics import Metrics
from weighbridge.webhook.server.registered_names import follow_registered_names
from weighbridge.webhook.server.service import Service
from weighbridge.webhook.texts.errors import InputError
from weighbridge.webhook.texts.logs import FIELDS

NAME = "weighbridge.system.svc"
NOW = datetime.now(UTC).replace(microsecond=0)
PATH = "/api/v1/namespaces/system/secrets/tls"
NO = APIError(403, "Forbidden", "no")
GONE = APIError(0, "", "gone")


@pytest.fixture(scope="module")
def made() -> CertificateSet:
    """Valid certificates."""
    return create([NAME], NOW, RotationPolicy())


def secret(held: CertificateSet) -> JSONObject:
    """The Secret with these files."""
    return {"metadata": {"name": "tls"}, "data": {key: b64encode(text).decode() for key, text in held.as_data().items()}}


def shared(folder: Path) -> SharedCertificates:
    return SharedCertificates(folder, "system/tls", [NAME], "kubeconfig", "context", lambda: NOW)


def logged(caplog: pytest.LogCaptureFixture, logger: str = "weighbridge.certificates") -> list[tuple[str, str, Any]]:
    return [(each.levelname, each.getMessage(), getattr(each, FIELDS, None)) for each in caplog.records if each.name == logger]


def test_files_are_filled_from_the_secret(tmp_path: Path, made: CertificateSet, monkeypatch: pytest.MonkeyPatch) -> None:
    api = HeldAPI({PATH: secret(made)})
    connections = api.connected(monkeypatch)
    shared(tmp_path).begin()
    assert files.read(tmp_path).as_data() == made.as_data()
    assert (connections, api.sent, api.is_closed) == ([("kubeconfig", "context")], [], True)
    before = (tmp_path / "tls.crt").stat().st_ino
    shared(tmp_path).begin()
    assert (tmp_path / "tls.crt").stat().st_ino == before


def test_without_a_secret_one_is_made_and_served(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("INFO")
    api = HeldAPI({})
    api.connected(monkeypatch)
    shared(tmp_path).begin()
    ((method, _, body, _),) = api.sent
    assert method == "POST"
    assert body["data"] == secret(files.read(tmp_path))["data"]
    assert files.read(tmp_path).faults(NOW, [NAME]) == []
    ((level, message, fields),) = logged(caplog)
    assert (level, message) == ("INFO", "certificates written to the Secret")
    assert fields["steps"]
    # If the Secret is gone, it is written again with the served certificates.
    caplog.clear()
    shared(tmp_path).begin()
    assert api.sent[1][2]["data"] == body["data"]
    assert logged(caplog) == [("INFO", "certificates written to the Secret", {"steps": ["put back"]})]


def test_a_start_without_the_cluster_serves_what_there_is(
    tmp_path: Path, made: CertificateSet, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    HeldAPI({PATH: NO}).connected(monkeypatch)
    with pytest.raises(InputError) as caught:
        shared(tmp_path).begin()
    assert str(caught.value) == "the Secret system/tls: 403 Forbidden: no"
    files.write(tmp_path, made)
    shared(tmp_path).begin()
    said = "the Secret can't be read, the certificate of before is served"
    assert logged(caplog) == [("WARNING", said, {"reason": "403 Forbidden: no"})]


class Replying(HeldAPI):
    """An API server that gives the same reply to every request."""

    def __init__(self) -> None:
        super().__init__({})
        self.reply: JSONObject | APIError = NO

    def _reply(self, path: str) -> Any:
        if isinstance(self.reply, APIError):
            raise self.reply
        return self.reply


def rounds(monkeypatch: pytest.MonkeyPatch, api: Replying | None, replies: list[Any], task: Awaitable[None]) -> list[float]:
    """Runs a task for one round with each reply; gives its waits."""
    waits: list[float] = []
    sleep = asyncio.sleep

    async def slept(seconds: float) -> None:
        await sleep(0)
        waits.append(seconds)
        if not replies:
            raise asyncio.CancelledError
        reply = replies.pop(0)
        if api is not None:
            api.reply = reply

    async def run() -> None:
        await task

    with monkeypatch.context() as patched:
        patched.setattr(asyncio, "sleep", slept)
        with pytest.raises(asyncio.CancelledError):
            asyncio.run(run())
    return waits


def test_a_secret_is_followed_and_each_failure_told_once(
    tmp_path: Path, made: CertificateSet, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    api = Replying()
    api.connected(monkeypatch)
    waits = rounds(monkeypatch, api, [NO, NO, GONE, secret(made), GONE], shared(tmp_path).watch())
    assert waits == [10.0] * 6
    assert files.read(tmp_path).as_data() == made.as_data()
    said = "the Secret can't be kept up to date"
    assert logged(caplog) == [("WARNING", said, {"reason": reason}) for reason in ("403 Forbidden: no", "gone", "gone")]
    assert api.is_closed


def test_registered_names_are_followed_and_failures_leave_them(
    tmp_path: Path, made: CertificateSet, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    files.write(tmp_path, made)
    certificate = ServingCertificate(tmp_path, Metrics(), names=[NAME])
    expected: list[list[str]] = []
    monkeypatch.setattr(certificate, "expect", expected.append)
    api = Replying()
    api.connected(monkeypatch)
    urls = {"items": [{"webhooks": [{"clientConfig": {"url": "https://b.example/x"}}, {"clientConfig": {"url": "https://a.example"}}]}]}
    waits = rounds(monkeypatch, api, [NO, urls, NO], follow_registered_names(certificate, None, None))
    assert waits == [10.0] * 4
    assert expected == [["a.example", "b.example"]]
    said = "the name in the certificate isn't checked; --serving-name gives it"
    assert logged(caplog) == [("WARNING", said, {"reason": "403 Forbidden: no"})]
    assert api.is_closed


def test_a_certificate_that_is_replaced_is_told_with_its_end(
    tmp_path: Path, made: CertificateSet, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO")
    files.write(tmp_path, made)
    certificate = ServingCertificate(tmp_path, Metrics())
    assert rounds(monkeypatch, None, [1], certificate.watch(3.0)) == [3.0, 3.0]
    assert logged(caplog) == []
    following = create([NAME], NOW, RotationPolicy())
    files.write(tmp_path, following)
    rounds(monkeypatch, None, [1, 1], certificate.watch(3.0))
    end = following.serving.certificate.not_valid_after_utc.isoformat()
    assert logged(caplog) == [("INFO", "certificate replaced", {"notAfter": end})]


def test_a_defect_in_telling_losses_ends_nothing_and_waits_for_readiness(
    service: Service, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    looks: list[str] = []

    async def refresh(_: CRDLosses) -> None:
        looks.append(service.readiness.awaited)
        if len(looks) == 1:
            raise ValueError("defect")

    monkeypatch.setattr(crd_losses.CRDLosses, "refresh", refresh)
    assert rounds(monkeypatch, None, [1, 1], CRDLosses(service).watch(5.0)) == [5.0] * 3
    assert looks == [""] * 3
    assert logged(caplog, "weighbridge.crds") == [("ERROR", "the installed CRDs could not be compared", None)]
    service.readiness.hold("cluster", "not read yet")
    rounds(monkeypatch, None, [1, 1], CRDLosses(service).watch(5.0))
    assert len(looks) == 3


def test_a_certificate_that_lacks_a_name_is_told_until_it_is_not_expected_any_more(
    tmp_path: Path, made: CertificateSet, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO")
    files.write(tmp_path, made)
    certificate = ServingCertificate(tmp_path, Metrics())
    for names in (["other.svc"], ["other.svc"], [NAME], [NAME]):
        certificate.expect(names)
    lacks = "doesn't hold other.svc among its subject alternative names; issue one for every name that clients use"
    assert logged(caplog) == [
        ("ERROR", f"clients refuse the certificate: {tmp_path}/tls.crt: {lacks}", None),
        ("INFO", "the certificate is good again", None),
    ]
