"""`--policies`: the cluster's ValidatingAdmissionPolicies in `lint` and `dry-run`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.command_line import run

POLICY = """\
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: names}
spec:
  matchConstraints:
    resourceRules: [{apiGroups: ["*"], apiVersions: ["*"], operations: ["*"], resources: ["*"]}]
  validations:
  - expression: request.name.startsWith("team-")
    reason: Forbidden
"""
BINDING = """\
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: names}
spec: {policyName: names, validationActions: [Deny]}
"""
MODEL = """\
apiVersion: inference.llmkube.dev/v1alpha1
kind: Model
metadata: {name: llama}
spec: {source: "https://example.com/llama.gguf"}
"""
TEXT = "ValidatingAdmissionPolicy 'names' with binding 'names' denied request: failed expression: request.name.startsWith(\"team-\")"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "policies").mkdir()
    (tmp_path / "policies" / "policy.yaml").write_text(POLICY)
    (tmp_path / "policies" / "binding.yaml").write_text(BINDING)
    (tmp_path / "model.yaml").write_text(MODEL)
    return tmp_path


def test_lint_reports_what_a_policy_refuses(folder: Path) -> None:
    found = run("lint", "--policies", "policies", "model.yaml", cwd=folder)
    assert found.returncode == 1
    assert f"model.yaml:1:1: error[K8S-009] {TEXT} (Model llama)" in found.stdout
    assert run("lint", "model.yaml", cwd=folder).returncode == 0


def test_policies_among_the_manifests_apply_to_the_others(folder: Path) -> None:
    found = run("lint", ".", "-o", "json", cwd=folder)
    refused = [(entry["object"], finding["rule"]) for entry in json.loads(found.stdout)["results"] for finding in entry.get("findings", ())]
    assert refused == [("Model llama", "K8S-009")]


@pytest.mark.parametrize(
    ("operation", "stage"), [("CREATE", "whole"), ("CREATE", "apiserver"), ("DELETE", "whole"), ("DELETE", "apiserver")]
)
def test_dry_run_answers_as_the_server(folder: Path, operation: str, stage: str) -> None:
    found = run(
        "dry-run", "--policies", "policies", "--operation", operation, "--stage", stage, "-o", "jsonl", "model.yaml", cwd=folder
    )  # fmt: skip
    record = json.loads(found.stdout)
    assert (record["allowed"], record["code"]) == (False, 403)
    assert record["message"] == f'models.inference.llmkube.dev "llama" is forbidden: {TEXT}'
    assert record["causes"] == [{"reason": "", "field": "", "message": TEXT}]


@pytest.mark.parametrize("option", ["--policies", "--cluster"])
def test_a_built_in_kind_is_judged_as_far_as_it_is_known(folder: Path, option: str) -> None:
    rule = "- expression: object.spec.replicas > 1\n  - expression: object.status.replicas > 1\n"
    text = POLICY.replace('- expression: request.name.startsWith("team-")\n    reason: Forbidden\n', rule)
    (folder / "policies" / "policy.yaml").write_text(text)
    (folder / "one.yaml").write_text("apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: d}\nspec: {replicas: 3}\n")
    found = run("lint", option, "policies", "one.yaml", cwd=folder)
    assert "names with binding names: it asks for status of the object" in found.stdout
    assert run("lint", option, "policies", "one.yaml", "--fail-on", "unchecked", cwd=folder).returncode == 1
    # Its defaults are known.
    (folder / "policies" / "policy.yaml").write_text(text.replace("status.replicas > 1", "spec.progressDeadlineSeconds > 600"))
    found = run("lint", option, "policies", "one.yaml", cwd=folder)
    assert "failed expression: object.spec.progressDeadlineSeconds > 600" in found.stdout


def test_an_object_that_its_schema_refuses_reaches_no_policy(folder: Path) -> None:
    (folder / "model.yaml").write_text(MODEL.replace("spec:", "spec: {colour: red}\nstatus:"))
    found = run("lint", "--policies", "policies", "model.yaml", cwd=folder)
    assert "K8S-001" in found.stdout
    assert "K8S-009" not in found.stdout


def test_a_policy_that_the_server_would_not_store_is_an_error_with_its_line(folder: Path) -> None:
    (folder / "policies" / "policy.yaml").write_text(POLICY.replace('.startsWith("team-")', ".size()"))
    found = run("lint", "--policies", "policies", "model.yaml", cwd=folder)
    where = "policies/policy.yaml:8: ValidatingAdmissionPolicy names: spec.validations[0].expression"
    assert (found.returncode, found.stdout) == (2, "")
    assert found.stderr == f'Error: {where}: Invalid value: "request.name.size()": must evaluate to bool but got int\n'


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("nowhere", "--policies nowhere: no such file or folder; name one with policies and their bindings"),
        (
            "model.yaml",
            "--policies model.yaml: no binding of a policy in there, so no policy would apply; add a ValidatingAdmissionPolicyBinding",
        ),
        ("broken.yaml", "broken.yaml:1:4: invalid YAML"),
    ],
)
def test_what_can_not_be_used_is_an_error(folder: Path, path: str, text: str) -> None:
    (folder / "broken.yaml").write_text("a: [\nb: c\n")
    found = run("lint", "--policies", path, "model.yaml", cwd=folder)
    assert found.returncode == 2
    assert found.stderr.startswith(f"Error: {text}")
