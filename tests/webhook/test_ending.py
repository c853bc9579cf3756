"""How the server handles signals, what it logs as it ends, and its exit code; all in process."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
from typing import Any

import pytest

from weighbridge.webhook.server import process
from weighbridge.webhook.server.service import Service
from weighbridge.webhook.server.settings import ServerSettings
from weighbridge.webhook.server.signals import StopSignals, stop_signals
from weighbridge.webhook.texts.logs import FIELDS


def test_the_first_signal_drains_and_the_second_says_how_it_ends() -> None:
    stop = StopSignals()
    assert (stop.drain.is_set(), stop.abort.is_set(), stop.code) == (False, False, 0)
    stop.receive(signal.SIGTERM)
    assert (stop.drain.is_set(), stop.abort.is_set(), stop.code) == (True, False, 0)
    stop.receive(signal.SIGINT)
    assert (stop.drain.is_set(), stop.abort.is_set(), stop.code) == (True, True, 130)
    stop.receive(signal.SIGTERM)
    assert stop.code == 143


def test_signals_do_afterwards_what_they_did_before() -> None:
    handled = (signal.SIGTERM, signal.SIGINT)

    def before(*_: Any) -> None:
        raise AssertionError

    async def run() -> None:
        with stop_signals() as stop:
            assert not any(signal.getsignal(number) is before for number in handled)
            for number in handled:
                os.kill(os.getpid(), number)
            async with asyncio.timeout(20):
                await stop.abort.wait()
            assert stop.code in {130, 143}
        assert [signal.getsignal(number) for number in handled] == [before, before]

    kept = [(number, signal.signal(number, before)) for number in handled]
    try:
        asyncio.run(run())
    finally:
        for number, handler in kept:
            signal.signal(number, handler)


def _told(caplog: pytest.LogCaptureFixture) -> list[tuple[str, str, Any]]:
    return [(record.levelname, record.message, getattr(record, FIELDS, None)) for record in caplog.records]


@pytest.mark.parametrize("aborted", [False, True])
def test_a_server_that_drains_says_how_long_and_is_ready_no_more(service: Service, caplog: pytest.LogCaptureFixture, aborted: bool) -> None:
    caplog.set_level(logging.INFO)
    service.settings = ServerSettings(drain_seconds=60 if aborted else 0.01)

    async def run() -> None:
        stop = StopSignals()
        stop.receive(signal.SIGTERM)
        if aborted:
            stop.receive(signal.SIGTERM)
        async with asyncio.timeout(20):
            await process._drain(service, stop)

    asyncio.run(run())
    assert service.readiness.reasons == ["draining"]
    assert _told(caplog) == [("INFO", "draining", {"seconds": service.settings.drain_seconds})]


def test_a_part_that_ends_by_itself_is_told_with_its_reason(caplog: pytest.LogCaptureFixture) -> None:
    async def fails() -> None:
        raise ValueError("no")

    async def ends() -> None:
        return

    async def run() -> tuple[bool, bool, list[bool]]:
        goes_on = asyncio.ensure_future(asyncio.Event().wait())
        over = [asyncio.ensure_future(fails()), asyncio.ensure_future(ends())]
        await asyncio.wait(over)
        found = process._log_failures([goes_on]), process._log_failures([goes_on, *over])
        await process._cancel([goes_on, *over])
        return *found, [task.done() for task in (goes_on, *over)]

    assert asyncio.run(run()) == (False, True, [True, True, True])
    assert _told(caplog) == [("ERROR", "a part of the server ended by itself", None)] * 2
    reasons = [record.exc_info and str(record.exc_info[1]) for record in caplog.records]
    assert reasons[0] == "no"
