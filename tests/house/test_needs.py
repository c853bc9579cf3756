"""A gate doesn't begin if a requirement is missing, but a newcomer's run does."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.house import needs
from tests.programs.control_plane.build import ASSETS_VARIABLE, BINARIES

QUICK = "tests/house/test_network.py"


def run(tmp_path: Path, **environ: str) -> subprocess.CompletedProcess[str]:
    """Runs one quick file of tests in an environment in which nothing is built."""
    kept = {name: value for name, value in os.environ.items() if name not in {"CI", ASSETS_VARIABLE}}
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", QUICK]
    nothing_built = {"XDG_CACHE_HOME": str(tmp_path)}
    return subprocess.run(command, cwd=ROOT, env=kept | nothing_built | environ, capture_output=True, text=True, check=False)


def test_a_gate_ends_before_its_first_test_with_one_line_that_says_what_is_missing(tmp_path: Path) -> None:
    done = run(tmp_path, CI="true")
    assert (done.returncode, done.stdout.strip()) == (pytest.ExitCode.USAGE_ERROR, "")
    (line,) = done.stderr.strip().splitlines()
    assert line.startswith("ERROR: with CI=true nothing may be skipped, but there is no ")
    assert "no etcd, kube-apiserver and kube-scheduler, which `make control-plane` builds" in line
    assert "; no program of the scheduler's allocator, which `make control-plane` builds" in line
    assert line.endswith("; no helm, which `make control-plane` builds; no promql, which `make control-plane` builds")


def test_a_newcomers_run_begins(tmp_path: Path) -> None:
    done = run(tmp_path)
    assert done.returncode == pytest.ExitCode.OK, done.stdout
    assert " passed" in done.stdout


def test_the_data_beside_the_checkout_are_missed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(needs, "SHARED", tmp_path / "shared")
    assert f"{tmp_path}/shared, which holds the conformance vectors and upstream's manifests" in needs.missing()


def test_a_scheduler_is_missed_in_a_folder_of_ones_own(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for binary in BINARIES:
        if binary.required:
            (tmp_path / binary.name).touch(mode=0o755)
    monkeypatch.setenv(ASSETS_VARIABLE, str(tmp_path))
    assert f"kube-scheduler in {tmp_path}; unset {ASSETS_VARIABLE} and run `make control-plane`" in needs.missing()
    (tmp_path / "etcd").unlink()
    assert f"control plane: {ASSETS_VARIABLE}={tmp_path} has no etcd" in needs.missing()
