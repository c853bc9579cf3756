"""A worker sends fewer reports than by default, and the run prints the same."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT

_TESTS = """\
import pytest

@pytest.fixture
def broken_setup():
    raise ValueError("in the setup")

@pytest.fixture
def broken_teardown():
    yield
    raise ValueError("in the teardown")

@pytest.fixture
def lacking():
    pytest.skip("nothing to test with")

def test_passes(): pass
def test_fails(): assert 1 + 1 == 3
def test_errs(broken_setup): pass
def test_errs_at_the_end(broken_teardown): pass
def test_fails_and_errs(broken_teardown): assert 2 + 2 == 5
def test_is_skipped(): pytest.skip("not today")
def test_is_skipped_by_a_fixture(lacking): pass
@pytest.mark.xfail
def test_is_known_to_fail(): assert False
"""


@pytest.mark.parametrize("workers", [(), ("-n", "1")], ids=["alone", "worker"])
def test_whatever_happens_is_told(tmp_path: Path, workers: tuple[str, ...]) -> None:
    (tmp_path / "test_all.py").write_text(_TESTS)
    options = ["-ra", "-p", "tests.house.reports", "-p", "no:randomly", "--rootdir", str(tmp_path), *workers]
    command = [sys.executable, "-m", "pytest", *options, "test_all.py"]
    done = subprocess.run(command, cwd=tmp_path, env={"PYTHONPATH": str(ROOT)}, capture_output=True, text=True)
    assert done.returncode == 1, done.stdout + done.stderr
    assert re.search(r"= 2 failed, 2 passed, 2 skipped, 1 xfailed, 3 errors in ", done.stdout), done.stdout
    assert sorted(line for line in done.stdout.splitlines() if line.startswith(("FAILED", "ERROR ", "XFAIL"))) == [
        "ERROR test_all.py::test_errs - ValueError: in the setup",
        "ERROR test_all.py::test_errs_at_the_end - ValueError: in the teardown",
        "ERROR test_all.py::test_fails_and_errs - ValueError: in the teardown",
        "FAILED test_all.py::test_fails - assert (1 + 1) == 3",
        "FAILED test_all.py::test_fails_and_errs - assert (2 + 2) == 5",
        "XFAIL test_all.py::test_is_known_to_fail",
    ]
    for reason in ("not today", "nothing to test with"):
        assert reason in done.stdout
