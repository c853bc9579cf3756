"""A test that starts no process ends after a minute at the latest, all others after two minutes.

`timeout` in pyproject.toml has the short time: on a busy machine the slowest of these tests take half of it. A test gets the long one with
the real control plane or with vectors, as soon as it or one of its fixtures starts a process, and if another test's fixture that it shares
has started one. A time of its own, by a mark or an option, stays as it is.
"""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Generator
from typing import Any, Final

import pytest

#: Seconds of a test with processes: some start several servers on a busy machine.
LONG: Final = 120.0
#: The names under which Python audits the start of a process.
_STARTS: Final = {"subprocess.Popen", "os.fork", "os.forkpty", "os.posix_spawn"}
#: The fixtures of tests that go through thousands of verdicts.
_VECTORS: Final = ("shared", "count_vectors")


class _Running:
    """The running test with pytest-timeout's settings, while it has the short time; and the fixtures that take long."""

    def __init__(self) -> None:
        self.item: pytest.Item | None = None
        self.settings: Any = None
        self.has_started = False
        self.fixtures = set(_VECTORS)


_running: Final = _Running()


def pytest_configure() -> None:
    """See each start of a process from now on."""
    sys.addaudithook(_see)


@pytest.hookimpl(tryfirst=True, optionalhook=True)
def pytest_timeout_set_timer(item: pytest.Item, settings: Any) -> bool | None:
    """Remember a test with the short time, or give it the long one at once."""
    _running.item, _running.settings = None, settings
    if settings.timeout == float(item.config.getini("timeout")):
        _running.item = item
        if item.get_closest_marker("control_plane") or _running.fixtures.intersection(getattr(item, "fixturenames", ())):
            _lengthen()
            return True
    return None


@pytest.hookimpl(tryfirst=True, optionalhook=True)
def pytest_timeout_cancel_timer() -> None:
    """The test has ended."""
    _running.item = None


@pytest.hookimpl(wrapper=True)
def pytest_fixture_setup(fixturedef: pytest.FixtureDef[object]) -> Generator[None, object, object]:
    """Record whether a fixture that tests share starts a process."""
    before, _running.has_started = _running.has_started, False
    try:
        return (yield)
    finally:
        if _running.has_started and fixturedef.scope != "function":
            _running.fixtures.add(fixturedef.argname)
        _running.has_started |= before


def _see(event: str, _: object) -> None:
    if event in _STARTS:
        _running.has_started = True
        if _running.item is None:
            return
        if threading.current_thread() is threading.main_thread():
            _lengthen()
        else:
            # Only the main thread may set a handler; the one that is there will name the short time.
            signal.setitimer(signal.ITIMER_REAL, LONG)


def _lengthen() -> None:
    """Give the running test the long time, from now on."""
    item, _running.item = _running.item, None
    if item is not None:
        item.config.hook.pytest_timeout_cancel_timer(item=item)
        item.config.hook.pytest_timeout_set_timer(item=item, settings=_running.settings._replace(timeout=LONG))
