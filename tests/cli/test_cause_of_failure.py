"""Each format of `lint` shows as an error what makes the exit code 1, and nothing else."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.command_line import run
from tests.conftest import ROOT

KETTLE = "apiVersion: example.com/v1\nkind: Kettle\nmetadata: {name: d}\n"
#: A warning that the nodes don't matter for, and pods that no node can run.
CLUSTER = """\
apiVersion: v1
kind: Node
metadata: {name: cpu, labels: {kubernetes.io/hostname: cpu}}
status: {allocatable: {cpu: '8', memory: 32Gi, pods: '110'}, conditions: [{type: Ready, status: 'True'}]}
"""
#: The text that only an error has.
ERRORS = {
    "github": "::error ",
    "tap": "not ok ",
    "junit": "<failure ",
    "gitlab": '"severity":"major"',
    "sarif": '"level":"error"',
    "markdown": "| error |",
}


def errors(form: str, *arguments: str, cwd: Path, code: int) -> list[str]:
    """The lines of a report that have an error."""
    done = run("lint", *arguments, "-o", form, cwd=cwd)
    assert done.returncode == code, done.stdout + done.stderr
    text = done.stdout.replace('": "', '":"')
    if form in {"sarif", "gitlab"}:
        found = json.loads(done.stdout)
        entries = found["runs"][0]["results"] if form == "sarif" else found
        text = "\n".join(json.dumps(entry, separators=(",", ":")) for entry in entries)
    return [line for line in text.splitlines() if ERRORS[form] in line]


@pytest.mark.parametrize("form", ERRORS)
def test_an_object_of_an_unknown_kind_is_the_error_if_it_counts(tmp_path: Path, form: str) -> None:
    (tmp_path / "kettle.yaml").write_text(KETTLE)
    assert errors(form, "kettle.yaml", cwd=tmp_path, code=0) == []
    for level in ("unknown", "unchecked", "never,unknown"):
        (error,) = errors(form, "kettle.yaml", "--fail-on", level, cwd=tmp_path, code=1)
        assert "kettle.yaml" in error
    assert "no CustomResourceDefinition" in run("lint", "kettle.yaml", "--fail-on", "unknown", "-o", form, cwd=tmp_path).stdout


@pytest.mark.parametrize("form", ERRORS)
def test_a_warning_is_no_error_where_something_unchecked_counts(form: str) -> None:
    manifest = "docs/examples/manifests/intel-model.yaml"
    (error,) = errors(form, manifest, "--fail-on", "unchecked", cwd=ROOT, code=1)
    assert "LLMKUBE-013" not in error
    found = errors(form, manifest, "--fail-on", "warning,unchecked", cwd=ROOT, code=1)
    assert len(found) == 2


@pytest.mark.parametrize("form", ERRORS)
def test_the_error_of_pods_that_never_run_is_about_them(tmp_path: Path, form: str) -> None:
    (tmp_path / "cluster.yaml").write_text(CLUSTER)
    (tmp_path / "pod.yaml").write_text(
        "apiVersion: v1\nkind: Pod\nmetadata: {name: a, annotations: {container.apparmor.security.beta.kubernetes.io/a: unconfined}}\n"
        "spec: {containers: [{name: a, image: a, resources: {limits: {nvidia.com/gpu: 1}}}]}\n"
    )
    (error,) = errors(form, "pod.yaml", "--cluster", "cluster.yaml", cwd=tmp_path, code=1)
    assert "PLACE-001" in error or "Insufficient nvidia.com/gpu" in error


def test_the_text_lists_what_was_not_checked_if_it_counts(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text(KETTLE + "---\n" + KETTLE.replace("Kettle", "Pot"))
    assert "2 kinds without a known CRD (-v lists them)" in run("lint", "a.yaml", cwd=tmp_path).stdout
    done = run("lint", "a.yaml", "--fail-on", "unknown", cwd=tmp_path)
    assert done.stdout.count("no CustomResourceDefinition for this kind is known (1 object)") == 2
