"""Mistakes in a manifest's text are reported, counted and refused for every kind, whether its CRD is known or not."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final

import pytest

from tests.command_line import run

YAML: Final = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata:\n  app.yaml: "1"\n  b: c\n  app.yaml: "2"\n'
JSON: Final = '{"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a"},\n "data": {"app.yaml": "1",\n  "app.yaml": "2"}}'
DEPLOYMENT: Final = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: a}\nspec:\n  replicas: 1\n  replicas: 2\n"
MODEL: Final = "apiVersion: inference.llmkube.dev/v1alpha1\nkind: Model\nmetadata: {name: m}\nspec: {source: hf://org/model}\n"


def _run(command: str, text: str | bytes) -> tuple[int, str]:
    done = run(*command.split(), "-", text=text)
    assert done.stderr == ""
    return done.returncode, done.stdout


@pytest.mark.parametrize(
    ("text", "place", "field"),
    [(YAML, "7:13", "data.app.yaml"), (JSON, "3:15", "data.app.yaml"), (DEPLOYMENT, "6:13", "spec.replicas")],
    ids=["yaml", "json", "typed"],
)
def test_key_that_stands_twice_is_refused_without_a_crd(text: str, place: str, field: str) -> None:
    code, said = _run("lint", text)
    label = json.loads(_run("lint -o json", text)[1])["results"][0]["object"]
    assert (code, said.splitlines()[0]) == (1, f'-:{place}: error[K8S-002] {field}: duplicate field "{field}" ({label})')
    assert said.splitlines()[-1].startswith("checked 1 object in 1 file: 1 failed,")
    code, said = _run("dry-run -o json", text)
    (verdict,) = json.loads(said)["verdicts"]
    kind = verdict["message"].partition(" ")[0]
    refusal = f'{kind} in version "v1" cannot be handled as a {kind}: strict decoding error: duplicate field "{field}"'
    assert (code, verdict["allowed"], verdict["code"], verdict["message"]) == (1, False, 400, refusal)


def test_key_that_stands_twice_weighs_what_the_field_validation_says() -> None:
    code, said = _run("dry-run -o json --field-validation Warn", YAML)
    assert (code, json.loads(said)["verdicts"][0]["warnings"]) == (0, ['duplicate field "data.app.yaml"'])
    code, said = _run("dry-run -o json --field-validation Ignore", YAML)
    assert (code, json.loads(said)["verdicts"][0]["warnings"]) == (0, [])


def test_key_that_stands_twice_is_refused_where_the_version_is_none() -> None:
    code, said = _run("lint", YAML.replace("v1", "/v1"))
    assert (code, said.count('error[K8S-002] data.app.yaml: duplicate field "data.app.yaml"')) == (1, 1)


def test_key_that_stands_twice_is_refused_in_each_item_of_a_list() -> None:
    item = "- apiVersion: v1\n  kind: ConfigMap\n  metadata: {name: a}\n  data: {a: b, a: c}\n"
    code, said = _run("lint", "apiVersion: v1\nkind: List\nitems:\n" + item * 150)
    assert (code, said.count('error[K8S-002] data.a: duplicate field "data.a"')) == (1, 150)
    assert said.splitlines()[-1].startswith("checked 150 objects in 1 file: 150 failed,")


@pytest.mark.parametrize("items", ["items: []\n", "items: [{apiVersion: v1, kind: ConfigMap, metadata: {name: b}}]\n"])
def test_items_that_stand_twice_are_an_error(items: str) -> None:
    text = f"apiVersion: v1\nkind: List\nitems: [{{apiVersion: v1, kind: ConfigMap, metadata: {{name: a}}}}]\n{items}"
    code, said = _run("lint", text)
    assert (code, said.partition(": the last")[0]) == (2, '-:4:8: error: duplicate field "items"')
    assert "1 error" in said.splitlines()[-1]
    assert _run("dry-run", text)[0] == 2


@pytest.mark.parametrize("kind", ["v1\nkind: ConfigMap", "inference.llmkube.dev/v1alpha1\nkind: Model"], ids=["unknown", "known"])
def test_name_that_is_no_text_fails_its_object(kind: str) -> None:
    text = f"apiVersion: {kind}\nmetadata:\n  name: a".encode() + b"\xff\nspec: {source: hf://org/model}\n"
    code, said = _run("lint", text)
    assert code == 1
    assert said.splitlines()[0].startswith("-:4:10: error: invalid UTF-8; kubectl would put U+FFFD in its place (")
    assert said.splitlines()[-1].startswith("checked 1 object in 1 file: 1 failed,")
    code, said = _run("lint -o json", text)
    report = json.loads(said)
    assert [result["status"] for result in report["results"]] == ["failed"]
    assert (report["summary"]["failed"], report["summary"]["errors"]) == (1, 0)
    assert "-:4:10: invalid UTF-8; kubectl would put U+FFFD in its place" in _run("dry-run -o yaml", text)[1]


@pytest.mark.parametrize(
    ("text", "places", "failed"),
    [
        (f"# nothing\n---\n{MODEL}---\n".encode() + MODEL.encode().replace(b"hf:", b"\xc3hf:"), ["11:16"], 1),
        (MODEL.encode() + b"# \xe4\n---\n" + MODEL.encode() + b"---\n" + MODEL.encode() + b"# \xf6 \xfc\n", ["5:3", "16:3"], 2),
        (b'{"apiVersion": "v1", "kind": "Pod", "metadata": {}} {"apiVersion": "v1", "kind": "\xff", "metadata": {}}', ["1:83"], 1),
        (b"apiVersion: v1\nkind: List\nitems: []\nmetadata: {a: \xff}\n", ["4:15"], 0),
    ],
    ids=["second", "first and third", "json", "empty list"],
)
def test_bytes_that_are_no_text_are_told_where_they_stand(text: bytes, places: list[str], failed: int) -> None:
    code, said = _run("lint", text)
    assert code == (1 if failed else 2)
    assert [line.split(": error")[0] for line in said.splitlines() if "invalid UTF-8" in line] == [f"-:{place}" for place in places]
    assert f": {failed} failed," in said.splitlines()[-1]


def test_report_counts_as_failed_what_it_shows_as_an_error(tmp_path: Path) -> None:
    """Each object with an error of any kind counts as failed, and each that can't be read as an error."""
    for number, text in enumerate([YAML, JSON, DEPLOYMENT, MODEL, YAML.replace("v1", "/v1"), MODEL.replace("hf://org/model", "''")]):
        (tmp_path / f"{number}.yaml").write_text(text)
    (tmp_path / "latin.yaml").write_bytes(MODEL.encode() + b"# \xe4\n")
    (tmp_path / "cut.yaml").write_text("a: [\n")
    done = run("lint", "-o", "json", str(tmp_path))
    report = json.loads(done.stdout)
    for result in report["results"]:
        has_error = any(entry.get("severity", entry.get("kind")) == "error" for entry in (*result["findings"], *result["issues"]))
        assert has_error == (result["status"] in {"failed", "error"}), result
        assert (result["status"] == "error") == (result["object"] == "")
    summary = report["summary"]
    assert (summary["objects"], summary["failed"], summary["errors"]) == (7, 6, 1)
    assert summary["objects"] == sum(summary[key] for key in ("passed", "failed", "warned", "not_checked"))
