"""A copy of the checkout into which mutants are put, so that the checkout itself stays as it is.

Like the checkout, it is next to the conformance vectors, here a link to them. It comes first in Python's search path, so commands that
tests start also run the copy.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import Final

from tests.conftest import PACKAGE, ROOT, SHARED

CODE: Final = ("policies", "webhook", "certs")
_NOT_COPIED: Final = shutil.ignore_patterns(
    ".venv", ".git", "__pycache__", ".*_cache", ".hypothesis", ".mutants", "dist", "build", "*.egg-info"
)
_FAILED: Final = 1


class Outcome(StrEnum):
    """The outcome of running tests."""

    PASSED = "passed"
    FAILED = "failed"
    TIMED_OUT = "timed out"
    BROKEN = "broken"


class Checkout:
    """A copy at `root`."""

    def __init__(self, root: Path) -> None:
        self.root = root / ROOT.name
        shutil.copytree(ROOT, self.root, symlinks=True, ignore=_NOT_COPIED)
        if SHARED.is_dir():
            (root / SHARED.name).symlink_to(SHARED)

    @contextmanager
    def changed(self, module: str, text: str) -> Iterator[None]:
        """The copy with another text of a module."""
        path = self.root / module
        original = path.read_bytes()
        path.write_text(text, encoding="utf-8")
        try:
            yield
        finally:
            path.write_bytes(original)

    def run(self, tests: Sequence[str], seconds: float) -> tuple[Outcome, str]:
        """Run tests until the first fails; the outcome and what pytest said."""
        options = ("-q", "-x", "-p", "no:randomly", "-p", "no:cacheprovider", "-m", "not control_plane")
        command = [sys.executable, "-B", "-m", "pytest", *options, *tests]
        try:
            done = subprocess.run(
                command, cwd=self.root, env=environment(self), timeout=seconds, capture_output=True, text=True, check=False
            )
        except subprocess.TimeoutExpired:
            return Outcome.TIMED_OUT, f"not done after {seconds:.0f} s"
        if done.returncode == 0:
            return Outcome.PASSED, done.stdout + done.stderr
        # A module that can't be imported any more interrupts the collection, which counts as a failure.
        return (Outcome.FAILED if done.returncode in (_FAILED, 2) else Outcome.BROKEN), done.stdout + done.stderr


def environment(checkout: Checkout) -> dict[str, str]:
    """The environment of the copy's tests, with which the commands that they start run the copy as well."""
    return {
        **{name: value for name, value in os.environ.items() if name != "CI"},
        "PYTHONPATH": os.pathsep.join([str(checkout.root), str(checkout.root / PACKAGE.relative_to(ROOT))]),
        "PYTHONDONTWRITEBYTECODE": "1",
    }
