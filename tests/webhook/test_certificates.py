"""The serving certificate while the server runs."""

from __future__ import annotations

import http.client
import ssl
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from tests.webhook.load import Load
from tests.webhook.reviews import review
from tests.webhook.serving import Server, ask, serving, wait_for
from weighbridge.certs import files
from weighbridge.certs.authority import create_authority
from weighbridge.certs.certificate_set import CertificateSet
from weighbridge.certs.errors import CertificateError
from weighbridge.certs.pair import Pair, sign, start_certificate
from weighbridge.certs.serving_certificate import issue
from weighbridge.webhook.server.certificates import ServingCertificate, bring_self_signed_up_to_date, has_files
from weighbridge.webhook.server.metrics import Metrics

_RELOADS = "weighbridge_certificate_reloads_total"


def _next(directory: Path) -> Pair:
    """Another serving pair, signed by the directory's own authority."""
    return issue(files.read(directory).authority(), ["127.0.0.1"], datetime.now(UTC))


def _put(path: Path, data: bytes) -> None:
    """Replaces the whole file: its stamp then differs even within one tick of the file system's clock."""
    fresh = path.with_suffix(".new")
    fresh.write_bytes(data)
    fresh.replace(path)


def _reloads(metrics: Metrics) -> list[float | None]:
    return [metrics.registry.get_sample_value(_RELOADS, {"result": result}) for result in ("loaded", "refused")]


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    """A directory with a CA and a certificate for the loopback address."""
    bring_self_signed_up_to_date(tmp_path / "tls", ["127.0.0.1"], datetime.now(UTC))
    return tmp_path / "tls"


def test_files_that_did_not_change_are_not_read_again(directory: Path) -> None:
    metrics = Metrics()
    ServingCertificate(directory, metrics).refresh()
    assert _reloads(metrics) == [0, 0]


def test_new_pair_is_taken_up_only_when_both_files_are_there(directory: Path, caplog: pytest.LogCaptureFixture) -> None:
    metrics = Metrics()
    certificate = ServingCertificate(directory, metrics)
    pair = _next(directory)
    _put(directory / "tls.crt", pair.certificate_pem())
    certificate.refresh()
    assert _reloads(metrics) == [0, 1]
    assert "tls.key" in caplog.text
    certificate.refresh()
    assert _reloads(metrics) == [0, 1]
    _put(directory / "tls.key", pair.key_pem())
    certificate.refresh()
    assert _reloads(metrics) == [1, 1]
    not_after = metrics.registry.get_sample_value("weighbridge_certificate_not_after_timestamp_seconds")
    assert not_after == pair.certificate.not_valid_after_utc.timestamp()


@pytest.mark.parametrize("content", [b"", b"nonsense", None], ids=["empty", "nonsense", "gone"])
def test_unusable_file_leaves_the_certificate_in_place(directory: Path, content: bytes | None) -> None:
    metrics = Metrics()
    certificate = ServingCertificate(directory, metrics)
    context = certificate.context
    if content is None:
        (directory / "tls.key").unlink()
    else:
        _put(directory / "tls.key", content)
    certificate.refresh()
    assert _reloads(metrics) == [0, 1]
    assert certificate.context is context


def test_first_start_makes_a_ca_and_a_certificate_and_the_next_keeps_them(tmp_path: Path) -> None:
    assert not has_files(tmp_path)
    bring_self_signed_up_to_date(tmp_path, ["hook.example", "::1"], datetime.now(UTC))
    made = files.read(tmp_path).as_data()
    assert files.read(tmp_path).faults(datetime.now(UTC), ["hook.example", "::1"]) == []
    bring_self_signed_up_to_date(tmp_path, ["hook.example"], datetime.now(UTC))
    assert files.read(tmp_path).as_data() == made


def test_start_renews_a_certificate_that_is_about_to_end_with_the_same_ca(directory: Path) -> None:
    before = files.read(directory)
    bring_self_signed_up_to_date(directory, ["127.0.0.1"], datetime.now(UTC) + timedelta(days=300))
    after = files.read(directory)
    assert after.authorities == before.authorities
    assert after.serving.certificate != before.serving.certificate


def test_certificates_of_someone_else_are_not_replaced(tmp_path: Path) -> None:
    now = datetime.now(UTC)
    authority = create_authority(now)
    theirs = CertificateSet((authority.certificate,), None, issue(authority, ["other.example"], now))
    files.write(tmp_path, theirs)
    with pytest.raises(CertificateError, match=r"ca\.key"):
        bring_self_signed_up_to_date(tmp_path, ["127.0.0.1"], now)
    assert files.read(tmp_path).as_data() == theirs.as_data()


def test_certificate_is_replaced_under_load_without_an_error(tmp_path: Path) -> None:
    with serving(tmp_path, ["--reload-seconds", "0.05"]) as server:
        kept = server.connect()
        assert ask(kept, review())[0] == 200
        first = _served(server)
        load = Load(server)
        threads = [*load.start(2), *load.start(2, reconnect=True)]
        for _ in range(5):
            last = _replaced(tmp_path, server, load)
        _put(tmp_path / "tls.key", b"broken")
        server.logged("certificate files can't be used")
        assert _served(server) == last != first
        load.stop.set()
        for thread in threads:
            thread.join()
        assert load.lost == []
        assert ask(kept, review())[0] == 200
        kept.close()
        wait_for(lambda: server.metric(f'{_RELOADS}{{result="refused"}}') >= 1)
        assert server.metric(f'{_RELOADS}{{result="loaded"}}') == 5


def _replaced(directory: Path, server: Server, load: Load) -> x509.Certificate:
    """Puts another certificate there, and waits until it has been served for some calls."""
    pair = _next(directory)
    _put(directory / "tls.crt", pair.certificate_pem())
    _put(directory / "tls.key", pair.key_pem())
    wait_for(lambda: _served(server) == pair.certificate)
    before = load.answered
    wait_for(lambda: load.lost or load.answered > before + 20)
    return pair.certificate


def _served(server: Server) -> x509.Certificate:
    """The certificate that a new connection gets."""
    connection = server.connect()
    connection.connect()
    pem = ssl.DER_cert_to_PEM_cert(connection.sock.getpeercert(binary_form=True) or b"")
    connection.close()
    return x509.load_pem_x509_certificate(pem.encode())


def test_client_needs_a_certificate_where_its_authority_is_named(tmp_path: Path) -> None:
    client = _client_certificate()
    (tmp_path / "client.crt").write_bytes(client.certificate_pem())
    (tmp_path / "client.key").write_bytes(client.key_pem())
    with serving(tmp_path / "tls", ["--client-ca", str(tmp_path / "client.crt")]) as server:
        with pytest.raises((ssl.SSLError, ConnectionError)):
            server.call(review())
        known = server.trust()
        known.load_cert_chain(tmp_path / "client.crt", tmp_path / "client.key")
        connection = http.client.HTTPSConnection("127.0.0.1", server.port, context=known, timeout=30)
        assert ask(connection, review())[0] == 200
        connection.close()
        assert server.page("/readyz")[0] == 200


def _client_certificate() -> Pair:
    """A self-signed certificate that clients may use."""
    key, now = ec.generate_private_key(ec.SECP256R1()), datetime.now(UTC)
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "kube-apiserver")])
    builder = start_certificate(name, key, now, now + timedelta(days=1)).issuer_name(name)
    usage = x509.ExtendedKeyUsage([ExtendedKeyUsageOID.CLIENT_AUTH])
    return Pair(sign(builder.add_extension(usage, critical=False), key), key)
