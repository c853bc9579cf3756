"""The calls that wait to be judged share the loop with its other tasks: they are judged in order, for part of each of the loop's turns."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest

from weighbridge.webhook.server.calls import CallError, TurnedAway
from weighbridge.webhook.server.long_reviews import turns
from weighbridge.webhook.server.long_reviews.slowness import TakesLongError
from weighbridge.webhook.server.long_reviews.turns import Turns


class Clock:
    """A clock that the work moves forward."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now

    def work(self, name: str, seconds: float, done: list[str]) -> Callable[[], str]:
        def judge() -> str:
            self.now += seconds
            done.append(name)
            return name

        return judge


@pytest.mark.parametrize(("seconds", "turn"), [(0.004, 2), (0.02, 1), (0.0001, 20)])
def test_in_a_turn_calls_are_judged_in_their_order_until_its_time_is_over(seconds: float, turn: int) -> None:
    clock, done, seen = Clock(), list[str](), list[int]()

    async def beat() -> None:
        while len(done) < 20:
            seen.append(len(done))
            await asyncio.sleep(0)

    async def test() -> None:
        queue = Turns(clock)
        calls = [asyncio.ensure_future(queue.take(clock.work(str(number), seconds, done), 1)) for number in range(20)]
        await beat()
        assert await asyncio.gather(*calls) == [str(number) for number in range(20)]

    asyncio.run(test())
    assert done == [str(number) for number in range(20)]
    assert max(after - before for before, after in zip(seen, [*seen[1:], 20], strict=True)) == turn


def test_a_call_that_has_ended_is_not_judged() -> None:
    clock, done = Clock(), list[str]()

    async def test() -> None:
        queue = Turns(clock)
        calls = [asyncio.ensure_future(queue.take(clock.work(str(number), 1, done), 1)) for number in range(4)]
        await asyncio.sleep(0)
        calls[2].cancel()
        await asyncio.gather(*calls, return_exceptions=True)

    asyncio.run(test())
    assert done == ["0", "1", "3"]


@pytest.mark.parametrize("error", [ValueError("a defect"), TakesLongError()])
def test_what_one_call_raises_leaves_the_others_alone(error: BaseException) -> None:
    def fail() -> None:
        raise error

    async def test() -> None:
        queue = Turns()
        failed, judged = asyncio.ensure_future(queue.take(fail, 1)), asyncio.ensure_future(queue.take(lambda: 1, 1))
        with pytest.raises(type(error)):
            await failed
        assert await judged == 1

    asyncio.run(test())


def test_large_bodies_that_wait_are_bounded_together(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(turns, "_MOST_BYTES", 100)

    async def test() -> None:
        queue = Turns()
        # A single call is always accepted.
        assert await queue.take(lambda: 1, 1000) == 1
        first = asyncio.ensure_future(queue.take(lambda: 1, 60))
        await asyncio.sleep(0)
        with pytest.raises(CallError, match="1 calls with large bodies wait already") as raised:
            await queue.take(lambda: 1, 60)
        assert raised.value.reason is TurnedAway.SHED
        assert await first == 1
        assert await queue.take(lambda: 2, 60) == 2

    asyncio.run(test())
