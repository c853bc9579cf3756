"""`weighbridge init`: the contents of a repository decide which files are written, and no existing file is replaced."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from tests.command_line import run
from tests.rendering.trees import model, write
from tests.yaml_documents import read_all

WRONG = model("wrong").replace("accelerator: cuda", "accelerator: rocm")
HOOKS = "repos:\n- repo: https://example.com/hooks\n  rev: v1\n  hooks: [{id: tidy}]\n"


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    write(tmp_path, {"apps/wrong.yaml": WRONG, "broken [1].yaml": "a: [\n", ".pre-commit-config.yaml": HOOKS})
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    return tmp_path


def test_a_repository_with_mistakes_is_green_afterwards_and_a_new_mistake_is_found(tree: Path) -> None:
    assert run("lint", cwd=tree).returncode == 2
    done = run("init", cwd=tree)
    assert (done.returncode, done.stderr) == (0, "wrote .weighbridge-baseline.json: 1 finding\n")
    assert done.stdout.splitlines() == [
        "found 1 object of llmkube",
        "1 file can't be read: broken [1].yaml",
        "wrote weighbridge.yaml",
        "added a hook to .pre-commit-config.yaml",
        "now run: weighbridge lint",
    ]
    assert run("lint", cwd=tree).returncode == 0
    (tree / "apps" / "new.yaml").write_text(WRONG.replace("wrong", "new"))
    later = run("lint", cwd=tree)
    assert later.returncode == 1
    assert "apps/new.yaml" in later.stdout
    assert "apps/wrong.yaml" not in later.stdout


def test_the_settings_are_taken_and_explained(tree: Path) -> None:
    run("init", cwd=tree)
    assert run("config", "check", "weighbridge.yaml", cwd=tree).returncode == 0
    shown = run("config", "show", cwd=tree).stdout
    assert 'exclude: ["/broken\\\\ \\\\[1].yaml"]' in shown


def test_the_hook_is_the_last_of_the_repositories_and_the_rest_is_as_before(tree: Path) -> None:
    run("init", cwd=tree)
    text = (tree / ".pre-commit-config.yaml").read_text()
    assert text.startswith(HOOKS)
    (found,) = read_all(text)
    assert [repo["repo"] for repo in found["repos"]] == ["https://example.com/hooks", "local"]


@pytest.mark.parametrize("before", [f"{HOOKS}exclude: ^docs/\n", "repos: []\n", "- a\n", f"{HOOKS}---\n{HOOKS}"])
def test_a_file_that_can_not_be_extended_is_left_and_the_hook_is_shown(tree: Path, before: str) -> None:
    path = tree / ".pre-commit-config.yaml"
    path.write_text(before)
    done = run("init", cwd=tree)
    assert done.returncode == 0
    assert path.read_text() == before
    assert ".pre-commit-config.yaml is left as it is; add this to its repos:\n- repo: local\n" in done.stdout


def test_nothing_is_replaced(tree: Path) -> None:
    write(
        tree,
        {".github/workflows/weighbridge.yaml": "mine\n", ".gitlab-ci.yml": "mine: {script: make}\n", ".weighbridge.yaml": "namespace: a\n"},
    )
    done = run("init", cwd=tree)
    assert done.returncode == 0
    assert ".github/workflows/weighbridge.yaml exists already" in done.stdout
    assert ".weighbridge.yaml exists already" in done.stdout
    assert ".gitlab-ci.yml is left as it is; add to it:\ninclude:\n- local: .gitlab/weighbridge.yml" in done.stdout
    assert (tree / ".github/workflows/weighbridge.yaml").read_text() == "mine\n"
    assert not (tree / "weighbridge.yaml").exists()
    assert not (tree / ".weighbridge-baseline.json").exists()
    before = {path: path.read_bytes() for path in tree.rglob("*") if path.is_file()}
    assert run("init", cwd=tree).returncode == 0
    assert {path: path.read_bytes() for path in tree.rglob("*") if path.is_file()} == before


@pytest.mark.parametrize(
    ("address", "path"),
    [
        ("git@github.com:team/serving.git", ".github/workflows/weighbridge.yaml"),
        ("https://user@github.com/team/serving", ".github/workflows/weighbridge.yaml"),
        ("ssh://git@gitlab.example.com:2222/team/serving.git", ".gitlab-ci.yml"),
        ("https://example.com/github.com/serving", ""),
        ("../elsewhere/github", ""),
    ],
)
def test_the_forge_is_that_of_the_origin(tree: Path, address: str, path: str) -> None:
    subprocess.run(["git", "remote", "add", "origin", address], cwd=tree, check=True)
    run("init", cwd=tree)
    written = {".github/workflows/weighbridge.yaml", ".gitlab-ci.yml"}
    assert [name for name in sorted(written) if (tree / name).exists()] == ([path] if path else [])


def test_printing_writes_nothing(tree: Path) -> None:
    done = run("init", "--print", "--with", "github", cwd=tree)
    assert done.returncode == 0
    assert "--- .github/workflows/weighbridge.yaml\nname: Weighbridge\n" in done.stdout
    assert sorted(path.name for path in tree.iterdir()) == [".git", ".pre-commit-config.yaml", "apps", "broken [1].yaml"]


def test_a_folder_below_stands_for_its_repository(tree: Path) -> None:
    assert run("init", "apps", cwd=tree).returncode == 0
    assert (tree / "weighbridge.yaml").exists()


def test_a_snapshot_and_a_configuration_of_the_repository_are_used(tree: Path) -> None:
    (held,) = read_all(WRONG.replace("wrong", "held"))
    snapshot = {"apiVersion": "weighbridge.dev/v1alpha1", "kind": "Snapshot", "server": "1.36.3", "items": [held]}
    write(
        tree,
        {
            "ops/cluster.yaml": json.dumps(snapshot),
            "ops/weighing.yaml": "apiVersion: weighbridge.dev/v1alpha1\nkind: Configuration\n",
        },
    )
    run("init", cwd=tree)
    assert 'config: "ops/weighing.yaml"\ncluster: ["ops/cluster.yaml"]\n' in (tree / "weighbridge.yaml").read_text()
    assert '- "/ops/cluster.yaml"\n' in (tree / "weighbridge.yaml").read_text()
    assert run("lint", cwd=tree).returncode == 0


def test_a_folder_that_can_not_be_written_is_an_error(tree: Path) -> None:
    (tree / ".github").write_text("a file\n")
    done = run("init", cwd=tree)
    assert done.returncode == 2
    assert "Error: " in done.stderr
    assert "Traceback" not in done.stderr


def test_of_a_folder_without_manifests_nothing_is_excluded(tmp_path: Path) -> None:
    done = run("init", "--print", cwd=tmp_path)
    assert done.returncode == 0
    assert "can't be read" not in done.stdout
    assert "exclude" not in done.stdout
