"""`weighbridge uses`: the objects that use another one, by what they would lose and by the fields that name it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.command_line import run

LLMKUBE = "inference.llmkube.dev/v1alpha1"


def _obj(api_version: str, kind: str, name: str, namespace: str = "", **more: Any) -> dict[str, Any]:
    return {"apiVersion": api_version, "kind": kind, "metadata": {"name": name, **({"namespace": namespace} if namespace else {})}, **more}


@pytest.fixture
def cluster(tmp_path: Path) -> str:
    items = [
        _obj(LLMKUBE, "Model", "m", "ai", spec={"source": "pvc://weights/m.gguf"}),
        _obj(LLMKUBE, "InferenceService", "s", "ai", spec={"modelRef": "m", "replicas": 1}),
        _obj(LLMKUBE, "InferenceService", "other", "lab", spec={"modelRef": "m"}),
        _obj("v1", "PersistentVolumeClaim", "weights", "ai", spec={}, status={"phase": "Bound"}),
        _obj("v1", "PersistentVolumeClaim", "unused", "ai", spec={}),
    ]
    file = tmp_path / "cluster.json"
    file.write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": items}))
    return str(file)


def test_who_goes_by_a_model_is_named_with_what_becomes_of_it(cluster: str) -> None:
    done = run("uses", "model/ai/m", "--cluster", cluster)
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert lines[:4] == ["Model ai/m: used by 1 object", "InferenceService ai/s", "  without it: breaks", "    fails: Model not found"]
    assert any(line.endswith(" more (-v shows them)") for line in lines)
    assert "more (-v" not in run("uses", "model/ai/m", "--cluster", cluster, "-v").stdout


def test_a_claim_is_found_by_the_fields_that_name_it(cluster: str) -> None:
    document = json.loads(run("uses", "pvc/weights", "-n", "ai", "--cluster", cluster, "-o", "json").stdout)
    assert document["object"] == "PersistentVolumeClaim ai/weights"
    assert {use["name"]: use["fields"] for use in document["usedBy"] if use["kind"] == "Model"} == {"m": ["Model spec.source"]}
    (service,) = (use for use in document["usedBy"] if use["kind"] == "InferenceService")
    (field,) = service["fields"]
    assert field.startswith("Deployment/s spec.template.spec.volumes[")
    assert field.endswith(".persistentVolumeClaim.claimName")


def test_what_nothing_uses_is_used_by_none(cluster: str) -> None:
    done = run("uses", "PersistentVolumeClaim/ai/unused", "--cluster", cluster)
    assert (done.returncode, done.stdout.splitlines()[0]) == (0, "PersistentVolumeClaim ai/unused: used by 0 objects")


def test_kinds_that_are_not_wholly_known_are_named(tmp_path: Path) -> None:
    snapshot = {"apiVersion": "weighbridge.dev/v1alpha1", "kind": "Snapshot", "complete": ["Model.inference.llmkube.dev"]}
    (tmp_path / "c.json").write_text(json.dumps({**snapshot, "items": [_obj(LLMKUBE, "Model", "m", "ai", spec={"source": "x"})]}))
    told = run("uses", "Model/ai/m", "--cluster", str(tmp_path / "c.json")).stdout.splitlines()[-1]
    assert told.startswith("there may be more, since not all objects of these kinds are known: ")
    assert "InferenceService.inference.llmkube.dev" in told


@pytest.mark.parametrize(
    ("named", "words"),
    [
        ("m", "m: write KIND/NAME or KIND/NAMESPACE/NAME"),
        ("GPUQuota/ai/x", "the cluster has no GPUQuota.inference.llmkube.dev ai/x"),
        ("GPUQota/ai/m", "no prediction and no rule reads a kind GPUQota; did you mean GPUQuota?"),
    ],
)
def test_what_can_not_be_asked_is_one_error(cluster: str, named: str, words: str) -> None:
    done = run("uses", named, "--cluster", cluster)
    assert (done.returncode, done.stdout) == (2, "")
    assert words in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["Model", "m"], "KIND/[NAMESPACE/]NAME is one argument: write Model/m\n"),
        (["Model", "ai", "m"], "KIND/[NAMESPACE/]NAME is one argument: write Model/ai/m\n"),
        (["Model/m", "other"], "KIND/[NAMESPACE/]NAME is one argument: leave out other\n"),
        (["Model"], "Model: write KIND/NAME or KIND/NAMESPACE/NAME\n"),
    ],
)
def test_an_object_is_one_argument(cluster: str, arguments: list[str], said: str) -> None:
    done = run("uses", *arguments, "--cluster", cluster)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.endswith(f"Error: {said}")


def test_a_file_of_impact_without_its_option_is_named_with_it(tmp_path: Path) -> None:
    done = run("impact", "m.yaml", "n.yaml", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.endswith("Error: files are given with -f: write -f m.yaml -f n.yaml\n")
