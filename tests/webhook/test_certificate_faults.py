"""A certificate that clients refuse: shown in the log, the metrics and the readiness, until a good one is there."""

from __future__ import annotations

import asyncio
import logging
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from tests.e2e.process import WEIGHBRIDGE
from tests.webhook.serving import run_serve, started, wait_for
from weighbridge.certs.pair import Pair, sign, start_certificate
from weighbridge.certs.serving_certificate import alternative_names
from weighbridge.certs.serving_faults import CertificateFault
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.webhook.server.certificates import ServingCertificate
from weighbridge.webhook.server.metrics import Metrics
from weighbridge.webhook.server.registered_names import registered_names
from weighbridge.webhook.server.service import Readiness

NOW: Final = datetime(2026, 5, 1, 12, tzinfo=UTC)
DAY: Final = timedelta(days=1)
NAME: Final = "weighbridge.weighbridge-system.svc"


def _pair(begin: datetime, end: datetime, name: str = NAME, *, usage: x509.ObjectIdentifier = ExtendedKeyUsageOID.SERVER_AUTH) -> Pair:
    """A self-signed certificate with its key."""
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "x")])
    # A generated certificate is valid from an hour before, since clocks differ.
    builder = (
        start_certificate(subject, key, begin + timedelta(hours=1), end)
        .issuer_name(subject)
        .add_extension(x509.SubjectAlternativeName(alternative_names([name])), critical=False)
        .add_extension(x509.ExtendedKeyUsage([usage]), critical=False)
    )
    return Pair(sign(builder, key), key)


def _put(directory: Path, pair: Pair) -> Path:
    """Replaces the pair of a directory."""
    directory.mkdir(exist_ok=True)
    for name, data in (("tls.crt", pair.certificate_pem()), ("tls.key", pair.key_pem())):
        (directory / f"{name}.new").write_bytes(data)
        (directory / f"{name}.new").replace(directory / name)
    return directory


class Watched:
    """A serving certificate with its log and metrics, and a clock that tests move."""

    def __init__(self, directory: Path, pair: Pair) -> None:
        self.now, self.metrics, self.readiness = NOW, Metrics(), Readiness()
        self.directory = _put(directory, pair)
        self.certificate = ServingCertificate(directory, self.metrics, names=[NAME], readiness=self.readiness, clock=lambda: self.now)

    def put(self, pair: Pair) -> None:
        """Replaces the pair, and lets the certificate notice it."""
        _put(self.directory, pair)
        self.certificate.refresh()

    @property
    def faults(self) -> set[str]:
        """The faults that the metrics show."""
        value = self.metrics.registry.get_sample_value
        return {fault for fault in CertificateFault if value("weighbridge_certificate_fault", {"fault": fault})}

    def reloads(self, result: str) -> float | None:
        """How often the files were read again, with this result."""
        return self.metrics.registry.get_sample_value("weighbridge_certificate_reloads_total", {"result": result})


GOOD: Final = (NOW - DAY, NOW + DAY)
BAD: Final = {
    "expired": (_pair(NOW - 2 * DAY, NOW - DAY), "expired on 2026-04-30 12:00 UTC; issue a new one"),
    "not_yet_valid": (_pair(NOW + DAY, NOW + 2 * DAY), "isn't valid before 2026-05-02 12:00 UTC; check this machine's clock"),
    "wrong_name": (_pair(*GOOD, "weighbridge.other.svc"), f"doesn't hold {NAME} among its subject alternative names"),
    "wrong_use": (_pair(*GOOD, usage=ExtendedKeyUsageOID.CLIENT_AUTH), "isn't meant for servers"),
}


@pytest.mark.parametrize("fault", BAD)
def test_certificate_that_clients_refuse_is_told_until_a_good_one_is_there(
    tmp_path: Path, fault: str, caplog: pytest.LogCaptureFixture
) -> None:
    pair, said = BAD[fault]
    watched = Watched(tmp_path, pair)
    watched.certificate.refresh()
    (record,) = caplog.records
    assert (record.levelno, record.getMessage().startswith(f"clients refuse the certificate: {tmp_path}/tls.crt: {said}")) == (
        logging.ERROR,
        True,
    )
    assert watched.faults == {fault}
    (reason,) = watched.readiness.reasons
    assert reason.startswith(f"certificate: {tmp_path}/tls.crt: {said}")
    assert watched.readiness.awaited == "", "who calls all the same is answered"
    watched.put(_pair(*GOOD))
    assert (watched.faults, watched.readiness.reasons) == (set(), [])


def test_certificate_that_expires_while_it_is_served_is_told(tmp_path: Path) -> None:
    watched = Watched(tmp_path, _pair(*GOOD))
    watched.now = NOW + DAY
    watched.certificate.refresh()
    assert (watched.faults, watched.readiness.reasons) == (set(), [])
    watched.now += timedelta(seconds=1)
    watched.certificate.refresh()
    assert watched.faults == {"expired"}
    assert len(watched.readiness.reasons) == 1


@pytest.mark.parametrize(("minutes", "faults"), [(4, set()), (6, {"not_yet_valid"})])
def test_clock_that_is_a_little_behind_makes_no_certificate_bad(tmp_path: Path, minutes: int, faults: set[str]) -> None:
    assert Watched(tmp_path, _pair(NOW + timedelta(minutes=minutes), NOW + DAY)).faults == faults


