"""If objects are refused because of an older form's fields, one line says so and names the command that rewrites them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.command_line import run
from tests.yaml_documents import read_all
from weighbridge.policies.families import family_name
from weighbridge.policies.families.migration import _table, is_of_older_form

POOL = """\
apiVersion: inference.networking.k8s.io/v1
kind: InferencePool
metadata: {name: qwen, namespace: chat}
spec: {targetPortNumber: 8000, selector: {app: qwen}, extensionRef: {name: picker}}
"""
TEMPLATE = """\
apiVersion: aim.eai.amd.com/v1alpha1
kind: AIMServiceTemplate
metadata: {name: t, namespace: ai}
spec: {modelName: m, gpuSelector: {count: 1, model: MI300X}}
"""
PLAYGROUND = """\
apiVersion: inference.llmaz.io/v1alpha1
kind: Playground
metadata: {name: p, namespace: ai}
spec: {replicas: 1, multiModelsClaims: [{modelNames: [m], inferenceMode: Standard}]}
"""
RENAMED = """\
apiVersion: llmaz.io/v1alpha1
kind: Model
metadata: {name: m}
spec: {familyName: f, source: {modelHub: {modelID: facebook/opt-125m}}}
"""
OLDER = {"inference_extension": POOL, "aim": TEMPLATE, "llmaz": PLAYGROUND, "llmaz, a renamed kind": RENAMED}


def test_every_family_with_older_forms_is_here() -> None:
    families = {module.split(".")[3] for module in (migrate.__module__ for migrate in _table(None).values()) if module.count(".") > 3}
    assert families == {name.partition(",")[0] for name in OLDER}


def test_the_kinds_of_a_group_are_all_in_the_table_of_its_family() -> None:
    whole = _table(None)
    for group, kind in whole:
        assert _table(family_name(group)).get((group, kind)) is whole[group, kind]


@pytest.mark.parametrize("text", OLDER.values(), ids=OLDER)
def test_a_refused_object_of_an_older_form_is_sent_to_migrate(text: str, tmp_path: Path) -> None:
    path = tmp_path / "object.yaml"
    path.write_text(text)
    lint, dry_run = run("lint", str(path)), run("dry-run", str(path))
    assert (lint.returncode, dry_run.returncode) == (1, 1)
    command = f"uses removed kinds or fields: weighbridge migrate {path} rewrites it"
    assert f"\n1 object of {path} {command}\n" in lint.stdout
    assert f"it {command}" in " ".join(dry_run.stdout.split())
    (result,) = json.loads(run("lint", "-o", "json", str(path)).stdout)["results"]
    assert result["olderForm"] is True
    assert run("migrate", "--write", str(path)).returncode == 0
    assert not any(map(is_of_older_form, read_all(path.read_text())))
    assert "removed kinds" not in run("lint", str(path)).stdout


def test_objects_of_a_file_are_counted_together() -> None:
    said = run("lint", "-", text=f"{POOL}---\n{TEMPLATE}").stdout
    assert said.count("2 objects of - use removed kinds or fields: weighbridge migrate - rewrites them\n") == 1


@pytest.mark.parametrize(("files", "lines"), [(3, 3), (4, 1)])
def test_many_files_of_older_forms_take_one_line(files: int, lines: int, tmp_path: Path) -> None:
    for number in range(files):
        (tmp_path / f"{number}.yaml").write_text(POOL.replace("qwen", f"qwen-{number}"))
    said = [line for line in run("lint", str(tmp_path)).stdout.splitlines() if "removed kinds" in line]
    assert len(said) == lines
    if lines == 1:
        command = "weighbridge migrate rewrites them; give it these files, or the folder that they are in"
        assert said == [f"4 objects of 4 files use removed kinds or fields: {command}"]


def test_what_is_refused_for_something_else_has_no_older_form() -> None:
    text = POOL.replace("targetPortNumber: 8000", "targetPorts: [{number: 0}]").replace("{app: qwen}", "{matchLabels: {app: qwen}}")
    text = text.replace("extensionRef: {name: picker}", "endpointPickerRef: {name: picker, port: {number: 9002}}")
    done = run("lint", "-", text=text)
    assert (done.returncode, "removed kinds" in done.stdout) == (1, False)
