"""Handles SIGTERM and SIGINT: the first signal asks the server to drain, the second ends it at once."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

_HANDLED: Final = (signal.SIGTERM, signal.SIGINT)


class StopSignals:
    """The events that the signals set; `code` is the exit code after a second signal."""

    def __init__(self) -> None:
        self.drain = asyncio.Event()
        self.abort = asyncio.Event()
        self.code = 0

    def receive(self, number: int) -> None:
        """Take one signal."""
        if self.drain.is_set():
            self.code = 128 + number
            self.abort.set()
        self.drain.set()


@contextmanager
def stop_signals() -> Iterator[StopSignals]:
    """The events, which the running loop sets at signals inside the block; after it, the earlier handlers are in place again."""
    loop, stop = asyncio.get_running_loop(), StopSignals()
    before = {number: signal.getsignal(number) for number in _HANDLED}
    for number in _HANDLED:
        loop.add_signal_handler(number, stop.receive, number)
    try:
        yield stop
    finally:
        for number in _HANDLED:
            loop.remove_signal_handler(number)
            signal.signal(number, before[number])
