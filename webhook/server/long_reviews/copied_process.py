"""Does one piece of work in a copy of this process, while the loop answers other calls.

A thread would share the interpreter's lock with the loop, and the cluster's facts could change during the work; to another server, the
facts would have to be sent. A copy (``fork``) has the facts of this moment in shared memory, can be killed when its time is over, and
leaves nothing behind. Making one takes some milliseconds, so it is for longer work. A process pool can't end one of its tasks.
"""

from __future__ import annotations

import asyncio
import gc
import logging
import os
import pickle
import signal
import warnings
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final, NoReturn, TypeVar

from weighbridge.webhook.server.long_reviews.memory import bound_growth

_log: Final = logging.getLogger("weighbridge.webhook")
_Result = TypeVar("_Result")
_STANDARD_STREAMS: Final = 3
_POLL_SECONDS: Final = 0.002
#: The server's signals. A copy must neither handle them nor be ended by one that is meant for the server.
_SIGNALS: Final = frozenset({signal.SIGINT, signal.SIGTERM, signal.SIGHUP})


class CopyFailedError(Exception):
    """The copy ended without a result."""


async def in_copy(work: Callable[[], _Result], seconds: float, growth: int) -> _Result:
    """The result of `work`, which must be picklable. The copy may use `growth` bytes more than this process.

    Raises TimeoutError if it takes longer than `seconds`, and CopyFailedError if it raises an exception, needs more memory, or dies.
    """
    reading, writing = os.pipe()
    try:
        pid = _fork(work, writing, seconds, growth)
    except OSError as error:
        os.close(reading)
        raise CopyFailedError(f"no copy of the process could be made: {error.strerror}") from error
    finally:
        os.close(writing)
    try:
        async with asyncio.timeout(seconds):
            data = await _read_all(reading)
    finally:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
        await asyncio.shield(_reaped(pid))
    if not data:
        raise CopyFailedError("the copy of the process ended without a result; the log may have the details")
    result: _Result = pickle.loads(data)  # noqa: S301 - it comes from this very program
    return result


def _fork(work: Callable[[], Any], writing: int, seconds: float, growth: int) -> int:
    # NB: a signal between the fork and the copy's first step would be written to the loop's own wake-up socket, which the two share.
    before = signal.pthread_sigmask(signal.SIG_BLOCK, _SIGNALS)
    try:
        with warnings.catch_warnings():
            # Python 3.12 warns of other threads, whose locks are never released in the copy. Here, these threads (which read a
            # configuration or write metrics) take no lock that a decision takes, and a stuck copy is killed.
            warnings.simplefilter("ignore", DeprecationWarning)
            pid = os.fork()
        if pid == 0:
            _be_copy(work, writing, seconds, growth)
        return pid
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _be_copy(work: Callable[[], Any], writing: int, seconds: float, growth: int) -> NoReturn:
    """Do the work in the copy."""
    code = 1
    try:
        signal.set_wakeup_fd(-1)
        for number in _SIGNALS:
            signal.signal(number, signal.SIG_IGN)
        # The copy ends by itself even if no process is left to kill it.
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.setitimer(signal.ITIMER_REAL, seconds + 1)
        # The copy must not keep the server's connections and listening sockets open after the server closes them.
        os.closerange(_STANDARD_STREAMS, writing)
        os.closerange(writing + 1, os.sysconf("SC_OPEN_MAX"))
        # A garbage collection writes to each object that it visits, which copies the object's memory.
        gc.disable()
        # A container that has used up its memory is killed as a whole.
        bound_growth(growth)
        result = pickle.dumps(work())
        with open(writing, "wb", closefd=False) as pipe:
            pipe.write(result)
        code = 0
    except Exception:
        _log.exception("work in a copy of the process failed")
    finally:
        os._exit(code)


async def _read_all(descriptor: int) -> bytes:
    reader = asyncio.StreamReader()
    pipe = open(descriptor, "rb", buffering=0)  # noqa: SIM115 - the transport closes it
    transport, _ = await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), pipe)
    try:
        return await reader.read()
    finally:
        transport.close()


async def _reaped(pid: int) -> None:
    """Wait until the killed process has left the process table."""
    while os.waitpid(pid, os.WNOHANG)[0] == 0:
        await asyncio.sleep(_POLL_SECONDS)
