"""The type check of policies in `lint` and `dry-run`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.command_line import run

POLICY = """\
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: small}
spec:
  matchConstraints:
    resourceRules: [{apiGroups: [apps], apiVersions: [v1], operations: ["*"], resources: [deployments]}]
  validations:
  - expression: has(object.spec.replicas)
  - expression: object.spec.replicaz <= 5
"""
BINDING = """\
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: small}
spec: {policyName: small, validationActions: [Deny]}
"""
OBJECT = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\n"
CRD = """\
---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: rollouts.argoproj.io}
spec:
  group: argoproj.io
  scope: Namespaced
  names: {plural: rollouts, kind: Rollout}
  versions:
  - name: v1alpha1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties: {spec: {type: object, properties: {replicas: {type: integer}}}}
"""
WARNING = (
    "policy.yaml:9:17: warning[K8S-011] spec.validations[1].expression: apps/v1, Kind=Deployment: "
    "ERROR: <input>:1:12: undefined field 'replicaz'"
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "policy.yaml").write_text(POLICY + BINDING)
    (tmp_path / "one.yaml").write_text(OBJECT)
    return tmp_path


@pytest.mark.parametrize("given", [["policy.yaml"], ["one.yaml", "--policies", "policy.yaml"]])
def test_lint_warns_at_the_line_of_the_expression(folder: Path, given: list[str]) -> None:
    found = run("lint", *given, cwd=folder)
    assert found.stdout.startswith(WARNING)
    assert "(ValidatingAdmissionPolicy small)\n    nearest: replicas\n" in found.stdout
    assert "0 failed, 1 warned" in found.stdout
    assert (found.returncode, found.stderr) == (0, "")
    assert run("lint", *given, "--fail-on", "warning", cwd=folder).returncode == 1


@pytest.mark.parametrize("given", [["policy.yaml"], ["one.yaml", "--policies", "policy.yaml"]])
def test_a_comment_or_an_option_ignores_a_warning(folder: Path, given: list[str]) -> None:
    assert "1 finding ignored" in run("lint", *given, "--ignore", "K8S-011", cwd=folder).stdout
    (folder / "policy.yaml").write_text(POLICY.replace("<= 5", "<= 5  # weighbridge: ignore[K8S-011] to come") + BINDING)
    found = run("lint", *given, cwd=folder)
    assert "K8S-011" not in found.stdout
    assert "1 finding ignored" in found.stdout


def test_a_policy_without_warnings_is_no_object_of_the_run(folder: Path) -> None:
    (folder / "policy.yaml").write_text(POLICY.replace("replicaz", "replicas") + BINDING)
    assert "1 object in 1 file: 0 failed, 0 warned" in run("lint", "one.yaml", "--policies", "policy.yaml", cwd=folder).stdout


def test_dry_run_shows_the_warning_beside_the_object_that_is_stored(folder: Path) -> None:
    found = run("dry-run", "policy.yaml", "-o", "jsonl", cwd=folder)
    record = json.loads(found.stdout.splitlines()[0])
    assert record["allowed"] is True
    assert [finding["rule"] for finding in record["findings"]] == ["K8S-011"]
    # The API server's answer has no such warning.
    assert record["warnings"] == []
    found = run("dry-run", "policy.yaml", "--stage", "apiserver", "-o", "jsonl", cwd=folder)
    assert json.loads(found.stdout.splitlines()[0])["findings"] == []


def test_a_policy_that_the_server_would_not_store_is_not_checked(folder: Path) -> None:
    (folder / "policy.yaml").write_text(POLICY.replace("has(object.spec.replicas)", "object.spec.paused"))
    found = run("lint", "policy.yaml", cwd=folder)
    assert "K8S-003" in found.stdout
    assert "K8S-011" not in found.stdout


@pytest.mark.parametrize("is_known", [True, False])
def test_a_definition_among_the_manifests_gives_the_types(folder: Path, is_known: bool) -> None:
    text = POLICY.replace("[apps]", "[argoproj.io]").replace("[v1]", "[v1alpha1]").replace("deployments", "rollouts")
    (folder / "policy.yaml").write_text(text + (CRD if is_known else ""))
    found = run("lint", "policy.yaml", "-v", cwd=folder)
    assert ("undefined field 'replicaz'" in found.stdout) is is_known
    why = "the types in ValidatingAdmissionPolicy small: no CustomResourceDefinition for rollouts.argoproj.io in version v1alpha1 is known"
    assert (why in found.stdout) is not is_known
    assert run("lint", "policy.yaml", "--fail-on", "unchecked", cwd=folder).returncode == int(not is_known)


def test_releases_are_told_apart(folder: Path) -> None:
    text = POLICY.replace("object.spec.replicaz <= 5", "params.most <= 5").replace(
        "spec:\n", "spec:\n  paramKind: {apiVersion: ome.io/v1, kind: Most}\n", 1
    )
    (folder / "policy.yaml").write_text(text)
    found = {version: run("lint", "policy.yaml", "--kubernetes-version", version, cwd=folder).stdout for version in ("1.35", "1.36")}
    assert ["undeclared reference to 'params'" in text for text in found.values()] == [True, False]
