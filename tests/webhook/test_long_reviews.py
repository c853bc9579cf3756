"""A long review delays nothing else: it is judged outside of the loop, as are the next ones of its kind and namespace."""

from __future__ import annotations

import asyncio
import math
import os
import time
from collections.abc import Callable
from contextlib import suppress
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from starlette.types import ASGIApp

from tests.webhook.asgi import Answer, call
from tests.webhook.reviews import model, review
from weighbridge.policies.config import Configuration
from weighbridge.policies.facts import Facts
from weighbridge.policies.ground.findings import Decision
from weighbridge.policies.ground.objects import GroupVersionKind, Operation
from weighbridge.policies.ground.request import Request
from weighbridge.policies.verdict.engine import Phase
from weighbridge.webhook.server.long_reviews.slowness import Slowness, TakesLongError, Time, is_long
from weighbridge.webhook.server.service import Service

_SMALL = 20


class _SlowJudge:
    """Judges objects with `slow` in their names only once a file exists; until then it keeps computing, and checks the time.

    `loop` has the objects that the loop judged, and `cut` those that it gave up.
    """

    def __init__(self, awaited: Path) -> None:
        self.loop: list[str] = []
        self.cut: list[str] = []
        self._awaited = awaited
        self._pid = os.getpid()

    def __call__(
        self,
        request: Request,
        facts: Facts,
        config: Configuration,
        phase: Phase = Phase.WHOLE,
        *,
        expired: Callable[[], bool] = lambda: False,
    ) -> Decision:
        name = request.object["metadata"]["name"]
        self.loop.append(name)
        try:
            while "slow" in name and not self._awaited.exists():
                if expired():
                    return Decision(allowed=False, code=403, message="too late")
                if os.getpid() != self._pid:
                    time.sleep(0.001)
        except TakesLongError:
            self.cut.append(name)
            raise
        return Decision(allowed=False, code=403, message=f"judged in {'the loop' if os.getpid() == self._pid else 'a copy'}")


@pytest.fixture
def slow_judge(service: Service, tmp_path: Path) -> _SlowJudge:
    """A replacement for the engine; it has judged a Model before."""
    service.decide = found = _SlowJudge(tmp_path / "goes-on")
    return found


def _request(namespace: str = "team-a") -> Request:
    return Request("", Operation.CREATE, GroupVersionKind("inference.llmkube.dev", "v1alpha1", "Model"), namespace=namespace)


async def _said(app: ASGIApp, name: str, namespace: str = "team-a") -> str:
    body = review(model(name), namespace=namespace)
    assert not is_long(body)
    answer: Answer = await call(app, "/validate", body, query="timeout=10s")
    message: str = answer.json["response"]["status"]["message"]
    return message


def _run(test: Callable[[], Any]) -> None:
    async def bounded() -> None:
        async with asyncio.timeout(60):
            await test()

    asyncio.run(bounded())


def test_small_reviews_are_answered_while_a_small_one_takes_long(app: ASGIApp, slow_judge: _SlowJudge, tmp_path: Path) -> None:
    async def test() -> None:
        await _said(app, "first")
        slow = asyncio.ensure_future(_said(app, "slow"))
        said = [await _said(app, "small", "team-b") for _ in range(_SMALL)]
        assert said == ["judged in the loop"] * _SMALL
        # It is judged once all these are answered; if it ran in the loop, they never would be.
        assert not slow.done()
        (tmp_path / "goes-on").touch()
        assert await slow == "judged in a copy"
        assert slow_judge.cut == ["slow"]

    _run(test)


def test_the_next_of_its_kind_and_namespace_goes_there_at_once(
    app: ASGIApp, slow_judge: _SlowJudge, service: Service, tmp_path: Path
) -> None:
    async def test() -> None:
        service.clock = lambda: 100.0
        await _said(app, "first")
        slow = asyncio.ensure_future(_said(app, "slow"))
        while not slow_judge.cut:
            await asyncio.sleep(0)
        (tmp_path / "goes-on").touch()
        await slow
        assert await _said(app, "next") == "judged in a copy"
        assert await _said(app, "next", "team-b") == "judged in the loop"
        assert slow_judge.cut == ["slow"]

    _run(test)


def test_a_place_that_takes_long_again_and_again_costs_the_loop_less_and_less() -> None:
    slowness, request = Slowness(), _request()
    now, tries = 1000.0, []

    def whole() -> Time:
        return Time(lambda: now, 2000.0)

    slowness.in_loop(request, whole())
    for _ in range(1000):
        with suppress(TakesLongError):
            slowness.in_loop(request, whole())
            tries.append(now)
            slowness.took_long(request, now)
        now += 0.5
    pauses = [later - before for before, later in pairwise(tries)]
    assert pauses[:6] == [1.0, 2.0, 4.0, 8.0, 16.0, 32.0]
    assert set(pauses[5:]) == {32.0}
    slowness.was_quick(request)
    slowness.in_loop(request, whole())
    slowness.took_long(request, now)
    now += 1.0
    slowness.in_loop(request, whole())


def test_what_is_known_of_slow_places_is_bounded() -> None:
    slowness = Slowness()
    for number in range(5000):
        slowness.took_long(_request(f"team-{number}"), 0.0)
    assert len(slowness._slow) == 1024


def test_a_wait_for_the_processor_counts_for_nothing() -> None:
    time_in_loop = Slowness().in_loop(Request("", Operation.CREATE, GroupVersionKind("", "v1", "Unknown")), Time(time.monotonic, math.inf))
    assert time_in_loop.loop_until is not None
    time.sleep(0.2)
    assert time_in_loop.is_over() is False


def test_the_first_of_a_kind_is_not_cut_since_it_compiles_what_the_others_use(app: ASGIApp, slow_judge: _SlowJudge, tmp_path: Path) -> None:
    def goes_on() -> None:
        time.sleep(0.2)
        (tmp_path / "goes-on").touch()

    async def test() -> None:
        asyncio.get_running_loop().run_in_executor(None, goes_on)
        assert await _said(app, "slow") == "judged in the loop"
        assert slow_judge.cut == []

    _run(test)


def test_calls_that_wait_for_a_copy_take_no_place_from_others(
    app: ASGIApp, slow_judge: _SlowJudge, service: Service, tmp_path: Path
) -> None:
    async def test() -> None:
        await _said(app, "first")
        slow = [asyncio.ensure_future(_said(app, f"slow {number}")) for number in range(3)]
        while len(service.copies) < 3:
            await asyncio.sleep(0)
        slow += [asyncio.ensure_future(_said(app, f"slow {number}")) for number in range(3, 6)]
        while len(service.copies) < 6:
            await asyncio.sleep(0)
        assert service.in_flight > service.settings.concurrency
        assert await _said(app, "small", "team-b") == "judged in the loop"
        (tmp_path / "goes-on").touch()
        assert await asyncio.gather(*slow) == ["judged in a copy"] * 6
        assert service.in_flight == 0

    _run(test)


def test_what_is_no_failure_is_not_taken_for_one() -> None:
    assert not issubclass(TakesLongError, Exception)
