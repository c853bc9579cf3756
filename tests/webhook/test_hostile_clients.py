"""Hostile clients, all kinds at once: good calls are answered meanwhile, and memory and places are released afterwards."""

from __future__ import annotations

import asyncio
import resource
from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Final

import pytest

from tests.programs.soak.hostile import ATTEMPTS, Attempt, Target, call, half_heads_beside_probes, long_bodies, status
from tests.programs.soak.memory import children
from tests.webhook.reviews import review
from tests.webhook.serving import Server, serving

_BY_NAME: Final = {attempt.name: attempt for attempt in ATTEMPTS}
_RESETS: Final = 600
#: A connection that stays in memory takes some 35 KB.
_MOST_KEPT: Final = _RESETS * 15_000


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server with the default limits."""
    with serving(tmp_path_factory.mktemp("certificates")) as running:
        yield running


def _target(server: Server) -> Target:
    return Target(server.port, server.trust(), server.health)


async def _call_until(stop: asyncio.Event, target: Target, *, calls: int) -> Counter[str]:
    """Makes good calls, one after the other, so many on each connection; returns the number of each answer."""
    answers: Counter[str] = Counter()
    while not stop.is_set():
        async with target.connected() as (reader, writer):
            for _ in range(calls):
                writer.write(call(review()))
                answers[await status(reader)] += 1
                await asyncio.sleep(0.01)
    return answers


async def _attempted(target: Target, attempts: list[Attempt]) -> tuple[list[str], Counter[str]]:
    """The failures of the attempts, and the answers to good calls meanwhile."""
    stop = asyncio.Event()
    good = [asyncio.create_task(_call_until(stop, target, calls=calls)) for calls in (1, 100)]
    ended = await asyncio.gather(*(attempt.run(target, Random(number)) for number, attempt in enumerate(attempts)))
    stop.set()
    answers: Counter[str] = sum(await asyncio.gather(*good), Counter())
    wrong = [f"{attempt.name}: {how}" for attempt, (how, is_right) in zip(attempts, ended, strict=True) if not is_right]
    return wrong, answers


def test_good_calls_are_answered_beside_all_kinds_of_hostile_clients(server: Server) -> None:
    wrong, answers = asyncio.run(_attempted(_target(server), list(ATTEMPTS) * 3))
    assert wrong == []
    assert set(answers) == {"200"}
    assert [line for line in server.lines if line["level"] == "error"] == []


@pytest.mark.parametrize("name", ["head that never ends", "slow body", "half a handshake"])
def test_what_never_ends_is_ended_by_the_server(server: Server, name: str) -> None:
    ended, is_right = asyncio.run(_BY_NAME[name].run(_target(server), Random(1)))
    assert is_right
    assert ended in {"closed", "408"}


def test_probes_are_answered_beside_more_half_heads_than_there_are_places(server: Server) -> None:
    """kubelet would restart a replica that doesn't answer."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    assert asyncio.run(half_heads_beside_probes(server.health, 1100, 42)) == "42 of 42 probes answered"
    assert server.call(review())[0] == 200


def test_trailers_take_no_memory(server: Server) -> None:
    async def flood() -> list[tuple[str, bool]]:
        return await asyncio.gather(*(_BY_NAME["trailers without end"].run(_target(server), Random(seed)) for seed in range(12)))

    asyncio.run(flood())
    before = server.metric("process_resident_memory_bytes")
    assert asyncio.run(flood()) == [("closed", True)] * 12
    assert server.metric("process_resident_memory_bytes") - before < _MOST_KEPT


def test_long_bodies_are_judged_by_two_copies_at_most(server: Server) -> None:
    most = 0

    async def watch() -> None:
        nonlocal most
        while True:
            most = max(most, len(children(server.process.pid)))
            await asyncio.sleep(0.005)

    async def send() -> str:
        watching = asyncio.create_task(watch())
        try:
            return await long_bodies(_target(server), 14, 7 * 1024 * 1024)
        finally:
            watching.cancel()

    assert asyncio.run(send()) == "judged or asked to come again"
    assert 1 <= most <= 2
    assert server.call(review())[0] == 200


def test_connections_that_are_reset_leave_nothing_behind(server: Server) -> None:
    async def reset(count: int) -> None:
        for _ in range(count // 10):
            await asyncio.gather(*(_BY_NAME["reset after a call"].act(target, Random(1)) for _ in range(10)))

    target = _target(server)
    asyncio.run(reset(_RESETS // 3))
    before = server.metric("process_resident_memory_bytes")
    asyncio.run(reset(_RESETS))
    assert server.metric("process_resident_memory_bytes") - before < _MOST_KEPT
    assert server.call(review())[0] == 200
