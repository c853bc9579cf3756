"""Very deeply nested objects: every command gives an answer in every format, and no traceback."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.command_line import run

CRD = {
    "apiVersion": "apiextensions.k8s.io/v1",
    "kind": "CustomResourceDefinition",
    "metadata": {"name": "things.example.com"},
    "spec": {
        "group": "example.com",
        "names": {"kind": "Thing", "plural": "things"},
        "scope": "Namespaced",
        "versions": [
            {
                "name": "v1",
                "served": True,
                "storage": True,
                "schema": {
                    "openAPIV3Schema": {
                        "type": "object",
                        "properties": {"spec": {"type": "object", "x-kubernetes-preserve-unknown-fields": True}},
                    }
                },
            }
        ],
    },
}


def thing(levels: int) -> str:
    inner = '{"a":' * levels + "1" + "}" * levels
    return f'{{"apiVersion": "example.com/v1", "kind": "Thing", "metadata": {{"name": "t"}}, "spec": {inner}}}'


@pytest.mark.parametrize("levels", [300, 3_000, 9_000])
@pytest.mark.parametrize("output", ["text", "yaml", "json", "jsonl", "diff"])
def test_a_dry_run_of_a_deep_object_has_an_answer(tmp_path: Path, levels: int, output: str) -> None:
    crds, path = tmp_path / "crd.json", tmp_path / "thing.json"
    crds.write_text(json.dumps(CRD))
    path.write_text(thing(levels))
    done = run("dry-run", str(path), "--crds", str(crds), "-o", output)
    assert (done.returncode, done.stderr) == (0, "")


def test_a_lint_of_a_deep_object_has_an_answer(tmp_path: Path) -> None:
    crds, path = tmp_path / "crd.json", tmp_path / "thing.json"
    crds.write_text(json.dumps(CRD))
    path.write_text(thing(5_000))
    done = run("lint", str(path), "--crds", str(crds))
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("levels", [300, 3_000])
def test_an_audit_of_a_deep_object_has_an_answer(tmp_path: Path, levels: int) -> None:
    path = tmp_path / "model.json"
    head = '{"apiVersion": "inference.llmkube.dev/v1alpha1", "kind": "Model", "metadata": {"name": "m", "namespace": "d"}'
    path.write_text(f'{head}, "spec": {{"source": "hf://org/model", "deep": {"[" * levels}{"]" * levels}}}}}')
    done = run("audit", "--cluster", str(path))
    assert (done.returncode, done.stderr) == (0, "")
