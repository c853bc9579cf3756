"""A process that has collected all tests and judges mutants in forks of itself (`fork_server`), asked through two pipes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from typing import Any

from tests.conftest import ROOT
from tests.programs.mutants.checkout import Checkout, Outcome, environment
from tests.programs.mutants.fork_server import FAILED, LATE, NOT_IN_PLACE, PASSED, PIPES
from tests.programs.mutants.mutations import Mutant

_OPTIONS = (
    "-W",
    "ignore::pytest.PytestAssertRewriteWarning",
   "-q", "-p", "no:randomly", "-p", "no:cacheprovider", "-m", "not control_plane", "-p", "tests.programs.mutants.fork_server")


class ServerError(Exception):
    """The process ended."""


class Server:
    """One such process, with a copy of the checkout."""

    def __init__(self, checkout: Checkout, tests: Sequence[str]) -> None:
        self._checkout = checkout
        jobs, self._jobs = os.pipe()
        self._answers, answers = os.pipe()
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
        self._to, self._from = os.fdopen(self._jobs, "w"), os.fdopen(self._answers)
        self.tests: list[str] = self._answer()["tests"]

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
        return self._ask({"do": "reach", "tests": list(tests), "file": file}) == PASSED

    def judge(self, module: str, mutant: Mutant, tests: Sequence[str], seconds: float) -> Outcome:
        """What came of tests with a mutant. `BROKEN` where it can't be put into living functions."""
        before = (ROOT / module).read_text(encoding="utf-8")
        job = {"do": "judge", "module": module, "before": before, "after": mutant.text, "tests": list(tests), "seconds": seconds}
        with self._checkout.changed(module, mutant.text):
            return {FAILED: Outcome.FAILED, PASSED: Outcome.PASSED, LATE: Outcome.PASSED, NOT_IN_PLACE: Outcome.BROKEN}.get(
                self._ask(job) or FAILED, Outcome.FAILED
            )

    def close(self) -> None:
        """End the process."""
        self._to.close()
        self._process.wait()
        self._from.close()
