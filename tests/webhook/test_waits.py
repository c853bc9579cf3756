"""The waits, counts and durations that depend on a clock: of watches, bodies, calls."""

from __future__ import annotations

import asyncio
import json
import logging
import random

import pytest

from tests.webhook.asgi import post
from tests.webhook.reviews import model, request
from tests.webhook.test_reflector import INITIAL, Answer, Clock, Names, Server, bookmark
from weighbridge.policies.config import Configuration
from weighbridge.policies.facts.kinds import NODES
from weighbridge.policies.ground.findings import Decision
from weighbridge.webhook.cluster.kubernetes_api import APIError
from weighbridge.webhook.cluster.reflector import Reflector, WatchState
from weighbridge.webhook.inputs.facts import load_facts
from weighbridge.webhook.server.app import create_app
from weighbridge.webhook.server.bodies import Bodies
from weighbridge.webhook.server.calls import CallError
from weighbridge.webhook.server.service import Service
from weighbridge.webhook.server.settings import ServerSettings
from weighbridge.webhook.texts.logs import FIELDS

DOWN = APIError(500, "InternalError", "down")


def _waits(server: Server, count: int, clock: Clock | None = None) -> list[float]:
    """The first waits of a reflector; the test doesn't really wait."""
    waits: list[float] = []

    async def run() -> None:
        reflector = Reflector(NODES, server, Names(), lambda obj: obj, clock or Clock())

        async def pause(seconds: float) -> None:
            waits.append(seconds)
            await asyncio.sleep(0)

        setattr(reflector, "_pause", pause)  # noqa: B010 - a way past the real waits
        task = asyncio.ensure_future(reflector.run())
        async with asyncio.timeout(20):
            while len(waits) < count:
                await asyncio.sleep(0)
        task.cancel()

    asyncio.run(run())
    return waits[:count]


@pytest.mark.parametrize(("fortune", "share"), [(0.0, 0.5), (0.5, 0.75), (1.0, 1.0)])
def test_each_failure_doubles_the_wait_up_to_half_a_minute(monkeypatch: pytest.MonkeyPatch, fortune: float, share: float) -> None:
    monkeypatch.setattr(random, "random", lambda: fortune)
    longest = [0.8, 1.6, 3.2, 6.4, 12.8, 25.6, 30.0, 30.0]
    answers: list[Answer] = [[DOWN] for _ in range(20)]
    assert _waits(Server(*answers), 8) == pytest.approx([each * share for each in longest])


