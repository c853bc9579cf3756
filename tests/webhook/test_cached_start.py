"""The command line prints the same with a warm cache, a cold one and an unusable one."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT

MODEL = """\
apiVersion: inference.llmkube.dev/v1alpha1
kind: Model
metadata: {name: m}
spec:
  source: model.gguf
  hardware: {gpu: {count: 1, resourceName: amd.com/gpu, resourceClaims: [{name: a, resourceClaimName: b}]}}
"""


def _run(file: Path, cache: str, *command: str) -> tuple[int, str, str]:
    environment = {**os.environ, "WEIGHBRIDGE_CACHE": cache}
    script = "import sys; from weighbridge.webhook.cli.main import main; sys.exit(main())"
    found = subprocess.run(
        [sys.executable, "-c", script, *command, str(file)], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    return found.returncode, found.stdout, found.stderr


@pytest.mark.parametrize("command", [("lint", "-o", "json"), ("dry-run", "--verbose")], ids=["lint", "dry-run"])
def test_the_cache_changes_nothing_that_is_said(tmp_path: Path, command: tuple[str, ...]) -> None:
    file, folder = tmp_path / "model.yaml", tmp_path / "cache"
    file.write_text(MODEL)
    expected = _run(file, "off", *command)
    assert "resourceClaims and resourceName are mutually exclusive" in expected[1]
    assert _run(file, str(folder), *command) == expected
    compiled = folder / "compiled"
    written = {entry.name: entry.stat().st_mtime_ns for entry in compiled.iterdir()}
    assert written
    # So that the program is asked again.
    shutil.rmtree(folder / "runs")
    assert _run(file, str(folder), *command) == expected
    assert {entry.name: entry.stat().st_mtime_ns for entry in compiled.iterdir()} == written, "nothing was compiled anew"
    for entry in (*compiled.iterdir(), *(folder / "runs").iterdir()):
        entry.write_bytes(entry.read_bytes()[:1000])
    assert _run(file, str(folder), *command) == expected
    assert _run(file, str(file / "no" / "folder"), *command) == expected
