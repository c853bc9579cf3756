"""CRDs as manifests: judged as the API server judges them, at every door that reads files."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.command_line import run

THING = """\
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
            properties:
              size: {type: integer, default: %s}
"""
GOOD = THING % 3
BAD = THING % "many"
REFUSAL = (
    'CustomResourceDefinition.apiextensions.k8s.io "things.example.com" is invalid: '
    "spec.validation.openAPIV3Schema.properties[spec].properties[size].default: Invalid value: "
)
OBJECT = "apiVersion: example.com/v1\nkind: Thing\nmetadata: {name: t}\nspec: {}\n"


@pytest.mark.parametrize("stage", ["whole", "apiserver"])
def test_a_good_definition_is_stored_with_what_the_server_adds(stage: str) -> None:
    record = json.loads(run("dry-run", "-", "--stage", stage, "-o", "jsonl", text=GOOD).stdout)
    assert (record["allowed"], record["code"], record["unchecked"]) == (True, 201, [])
    assert record["object"]["spec"]["names"] == {"kind": "Thing", "listKind": "ThingList", "plural": "things", "singular": "thing"}
    assert record["object"]["spec"]["conversion"] == {"strategy": "None"}


@pytest.mark.parametrize("stage", ["whole", "apiserver"])
def test_a_bad_definition_is_refused_in_the_server_s_words(stage: str) -> None:
    done = run("dry-run", "-", "--stage", stage, "-o", "jsonl", text=BAD)
    record = json.loads(done.stdout)
    assert (done.returncode, record["code"]) == (1, 422)
    assert record["message"].startswith(REFUSAL)


def test_lint_points_to_the_line_in_the_manifest() -> None:
    done = run("lint", "-", "-o", "json", text=BAD)
    assert done.returncode == 1
    (finding,) = json.loads(done.stdout)["results"][0]["findings"]
    assert finding["line"] == 19
    assert finding["field"] == "spec.validation.openAPIV3Schema.properties[spec].properties[size].default"


def test_a_definition_beside_its_objects_is_what_they_are_judged_by() -> None:
    done = run("dry-run", "-", "-o", "jsonl", text=f"{GOOD}---\n{OBJECT}")
    stored = [json.loads(line)["object"] for line in done.stdout.splitlines()][1]
    assert stored["spec"] == {"size": 3}


def test_definitions_to_judge_by_must_be_ones_that_a_server_takes(tmp_path: Path) -> None:
    crds, objects = tmp_path / "crds.yaml", tmp_path / "objects.yaml"
    crds.write_text(BAD)
    objects.write_text(OBJECT)
    for command in ("lint", "dry-run"):
        done = run(command, str(objects), "--crds", str(crds))
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr.startswith(f"Error: {crds}:19:46: CustomResourceDefinition things.example.com: ")
        assert "spec.validation.openAPIV3Schema.properties[spec].properties[size].default: Invalid value: " in done.stderr
        assert "must be of type integer" in done.stderr
