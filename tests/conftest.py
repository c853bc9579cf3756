"""What every test may use: the data beside the checkout, the count of conformance vectors, and the real control plane."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

import pytest

pytest_plugins = ["tests.programs.control_plane.fixtures"]

# What tests compile is nobody's to keep; those of the cache itself name a folder of their own.
os.environ["WEIGHBRIDGE_CACHE"] = "off"

ROOT = Path(__file__).resolve().parent.parent
SHARED = ROOT.parent / "shared"

#: Says of a file of conformance vectors how many cases it has, and of how many the verdict was compared.
CountVectors: TypeAlias = Callable[[str, int, int], None]
_COUNTS = pytest.StashKey[dict[str, tuple[int, int]]]()


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder with conformance vectors and upstream's manifests; tests that need it are skipped where it isn't."""
    if not SHARED.is_dir():
        pytest.skip(f"{SHARED} isn't there: it holds the conformance vectors and upstream's manifests")
    return SHARED


@pytest.fixture(scope="session")
def count_vectors(pytestconfig: pytest.Config) -> CountVectors:
    """Counts the vectors of a file, once they have all been found to agree, for the last lines of the run."""
    counts = pytestconfig.stash.setdefault(_COUNTS, {})

    def count(name: str, compared: int, cases: int) -> None:
        before = counts.get(name, (0, 0))
        counts[name] = before[0] + compared, before[1] + cases

    return count


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Show how many vectors agreed, file by file."""
    counts = config.stash.get(_COUNTS, {})
    if not counts:
        return
    terminalreporter.section("conformance vectors that agree")
    for name, (compared, cases) in sorted(counts.items()):
        left_out = f", {cases - compared} left out by name" if compared < cases else ""
        terminalreporter.write_line(f"{name:30} {compared:5} of {cases}{left_out}")
