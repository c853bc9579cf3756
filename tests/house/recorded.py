"""A plugin of pytest that records what came of each test, and puts off the rest of a file that takes long.

`--record FILE` appends a line for each test as it ends, and one for each file that is done or put off; so what was done is known of a
process that was interrupted. `--most-seconds N` puts off the rest of a file after N seconds. `--only FILE` and `--without FILE` choose
tests by a list of their ids.
"""

from __future__ import annotations

import json
import signal
import time
from collections.abc import Iterator
from enum import StrEnum
from itertools import groupby
from pathlib import Path
from types import FrameType

import pytest


class State(StrEnum):
    """What came of a file."""

    DONE = "done"
    PUT_OFF = "put off"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Take the record and the lists of tests."""
    parser.addoption("--record", type=Path, metavar="FILE", help="append what came of each test")
    parser.addoption("--most-seconds", type=float, default=float("inf"), metavar="N", help="put off the rest of a file after N seconds")
    parser.addoption("--only", type=Path, metavar="FILE", help="run the tests whose ids the file lists")
    parser.addoption("--without", type=Path, metavar="FILE", help="leave out the tests whose ids the file lists")


def pytest_configure(config: pytest.Config) -> None:
    """Record, where that was asked for."""
    if path := config.getoption("record"):
        config.pluginmanager.register(_Recorder(path, config.getoption("most_seconds")))


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Choose tests by their ids, and run the files in the order in which they were given, if they are recorded."""
    only, without = (_listed(config.getoption(name)) for name in ("only", "without"))
    left_out = [item for item in items if (only is not None and item.nodeid not in only) or item.nodeid in (without or ())]
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        gone = set(left_out)
        items[:] = [item for item in items if item not in gone]
    if config.getoption("record"):
        given = {argument: index for index, argument in enumerate(config.args)}
        items.sort(key=lambda item: given.get(_file(item.nodeid), len(given)))


def _listed(path: Path | None) -> frozenset[str] | None:
    return frozenset(path.read_text(encoding="utf-8").splitlines()) if path else None


def _file(test: str) -> str:
    return test.partition("::")[0]


class _Recorder:
    """Runs the tests of a session, and writes the record."""

    def __init__(self, path: Path, most_seconds: float) -> None:
        self._path, self._most_seconds = path, most_seconds
        self._is_interrupted = False

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """Record a file that can't be collected."""
        if report.failed:
            self._write({"test": report.nodeid, "failed": True, "seconds": 0.0})

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Record the part of a test that it failed in, or else its last; nothing of a test that was interrupted."""
        if self._is_interrupted:
            return
        if report.failed or report.when == "teardown":
            self._write({"test": report.nodeid, "failed": report.failed})

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Run the tests of each file until its time is over."""

        def interrupt(number: int, frame: FrameType | None) -> None:
            # A command that runs in the test's process makes an error of the interruption, and the test would fail.
            self._is_interrupted, session.shouldstop = True, "interrupted"
            signal.default_int_handler(number, frame)

        signal.signal(signal.SIGINT, interrupt)
        files = [(file, list(tests)) for file, tests in groupby(session.items, key=lambda item: _file(item.nodeid))]
        for number, (file, tests) in enumerate(files, start=1):
            _, following = files[number] if number < len(files) else ("", [])
            start, state = time.monotonic(), State.DONE
            for item, after in zip(tests, [*tests[1:], None], strict=True):
                is_last = after is None or time.monotonic() - start > self._most_seconds
                follower = (following[0] if following else None) if is_last else after
                item.config.hook.pytest_runtest_protocol(item=item, nextitem=follower)
                if session.shouldfail or session.shouldstop:
                    raise session.Interrupted(str(session.shouldfail or session.shouldstop))
                if is_last:
                    state = State.DONE if after is None else State.PUT_OFF
                    break
            self._write({"file": file, "state": state, "seconds": time.monotonic() - start})
        return True

    def _write(self, line: dict[str, object]) -> None:
        with self._path.open("a", encoding="utf-8") as stream:
            stream.write(json.dumps(line) + "\n")


def read(path: Path) -> Iterator[dict[str, object]]:
    """The lines of a record; none if nothing was recorded."""
    if path.exists():
        yield from map(json.loads, path.read_text(encoding="utf-8").splitlines())
