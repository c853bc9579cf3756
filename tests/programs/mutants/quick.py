"""Judges mutants in forks of processes that have collected all tests: a second or two each, while a new process takes half a minute.

The first run measures which tests reach which lines, which takes forty minutes on two cores.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from enum import StrEnum
from pathlib import Path
from queue import SimpleQueue
from typing import Final

from tests.programs.mutants.checkout import Checkout, Outcome
from tests.programs.mutants.reached import Reached, by_file, in_order
from tests.programs.mutants.responsible import responsible_tests
from tests.programs.mutants.sample import Drawn
from tests.programs.mutants.server import Server


class Quickly(StrEnum):
    """The outcome of a mutant in a fork. All but killed ones may still be killed in a new process."""

    KILLED = "killed"
    SURVIVED = "survived"
    #: No test that was measured reaches its line.
    UNREACHED = "unreached"
    #: Only a process that imports the module again would run the change.
    NOT_IN_PLACE = "not in place"


_BY_OUTCOME: Final = {Outcome.BROKEN: Quickly.NOT_IN_PLACE, Outcome.PASSED: Quickly.SURVIVED, Outcome.FAILED: Quickly.KILLED}


@contextmanager
def servers(jobs: int, tests: Sequence[str] = ("tests",)) -> Iterator[list[Server]]:
    """As many processes as jobs, each with a copy of the checkout."""
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack, ThreadPoolExecutor(jobs) as pool:
        started = list(pool.map(lambda number: Server(Checkout(Path(folder, str(number))), tests), range(jobs)))
        for server in started:
            stack.callback(server.close)
        yield started


def judged_quickly(sample: Sequence[Drawn], servers: Sequence[Server], seconds: float) -> Iterator[Quickly]:
    """The outcome of each mutant, in order, as many at once as there are servers."""
    free: SimpleQueue[Server] = SimpleQueue()
    for server in servers:
        free.put(server)
    tests = servers[0].tests
    with ThreadPoolExecutor(len(servers)) as pool:
        before = Reached()
        files = by_file(test for test in tests if not before.passed(test))
        list(pool.map(lambda found: _measure(found, free), files.values()))
        reached = Reached()
        lines = reached.by_line({each.module for each in sample}, tests)

        def judge(each: Drawn) -> Quickly:
            asked = {test for line in each.mutant.lines for test in lines[each.module].get(line, ()) if reached.passed(test)}
            if not asked:
                return Quickly.UNREACHED
            server = free.get()
            try:
                ordered = in_order(asked, reached.seconds, responsible_tests(each.module))
                return _BY_OUTCOME[server.judge(each.module, each.mutant, ordered, seconds)]
            finally:
                free.put(server)

        yield from pool.map(judge, sample)


def _measure(tests: Sequence[str], free: SimpleQueue[Server]) -> None:
    server = free.get()
    try:
        server.reach(tests, Reached().new_file())
    finally:
        free.put(server)
