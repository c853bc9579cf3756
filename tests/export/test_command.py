"""`weighbridge export`: the written files and the messages."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.command_line import run
from tests.yaml_documents import read_all

GALLERY = Path(__file__).parents[2] / "docs/examples/policies/gallery.yaml"
MODEL = """apiVersion: inference.llmkube.dev/v1alpha1
kind: Model
metadata: {name: code, labels: {team: a, cost-centre: b}}
spec: {source: "https://models.example.com/codestral.gguf"}
"""


def test_policies_and_rules_are_written_with_their_bindings() -> None:
    done = run("export", "--config", str(GALLERY), "POLICY-005", "LLMKUBE-12*")
    written = list(read_all(done.stdout))
    assert done.returncode == 0
    names = "policy-005-deny", "llmkube-120-deny", "llmkube-121-deny", "llmkube-122-audit"
    assert [(obj["kind"].removeprefix("ValidatingAdmissionPolicy"), obj["metadata"]["name"]) for obj in written] == [
        (kind, f"weighbridge-{name}") for name in names for kind in ("", "Binding")
    ]
    assert (
        done.stderr.partition("exported ")[2]
        == "4 of 10 policies and rules\nneeds Kubernetes 1.34 or later, and the CRDs of LLMKube v0.9.19\n"
    )


def test_what_cannot_be_exported_is_named_with_the_reason() -> None:
    done = run("export", "--config", str(GALLERY), "POLICY-00[14]", "POLICY-001", "POLICY-004")
    assert (done.returncode, done.stdout) == (2, "")
    done = run("export", "--config", str(GALLERY), "POLICY-001", "POLICY-004", "LLMKUBE-002", "LLMKUBE-008")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.splitlines() == [
        "not exported: POLICY-001 images-from-our-registry: it uses effective and image(), which the API server doesn't have",
        "not exported: POLICY-004 cost-ceiling: it uses placement and effective, which the API server doesn't have",
        "not exported: LLMKUBE-002 amd-without-runtime: it looks up InferenceService in the cluster",
        (
            "not exported: LLMKUBE-008 gpu-not-in-cluster: it looks up ConfigMap/cluster-autoscaler-status, Deployment.apps, "
            "MachineDeployment.cluster.x-k8s.io and 4 more in the cluster"
        ),
        "exported 0 of 4 policies and rules",
    ]


def test_a_name_that_is_none_is_an_error_with_the_nearest_one() -> None:
    done = run("export", "llmkube-120")
    assert (done.returncode, done.stderr) == (2, "Error: no policy, rule or fill-in is named llmkube-120; did you mean LLMKUBE-120?\n")


def test_a_folder_gets_a_file_for_each(tmp_path: Path) -> None:
    done = run("export", "--config", str(GALLERY), "POLICY-*", "--output-dir", str(tmp_path / "made/here"))
    assert (done.returncode, done.stdout) == (0, "")
    assert sorted(path.name for path in (tmp_path / "made/here").iterdir()) == ["policy-005.yaml", "policy-008.yaml", "policy-011.yaml"]


def test_a_folder_that_cannot_be_made_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    done = run("export", "LLMKUBE-120", "--output-dir", str(tmp_path / "file/below"))
    assert (done.returncode, done.stdout) == (2, "")
    assert "this directory can't be made" in done.stderr


def test_lint_reads_what_is_written_and_says_the_same(tmp_path: Path) -> None:
    run("export", "--config", str(GALLERY), "POLICY-*", "--output-dir", str(tmp_path / "policies"))
    manifest = tmp_path / "model.yaml"
    manifest.write_text(MODEL)
    mine = run("lint", "--config", str(GALLERY), str(manifest), "-o", "json")
    theirs = run("lint", "--policies", str(tmp_path / "policies"), str(manifest))
    said = "spec.source: is a codestral, whose licence forbids commercial use"
    assert (mine.returncode, theirs.returncode) == (1, 1)
    assert '"message":"is a codestral, whose licence forbids commercial use"' in mine.stdout.replace(": ", ":")
    by = "ValidatingAdmissionPolicy 'weighbridge-policy-005-deny' with binding 'weighbridge-policy-005-deny' denied request"
    assert f"error[K8S-009] {by}: {said} (POLICY-005)" in theirs.stdout


@pytest.mark.parametrize(("mode", "actions"), [("deny", ["Deny"]), ("audit", ["Warn", "Audit"])])
def test_a_configuration_that_only_audits_refuses_nothing(tmp_path: Path, mode: str, actions: list[str]) -> None:
    config = tmp_path / "config.yaml"
    config.write_text(f"apiVersion: weighbridge.dev/v1alpha1\nkind: Configuration\nmode: {mode}\n")
    _, binding = read_all(run("export", "--config", str(config), "LLMKUBE-120").stdout)
    assert binding["spec"]["validationActions"] == actions


def test_an_exception_that_ends_is_named(tmp_path: Path) -> None:
    config = tmp_path / "config.yaml"
    end = "exceptions: [{rules: [LLMKUBE-120], match: {names: [old]}, reason: it goes, expires: '2999-01-31'}]"
    config.write_text(f"apiVersion: weighbridge.dev/v1alpha1\nkind: Configuration\n{end}\n")
    done = run("export", "--config", str(config), "LLMKUBE-120")
    assert "LLMKUBE-120: an exception ends on 2999-01-31; export again then, since the API server keeps it\n" in done.stderr
    policy, _ = read_all(done.stdout)
    assert policy["spec"]["matchConditions"] == [
        {"name": "weighbridge-no-exception", "expression": "!(request.?name.orValue('') == 'old')"}
    ]
