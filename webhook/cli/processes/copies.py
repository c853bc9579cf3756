"""Does work on several processors: copies of this process (``fork``) take parts of it in turn, and its results come in their order.

A copy has everything that this process has read, and shares its memory. It begins with the parts next to each other that are its own, and
then takes what others haven't begun. What a copy had begun when it died is lost, and its results say so. Where no copy can be made, this
process does the work itself.
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
#: The bytes of a number, and of the length of what a copy sends.
_NUMBER: Final = 4
_LENGTH: Final = 8
_AT_ONCE: Final = 1 << 20
#: A pipe takes as many numbers without being read, on every system.
_MOST_PARTS: Final = 2048


@dataclass(frozen=True, slots=True)
class Lost:
    """Takes the place of a result that its copy didn't live to send; `why` says how the copy ended."""

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
    """The results of `work` for 0, 1, 2 and so on, which the parts divide among them.

    This process works out those of `first` before it makes the copies, so that what these need is loaded once. A copy pickles its results
    as `sent` gives them, and calls `finish` before it ends. All copies have ended when the context does.
    """
    count = sum(map(len, parts))
    crew = _Crew(parts, work, sent, finish)
    try:
        # The locks that another thread holds would stay locked in a copy.
        if copies > 1 and hasattr(os, "fork") and threading.active_count() == 1:
            crew.begin(copies, first)
        yield crew.results(count)
    finally:
        crew.end()


def _joined(parts: Sequence[Sequence[int]]) -> Sequence[Sequence[int]]:
    """The same in fewer and longer parts where there are too many."""
    most = -(-len(parts) // _MOST_PARTS)
    return [[index for part in parts[at : at + most] for index in part] for at in range(0, len(parts), max(most, 1))]


@dataclass(slots=True)
class _Copy:
    """A copy that is at work: its process, and what it has sent so far."""

    pid: int
    reading: int
    received: bytearray = field(default_factory=bytearray)

    def frames(self) -> Iterator[bytes]:
        """What it has sent whole, each once."""
        while len(self.received) >= _LENGTH:
            end = _LENGTH + int.from_bytes(self.received[:_LENGTH])
            if len(self.received) < end:
                return
            frame = bytes(self.received[_LENGTH:end])
            del self.received[:end]
            yield frame


class _Crew(Generic[_Result]):
    """The copies; one use."""

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
        #: Pipes with the numbers of parts that are still to be taken, one for each copy.
        self._turns: list[int] = []
        self._ways: list[str] = []

    def begin(self, copies: int, first: Sequence[int]) -> None:
        """Make the copies, or as many as can be made."""
        self._done = {index: self._work(index) for index in first}
        left = ([index for index in part if index not in self._done] for part in self._parts)
        self._parts = _joined([part for part in left if part])
        copies = min(copies, len(self._parts))
        sys.stdout.flush()
        # A collection would write to all that is here, and so copy its memory.
        gc.freeze()
        try:
            for own in range(copies):
                self._turns.append(_filled(range(own * len(self._parts) // copies, (own + 1) * len(self._parts) // copies)))
            for own in range(copies):
                self._fork(own)
        except OSError:
            # The copies that there are do all of it.
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
        """All that a copy does."""
        code = 1
        try:
            if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
                signal.signal(signal.SIGINT, signal.SIG_DFL)
            # With the other ends open here, a copy wouldn't notice that this process is gone.
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
            # The process that asked for it has ended.
            pass
        except BaseException:
            with suppress(BaseException):
                sys.excepthook(*sys.exc_info())
        finally:
            os._exit(code)

    def _taken(self, own: int) -> Iterator[int]:
        """The parts that a copy takes: its own, then those that are left of others."""
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
            # A copy ends by itself once nothing is left to take.
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
        """Note how a copy has ended, for which it is waited."""
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
    """The reading end of a pipe with these numbers in it, and nothing more to come."""
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
