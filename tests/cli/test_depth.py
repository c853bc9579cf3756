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


#: A definition with a default that nests deep, and nothing else to object to.
_DEEP_CRD = """\
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: things.test.dev}
spec:
  group: test.dev
  scope: Namespaced
  names: {kind: Thing, listKind: ThingList, plural: things, singular: thing}
  versions:
  - name: v1
    served: true
    storage: true
    schema: {openAPIV3Schema: {type: object, properties: {a: {x-kubernetes-preserve-unknown-fields: true, default: DEEP}}}}
"""


def _weight(levels: int, rank: int) -> str:
    """A fine-tuned weight of OME, whose parameters nest deep; OME's CRD keeps any."""
    return f"""\
apiVersion: ome.io/v1beta1
kind: FineTunedWeight
metadata: {{name: tuned}}
spec:
  baseModelRef: {{name: llama}}
  modelType: LoRA
  storage: {{storageUri: "oci://n/acme/b/weights/o/lora"}}
  configuration: {{}}
  hyperParameters: {{strategy: lora, rank: {rank}, x: {"[" * levels}{"]" * levels}}}
"""


@pytest.mark.parametrize(
    "command",
    [
        "lint a.yaml b.yaml",
        "lint a.yaml --cluster b.yaml",
        "dry-run a.yaml --old b.yaml",
        "impact -f a.yaml --cluster b.yaml",
        "migrate a.yaml",
    ],
)
def test_two_deep_objects_are_compared(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str) -> None:
    monkeypatch.chdir(tmp_path)
    for rank, name in enumerate("ab"):
        (tmp_path / f"{name}.yaml").write_text(_weight(3_000, rank))
    done = run(*command.split())
    assert (done.returncode, "Traceback" in done.stderr, "WB-000" in done.stdout) == (0, False, False)


def test_a_deep_definition_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.yaml").write_text(_weight(1, 1))
    (tmp_path / "crd.yaml").write_text(_DEEP_CRD.replace("DEEP", "[" * 3_000 + "]" * 3_000))
    done = run("lint", "a.yaml", "--crds", "crd.yaml")
    assert done.returncode == 2
    assert done.stderr.startswith("Error: crd.yaml:1:1: CustomResourceDefinition things.test.dev: ")
    assert "deeper ones aren't checked here" in done.stderr
