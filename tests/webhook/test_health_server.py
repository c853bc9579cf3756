"""A separate thread answers the health port, whatever the loop that judges does."""

from __future__ import annotations

import asyncio
import gc
import ssl
import threading
import urllib.request
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.webhook.asgi import post
from weighbridge.webhook.server import health_server
from weighbridge.webhook.server.certificates import ServingCertificate, bring_self_signed_up_to_date
from weighbridge.webhook.server.health import create_health_app
from weighbridge.webhook.server.process import Listeners, run
from weighbridge.webhook.server.service import Service
from weighbridge.webhook.server.settings import ServerSettings
from weighbridge.webhook.server.sockets import address

_PAGES = ("/livez", "/readyz", "/healthz", "/metrics")
_PATIENCE = 30.0


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


@pytest.fixture
def listeners(service: Service) -> Listeners:
    """The sockets on which a server listens."""
    service.settings = ServerSettings(host="127.0.0.1", port=0, health_port=0, drain_seconds=0)
    return Listeners.bind(service.settings)


@pytest.mark.parametrize("is_busy", [True, False], ids=["computes", "is stuck"])
def test_pages_are_answered_while_the_loop_is_held(service: Service, context: ssl.SSLContext, listeners: Listeners, is_busy: bool) -> None:
    where, answered = address(listeners.health), []

    def ask() -> None:
        for page in _PAGES * 5:
            with urllib.request.urlopen(f"http://{where}{page}", timeout=_PATIENCE) as answer:
                answered.append(answer.status)

    async def holds_the_loop() -> None:
        asking = threading.Thread(target=ask)
        asking.start()
        # The loop is blocked until the last page has been answered.
        while is_busy and asking.is_alive():
            pass
        asking.join(_PATIENCE)
        assert answered == [200] * len(_PAGES) * 5

    async def companion() -> None:
        while service.last_turn is None:
            await asyncio.sleep(0.01)
        await holds_the_loop()

    assert run(service, listeners, context, [companion]) == 1
    assert answered == [200] * len(_PAGES) * 5


def test_a_loop_that_never_turns_again_is_not_alive(service: Service) -> None:
    service.clock, service.last_turn = lambda: 130.0, 100.0
    assert post(create_health_app(service), "/livez", b"", method="GET", headers={}).status == 200
    service.last_turn = 99.0
    for page in ("/livez", "/healthz"):
        answer = post(create_health_app(service), page, b"", method="GET", headers={})
        assert (answer.status, answer.body) == (503, b"the loop hasn't turned for 31 s\n")
    # Calls may still be answered once the loop runs again, and there may be no other replica.
    assert post(create_health_app(service), "/readyz", b"", method="GET", headers={}).status == 200


def test_the_loop_says_again_and_again_that_it_turns(
    service: Service, context: ssl.SSLContext, listeners: Listeners, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(health_server, "_BEAT_SECONDS", 0.01)
    turns: set[float | None] = set()

    async def companion() -> None:
        while len(turns) < 5:
            turns.add(service.last_turn)
            await asyncio.sleep(0.005)

    assert run(service, listeners, context, [companion]) == 1


def test_a_health_server_that_fails_ends_the_process(
    service: Service, context: ssl.SSLContext, listeners: Listeners, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def fails(*_: object) -> None:
        raise RuntimeError("no such page")

    monkeypatch.setattr(health_server.HealthServer, "_serving", fails)
    assert run(service, listeners, context) == 1
    listeners.health.close()
    assert [record.message for record in caplog.records][:2] == ["the health server failed", "a part of the server ended by itself"]
