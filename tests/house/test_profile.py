"""Property tests have no deadline, and draw the same examples each time only in the gate."""

from __future__ import annotations

import os
import subprocess
import sys

from hypothesis import HealthCheck, settings

from tests.conftest import ROOT


def test_a_busy_machine_fails_no_property() -> None:
    assert settings().deadline is None
    assert HealthCheck.too_slow in settings().suppress_health_check


def test_only_the_gate_draws_the_same_examples_each_time() -> None:
    script = "import tests.conftest, hypothesis; print(hypothesis.settings().derandomize)"
    said = [
        subprocess.run([sys.executable, "-c", script], cwd=ROOT, env=os.environ | {"CI": ci}, capture_output=True, text=True, check=True)
        for ci in ("true", "")
    ]
    assert [done.stdout.strip() for done in said] == ["True", "False"]
