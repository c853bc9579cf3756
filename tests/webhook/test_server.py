"""The parts of the server, without a separate process."""

from __future__ import annotations

import asyncio
import gc
import socket
import ssl
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from weighbridge.webhook.server.app import create_app
from weighbridge.webhook.server.certificates import ServingCertificate, bring_self_signed_up_to_date
from weighbridge.webhook.server.connections import http_server
from weighbridge.webhook.server.connections.places import Places
from weighbridge.webhook.server.process import Listeners, run
from weighbridge.webhook.server.service import Service
from weighbridge.webhook.server.settings import ServerSettings
from weighbridge.webhook.server.sockets import ListenError, address, listen


@pytest.fixture(autouse=True)
def _same_collection() -> Iterator[None]:
    """Restores the settings of garbage collection, which a server changes for the rest of its process."""
    thresholds = gc.get_threshold()
    yield
    gc.set_threshold(*thresholds)


@pytest.fixture
def context(service: Service, tmp_path: Path) -> ssl.SSLContext:
    """The TLS context of a server."""
    bring_self_signed_up_to_date(tmp_path, ["127.0.0.1"], datetime.now(UTC))
    return ServingCertificate(tmp_path, service.metrics).context


def _local(service: Service) -> Listeners:
    service.settings = ServerSettings(host="127.0.0.1", port=0, health_port=0, drain_seconds=0)
    return Listeners.bind(service.settings)


@pytest.mark.parametrize("ends", ["raises", "returns"])
def test_server_ends_with_an_error_when_a_part_of_it_does(
    service: Service, context: ssl.SSLContext, caplog: pytest.LogCaptureFixture, ends: str
) -> None:
    async def part() -> None:
        if ends == "raises":
            raise RuntimeError("lost the cluster")

    assert run(service, _local(service), context, [part]) == 1
    assert "a part of the server ended by itself" in caplog.text
    assert ("lost the cluster" in caplog.text) is (ends == "raises")
    assert service.readiness.draining


def test_parts_beside_the_servers_are_cancelled_at_the_end(service: Service, context: ssl.SSLContext) -> None:
    seen: list[str] = []

    async def lasting() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            seen.append("cancelled")

    async def ending() -> None:
        await asyncio.sleep(0.05)

    assert run(service, _local(service), context, [lasting, ending]) == 1
    assert seen == ["cancelled"]


def test_client_that_never_begins_the_handshake_is_let_go(
    service: Service, context: ssl.SSLContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(http_server, "HANDSHAKE_SECONDS", 0.2)
    listeners = _local(service)
    webhook, health = listeners.webhook.getsockname(), listeners.health.getsockname()
    seen: list[bytes] = []

    async def silent() -> None:
        reader, writer = await asyncio.open_connection(*webhook)
        beside, other = await asyncio.open_connection(*health)
        seen.append(await reader.read())
        # The health port speaks no TLS, and a connection to it may wait.
        other.write(b"GET /livez HTTP/1.1\r\nHost: x\r\n\r\n")
        seen.append(await beside.readline())
        writer.close()
        other.close()

    async def bounded() -> None:
        async with asyncio.timeout(20):
            await silent()

    assert run(service, listeners, context, [bounded]) == 1
    assert seen == [b"", b"HTTP/1.1 200 OK\r\n"]


def test_connections_are_kept_longer_than_the_api_server_keeps_them(service: Service, context: ssl.SSLContext) -> None:
    config = http_server.http_server(create_app(service), service.settings, Places(1, 1), context).config
    assert config.timeout_keep_alive > 90
    assert config.timeout_graceful_shutdown is not None
    assert config.timeout_graceful_shutdown > service.settings.deadline


def test_any_free_port_is_found_and_named() -> None:
    with listen("127.0.0.1", 0) as listener:
        host, _, port = address(listener).rpartition(":")
        assert (host, int(port)) == ("127.0.0.1", listener.getsockname()[1])
        with pytest.raises(ListenError, match=f"can't listen on 127.0.0.1:{port}: Address already in use"):
            listen("127.0.0.1", int(port))


@pytest.mark.skipif(not socket.has_dualstack_ipv6(), reason="this machine has no IPv6")
def test_unspecified_ipv6_address_takes_ipv4_too() -> None:
    with listen("::", 0) as listener, socket.create_connection(("127.0.0.1", listener.getsockname()[1])):
        assert address(listener).startswith("[::]:")


def test_second_address_in_use_frees_the_first() -> None:
    with listen("127.0.0.1", 0) as free:
        port = free.getsockname()[1]
    with listen("127.0.0.1", 0) as taken:
        settings = ServerSettings(host="127.0.0.1", port=port, health_port=taken.getsockname()[1])
        with pytest.raises(ListenError):
            Listeners.bind(settings)
    listen("127.0.0.1", port).close()
