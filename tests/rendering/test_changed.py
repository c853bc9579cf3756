"""Only rendered objects of which a source file has changed count."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.command_line import run
from tests.rendering.trees import model, needs_kustomize, said, service, write


def _git(folder: Path, *arguments: str) -> None:
    command = ["git", "-c", "user.name=a", "-c", "user.email=a@example.com", *arguments]
    subprocess.run(command, cwd=folder, check=True, capture_output=True)


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """Two bases with an overlay each, both faulty, as committed."""
    wrong = model("m").replace("accelerator: cuda", "accelerator: rocm")
    for name in ("one", "two"):
        text = wrong.replace("name: m", f"name: {name}")
        write(tmp_path, {f"{name}/base/kustomization.yaml": "resources: [m.yaml]\n", f"{name}/base/m.yaml": text})
        write(tmp_path, {f"{name}/over/kustomization.yaml": "resources: [../base]\nnamespace: other\n"})
    _git(tmp_path, "init", "-q", "-b", "main")
    _git(tmp_path, "add", ".")
    _git(tmp_path, "commit", "-q", "-m", "a")
    return tmp_path


def _found(tree: Path) -> list[str]:
    return [line.split(": ")[0] for line in said(run("lint", ".", "--changed-since", "main", cwd=tree).stdout, ": error[")]


@needs_kustomize
def test_an_overlay_counts_if_a_file_of_it_has_changed(tree: Path) -> None:
    assert _found(tree) == []
    base = tree / "one/base/m.yaml"
    base.write_text(base.read_text().replace("count: 1", "count: 2"))
    assert _found(tree) == ["one/base/m.yaml:7:18"]
    write(tree, {"two/over/kustomization.yaml": "resources: [../base]\nnamespace: third\n"})
    assert _found(tree) == ["one/base/m.yaml:7:18", "two/base/m.yaml:7:18"]


@needs_kustomize
def test_a_base_is_not_gone_because_an_overlay_is_judged_in_its_place(tree: Path) -> None:
    fine = model("one").replace("namespace: ai", "namespace: other")
    write(tree, {"one/base/m.yaml": fine, "s.yaml": service("one").replace("namespace: ai", "namespace: other")})
    assert _found(tree) == []
