"""Does work on several processors: copies of this process (``fork``) take parts of it in turn, and its results come in their order.

A copy has everything that this process has read, and shares its memory. It begins with its own parts, which are next to each other, and
then takes parts that others haven't begun. If a copy dies, the parts that it had begun are lost, and its results say so. If no copy can be
made, this process does the work itself.
"""

from __future__ import annotations

import gc
import os
import pickle
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from selectors import EVENT_READ, DefaultSelector
from typing import Final, Generic, NoReturn, TypeVar

from weighbridge.policies.ground.records import dataclass, field

_Result = TypeVar("_Result")
#: The bytes of a number, and of the length of a copy's message.
_NUMBER: Final = 4
_LENGTH: Final = 8
_AT_ONCE: Final = 1 << 20
#: The number of numbers that a pipe can hold unread on every system.
_MOST_PARTS: Final = 2048


@dataclass(frozen=True, slots=True)
class Lost:
    """Replaces a result that its copy didn't send before it died; `why` says how the copy ended."""

    why: str


@contextmanager
def worked_out(
    parts: Sequence[Sequence[int]],
    work: Callable[[int], _Result],
    copies: int,
    *,
    first: Sequence[int],
    sent: Callable[[_Result], _Result],
    finish: Callable[[], None],
) -> Iterator[Iterator[_Result | Lost]]:
    """The results of `work` for 0, 1, 2 and so on, which are divided into parts.

    This process computes those of `first` before it makes the copies, so that what these need is loaded once. A copy pickles its results in
    the form that `sent` returns, and calls `finish` before it ends. All copies have ended at the end of the block.
    """
    count = sum(map(len, parts))
    crew = _Crew(parts, work, sent, finish)
    try:
        # In a copy, the locks of another thread would stay locked.
        if copies > 1 and hasattr(os, "fork") and threading.active_count() == 1:
            crew.begin(copies, first)
        yield crew.results(count)
    finally:
        crew.end()


