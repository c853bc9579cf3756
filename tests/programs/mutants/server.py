"""A process that has collected all tests and judges mutants in forks of itself (`fork_server`), asked through two pipes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from typing import Any, Final

from tests.conftest import ROOT
from tests.programs.mutants.checkout import Checkout, Outcome, environment
from tests.programs.mutants.fork_server import FAILED, LATE, NOT_IN_PLACE, PASSED, PIPES
from tests.programs.mutants.mutations import Mutant

_OPTIONS = (
    "-W",
    "ignore::pytest.PytestAssertRewriteWarning",
    "-q",
    "-p",
    "no:randomly",
    "-p",
    "no:cacheprovider",
    "-m",
    "not control_plane",
    "-p",
    "tests.programs.mutants.fork_server",
)

#: The most seconds that one test may take while it is measured, on a busy machine.
_SLOWEST: Final = 60.0
#: The outcomes by the answer of a fork. A fork that was killed never ended; one whose time was over has noticed nothing.
_OUTCOMES: Final = {
    FAILED: Outcome.FAILED,
    PASSED: Outcome.PASSED,
    LATE: Outcome.PASSED,
    NOT_IN_PLACE: Outcome.BROKEN,
    None: Outcome.FAILED,
}


class ServerError(Exception):
    """The process ended."""


class Server:
    """A process that has collected all tests of a copy of the checkout."""

    def __init__(self, checkout: Checkout, tests: Sequence[str]) -> None:
        self._checkout = checkout
        jobs, to_jobs = os.pipe()
        from_answers, answers = os.pipe()
        command = [sys.executable, "-B", "-m", "pytest", *_OPTIONS, *tests]
        self._process = subprocess.Popen(
            command,
            cwd=checkout.root,
            env={**environment(checkout), PIPES: f"{jobs},{answers}"},
            pass_fds=(jobs, answers),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
        )
        os.close(jobs)
        os.close(answers)
        self._to, self._from = os.fdopen(to_jobs, "w"), os.fdopen(from_answers)
        try:
            self.tests: list[str] = self._answer()["tests"]
        except ServerError:
            self.close()
            raise

    def _answer(self) -> dict[str, Any]:
        line = self._from.readline()
        if not line:
            raise ServerError(f"pytest ended with {self._process.wait()}")
        answer: dict[str, Any] = json.loads(line)
        return answer

    def _ask(self, job: dict[str, Any]) -> int | None:
        print(json.dumps(job), file=self._to, flush=True)
        status: int | None = self._answer()["status"]
        return status

    def reach(self, tests: Sequence[str], file: str) -> bool:
        """Run tests and write to a file what they reach; whether that was done."""
        return self._ask({"tests": list(tests), "file": file, "seconds": len(tests) * _SLOWEST}) == PASSED

    def judge(self, module: str, mutant: Mutant, tests: Sequence[str], seconds: float) -> Outcome:
        """The outcome of tests with a mutant. `BROKEN` if it can't be put into living functions."""
        before = (ROOT / module).read_text(encoding="utf-8")
        job = {"module": module, "before": before, "after": mutant.text, "tests": list(tests), "seconds": seconds}
        with self._checkout.changed(module, mutant.text):
            return _OUTCOMES[self._ask(job)]

    def close(self) -> None:
        """End the process."""
        self._to.close()
        self._from.close()
        self._process.wait()
