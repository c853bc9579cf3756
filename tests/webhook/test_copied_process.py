"""Work in a copy of the process."""

from __future__ import annotations

import asyncio
import os
import signal
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import pytest

from weighbridge.webhook.server.long_reviews.copied_process import CopyFailedError, in_copy

_GROWTH: Final = 64 * 1024 * 1024


def _run(work: Callable[[], Any], seconds: float = 20.0, growth: int = _GROWTH) -> Any:
    async def bounded() -> Any:
        async with asyncio.timeout(60):
            return await in_copy(work, seconds, growth)

    return asyncio.run(bounded())


def _children() -> list[str]:
    """The processes that this one has started and hasn't waited for yet."""
    return Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()


@pytest.mark.parametrize("result", [None, 7, ["x" * 3_000_000]], ids=["none", "number", "longer than a pipe holds"])
def test_result_comes_back(result: Any) -> None:
    here, before = os.getpid(), _children()
    assert _run(lambda: (os.getpid() != here, result)) == (True, result)
    assert _children() == before


def test_work_sees_what_there_is_and_changes_nothing() -> None:
    seen = [1]

    def work() -> list[int]:
        seen.append(2)
        return seen

    assert _run(work) == [1, 2]
    assert seen == [1]


def test_work_that_takes_too_long_is_ended() -> None:
    before = _children()
    with pytest.raises(TimeoutError):
        _run(lambda: time.sleep(60), 0.1)
    assert _children() == before


@pytest.mark.parametrize("signal_number", [signal.SIGKILL, signal.SIGSEGV])
def test_copy_that_dies_is_an_error(signal_number: int) -> None:
    before = _children()
    with pytest.raises(CopyFailedError):
        _run(lambda: os.kill(os.getpid(), signal_number))
    assert _children() == before


def test_work_that_raises_is_an_error(capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(CopyFailedError):
        _run(lambda: 1 / 0)
    # The end of the copy prints and does nothing a second time.
    assert capfd.readouterr() == ("", "")


def test_work_that_needs_more_memory_than_it_may_have_is_an_error() -> None:
    # Earlier tests may have left a few hundred MiB free in this process, and using those is no growth.
    with pytest.raises(CopyFailedError):
        _run(lambda: len(bytearray(256 * _GROWTH)), growth=_GROWTH)
    assert _run(lambda: len(bytearray(_GROWTH)), growth=2 * _GROWTH) == _GROWTH


def test_signals_for_the_server_do_not_reach_the_copy() -> None:
    def work() -> str:
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            os.kill(os.getpid(), number)
        return "still here"

    assert _run(work) == "still here"


def test_copy_holds_no_descriptor_of_the_server() -> None:
    reading, writing = os.pipe()

    def held() -> list[int]:
        return [number for number in (reading, writing) if os.path.exists(f"/proc/self/fd/{number}")]

    assert held() == [reading, writing]
    assert _run(held) == []
    os.close(reading)
    os.close(writing)


def test_loop_goes_on_meanwhile() -> None:
    async def beside() -> int:
        ticks = 0
        task = asyncio.ensure_future(in_copy(lambda: time.sleep(0.3), 20, _GROWTH))
        while not task.done():
            await asyncio.sleep(0.01)
            ticks += 1
        await task
        return ticks

    assert asyncio.run(beside()) > 3