def _joined(parts: Sequence[Sequence[int]]) -> Sequence[Sequence[int]]:
    """The parts, joined into fewer and longer ones if there are too many for a pipe."""
    most = -(-len(parts) // _MOST_PARTS)
    return [[index for part in parts[at : at + most] for index in part] for at in range(0, len(parts), max(most, 1))]


@dataclass(slots=True)
class _Copy:
    """A working copy: its process, and what it has sent so far."""

    pid: int
    reading: int
    received: bytearray = field(default_factory=bytearray)

    def frames(self) -> Iterator[bytes]:
        """The complete messages that it has sent, each once."""
        while len(self.received) >= _LENGTH:
            end = _LENGTH + int.from_bytes(self.received[:_LENGTH])
            if len(self.received) < end:
                return
            frame = bytes(self.received[_LENGTH:end])
            del self.received[:end]
            yield frame


class _Crew(Generic[_Result]):
    """All copies of one use."""

    def __init__(
        self,
        parts: Sequence[Sequence[int]],
        work: Callable[[int], _Result],
        sent: Callable[[_Result], _Result],
        finish: Callable[[], None],
    ) -> None:
        self._parts = parts
        self._work = work
        self._sent = sent
        self._finish = finish
        self._done: dict[int, _Result] = {}
        self._copies: list[_Copy] = []
        #: Pipes with the numbers of parts that aren't taken yet, one for each copy.
        self._turns: list[int] = []
        self._ways: list[str] = []

    def begin(self, copies: int, first: Sequence[int]) -> None:
        """Make the copies, or as many as can be made."""
        self._done = {index: self._work(index) for index in first}
        left = ([index for index in part if index not in self._done] for part in self._parts)
        self._parts = _joined([part for part in left if part])
        copies = min(copies, len(self._parts))
        sys.stdout.flush()
        # A garbage collection would write to all objects, and so copy their memory.
        gc.freeze()
        try:
            for own in range(copies):
                self._turns.append(_filled(range(own * len(self._parts) // copies, (own + 1) * len(self._parts) // copies)))
            for own in range(copies):
                self._fork(own)
        except OSError:
            # The existing copies do all of the work.
            return
        finally:
            self._close_turns()

    def _close_turns(self) -> None:
        while self._turns:
            os.close(self._turns.pop())

    def _fork(self, own: int) -> None:
        reading, writing = os.pipe()
        try:
            pid = os.fork()
            if pid == 0:
                os.close(reading)
                self._be_copy(own, writing)
        except OSError:
            os.close(reading)
            raise
        finally:
            os.close(writing)
        self._copies.append(_Copy(pid, reading))

    def _be_copy(self, own: int, writing: int) -> NoReturn:
        """Do the work of a copy."""
        code = 1
        try:
            if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
                signal.signal(signal.SIGINT, signal.SIG_DFL)
            # If the other ends were open here, a copy wouldn't notice that this process has ended.
            for copy in self._copies:
                os.close(copy.reading)
            with open(writing, "wb", closefd=False) as pipe:
                for number in self._taken(own):
                    data = pickle.dumps([(index, self._sent(self._work(index))) for index in self._parts[number]], -1)
                    pipe.write(len(data).to_bytes(_LENGTH) + data)
                    pipe.flush()
            self._finish()
            code = 0
        except BrokenPipeError:
            # The original process has ended.
            pass
        except BaseException:
            with suppress(BaseException):
                sys.excepthook(*sys.exc_info())
        finally:
            os._exit(code)

    def _taken(self, own: int) -> Iterator[int]:
        """The parts that a copy takes: its own, then the remaining ones of others."""
        for turns in self._turns[own:] + self._turns[:own]:
            while number := os.read(turns, _NUMBER):
                yield int.from_bytes(number)

    def results(self, count: int) -> Iterator[_Result | Lost]:
        """The results, in their order."""
        waiting, has_copies = self._done, bool(self._copies)
        with DefaultSelector() as selector:
            for copy in self._copies:
                selector.register(copy.reading, EVENT_READ, copy)
            for index in range(count):
                while index not in waiting and selector.get_map():
                    for key, _ in selector.select():
                        waiting.update(self._received(key.data, selector))
                if index in waiting:
                    yield waiting.pop(index)
                else:
                    yield Lost(", ".join(dict.fromkeys(self._ways))) if has_copies else self._work(index)
            # A copy ends by itself when no part is left.
            while selector.get_map():
                for key, _ in selector.select():
                    waiting.update(self._received(key.data, selector))

    def _received(self, copy: _Copy, selector: DefaultSelector) -> Iterator[tuple[int, _Result]]:
        data = os.read(copy.reading, _AT_ONCE)
        copy.received += data
        for frame in copy.frames():
            yield from pickle.loads(frame)  # noqa: S301 - it comes from this very program
        if not data:
            selector.unregister(copy.reading)
            self._let_go(copy)

    def _let_go(self, copy: _Copy) -> None:
        """Wait for a copy to end, and note how it ended."""
        os.close(copy.reading)
        self._copies.remove(copy)
        code = os.waitstatus_to_exitcode(os.waitpid(copy.pid, 0)[1])
        if code:
            self._ways.append(_named(-code) if code < 0 else f"exit code {code}")

    def end(self) -> None:
        """End the copies that are still at work."""
        for copy in self._copies:
            os.kill(copy.pid, signal.SIGKILL)
        while self._copies:
            self._let_go(self._copies[-1])


def _filled(numbers: Sequence[int]) -> int:
    """The reading end of a pipe that has these numbers and whose writing end is closed."""
    reading, writing = os.pipe()
    try:
        os.write(writing, b"".join(number.to_bytes(_NUMBER) for number in numbers))
    finally:
        os.close(writing)
    return reading


def _named(number: int) -> str:
    """The name of a signal."""
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
