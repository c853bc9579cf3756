"""`weighbridge rules --explain-cel`: explains a CRD's CEL rules."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import yaml

from tests.command_line import run

CRD = """\
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: things.example.com}
spec:
  group: example.com
  names: {kind: Thing, plural: things}
  scope: Namespaced
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            x-kubernetes-validations:
            - {rule: "self.size >= oldSelf.size", message: only grows}
            - {rule: "self.sise > 1"}
            properties:
              size: {type: integer}
              items:
                type: array
                maxItems: 20
                items:
                  type: object
                  properties: {name: {type: string, maxLength: 10}}
                  x-kubernetes-validations:
                  - {rule: "self.name.startsWith('a')"}
"""


@pytest.fixture
def crd(tmp_path: Path) -> str:
    path = tmp_path / "crd.yaml"
    path.write_text(CRD)
    return str(path)


def test_every_rule_is_shown_with_its_cost_and_code(crd: str) -> None:
    done = run("rules", "--explain-cel", crd, "-o", "json")
    grows, misspelt, item = json.loads(done.stdout)
    assert (grows["field"], grows["index"], grows["usesOldSelf"]) == ("spec", 0, True)
    assert grows["selfType"] == "object with size, items"
    assert "undefined field 'sise'" in misspelt["error"]
    assert (misspelt["index"], misspelt["python"]) == (1, "")
    assert (item["field"], item["evaluations"]) == ("spec.items[]", 20)
    assert item["estimatedCost"] == 20 * item["costPerEvaluation"]
    for rule in (grows, item):
        compile(rule["python"], "explained", "exec")
        assert "def direct(" in rule["python"]


def test_a_field_narrows_it_down(crd: str) -> None:
    done = run("rules", "--explain-cel", f"{crd}#spec.items")
    assert done.stdout.startswith("example.com/v1 Thing spec.items[], rule 1\n  rule     self.name.startsWith('a')\n")
    assert done.stdout.endswith("\n1 rule\n")


def test_a_bundled_crd_goes_by_its_name_or_kind() -> None:
    by_name = run("rules", "--explain-cel", "models.inference.llmkube.dev#spec.hardware.gpu").stdout
    assert by_name == run("rules", "--explain-cel", "Model#spec.hardware.gpu").stdout
    assert "by estimate at most 7; 1 evaluation on one object: 7 of 10,000,000" in by_name


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["Modle"], "Modle: neither a file nor a bundled CRD; "),
        (["Model#spec.nothing"], "Model#spec.nothing: there is no rule at or below spec.nothing"),
        (["Model", "LLMKUBE-001"], "--explain-cel can't be combined with ID or -o rbac"),
        (["Model", "-o", "rbac"], "--explain-cel can't be combined with ID or -o rbac"),
    ],
)
def test_a_wrong_name_is_one_error_and_two(arguments: list[str], said: str) -> None:
    done = run("rules", "--explain-cel", *arguments)
    assert done.returncode == 2
    assert said in done.stderr
    assert done.stdout == ""


def test_a_file_without_a_crd_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "other.yaml"
    path.write_text(yaml.safe_dump({"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "p"}}))
    done = run("rules", "--explain-cel", str(path))
    assert (done.returncode, done.stderr) == (2, f"Error: {path}: no CustomResourceDefinition in there\n")
