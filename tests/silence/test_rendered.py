"""Ignored findings on rendered objects: an ignore applies in the file that the value comes from."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.command_line import run
from tests.rendering.trees import needs_kustomize, write
from tests.silence.objects import EXAMPLES

MODEL = EXAMPLES[0]
IGNORE = "# weighbridge: ignore[LLMKUBE-001] moves soon"


def tree(root: Path, base: str) -> Path:
    """A base with a faulty Model and two overlays of it."""
    write(root, {"base/kustomization.yaml": "resources: [m.yaml]\n", "base/m.yaml": base})
    for name in ("dev", "prod"):
        write(root, {f"{name}/kustomization.yaml": f"resources: [../base]\nnamespace: {name}\n"})
    return root


def counting(root: Path, *options: str) -> list[str]:
    """The rules of the findings that count."""
    done = run("lint", ".", "-o", "json", *options, cwd=root)
    found = [each for result in json.loads(done.stdout)["results"] for each in result["findings"]]
    assert (done.returncode == 1) == any(each["severity"] == "error" for each in found)
    return [each["rule"] for each in found if each["severity"] != "note"]


@needs_kustomize
@pytest.mark.parametrize(
    ("base", "expected"),
    [
        (MODEL.written(), ["LLMKUBE-001"]),
        (MODEL.written(comment=f" {IGNORE}"), []),
        (MODEL.written(above=f"{IGNORE}\n---\n"), []),
        (MODEL.written(above=f"{IGNORE} until 2020-01-01\n"), ["LLMKUBE-001"]),
        (MODEL.written(above=f"{IGNORE}\napiVersion: v1\nkind: ConfigMap\nmetadata: {{name: c}}\n---\n"), ["LLMKUBE-001"]),
    ],
    ids=["none", "in the line", "above the object", "ended", "above another object"],
)
def test_a_comment_of_a_base_is_for_its_overlays(tmp_path: Path, base: str, expected: list[str]) -> None:
    assert counting(tree(tmp_path, base)) == expected


@needs_kustomize
def test_settings_and_baseline_go_by_the_file_of_the_base(tmp_path: Path) -> None:
    tree(tmp_path, MODEL.written())
    (tmp_path / "weighbridge.yaml").write_text("overrides: [{paths: [base], ignore: [LLMKUBE]}]\n")
    assert counting(tmp_path) == []
    (tmp_path / "weighbridge.yaml").unlink()
    assert run("lint", ".", "--write-baseline", "base.json", cwd=tmp_path).stderr == "wrote base.json: 2 findings\n"
    entries = json.loads((tmp_path / "base.json").read_text())["findings"]
    assert [(entry["file"], entry["object"]) for entry in entries] == [("base/m.yaml", "Model dev/phi"), ("base/m.yaml", "Model prod/phi")]
    assert counting(tmp_path, "--baseline", "base.json") == []
    (tmp_path / "base" / "m.yaml").write_text(MODEL.written().replace("rocm", "cuda"))
    assert counting(tmp_path, "--baseline", "base.json") == ["WB-013", "WB-013"]
