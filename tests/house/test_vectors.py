"""A gate misses no vector: the counts, and the message if there are too few."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.house.needs import missing
from tests.house.vectors import EXPECTED, too_few

ALL = {name: (number, number) for name, number in EXPECTED.items()}


def test_as_many_as_expected_and_more_are_enough() -> None:
    assert list(too_few(ALL)) == []
    assert list(too_few(ALL | {"default": (99, 99), "new": (1, 1)})) == []


def test_a_file_with_fewer_and_one_that_never_ran_are_named() -> None:
    without = {name: counts for name, counts in ALL.items() if name != "prune"}
    assert list(too_few(without | {"default": (12, 13)})) == ["default: 12 of 13", "prune: 0 of 69"]


@pytest.mark.skipif(any(missing()), reason="a gate doesn't begin where something is missing")
def test_a_gate_fails_where_vectors_were_not_compared() -> None:
    """The run has only these tests, in which no vector is compared."""
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-o", "testpaths=tests/ground/test_go_text.py"]
    done = subprocess.run(command, cwd=ROOT, env=os.environ | {"CI": "true"}, capture_output=True, text=True, check=False)
    assert done.returncode == pytest.ExitCode.TESTS_FAILED
    assert "fewer vectors were compared than are expected (tests/house/vectors.py): " in done.stdout
    assert "; prune: 0 of 69; " in done.stdout


def test_the_counts_of_all_processes_are_added_up(shared: Path) -> None:
    options = ("-p", "no:cacheprovider", "-p", "no:randomly", "-n", "2", "--dist", "load")
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", *options, "tests/schema/test_conformance.py"], cwd=ROOT, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout
    assert re.search(r"^prune +69 of 69$", done.stdout, re.MULTILINE), done.stdout
