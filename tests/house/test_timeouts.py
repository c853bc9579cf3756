"""A test that starts no process has a shorter time than others."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.house.timeouts import LONG

_TESTS = """\
import os, subprocess, sys, threading
import pytest
from signal import ITIMER_REAL, getitimer

def left():
    return getitimer(ITIMER_REAL)[0]

def start():
    subprocess.run(["true"], check=True)

@pytest.fixture(scope="module")
def server():
    start()

@pytest.fixture(scope="module")
def table():
    return {}

def test_without_a_process(table):
    assert 0 < left() <= 60

def test_with_a_process():
    start()
    assert left() > 60

def test_with_a_fork():
    pid = os.fork()
    if not pid:
        os._exit(0)
    os.waitpid(pid, 0)
    assert left() > 60

def test_with_a_process_of_a_thread():
    thread = threading.Thread(target=start)
    thread.start()
    thread.join()
    assert left() > 60

def test_that_comes_after_one_with_a_process():
    assert 0 < left() <= 60

@pytest.mark.parametrize("number", [1, 2])
def test_with_a_shared_process(server, number):
    assert left() > 60

@pytest.fixture
def shared():
    return None

def test_with_vectors(shared):
    assert left() > 60

@pytest.mark.control_plane
def test_with_a_control_plane():
    assert left() > 60

@pytest.mark.timeout(10)
def test_with_a_time_of_its_own():
    start()
    assert 0 < left() <= 10
"""


def _run(folder: Path, *options: str) -> subprocess.CompletedProcess[str]:
    (folder / "pytest.ini").write_text("[pytest]\ntimeout = 60\nmarkers = control_plane\n")
    (folder / "test_times.py").write_text(_TESTS)
    plugins = ("-p", "tests.house.timeouts", "-p", "no:cacheprovider", "-p", "no:randomly", "-p", "no:xdist")
    command = [sys.executable, "-m", "pytest", "-q", *plugins, *options, "-c", str(folder / "pytest.ini"), str(folder)]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


def test_a_test_has_the_long_time_from_its_first_process_on(tmp_path: Path) -> None:
    done = _run(tmp_path)
    assert (done.returncode, "10 passed" in done.stdout) == (0, True), done.stdout


def test_a_time_that_is_given_by_an_option_stays(tmp_path: Path) -> None:
    done = _run(tmp_path, "--timeout=20", "-k", "with_a_process or without")
    assert done.returncode == 1
    assert "test_without_a_process" not in done.stdout, "it has 20 seconds, which are at most 60"


def test_these_tests_run_under_the_plugin(pytestconfig: pytest.Config) -> None:
    assert pytestconfig.pluginmanager.hasplugin("tests.house.timeouts")
    assert float(pytestconfig.getini("timeout")) < LONG
