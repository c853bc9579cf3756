"""A plugin of pytest that runs tests in forks: after the collection it waits for jobs, a line of JSON each, and answers each with a line.

A fork has all modules imported and all tests collected, so a mutant costs as much as the tests that reach its line.
"""

from __future__ import annotations

import gc
import json
import os
import signal
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import IO, Any, Final

import pytest
from coverage import Coverage

from tests.programs.mutants.in_place import NotInPlaceError, forget, put_in_place

#: The environment variable with the two file descriptors: jobs come in at the first, answers go out at the second.
PIPES: Final = "WEIGHBRIDGE_TEST_PIPES"
FAILED, PASSED, LATE, NOT_IN_PLACE = range(4)
#: A fork is killed this many seconds after its tests should have ended.
_GRACE: Final = 40.0


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop(session: pytest.Session) -> bool:
    """Take jobs until there are none, instead of running all tests."""
    jobs, answers = (os.fdopen(int(number), mode) for number, mode in zip(os.environ[PIPES].split(","), "rw", strict=True))
    by_id = {item.nodeid: item for item in session.items}
    session.testsfailed = 0
    gc.collect()
    gc.freeze()
    with jobs, answers:
        _say(answers, {"tests": list(by_id)})
        for line in jobs:
            job = json.loads(line)
            items = [by_id[name] for name in job["tests"] if name in by_id]
            _say(answers, {"status": _in_a_fork(partial(_do, session, items, job), job["seconds"] + _GRACE)})
    return True


def _do(session: pytest.Session, items: Sequence[pytest.Item], job: dict[str, Any]) -> int:
    return _reach(session, items, job["file"]) if "file" in job else _judge(session, items, job)


def _say(answers: IO[str], answer: dict[str, Any]) -> None:
    print(json.dumps(answer), file=answers, flush=True)


def _in_a_fork(work: Callable[[], int], seconds: float) -> int | None:
    """The result of the work in a fork with its own process group. `None` if it took too long and was killed."""
    child = os.fork()
    if not child:
        try:
            os.setpgid(0, 0)
            gc.unfreeze()
            os._exit(work())
        except BaseException as error:
            print(repr(error), file=sys.__stderr__, flush=True)
        finally:
            os._exit(FAILED)
    ends = time.monotonic() + seconds
    while time.monotonic() < ends:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            _kill_group(child)
            return os.waitstatus_to_exitcode(status) if os.WIFEXITED(status) else FAILED
        time.sleep(0.005)
    _kill_group(child)
    os.waitpid(child, 0)
    return None


def _kill_group(leader: int) -> None:
    """End what the tests of a fork left running."""
    with suppress(ProcessLookupError):
        os.killpg(leader, signal.SIGKILL)


def _judge(session: pytest.Session, items: Sequence[pytest.Item], job: dict[str, Any]) -> int:
    module = session.config.rootpath / job["module"]
    try:
        put_in_place(str(module), job["before"], job["after"])
    except NotInPlaceError:
        return NOT_IN_PLACE
    except SyntaxError:
        return FAILED
    forget()
    gc.freeze()
    ends = time.monotonic() + job["seconds"]
    for item, following in _in_turn(items):
        if time.monotonic() > ends:
            return LATE
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
        if session.testsfailed:
            return FAILED
    return PASSED


def _reach(session: pytest.Session, items: Sequence[pytest.Item], file: str) -> int:
    """Run tests, and write down which lines each reaches, and how long it took; those that fail are left out."""
    forget()
    took: dict[str, float] = {}
    measured = Coverage(data_file=file, source=["policies", "webhook", "certs"], branch=False, config_file=False, messages=False)
    # Items that aren't functions reach none of our code.
    measured.set_option("run:disable_warnings", ["no-data-collected"])
    measured.start()
    for item, following in _in_turn(items):
        measured.switch_context(item.nodeid)
        failed, began = session.testsfailed, time.monotonic()
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
        took[item.nodeid] = -1.0 if session.testsfailed > failed else time.monotonic() - began
        session.shouldfail = False
    measured.stop()
    measured.save()
    Path(f"{file}.json").write_text(json.dumps(took))
    return PASSED


def _in_turn(items: Sequence[pytest.Item]) -> Iterator[tuple[pytest.Item, pytest.Item | None]]:
    return zip(items, [*items[1:], None], strict=False)


def pytest_collectreport(report: pytest.CollectReport) -> None:
    """Report modules that can't be collected, since their tests would be missing."""
    if report.failed:
        print(report.longreprtext, file=sys.__stderr__, flush=True)
