"""`weighbridge dry-run`: formats, reviews, operations, stages."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import jsonpatch
import jsonschema
import pytest

from tests.command_line import run
from tests.e2e.process import WEIGHBRIDGE
from tests.yaml_documents import read
from weighbridge.webhook.dry_run_report import FORMATS
from weighbridge.webhook.dry_run_report.parts.record import json_schema

OPEN = """\
apiVersion: inference.llmkube.dev/v1alpha1
kind: Model
metadata:
  name: open
spec:
  source: hf://org/model
  hardware:
    gpu: {vendor: amd, runtime: rocm, count: 1}
"""
BAD = "apiVersion: inference.llmkube.dev/v1alpha1\nkind: Model\nmetadata: {name: bad}\nspec: {source: pvc://x}\n"


def review(obj: Any, **request: Any) -> str:
    """A line of a recording."""
    inner = {"uid": "u1", "operation": "CREATE", "object": obj, **request}
    return json.dumps({"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview", "request": inner}) + "\n"


def test_text_shows_verdict_changes_and_their_origin() -> None:
    done = run("dry-run", "-", text=OPEN)
    assert done.returncode == 0
    assert "Model default/open (-:1): allowed" in done.stdout
    said = " ".join(done.stdout.split())
    assert "resourceName: devic.es/dri-render # vendor table: gpu.vendor amd, gpu.runtime rocm" in said
    assert "format: gguf # CRD: default of the schema of inference.llmkube.dev/v1alpha1 Model" in said
    assert done.stdout.splitlines()[-1] == "1 allowed, 0 refused, not fully checked"


def test_yaml_is_the_stored_object() -> None:
    stored = read(run("dry-run", "-", "-o", "yaml", text=OPEN).stdout)
    assert stored["spec"]["hardware"]["accelerator"] == "rocm"
    assert stored["spec"]["format"] == "gguf"
    assert stored["metadata"]["namespace"] == "default"


def test_diff_is_a_unified_diff() -> None:
    lines = run("dry-run", "-", "-o", "diff", text=OPEN).stdout.splitlines()
    assert lines[0].startswith("--- ")
    assert lines[1].startswith("+++ ")
    assert any(line.startswith("+    accelerator: rocm") for line in lines)


def test_json_and_json_lines_hold_the_same_verdicts() -> None:
    text = OPEN + "---\n" + BAD
    whole = json.loads(run("dry-run", "-", "-o", "json", text=text).stdout)["verdicts"]
    lines = [json.loads(line) for line in run("dry-run", "-", "-o", "jsonl", text=text).stdout.splitlines()]
    assert whole == lines
    assert [verdict["allowed"] for verdict in lines] == [True, False]


@pytest.mark.parametrize("text", [OPEN, BAD, "a: [", "kind: Deployment\napiVersion: apps/v1\nmetadata: {name: d}\n"])
def test_every_verdict_fits_the_exported_schema(text: str) -> None:
    for line in run("dry-run", "-", "-o", "jsonl", text=text).stdout.splitlines():
        jsonschema.validate(json.loads(line), json_schema())


def test_the_patch_leads_to_the_stored_object() -> None:
    record = json.loads(run("dry-run", "-", "-o", "jsonl", text=OPEN).stdout)
    before = json.loads(run("dry-run", "-", "-o", "jsonl", "--stage", "apiserver", text=OPEN).stdout)
    assert before["patch"] == []
    assert jsonpatch.apply_patch(before["object"], record["patch"]) == record["object"]


def test_the_apiserver_stage_knows_no_rules_of_ours() -> None:
    record = json.loads(run("dry-run", "-", "-o", "jsonl", "--stage", "apiserver", text=BAD).stdout)
    assert record["allowed"]
    assert record["findings"] == []


def test_what_the_rules_cost_is_reported() -> None:
    """If both fields are absent, two names are read and one negation is made; once resourceName is filled in, one more name is read."""
    for stage, cost in (("apiserver", 2), ("whole", 3)):
        record = json.loads(run("dry-run", "-", "--stage", stage, "-o", "jsonl", text=OPEN).stdout)
        assert record["celCost"] == cost


def test_reviews_are_answered_in_order_and_a_broken_line_does_not_stop_them() -> None:
    good, bad = read(OPEN), read(BAD)
    lines = [
        review(good),
        "not json\n",
        "\n",
        '{"a": 1}\n',
        "[]\n",
        review("text", uid="u2"),
        review(good, uid=""),
        review(bad, uid="u3"),
        review(good, uid="u4", operation="JUMP"),
        review(None, uid="u5", operation="DELETE", oldObject=bad),
        json.dumps({"uid": "u6", "operation": "CREATE", "object": bad}) + "\n",
    ]
    done = run("dry-run", "--reviews", "-", text="".join(lines))
    records = [json.loads(line) for line in done.stdout.splitlines()]
    assert [record["id"] for record in records] == ["u1", "line-2", "line-4", "line-5", "u2", "line-7", "u3", "u4", "u5", "u6"]
    assert [record["allowed"] for record in records] == [True, False, False, False, False, False, False, False, True, False]
    assert ["error" in record for record in records] == [False, True, True, True, True, True, False, True, False, False]
    assert done.returncode == 2
    assert done.stderr == ""


@pytest.mark.parametrize(
    ("line", "error"),
    [
        (
            {"apiVersion": "admission.k8s.io/v1beta1", "kind": "AdmissionReview", "request": {"uid": "u"}},
            "-:1: the AdmissionReview must be of admission.k8s.io/v1, not 'admission.k8s.io/v1beta1'",
        ),
        (
            {"uid": "u", "operation": "CREATE", "object": {"kind": "A"}, "options": {"fieldValidation": "Bogus"}},
            "-:1: request.options.fieldValidation must be one of Strict, Warn, Ignore, not 'Bogus'",
        ),
        (
            {"uid": "u", "operation": "CREATE", "object": {"kind": "A"}, "options": {"fieldValidation": ["Warn"]}},
            "-:1: request.options.fieldValidation must be one of Strict, Warn, Ignore, not a list",
        ),
    ],
    ids=["version", "validation", "validation that is none"],
)
def test_a_review_that_says_what_nobody_understands_is_an_error(line: Any, error: str) -> None:
    done = run("dry-run", "--reviews", "-", text=json.dumps(line) + "\n")
    assert done.returncode == 2
    assert json.loads(done.stdout)["error"] == error


@pytest.mark.parametrize("mode", ["", None])
def test_a_review_that_leaves_the_validation_open_is_judged(mode: str | None) -> None:
    line = review(read(OPEN), options={"fieldValidation": mode})
    assert json.loads(run("dry-run", "--reviews", "-", text=line).stdout)["allowed"]


def test_what_cannot_be_read_is_an_error_and_no_refusal(tmp_path: Path) -> None:
    (tmp_path / "broken: one.yaml").write_text("a: [\n")
    (tmp_path / "bad.yaml").write_text(BAD)
    done = run("dry-run", str(tmp_path))
    assert done.returncode == 2
    assert f"{tmp_path}/broken: one.yaml:1: error\n" in done.stdout
    assert "refused (400)" not in done.stdout
    assert done.stdout.splitlines()[-1] == "0 allowed, 1 refused, 1 error"
    assert f"# {tmp_path}/broken: one.yaml:1: error" in run("dry-run", str(tmp_path), "-o", "yaml").stdout
    assert f"# {tmp_path}/broken: one.yaml:1: error: " in run("dry-run", str(tmp_path), "-o", "diff").stdout


def test_a_kind_without_a_crd_is_not_checked() -> None:
    text = OPEN + "---\napiVersion: example.com/v1\nkind: Kettle\nmetadata: {name: d}\n"
    done = run("dry-run", "-", text=text)
    assert done.returncode == 0
    assert "Kettle default/d (-:10): not checked\n" in done.stdout
    assert "not checked: example.com/v1 Kettle: no CustomResourceDefinition for this kind is known" in " ".join(done.stdout.split())
    assert done.stdout.splitlines()[-1] == "1 allowed, 0 refused, not fully checked, 1 not checked"
    records = [json.loads(line) for line in run("dry-run", "-", "-o", "jsonl", text=text).stdout.splitlines()]
    assert [(record["allowed"], record["unchecked"][0]["subject"]) for record in records][1] == (True, "example.com/v1 Kettle")


def test_what_a_prediction_rests_on_and_is_not_known_is_said() -> None:
    text = "apiVersion: inference.llmkube.dev/v1alpha1\nkind: InferenceService\nmetadata: {name: chat}\nspec: {modelRef: absent}\n"
    said = "not predicted: what LLMKube does with it: Model absent isn't known"
    assert said in " ".join(run("dry-run", "-", text=text).stdout.split())
    assert "creates nothing for it" not in run("dry-run", "-", text=text).stdout
    assert f"# {said}\n" in run("dry-run", "-", "-o", "effective", text=text).stdout
    (record,) = json.loads(run("dry-run", "-", "-o", "json", text=text).stdout)["verdicts"]
    assert record["effective"]["unchecked"] == [{"subject": "what LLMKube does with it", "reason": "Model absent isn't known"}]


def test_what_is_passed_over_is_counted() -> None:
    text = "---\n".join([OPEN, "a: {{ .Values.a }}\n", "b: {{ .Values.b }}\n", "replicas: 1\n", "# nothing\n"])
    last = run("dry-run", "-", text=text).stdout.splitlines()[-1]
    assert last == "1 allowed, 0 refused, not fully checked, 2 templates passed over, 1 other document passed over"


def test_a_list_at_the_top_is_an_error() -> None:
    done = run("dry-run", "-", text="- " + OPEN.replace("\n", "\n  ").rstrip() + "\n")
    assert done.returncode == 2
    assert "kubectl takes one object a document, not a list" in " ".join(done.stdout.split())


def test_field_validation_of_a_review_counts() -> None:
    obj = read(OPEN)
    obj["spec"]["sauce"] = "x"
    strict, warn, ignore = (
        json.loads(run("dry-run", "--reviews", "-", text=review(obj, options={"fieldValidation": mode})).stdout)
        for mode in ("Strict", "Warn", "Ignore")
    )
    assert (strict["code"], strict["message"]) == (
        400,
        'Model in version "v1alpha1" cannot be handled as a Model: strict decoding error: unknown field "spec.sauce"',
    )
    assert warn["warnings"][0] == 'unknown field "spec.sauce"'
    assert 'unknown field "spec.sauce"' not in ignore["warnings"]
    assert "sauce" not in warn["object"]["spec"]


def test_an_update_needs_its_old_object(tmp_path: Path) -> None:
    done = run("dry-run", "-", "--operation", "UPDATE", text=OPEN)
    assert done.returncode == 2
    assert "give it with --old or --cluster" in done.stderr
    old = tmp_path / "old.yaml"
    old.write_text(OPEN)
    assert run("dry-run", "-", "--old", str(old), text=OPEN).returncode == 0


def test_a_deletion_is_allowed() -> None:
    assert run("dry-run", "-", "--operation", "DELETE", text=BAD).returncode == 0


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((), "give PATH... or --reviews FILE"),
        (("x.yaml", "--reviews", "-"), "give PATH... or --reviews FILE"),
        (("--reviews", "/nowhere"), "/nowhere: no such file or directory; give a file of AdmissionReview requests"),
        (("--reviews", "-", "--old", "x"), "a review has its own"),
    ],
    ids=["nothing", "both", "no file", "old and reviews"],
)
def test_a_wrong_command_line_is_one_error_and_two(arguments: tuple[str, ...], said: str) -> None:
    done = run("dry-run", *arguments)
    assert done.returncode == 2
    assert said in done.stderr
    assert "Traceback" not in done.stderr


def test_a_reader_that_goes_away_is_no_error() -> None:
    text = "---\n".join([OPEN] * 300)
    command = f"{WEIGHBRIDGE} dry-run - -o yaml | head -n 1"
    done = subprocess.run(command, shell=True, input=text, capture_output=True, text=True, timeout=60, check=False)
    assert done.stdout == "---\n"
    assert done.stderr == ""


def test_a_scale_is_judged_as_the_object_it_scales(tmp_path: Path) -> None:
    kind = {"group": "autoscaling", "version": "v1", "kind": "Scale"}
    resource = {"group": "example.com", "version": "v1", "resource": "widgets"}
    schema = {
        "type": "object",
        "properties": {
            "spec": {"type": "object", "properties": {"replicas": {"type": "integer", "maximum": 10}}},
            "status": {"type": "object"},
        },
    }
    version = {"name": "v1", "served": True, "storage": True, "schema": {"openAPIV3Schema": schema}}
    version["subresources"] = {"scale": {"specReplicasPath": ".spec.replicas", "statusReplicasPath": ".status.replicas"}}
    names = {"kind": "Widget", "plural": "widgets", "singular": "widget", "listKind": "WidgetList"}
    crd = {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": "widgets.example.com"},
        "spec": {"group": "example.com", "names": names, "scope": "Namespaced", "versions": [version]},
    }
    (tmp_path / "crd.json").write_text(json.dumps(crd))
    metadata = {"name": "w", "namespace": "default"}
    old = {"apiVersion": "example.com/v1", "kind": "Widget", "metadata": metadata, "spec": {"replicas": 1}}

    def scaled(replicas: int) -> Any:
        scale = {"apiVersion": "autoscaling/v1", "kind": "Scale", "metadata": metadata, "spec": {"replicas": replicas}}
        line = review(
            scale, operation="UPDATE", subResource="scale", kind=kind, resource=resource, oldObject=old, name="w", namespace="default"
        )
        return json.loads(run("dry-run", "--reviews", "-", "--crds", str(tmp_path), text=line).stdout)

    assert scaled(3)["allowed"]
    refused = scaled(30)
    assert [cause["field"] for cause in refused["causes"]] == ["spec.replicas"]


@pytest.mark.parametrize("arguments", [*(("dry-run", "-o", name) for name in FORMATS), ("lint", "-o", "text"), ("lint", "-o", "json")])
def test_control_characters_of_an_object_do_not_reach_the_terminal(arguments: tuple[str, ...]) -> None:
    value = "q\x1b[31mX\x9b2J\x07\u202e"
    model = json.dumps(read(OPEN) | {"spec": {"source": value, value: 1}})
    done = run(*arguments, "-", *(["--field-validation", "Warn"] if arguments[0] == "dry-run" else []), text=model)
    assert "Traceback" not in done.stderr
    assert all(char == "\n" or char.isprintable() for char in done.stdout)
    assert r"\u202e" in done.stdout


def test_old_objects_are_wanted_where_they_are_named(tmp_path: Path) -> None:
    (tmp_path / "values.yaml").write_text("replicas: 3\n")
    done = run("dry-run", "-", "--old", str(tmp_path / "values.yaml"), text=OPEN)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"Error: {tmp_path}/values.yaml: no Kubernetes object in there (--old)\n"
