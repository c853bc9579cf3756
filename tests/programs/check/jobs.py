"""Commands that run two at a time until the time is over."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Final

BIN: Final = Path(sys.executable).parent
#: The seconds that an interrupted command may take to stop its servers.
_GRACE: Final = 10.0


class Outcome(StrEnum):
    """The outcome of a command."""

    PASSED = "ok"
    FAILED = "FAILED"
    CUT = "cut"
    LATE = "not run"


@dataclass(frozen=True, slots=True)
class Job:
    """A command, and its title."""

    title: str
    command: tuple[str, ...]
    #: The exit codes of success; pytest's 5 says that no test was chosen.
    passing: tuple[int, ...] = (0,)
    #: The files of tests that it runs, each with the words that choose some of its tests; and the file for their results.
    files: Mapping[str, Sequence[str]] = field(default_factory=dict)
    record: Path | None = None


@dataclass(frozen=True, slots=True)
class Done:
    """A finished job: its outcome, its output, and its seconds."""

    job: Job
    outcome: Outcome
    output: str
    seconds: float = 0.0


def run(job: Job, root: Path, deadline: float) -> Done:
    """Run a job until a time of `time.monotonic`; then it is interrupted."""
    start = time.monotonic()
    if start >= deadline:
        return Done(job, Outcome.LATE, "")
    with subprocess.Popen(
        job.command, cwd=root, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True
    ) as process:
        try:
            output, _ = process.communicate(timeout=deadline - start)
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGINT)
            try:
                output, _ = process.communicate(timeout=_GRACE)
            except subprocess.TimeoutExpired:
                process.kill()
                output = ""
            return Done(job, Outcome.CUT, output, time.monotonic() - start)
    outcome = Outcome.PASSED if process.returncode in job.passing else Outcome.FAILED
    return Done(job, outcome, output, time.monotonic() - start)


def run_all(
    jobs: Iterable[Job], root: Path, deadline: float, *, following: Callable[[Done], Iterable[Job]] = lambda _: (), at_once: int = 2
) -> Iterator[Done]:
    """Run jobs, some at once, and give each as it ends. They begin in their order, and those that follow from one are put at the end."""
    waiting, running = list(jobs), set[Future[Done]]()
    with ThreadPoolExecutor(at_once) as pool:
        while waiting or running:
            while waiting and len(running) < at_once:
                running.add(pool.submit(run, waiting.pop(0), root, deadline))
            ended, running = wait(running, return_when=FIRST_COMPLETED)
            for done in [future.result() for future in ended]:
                waiting += following(done)
                yield done
