"""Bodies that arrive at the same time."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from itertools import count

import pytest
from starlette.types import Message

from weighbridge.webhook.server.bodies import Bodies
from weighbridge.webhook.server.calls import CallError, TurnedAway

_PATIENCE = 5.0


class _Client:
    """A client that sends the parts that the test gives it."""

    def __init__(self) -> None:
        self._messages: asyncio.Queue[Message] = asyncio.Queue()

    def send(self, body: bytes, *, more: bool = True) -> None:
        """Sends a part."""
        self._messages.put_nowait({"type": "http.request", "body": body, "more_body": more})

    async def receive(self) -> Message:
        """The message that the server reads."""
        return await self._messages.get()


class _Clock:
    """A clock that the test moves."""

    now = 100.0

    def __call__(self) -> float:
        return self.now


async def _settle() -> None:
    for _ in range(5):
        await asyncio.sleep(0)


def _run(test: Callable[[], Awaitable[None]]) -> None:
    async def bounded() -> None:
        async with asyncio.timeout(20):
            await test()

    asyncio.run(bounded())


def _start(bodies: Bodies, client: _Client) -> asyncio.Task[bytes]:
    return asyncio.ensure_future(bodies.read(client.receive, {}, _PATIENCE))


def test_body_that_has_fallen_behind_goes_before_one_that_just_began() -> None:
    async def test() -> None:
        clock = _Clock()
        bodies = Bodies(2, 1_000_000, clock)
        old, new, third = _Client(), _Client(), _Client()
        old.send(b"x" * 100)
        first = _start(bodies, old)
        await _settle()
        clock.now += 2.0
        second = _start(bodies, new)
        await _settle()
        assert len(bodies) == 2
        last = _start(bodies, third)
        with pytest.raises(CallError, match="this one was the slowest") as error:
            await first
        assert error.value.reason is TurnedAway.TOO_SLOW
        new.send(b"new", more=False)
        third.send(b"third", more=False)
        assert (await second, await last, len(bodies)) == (b"new", b"third", 0)

    _run(test)


def test_body_that_came_all_at_once_and_then_stalls_is_not_ahead_for_long() -> None:
    async def test() -> None:
        clock = _Clock()
        bodies = Bodies(2, 1_000_000, clock)
        dumped, steady, third = _Client(), _Client(), _Client()
        dumped.send(b"x" * 900_000)
        first = _start(bodies, dumped)
        second = _start(bodies, steady)
        await _settle()
        for _ in range(4):
            clock.now += 1.0
            steady.send(b"x" * 64 * 1024)
            await _settle()
        last = _start(bodies, third)
        with pytest.raises(CallError, match="this one was the slowest"):
            await first
        third.send(b"third", more=False)
        steady.send(b"", more=False)
        assert (len(await second), await last) == (4 * 64 * 1024, b"third")

    _run(test)


def test_bodies_share_a_bound_on_their_bytes() -> None:
    async def test() -> None:
        clock = _Clock()
        limit = 40 * 1024 * 1024
        bodies = Bodies(8, limit, clock)
        clients = [_Client() for _ in range(3)]
        tasks = []
        for client in clients:
            client.send(b"x" * (limit - 1))
            tasks.append(_start(bodies, client))
            await _settle()
            clock.now += 1.5
        # There is room for two bodies of the largest size, and the first has been slow the longest.
        with pytest.raises(CallError, match="this one was the slowest"):
            await tasks[0]
        for client, task in zip(clients[1:], tasks[1:], strict=True):
            client.send(b"x", more=False)
            assert len(await task) == limit

    _run(test)


def test_body_whose_time_passes_as_it_would_give_way_ends_by_its_time() -> None:
    async def test() -> None:
        failures: list[object] = []
        asyncio.get_running_loop().set_exception_handler(lambda _, context: failures.append(context))
        # The clock moves on with each reading, so that the first body is the slowest.
        bodies = Bodies(1, 100, map(float, count()).__next__)
        late = asyncio.ensure_future(bodies.read(_Client().receive, {}, 0))
        client = _Client()
        other = _start(bodies, client)
        await _settle()
        client.send(b"{}", more=False)
        assert await other == b"{}"
        with pytest.raises(CallError, match="it took over 0 seconds"):
            await late
        assert failures == []
        assert len(bodies) == 0

    _run(test)


def test_client_that_hangs_up_leaves_nothing() -> None:
    async def test() -> None:
        bodies = Bodies(2, 1_000, _Clock())

        async def gone() -> Message:
            return {"type": "http.disconnect"}

        with pytest.raises(CallError, match="ended early"):
            await bodies.read(gone, {}, _PATIENCE)
        assert len(bodies) == 0

    _run(test)
