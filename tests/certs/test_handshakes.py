"""Real handshakes: what a client that trusts only the authority accepts, and what it refuses."""

from __future__ import annotations

import asyncio
import shutil
import ssl
import subprocess
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

import pytest

from tests.certs.conftest import NAMES
from tests.certs.loopback import client_context, client_pair, shown_certificate, tls_server
from weighbridge.certs.authority import create_authority
from weighbridge.certs.errors import CertificateError
from weighbridge.certs.pair import Pair
from weighbridge.certs.serving_certificate import issue
from weighbridge.certs.tls import ReloadingContext

Stored = Callable[[Pair, str], tuple[Path, Path]]
VERSIONS = pytest.mark.parametrize("version", [ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3], ids=lambda version: version.name)


def _context(cert_file: Path, key_file: Path) -> ssl.SSLContext:
    return ReloadingContext(cert_file, key_file).context


@VERSIONS
@pytest.mark.parametrize("name", NAMES)
def test_a_client_that_trusts_the_authority_accepts_every_name(
    name: str, version: ssl.TLSVersion, authority: Pair, serving: Pair, stored: Stored
) -> None:
    with tls_server(_context(*stored(serving, "tls"))) as port:
        assert shown_certificate(port, client_context(authority.certificate, version=version), name) == serving.certificate


@pytest.mark.parametrize(
    "name", ["weighbridge.other.svc", "example.org", "127.0.0.2", "weighbridge.admission.svc.cluster.local.example.org"]
)
def test_a_client_refuses_another_name(name: str, authority: Pair, serving: Pair, stored: Stored) -> None:
    with (
        tls_server(_context(*stored(serving, "tls"))) as port,
        pytest.raises(ssl.SSLCertVerificationError, match="mismatch"),
    ):
        shown_certificate(port, client_context(authority.certificate), name)


def test_a_client_refuses_another_authority_and_an_expired_one(
    serving: Pair, expired: tuple[Pair, Pair], stored: Stored, now: datetime
) -> None:
    stranger = create_authority(now)
    with (
        tls_server(_context(*stored(serving, "tls"))) as port,
        pytest.raises(ssl.SSLCertVerificationError, match="unable to get"),
    ):
        shown_certificate(port, client_context(stranger.certificate), "localhost")
    old, old_serving = expired
    with (
        tls_server(_context(*stored(old_serving, "old"))) as port,
        pytest.raises(ssl.SSLCertVerificationError, match="expired"),
    ):
        shown_certificate(port, client_context(old.certificate), "localhost")


def test_versions_before_1_2_are_refused(serving: Pair, stored: Stored) -> None:
    context = _context(*stored(serving, "tls"))
    assert context.minimum_version == ssl.TLSVersion.TLSv1_2
    older = {cipher["name"] for cipher in context.get_ciphers() if cipher["protocol"] != "TLSv1.3"}
    assert older
    assert all(name.startswith("ECDHE-") and ("GCM" in name or "POLY1305" in name) for name in older)


@VERSIONS
@pytest.mark.parametrize("name", ["localhost", None], ids=["with SNI", "without SNI"])
def test_a_replaced_pair_is_shown_to_the_next_connection(
    name: str | None, version: ssl.TLSVersion, authority: Pair, serving: Pair, stored: Stored, now: datetime
) -> None:
    renewed = issue(authority, NAMES, now)
    reloading = ReloadingContext(*stored(serving, "tls"))
    client = client_context(authority.certificate, version=version)
    client.check_hostname = name is not None
    with tls_server(reloading.context) as port:
        assert shown_certificate(port, client, name) == serving.certificate
        assert reloading.replace(*stored(renewed, "renewed")) == renewed.certificate == reloading.certificate
        assert shown_certificate(port, client, name) == renewed.certificate