def test_what_is_read_ends_the_row_of_failures(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(random, "random", lambda: 1.0)
    server = Server([DOWN], [DOWN], [*INITIAL, DOWN], [DOWN], [bookmark(7), DOWN])
    assert _waits(server, 5) == pytest.approx([0.8, 1.6, 0.8, 1.6, 0.8])


def test_a_watch_that_ends_at_once_is_not_begun_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(random, "random", lambda: 1.0)

    class Slow(Clock):
        step = 0.1

        def __call__(self) -> float:
            self.now += self.step
            return self.now

    class Later(Slow):
        step = 1.0

    def ending() -> Server:
        return Server(INITIAL, [bookmark(7)], [bookmark(8)])

    start = Slow()
    start.now = 1000.0
    assert _waits(ending(), 2, Later()) == [0.0, 0.0]
    assert _waits(ending(), 3, start)[1:] == pytest.approx([0.8, 0.8])


def test_a_position_that_is_forgotten_once_takes_no_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(random, "random", lambda: 1.0)
    gone = APIError(410, "Expired", "too old")
    assert _waits(Server([gone], [DOWN], [gone], [APIError(404, "NotFound", "no")]), 4) == pytest.approx([0.0, 0.8, 1.6, 30.0])


class _Client:
    """A body that comes in parts."""

    def __init__(self) -> None:
        self.parts: asyncio.Queue[dict[str, object]] = asyncio.Queue()

    def send(self, size: int, *, more: bool = True) -> None:
        """Sends some bytes."""
        self.parts.put_nowait({"type": "http.request", "body": b"x" * size, "more_body": more})


@pytest.mark.parametrize(
    ("sent", "later", "goes"), [(65_536, 0.2, "first"), (0, 0.2, "first"), (262_144, 0.2, "first"), (262_144, -0.2, "second")]
)
def test_nobody_is_ahead_by_more_than_a_second(sent: int, later: float, goes: str) -> None:
    now = 100.0

    async def run() -> None:
        nonlocal now
        bodies = Bodies(1, 1_000_000, lambda: now)
        clients = {"first": _Client(), "second": _Client()}
        tasks = {}
        for name, client in clients.items():
            if name == "first" and sent:
                client.send(sent)
            tasks[name] = asyncio.ensure_future(bodies.read(client.parts.get, {}, 10))
            for _ in range(5):
                await asyncio.sleep(0)
            now += later
        with pytest.raises(CallError, match="this one was the slowest"):
            await tasks.pop(goes)
        (left,) = tasks
        clients[left].send(7, more=False)
        assert len(await tasks[left]) == 7 + (sent if left == "first" else 0)

    asyncio.run(run())


def test_bytes_that_come_steadily_keep_a_body_ahead_of_a_new_one() -> None:
    now = 100.0

    async def run() -> None:
        nonlocal now
        bodies = Bodies(2, 1_000_000, lambda: now)
        steady, idle, new = _Client(), _Client(), _Client()
        first = asyncio.ensure_future(bodies.read(steady.parts.get, {}, 10))
        await asyncio.sleep(0)
        now = 100.5
        second = asyncio.ensure_future(bodies.read(idle.parts.get, {}, 10))
        await asyncio.sleep(0)
        now = 101.0
        steady.send(65_536)
        for _ in range(5):
            await asyncio.sleep(0)
        third = asyncio.ensure_future(bodies.read(new.parts.get, {}, 10))
        with pytest.raises(CallError, match="this one was the slowest"):
            await second
        steady.send(1, more=False)
        new.send(2, more=False)
        assert (len(await first), len(await third)) == (65_537, 2)

    asyncio.run(run())


def test_a_call_is_measured_from_its_first_byte_to_its_answer(caplog: pytest.LogCaptureFixture) -> None:
    now = 5000.0

    def clock() -> float:
        nonlocal now
        now += 0.25
        return now

    decision = Decision(allowed=False, code=403, message="no")
    service = Service(ServerSettings(), load_facts(), Configuration(), clock=clock, decide=lambda *_, **__: decision)
    body = json.dumps({"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview", "request": request(model())}).encode()
    with caplog.at_level(logging.INFO, logger="weighbridge.decisions"):
        assert post(create_app(service), "/validate", body).status == 200
    # The decision falls between the second reading of the clock and the third, the answer before the fourth.
    registry = service.metrics.registry
    assert registry.get_sample_value("weighbridge_call_duration_seconds_sum", {"phase": "validate"}) == 0.75
    assert registry.get_sample_value("weighbridge_decision_duration_seconds_sum", {"phase": "validate"}) == 0.25
    assert [getattr(record, FIELDS)["ms"] for record in caplog.records] == [250.0]


@pytest.mark.parametrize(
    ("silence", "how", "age"),
    [(20.0, DOWN, 20.0), (500.0, DOWN, 500.0), (20.0, APIError(0, "Timeout", ""), 25.0), (500.0, APIError(0, "Timeout", ""), 505.0)],
)
def test_a_watch_that_broke_is_trusted_until_then_unless_it_had_died_unnoticed(silence: float, how: APIError, age: float) -> None:
    """The server answers other requests 5 seconds after the watch's last event; the age is read 5 seconds after the watch's end."""
    clock = Stopped()
    known: list[Reflector] = []

    def answer_others() -> None:
        clock.now += 5.0
        known[0].confirm()
        clock.now += silence - 5.0

    async def run() -> float:
        server = Server([*INITIAL, answer_others, how])
        known.append(Reflector(NODES, server, Names(), lambda obj: obj, clock))
        task = asyncio.ensure_future(known[0].run())
        async with asyncio.timeout(20):
            while known[0].state is not WatchState.INTERRUPTED:
                await asyncio.sleep(0)
        task.cancel()
        clock.now += 5.0
        return known[0].age()

    assert asyncio.run(run()) == age


class Stopped:
    """A clock that only tests move."""

    now = 1000.0

    def __call__(self) -> float:
        return self.now
