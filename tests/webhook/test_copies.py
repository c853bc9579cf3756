"""Which long review is judged next in a copy of the process: this depends on the free memory and on the namespaces' turns."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from weighbridge.webhook.server.calls import CallError, TurnedAway
from weighbridge.webhook.server.long_reviews.copies import Copies

_MIB = 1024 * 1024
_PLENTY = 64 * 1024 * _MIB


class _Reviews:
    """Long reviews that run until they are ended; `running` has their names in the order in which they began."""

    def __init__(self, copies: Copies) -> None:
        self.copies = copies
        self.running: list[str] = []
        self.growth: dict[str, int] = {}
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._ends: dict[str, asyncio.Event] = {}

    async def send(self, name: str, *, namespace: str | None = None, size: int = 0) -> None:
        """Starts one more, in a separate namespace unless one is given."""
        self._ends[name] = asyncio.Event()
        self._tasks[name] = asyncio.create_task(self._run(name, name if namespace is None else namespace, size))
        await _settled()

    async def end(self, name: str) -> None:
        """Ends its copy."""
        self._ends[name].set()
        await self._tasks[name]
        await _settled()

    async def give_up(self, name: str) -> None:
        """Lets its deadline pass."""
        self._tasks[name].cancel()
        await _settled()

    async def refusal(self, name: str) -> CallError:
        """The error with which it was rejected."""
        with pytest.raises(CallError) as error:
            await self._tasks[name]
        return error.value

    async def _run(self, name: str, namespace: str, size: int) -> None:
        async with self.copies.turn(namespace, size) as growth:
            self.running.append(name)
            self.growth[name] = growth
            await self._ends[name].wait()
            self.running.remove(name)


async def _settled() -> None:
    for _ in range(5):
        await asyncio.sleep(0)


def _run(test: Callable[[_Reviews], Awaitable[None]], memory: int = _PLENTY) -> None:
    async def bounded() -> None:
        async with asyncio.timeout(20):
            await test(_Reviews(Copies(memory)))

    asyncio.run(bounded())


def test_two_run_at_a_time_however_many_cores_there_are() -> None:
    async def test(reviews: _Reviews) -> None:
        for name in "abcd":
            await reviews.send(name)
        assert reviews.running == ["a", "b"]
        assert len(reviews.copies) == 4
        await reviews.end("a")
        assert reviews.running == ["b", "c"]

    _run(test)


@pytest.mark.parametrize(
    ("memory", "sizes", "running"),
    [
        (1024 * _MIB, (8 * _MIB, 8 * _MIB), "a"),
        (1024 * _MIB, (8 * _MIB, _MIB), "ab"),
        (1024 * _MIB, (4 * _MIB, 4 * _MIB), "ab"),
        (2048 * _MIB, (8 * _MIB, 8 * _MIB), "ab"),
        (256 * _MIB, (8 * _MIB, 1000), "a"),
    ],
)
def test_as_many_run_as_the_memory_has_room_for_and_always_one(memory: int, sizes: tuple[int, int], running: str) -> None:
    async def test(reviews: _Reviews) -> None:
        for name, size in zip("ab", sizes, strict=True):
            await reviews.send(name, size=size)
        assert "".join(reviews.running) == running
        assert sum(reviews.growth.values()) <= memory / 2

    _run(test, memory)


def test_a_small_one_does_not_wait_behind_a_large_one_that_has_no_room() -> None:
    async def test(reviews: _Reviews) -> None:
        await reviews.send("large", size=8 * _MIB)
        await reviews.send("larger", size=8 * _MIB)
        await reviews.send("small")
        assert reviews.running == ["large", "small"]

    _run(test, 1024 * _MIB)


def test_a_namespace_has_one_copy_at_most_and_another_one_goes_before_its_next() -> None:
    async def test(reviews: _Reviews) -> None:
        for number in range(6):
            await reviews.send(f"many {number}", namespace="crowd")
        assert reviews.running == ["many 0"]
        await reviews.send("one")
        await reviews.send("other")
        assert reviews.running == ["many 0", "one"]
        await reviews.end("many 0")
        assert reviews.running == ["one", "other"]
        await reviews.end("one")
        assert reviews.running == ["other", "many 1"]

    _run(test)


def test_one_that_gives_up_takes_no_place() -> None:
    async def test(reviews: _Reviews) -> None:
        for name in "abcd":
            await reviews.send(name)
        await reviews.give_up("c")
        await reviews.give_up("a")
        assert reviews.running[-1] == "d"
        assert len(reviews.copies) == 2

    _run(test)


@pytest.mark.parametrize("size", [0, 4 * _MIB])
def test_what_one_namespace_lets_wait_is_bounded_and_others_may_wait_all_the_same(size: int) -> None:
    async def test(reviews: _Reviews) -> None:
        most = 4 if size else 16
        for number in range(most + 2):
            await reviews.send(f"many {number}", namespace="crowd", size=size)
        error = await reviews.refusal(f"many {most + 1}")
        assert (error.reason, str(error)) == (TurnedAway.SHED, f"{most} long reviews wait already")
        assert len(reviews.copies) == 1 + most
        await reviews.send("other", namespace="other", size=size)
        await reviews.send("more", namespace="other", size=size)
        assert len(reviews.copies) == 3 + most

    _run(test)


def test_what_waits_in_all_is_bounded() -> None:
    async def test(reviews: _Reviews) -> None:
        for number in range(67):
            await reviews.send(str(number))
        assert str(await reviews.refusal("66")) == "64 long reviews wait already"

    _run(test)
