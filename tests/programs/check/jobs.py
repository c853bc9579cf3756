"""Commands that run two at a time until the time is over."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
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
    LATE = "not done"


@dataclass(frozen=True, slots=True)
class Job:
    """A command, and its title."""

    title: str
    command: tuple[str, ...]
    #: The exit codes of success; pytest's 5 says that no test was chosen.
    passing: tuple[int, ...] = (0,)


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
                process.communicate(timeout=_GRACE)
            except subprocess.TimeoutExpired:
                process.kill()
            return Done(job, Outcome.LATE, "")
    outcome = Outcome.PASSED if process.returncode in job.passing else Outcome.FAILED
    return Done(job, outcome, output, time.monotonic() - start)


def run_all(jobs: Sequence[Job], root: Path, deadline: float, at_once: int = 2) -> Iterator[Done]:
    """Run jobs in their order, some at once."""
    with ThreadPoolExecutor(at_once) as pool:
        yield from pool.map(lambda job: run(job, root, deadline), jobs)


def pytest_job(title: str, files: Mapping[str, Sequence[str]]) -> Job:
    """A job with tests, without the real control plane: all tests of each file, or those that its words choose."""
    chosen = [f"--choose={file}: {word}" for file, words in files.items() for word in words]
    options = ("-q", "-p", "no:randomly", "-m", "not control_plane", "--tb=line", "-r", "fE")
    return Job(title, (sys.executable, "-m", "pytest", *options, *files, *chosen), passing=(0, 5))
