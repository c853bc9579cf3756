"""The generated source of a CRD's rules is the same in every process, whatever its hash seed."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from pathlib import Path

from tests.cel.rules.crds import rules_of
from tests.conftest import ROOT

_FILE = "llmkube/crds/inference.llmkube.dev_inferenceservices.yaml"
_SCRIPT = """
import hashlib, pathlib, sys
from tests.cel.rules.crds import rules_of
print(hashlib.sha256(rules_of(pathlib.Path(sys.argv[1]), sys.argv[2]).source().encode()).hexdigest())
"""


def _digest(shared: Path, seed: str) -> str:
    command = [sys.executable, "-c", _SCRIPT, str(shared), _FILE]
    environment = os.environ | {"PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT)}
    return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True).stdout.strip()


def test_generated_source_does_not_depend_on_the_hash_seed(shared: Path) -> None:
    source = rules_of(shared, _FILE).source()
    assert "def walk(" in source
    assert "def tracked(" in source
    assert "def direct(" in source
    wanted = hashlib.sha256(source.encode()).hexdigest()
    assert {_digest(shared, seed) for seed in ("1", "4711")} == {wanted}


def test_importing_the_rules_leaves_the_compiler_out() -> None:
    script = (
        "import sys, weighbridge.policies.cel.rules.evaluation; "
        "print(*sorted(name for name in sys.modules if name.startswith('weighbridge.policies.cel.')))"
    )
    found = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()
    values = {"values", "values.declared", "values.escapes", "values.outcome", "values.types", "values.undecided", "values.values"}
    rules = {"rules", "rules.compiled_rule", "rules.direct_rule", "rules.rule_nodes", "rules.evaluation"}
    assert set(found) == {f"weighbridge.policies.cel.{name}" for name in values | rules}
