"""If the programs aren't built, the fixtures skip the tests and say how to build them."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parents[3]
TEST = "def test_plane(control_plane):\n    assert control_plane.server\n"


def run_a_test(folder: Path, **environ: str) -> subprocess.CompletedProcess[str]:
    """Runs pytest on one test that needs a control plane, with an empty cache."""
    (folder / "test_plane.py").write_text(TEST, encoding="utf-8")
    kept = {name: value for name, value in os.environ.items() if name != "KUBEBUILDER_ASSETS"}
    more = {"XDG_CACHE_HOME": str(folder / "cache"), "PYTHONPATH": str(REPOSITORY)} | environ
    pytest_command = [sys.executable, "-m", "pytest", "-rA", "-p", "tests.programs.control_plane.fixtures", "-c", os.devnull]
    return subprocess.run(
        [*pytest_command, str(folder / "test_plane.py")],
        cwd=folder,
        env=kept | more,
        capture_output=True,
        text=True,
        check=False,
    )


def test_what_is_not_built_skips_the_test_and_names_the_command(tmp_path: Path) -> None:
    answer = run_a_test(tmp_path)
    assert answer.returncode == pytest.ExitCode.OK
    assert "1 skipped" in answer.stdout
    assert "make control-plane" in answer.stdout


def test_a_bad_choice_of_assets_is_said(tmp_path: Path) -> None:
    answer = run_a_test(tmp_path, KUBEBUILDER_ASSETS=str(tmp_path))
    assert "1 skipped" in answer.stdout
    assert f"KUBEBUILDER_ASSETS={tmp_path} has no etcd, kube-apiserver, kubectl" in answer.stdout