def test_pairs_replaced_under_load_cost_no_connection(authority: Pair, now: datetime, stored: Stored) -> None:
    """The server runs in an event loop, like the webhook's, and clients connect continuously while the pair changes."""
    pairs = [stored(issue(authority, NAMES, now), f"pair-{number}") for number in range(5)]
    reloading = ReloadingContext(*pairs[0])
    client = client_context(authority.certificate)

    async def answer(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"served")
        await writer.drain()
        writer.close()

    async def call(port: int, shown: set[bytes | None]) -> None:
        for _ in range(25):
            reader, writer = await asyncio.open_connection("127.0.0.1", port, ssl=client, server_hostname="localhost")
            assert await reader.read(16) == b"served"
            shown.add(writer.get_extra_info("ssl_object").getpeercert(binary_form=True))
            writer.close()

    async def rotate(done: asyncio.Event) -> int:
        rotations = 0
        while not done.is_set():
            reloading.replace(*pairs[rotations % len(pairs)])
            rotations += 1
            await asyncio.sleep(0.001)
        return rotations

    async def scene() -> tuple[int, int]:
        server = await asyncio.start_server(answer, "127.0.0.1", 0, ssl=reloading.context)
        done, shown = asyncio.Event(), set[bytes | None]()
        async with server:
            rotating = asyncio.create_task(rotate(done))
            await asyncio.gather(*(call(server.sockets[0].getsockname()[1], shown) for _ in range(4)))
            done.set()
            return await rotating, len(shown)

    rotations, shown = asyncio.run(scene())
    assert rotations > 1
    assert shown > 1


def test_a_pair_that_does_not_fit_leaves_the_old_one_serving(authority: Pair, serving: Pair, stored: Stored, now: datetime) -> None:
    certificate, key = stored(serving, "tls")
    other_certificate, other_key = stored(issue(authority, NAMES, now), "other")
    cut = other_certificate.with_name("cut.crt")
    cut.write_bytes(other_certificate.read_bytes()[:300])
    reloading = ReloadingContext(certificate, key)
    with tls_server(reloading.context) as port:
        for files, wrong in [
            ((other_certificate, key), f"{key}: isn't the key of {other_certificate}"),
            ((cut, other_key), f"{cut}: isn't a PEM certificate, or is cut short"),
            ((other_certificate, cut.with_name("none.key")), "none.key: can't be read"),
            ((other_certificate, other_certificate), f"{other_certificate}: holds a certificate"),
        ]:
            with pytest.raises(CertificateError) as refused:
                reloading.replace(*files)
            assert wrong in str(refused.value)
            assert shown_certificate(port, client_context(authority.certificate), "localhost") == serving.certificate
            assert reloading.certificate == serving.certificate


def test_client_certificates_are_asked_for_and_their_authority_follows_its_file(
    authority: Pair, serving: Pair, stored: Stored, tmp_path: Path, now: datetime
) -> None:
    known, unknown = create_authority(now, name="clients"), create_authority(now, name="other clients")
    ca_file = tmp_path / "clients.crt"
    ca_file.write_bytes(known.certificate_pem())
    files = stored(serving, "tls")
    reloading = ReloadingContext(*files, client_ca_file=ca_file)
    client, stranger, anonymous = (client_context(authority.certificate) for _ in range(3))
    client.load_cert_chain(*stored(client_pair(known, now), "client"))
    stranger.load_cert_chain(*stored(client_pair(unknown, now), "stranger"))
    with tls_server(reloading.context) as port:
        assert shown_certificate(port, client, "localhost") == serving.certificate
        for refused in (stranger, anonymous):
            with pytest.raises((ssl.SSLError, ConnectionError)):
                shown_certificate(port, refused, "localhost")
        ca_file.write_bytes(unknown.certificate_pem())
        reloading.replace(*files)
        assert shown_certificate(port, stranger, "localhost") == serving.certificate
        with pytest.raises((ssl.SSLError, ConnectionError)):
            shown_certificate(port, client, "localhost")


@pytest.mark.skipif(shutil.which("openssl") is None, reason="the openssl program isn't installed")
def test_openssl_verifies_the_chain_strictly(authority: Pair, serving: Pair, stored: Stored) -> None:
    ca, _ = stored(authority, "ca")
    certificate, _ = stored(serving, "tls")
    command = ["openssl", "verify", "-x509_strict", "-purpose", "sslserver", "-verify_hostname", NAMES[2], "-CAfile", ca, certificate]
    verified = subprocess.run(list(map(str, command)), capture_output=True, text=True, timeout=30)
    assert (verified.returncode, verified.stdout.strip()) == (0, f"{certificate}: OK"), verified.stderr
