"""Each run has a random order in which folders stay together."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from tests.conftest import ROOT
from tests.house.order import pytest_collection_modifyitems


def collected(seed: int) -> list[str]:
    """The tests of a small room, in the order of this seed."""
    options = ["-q", "--collect-only", "-p", "no:cacheprovider", f"--randomly-seed={seed}"]
    command = [sys.executable, "-m", "pytest", *options, "tests/ground/test_durations.py", "tests/ground/test_go_text.py"]
    said = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert f"the order of this run again: --randomly-seed={seed}" in said
    return [line for line in said.splitlines() if "::" in line]


def test_a_seed_draws_its_own_order_again_and_another_seed_another() -> None:
    first, other = collected(1), collected(2)
    assert sorted(first) == sorted(other)
    assert first == collected(1)
    assert first != other


def test_folders_stay_together_and_slow_ones_come_first() -> None:
    drawn = ["a/x", "b/x", "e2e/x", "a/y", "c/x", "doors/x", "b/y", "a/x", "e2e/y"]
    items: list[Any] = [SimpleNamespace(path=Path(name)) for name in drawn]
    pytest_collection_modifyitems(items)
    assert [str(item.path) for item in items] == ["e2e/x", "e2e/y", "doors/x", "a/x", "a/y", "a/x", "b/x", "b/y", "c/x"]