@pytest.mark.parametrize("fault", BAD)
def test_good_certificate_stays_where_a_bad_one_would_follow(tmp_path: Path, fault: str) -> None:
    watched = Watched(tmp_path, _pair(*GOOD))
    watched.put(BAD[fault][0])
    watched.certificate.refresh()
    assert (watched.reloads("loaded"), watched.reloads("refused")) == (0, 1)
    assert (watched.faults, watched.readiness.reasons) == (set(), [])


def test_certificate_is_taken_up_once_its_time_has_come(tmp_path: Path) -> None:
    watched = Watched(tmp_path, _pair(*GOOD))
    watched.put(_pair(NOW + timedelta(hours=2), NOW + 3 * DAY))
    assert (watched.reloads("loaded"), watched.reloads("refused")) == (0, 1)
    watched.now += timedelta(hours=3)
    watched.certificate.refresh()
    assert (watched.reloads("loaded"), watched.reloads("refused")) == (1, 1)
    watched.now = NOW + 2 * DAY
    watched.certificate.refresh()
    assert watched.readiness.reasons == []


def test_bad_certificate_follows_a_bad_one(tmp_path: Path) -> None:
    watched = Watched(tmp_path, BAD["expired"][0])
    watched.put(BAD["wrong_name"][0])
    assert watched.faults == {"wrong_name"}


def test_expected_names_may_change(tmp_path: Path) -> None:
    watched = Watched(tmp_path, _pair(*GOOD))
    watched.certificate.expect(["other.example", "10.0.0.1"])
    assert watched.faults == {"wrong_name"}
    assert "doesn't hold other.example, 10.0.0.1 among" in watched.readiness.reasons[0]
    watched.certificate.expect([])
    assert watched.faults == set()


_SERVE: Final = ("--host", "127.0.0.1", "--port", "0", "--health-port", "0", "--reload-seconds", "0.1", "--drain-seconds", "0")


def test_server_with_an_expired_certificate_is_not_ready_until_it_has_another(tmp_path: Path) -> None:
    now = datetime.now(UTC)
    directory = _put(tmp_path, _pair(now - 2 * DAY, now - DAY))
    with started(directory, [WEIGHBRIDGE, "serve", *_SERVE, "--cert-dir", str(directory), "--serving-name", NAME]) as server:
        line = server.logged("clients refuse the certificate")
        assert (line["level"], "expired on" in line["message"]) == ("error", True)
        status, said = server.page("/readyz")
        assert (status, said.startswith(f"certificate: {directory}/tls.crt: expired on")) == (503, True)
        assert server.metric('weighbridge_certificate_fault{fault="expired"}') == 1
        assert server.metric("weighbridge_ready") == 0
        assert server.page("/livez")[0] == 200
        _put(directory, _pair(now - DAY, datetime.now(UTC) + timedelta(seconds=10)))
        server.logged("the certificate is good again")
        assert server.page("/readyz")[0] == 200
        # It expires soon.
        wait_for(lambda: server.page("/readyz")[0] == 503)


@pytest.mark.parametrize("name", ["https://x", "a b", ""])
def test_serving_name_that_is_none_is_refused(tmp_path: Path, name: str) -> None:
    directory = _put(tmp_path, _pair(datetime.now(UTC) - DAY, datetime.now(UTC) + DAY))
    answer = run_serve("--cert-dir", str(directory), "--serving-name", name)
    assert (answer.returncode, answer.stderr.count("\n")) == (2, 1)
    assert answer.stderr.startswith(f"Error: {name!r}: is neither a DNS name nor an IP address")


def test_key_of_another_certificate_is_refused_at_the_start(tmp_path: Path) -> None:
    now = datetime.now(UTC)
    directory = _put(tmp_path, _pair(now - DAY, now + DAY))
    (directory / "tls.key").write_bytes(_pair(now - DAY, now + DAY).key_pem())
    answer = run_serve("--cert-dir", str(directory))
    assert (answer.returncode, answer.stderr) == (
        2,
        f"Error: {directory}/tls.key: isn't the key of {directory}/tls.crt; the two must be made and copied together\n",
    )


class Configurations:
    """An API server with webhook configurations, by their plurals."""

    def __init__(self, **clients: list[JSONObject]) -> None:
        self._clients = clients

    async def get(self, path: str, **query: str | int) -> JSONObject:
        assert query == {"fieldSelector": "metadata.name=weighbridge"}
        group, _, plural = path.rpartition("/")
        assert group == "/apis/admissionregistration.k8s.io/v1"
        clients = self._clients.get(plural.removesuffix("webhookconfigurations"))
        return {"items": [] if clients is None else [{"webhooks": [{"clientConfig": client} for client in clients]}]}


SERVICE: Final[JSONObject] = {"service": {"name": "weighbridge", "namespace": "weighbridge-system", "port": 443, "path": "/validate"}}


@pytest.mark.parametrize(
    ("server", "names"),
    [
        (Configurations(), []),
        (Configurations(mutating=[SERVICE, SERVICE], validating=[SERVICE]), [NAME]),
        (Configurations(validating=[{"url": "https://Hook.example:8443/x/validate"}]), ["hook.example"]),
        (Configurations(validating=[{"url": "https://[::1]:8443"}, {"url": "https://["}, {}]), ["::1"]),
    ],
    ids=["none", "service", "url", "address"],
)
def test_names_are_those_that_the_api_server_calls(server: Configurations, names: list[str]) -> None:
    assert asyncio.run(registered_names(server)) == names
