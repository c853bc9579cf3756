"""What `weighbridge doctor` reports about a webhook that is called by URL: the result of its own handshake, and the meaning of each
reason.
"""

from __future__ import annotations

import asyncio
import ssl
from base64 import b64encode
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.command_line import run
from weighbridge.webhook.doctor.check import Check, Health
from weighbridge.webhook.doctor.handshake import handshakes
from weighbridge.webhook.doctor.installed import Installed
from weighbridge.webhook.doctor.registered import Registered
from weighbridge.webhook.doctor.remedies import look, remedy

URL = "https://127.0.0.1:8443/validate"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str, str], Path]:
    """Makes certificates for a name, once for each name."""
    folder = tmp_path_factory.mktemp("certs")

    def make(directory: str, name: str) -> Path:
        if not (folder / directory).exists():
            assert run("certs", "make", str(folder / directory), "--name", name).returncode == 0
        return folder / directory

    return make


def _shaken(server: Path, bundle: bytes) -> Check:
    """The check's result for a server that listens on a free port with a folder's certificate."""

    async def shake() -> Check:
        context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        context.load_cert_chain(server / "tls.crt", server / "tls.key")
        listening = await asyncio.start_server(lambda _, writer: writer.close(), "127.0.0.1", 0, ssl=context)
        port = listening.sockets[0].getsockname()[1]
        client = {"url": f"https://127.0.0.1:{port}/validate", "caBundle": b64encode(bundle).decode()}
        ours = {"metadata": {"name": "weighbridge"}, "webhooks": [{"name": "a", "clientConfig": client}] * 2}
        async with listening:
            (check,) = await handshakes(Registered("weighbridge", [ours], [ours]), Installed())
        assert check.name == f"handshake with 127.0.0.1:{port}"
        return check

    return asyncio.run(shake())


def test_the_authority_that_is_registered_is_the_servers_own(made: Callable[[str, str], Path]) -> None:
    own, other = made("own", "127.0.0.1"), made("other", "127.0.0.1")
    found = _shaken(own, (own / "ca.crt").read_bytes())
    assert (found.health, found.found) == (Health.OK, "the registered caBundle trusts its certificate")
    found = _shaken(own, (other / "ca.crt").read_bytes())
    assert found.health is Health.PROBLEM
    assert found.found == (
        "x509: certificate signed by unknown authority: the caBundle isn't of the authority that signed the server's certificate"
    )
    assert found.run.startswith("weighbridge certs webhooks DIRECTORY --url https://127.0.0.1:")


def test_a_certificate_for_another_name_is_named(made: Callable[[str, str], Path]) -> None:
    elsewhere = made("elsewhere", "example.org")
    found = _shaken(elsewhere, (elsewhere / "ca.crt").read_bytes())
    assert found.health is Health.PROBLEM
    assert "the server's certificate is for another name" in found.found
    assert found.run.startswith("weighbridge certs make DIRECTORY --name 127.0.0.1, then ")


def test_a_bundle_that_is_no_certificate_and_a_port_that_is_closed_are_not_known() -> None:
    for bundle in ("", "bm8="):
        client = {"url": "https://127.0.0.1:1/validate", "caBundle": bundle}
        ours = {"metadata": {"name": "weighbridge"}, "webhooks": [{"name": "a", "clientConfig": client}]}
        (found,) = asyncio.run(handshakes(Registered("weighbridge", [], [ours]), Installed()))
        assert found.health is Health.UNKNOWN


@pytest.mark.parametrize(
    ("reason", "meaning", "run_by_url"),
    [
        ("dial tcp 127.0.0.1:8443: connect: connection refused", "nothing listens on 127.0.0.1:8443", "weighbridge serve, so that"),
        ("x509: certificate is valid for a, not b", "the server's certificate is for another name", "weighbridge certs make DIRECTORY"),
        ("x509: certificate has expired or is not yet valid", "", "weighbridge certs make DIRECTORY --name 127.0.0.1"),
        ("context deadline exceeded", "no answer came in time", "look at what `weighbridge serve` prints"),
        ("lookup x: no such host", "the API server finds no address for the name", "look at what `weighbridge serve` prints"),
        ("an error of another kind", "", "look at what `weighbridge serve` prints on 127.0.0.1:8443"),
    ],
)
def test_each_reason_has_its_meaning_and_what_to_run(reason: str, meaning: str, run_by_url: str) -> None:
    found, command = remedy(reason, URL, Installed())
    assert found == meaning
    assert command.startswith(run_by_url)
    assert remedy(reason, "", Installed("ns"))[1].startswith("kubectl -n ns ")


def test_the_break_glass_command_is_named_where_an_outage_refuses() -> None:
    assert "break-glass" in look("", Installed(denies=True))
    assert "break-glass" not in look("", Installed())
