"""Each thing is said once, beginning with the verdict and what to change; notes, exceptions and details come on request."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest

from tests.command_line import run
from tests.conftest import ROOT
from weighbridge.webhook.dry_run_report.parts.record import json_schema

CASE = ROOT / "tests" / "cases" / "llmkube" / "refuses-a-selector-without-gpu-nodes"
SELECTOR = [str(CASE / "object.yaml"), "--cluster", str(CASE / "cluster.yaml")]
EXAMPLES = ROOT / "docs" / "examples"
IMPOSSIBLE = [str(EXAMPLES / "vllm.yaml"), "--cluster", str(EXAMPLES / "cluster.yaml")]
NOTED = """\
apiVersion: inference.llmkube.dev/v1alpha1
kind: Model
metadata: {name: noted}
spec: {source: https://example.com/m.gguf, resources: {cpu: "2"}}
"""
CONFIG_MAP = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\n"


def test_a_bad_selector_is_told_once_and_first() -> None:
    done = run("dry-run", *SELECTOR)
    said = " ".join(done.stdout.split())
    assert said.count("gpu-1 would fit, but it has zone=a instead of b") == 1
    assert said.count("LLMKUBE-082") == 1
    assert "PLACE-001" not in said
    assert done.stdout.splitlines()[0].endswith(": refused (403)")
    assert done.stdout.splitlines()[1].startswith("  error[LLMKUBE-082] spec.nodeSelector: ")


def test_the_server_s_words_and_each_node_are_told_where_asked() -> None:
    said = " ".join(run("dry-run", "-v", *SELECTOR).stdout.split())
    assert 'admission webhook "validate.llmkube.weighbridge.dev" denied the request' in said
    assert "preemption: 0/2 nodes are available" in said
    assert "not cpu-1: Insufficient nvidia.com/gpu" in said


def test_a_refusal_that_no_finding_tells_is_told_in_the_server_s_words() -> None:
    text = "apiVersion: inference.llmkube.dev/v1alpha1\nkind: Model\nmetadata: {name: a, labels: text}\n"
    done = run("dry-run", "-", text=text)
    assert done.returncode == 1
    assert "cannot be handled as a Model" in " ".join(done.stdout.split())


@pytest.mark.parametrize("command", ["lint", "dry-run"])
def test_a_note_is_counted_and_shown_where_asked(command: str) -> None:
    quiet, verbose = run(command, "-", text=NOTED), run(command, "-", "-v", text=NOTED)
    assert "LLMKUBE-029" not in quiet.stdout
    assert quiet.stdout.splitlines()[-1].endswith(", 1 note (-v shows them)")
    assert "note[LLMKUBE-029] spec.resources: " in verbose.stdout
    assert verbose.stdout.splitlines()[-1].endswith(", 1 note")
    assert (quiet.returncode, verbose.returncode) == (0, 0)


def test_a_note_is_no_warning_of_the_api_server() -> None:
    (verdict,) = json.loads(run("dry-run", "-", "-o", "json", text=NOTED).stdout)["verdicts"]
    assert [(finding["rule"], finding["severity"]) for finding in verdict["findings"]] == [("LLMKUBE-029", "note")]
    assert verdict["warnings"] == []


def test_lint_shows_the_notes_that_it_fails_on() -> None:
    done = run("lint", "-", "--fail-on", "note", text=NOTED)
    assert done.returncode == 1
    assert "note[LLMKUBE-029]" in done.stdout


@pytest.mark.parametrize("command", ["lint", "dry-run"])
@pytest.mark.parametrize(
    ("fail_on", "code"), [(None, 1), ("error", 0), ("placement", 1), ("warning", 1), ("note", 1), ("never", 0)], ids=str
)
def test_what_no_node_can_ever_run_fails_unless_told_otherwise(command: str, fail_on: str | None, code: int) -> None:
    done = run(command, *IMPOSSIBLE, *(["--fail-on", fail_on] if fail_on else []))
    assert done.returncode == code
    assert "1 that no node can run" in done.stdout.splitlines()[-1]


@pytest.mark.parametrize("command", ["lint", "dry-run"])
def test_a_note_fails_only_where_asked(command: str) -> None:
    codes = [run(command, "-", "--fail-on", level, text=NOTED).returncode for level in ("error", "placement", "warning", "note", "never")]
    assert codes == [0, 0, 0, 1, 0]


@pytest.mark.parametrize("expected", ["{expectedResources: {nvidia.com/gpu: 8}}", "{rules: {PLACE-001: off}}"])
def test_what_may_run_later_or_nobody_wants_to_hear_of_does_not_fail(tmp_path: Path, expected: str) -> None:
    config = tmp_path / "config.yaml"
    config.write_text("apiVersion: weighbridge.dev/v1alpha1\nkind: Configuration\n" + expected[1:-1] + "\n")
    assert run("dry-run", *IMPOSSIBLE, "--config", str(config)).returncode == 0


def test_a_cordoned_node_may_run_it_later(tmp_path: Path) -> None:
    node = {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "n"}, "spec": {"unschedulable": True}}
    amounts = {"cpu": "64", "memory": "512Gi", "pods": "110", "nvidia.com/gpu": "8"}
    (tmp_path / "cluster.json").write_text(json.dumps({**node, "status": {"allocatable": amounts}}))
    done = run("dry-run", IMPOSSIBLE[0], "--cluster", str(tmp_path / "cluster.json"), "-o", "jsonl")
    record = json.loads(done.stdout)
    assert (done.returncode, record["placement"]["outlook"], "neverRuns" in record) == (0, "later", False)


def test_built_in_kinds_are_skipped_and_counted_apart() -> None:
    text = CONFIG_MAP + "---\napiVersion: example.com/v1\nkind: Kettle\nmetadata: {name: k}\n"
    done = run("dry-run", "-", text=text)
    assert "ConfigMap default/c (-:1): skipped: built-in kind\n" in done.stdout
    assert done.stdout.splitlines()[-1] == "0 allowed, 0 refused, 1 not checked, 1 skipped"
    done = run("lint", "-", text=text)
    assert done.stdout.splitlines()[-1] == "checked 0 of 2 objects in 1 file: 0 failed, 0 warned, 1 not checked, 1 skipped"
    assert "ConfigMap" not in done.stdout
    first, second = json.loads(run("lint", "-", "-o", "json", text=text).stdout)["results"]
    assert (first["status"], first["skipped"], first["unchecked"]) == ("skipped", "built-in kind", [])
    assert second["status"] == "not checked"


def test_json_in_short_has_the_verdict_and_its_reasons() -> None:
    whole = json.loads(run("dry-run", *SELECTOR, "-o", "json").stdout)["verdicts"][0]
    brief = json.loads(run("dry-run", *SELECTOR, "-o", "json", "--short").stdout)["verdicts"][0]
    assert brief == {key: whole[key] for key in brief}
    assert whole.keys() - brief.keys() == {"causes", "warnings", "patch", "provenance", "object", "celCost", "placement", "effective"}
    jsonschema.validate(whole, json_schema())
    line = run("dry-run", *IMPOSSIBLE, "-o", "jsonl", "--short").stdout
    assert (json.loads(line)["neverRuns"], json.loads(line)["skipped"]) == (True, "built-in kind")


def test_short_goes_with_json_alone() -> None:
    done = run("dry-run", *SELECTOR, "--short")
    assert done.returncode == 2
    assert "--short needs -o json or jsonl, not text" in done.stderr


_LLMKUBE = "LLMKube v0.9.5 to v0.9.19"
_EXTENSION = "Gateway API Inference Extension v0.5.1 to v1.6.0"


@pytest.mark.parametrize(
    ("api_version", "kind", "said"),
    [
        ("inference.llmkube.dev/v1alpha0", "Model", ": write inference.llmkube.dev/v1alpha1"),
        ("inference.llmkube.dev/v1beta1", "Model", f": {_LLMKUBE} have v1alpha1, and no newer release is known"),
        ("inference.llmkube.dev/v1alpha1", "Modle", ": did you mean Model?"),
        ("inference.networking.x-k8s.io/v1", "InferenceModel", f": {_EXTENSION} have v1alpha2, and no newer release is known"),
        ("apps/v1beta1", "Deployment", ": write apps/v1"),
        ("v1", "Zebra", ""),
    ],
)
def test_a_kind_that_a_known_group_has_not_is_refused_as_kubectl_would(api_version: str, kind: str, said: str) -> None:
    text = f"apiVersion: {api_version}\nkind: {kind}\nmetadata: {{name: a}}\n"
    done = run("lint", "-", text=text)
    assert done.returncode == 1
    assert f'no matches for kind "{kind}" in version "{api_version}"{said} ({kind} a)\n' in done.stdout
    verdict = json.loads(run("dry-run", "-", "-o", "jsonl", text=text).stdout)
    assert (verdict["code"], verdict["message"]) == (404, f'no matches for kind "{kind}" in version "{api_version}"')


def test_a_kind_of_a_group_of_which_others_may_exist_is_not_checked() -> None:
    text = "apiVersion: inference.networking.x-k8s.io/v1alpha2\nkind: InferenceSomething\nmetadata: {name: a}\n"
    done = run("lint", "-", text=text)
    assert done.returncode == 0
    assert "not checked: inference.networking.x-k8s.io/v1alpha2 InferenceSomething" in done.stdout


def test_a_version_that_a_given_crd_serves_is_known(tmp_path: Path) -> None:
    crd = {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": "models.inference.llmkube.dev"},
        "spec": {
            "group": "inference.llmkube.dev",
            "names": {"kind": "Model", "plural": "models", "singular": "model", "listKind": "ModelList"},
            "scope": "Namespaced",
            "versions": [{"name": "v1beta1", "served": True, "storage": True, "schema": {"openAPIV3Schema": {"type": "object"}}}],
        },
    }
    (tmp_path / "crd.json").write_text(json.dumps(crd))
    text = "apiVersion: inference.llmkube.dev/v1beta1\nkind: Model\nmetadata: {name: a}\n"
    done = run("lint", "-", "--crds", str(tmp_path / "crd.json"), text=text)
    assert "no matches" not in done.stdout


def test_a_recorded_review_of_an_unknown_version_is_not_refused() -> None:
    """The server that sent it has the kind."""
    request = {
        "uid": "u",
        "operation": "CREATE",
        "resource": {"group": "inference.llmkube.dev", "version": "v1beta1", "resource": "models"},
        "object": {"apiVersion": "inference.llmkube.dev/v1beta1", "kind": "Model", "metadata": {"name": "a"}},
    }
    line = json.dumps({"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview", "request": request}) + "\n"
    verdict = json.loads(run("dry-run", "--reviews", "-", text=line).stdout)
    assert (verdict["allowed"], len(verdict["unchecked"])) == (True, 1)


def test_what_is_piped_is_searched_and_not_broken() -> None:
    wanted = {
        "gpu-1 would fit, but it has zone=a instead of b": SELECTOR,
        "nearest: a100-1 has 4 of the 8 requested nvidia.com/gpu (NVIDIA A100-SXM4-80GB)": IMPOSSIBLE,
        "accelerator: intel  # vendor table: gpu.vendor intel; the readiness check uses the accelerator": [
            str(EXAMPLES / "manifests" / "intel-model.yaml"),
            "--cluster",
            str(EXAMPLES / "cluster.yaml"),
        ],
    }
    for line, arguments in wanted.items():
        assert line in run("dry-run", *arguments).stdout
        assert line in run("dry-run", *arguments, env={"COLUMNS": "40"}).stdout
