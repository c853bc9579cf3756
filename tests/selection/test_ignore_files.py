"""Which files of a folder are read, compared with what Git itself leaves out."""

from __future__ import annotations

import io
import json
import os
import random
import subprocess
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final

import pytest

from tests.command_line import run
from weighbridge.webhook.manifests import Source, sources
from weighbridge.webhook.selection.selection import Excluded, Selection

_FOLDERS: Final = ("", "a", "a/b", "build", "a/build", "b c", "b c/a", "x[1]")
_NAMES: Final = ("m.yaml", "gen.yaml", "keep.yaml", "#s.yaml", "!x.yaml", "é.yaml", "m.yml")
_PATTERNS: Final = (
    r"""
build/|build|/build|/a/build/|*.yml|!m.yml|gen.*|!keep.yaml|a/*|!a/b/|a/**|**/b|a/**/gen.yaml|b\ c/|b c|trailing.yaml |# comment|\#s.yaml
\!x.yaml|?.yaml|[!a-l].yaml|x\[1\]/|x[1]/|*|!*/|!|[|/|//|é.yaml|**|!/a|a/b/../m.yaml|m.yaml/|*/gen.yaml|**/a/**|!**/keep.yaml|a\|***|a/***|[a-z\]].yml
[[:alpha:]].yaml|[]#-].yaml|[!]x]*|[[:no:]]*|[[:x]*|a\/b|m.y?ml|[a-|x?1?|**/|!a/*|!a/**|b\ |a/?|[^k]*.yaml
""".replace("\n", "|")
    .strip("|")
    .split("|")
)


def _write(root: Path, files: Mapping[str, str]) -> None:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def _git(root: Path, *arguments: str) -> list[str]:
    command = ["git", "-c", "core.excludesFile=/dev/null", "-c", "core.quotePath=false", *arguments]
    return subprocess.run(command, cwd=root, check=True, capture_output=True, text=True).stdout.split("\0")


def _read(argument: str | Path, selection: Selection | None = None) -> list[str]:
    found = sources([str(argument)], stdin=io.BytesIO(), selection=selection or Selection())
    return [source.name for source in found if isinstance(source, Source)]


@pytest.mark.parametrize("seed", range(40))
def test_git_and_the_search_leave_out_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seed: int) -> None:
    draw = random.Random(seed)
    files = {f"{folder}/{name}".removeprefix("/"): "" for folder in _FOLDERS for name in draw.sample(_NAMES, 4)}
    for folder in ("", *draw.sample(_FOLDERS[1:], 2)):
        files[f"{folder}/.gitignore".removeprefix("/")] = "".join(f"{line}\n" for line in draw.choices(_PATTERNS, k=draw.randint(1, 5)))
    _write(tmp_path, files)
    _git(tmp_path, "init", "-q")
    listed = _git(tmp_path, "ls-files", "-z", "--others", "--exclude-standard")
    monkeypatch.chdir(tmp_path)
    assert sorted(_read(".")) == sorted(name for name in listed if name.endswith((".yaml", ".yml")))


def _names(paths: Iterable[str]) -> list[str]:
    return sorted(paths)


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository, which is the current folder."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".git").mkdir()
    return tmp_path


def test_ignore_files_above_the_folder_count_up_to_the_root_of_the_repository(tree: Path) -> None:
    _write(tree, {".gitignore": "/deploy/gen.yaml\n", "deploy/gen.yaml": "", "deploy/a.yaml": "", "deploy/x/gen.yaml": ""})
    assert _read("deploy") == ["deploy/a.yaml", "deploy/x/gen.yaml"]
    assert _read(tree / "deploy") == [str(tree / "deploy/a.yaml"), str(tree / "deploy/x/gen.yaml")]
    (tree / "deploy" / ".git").mkdir()
    assert len(_read("deploy")) == 3


def test_what_is_named_is_read_and_patterns_of_a_named_folder_dont_count_within_it(tree: Path) -> None:
    _write(
        tree, {".gitignore": "build/\n*.gen.yaml\n", "build/a.yaml": "", "build/sub/b.yaml": "", "build/c.gen.yaml": "", "d.gen.yaml": ""}
    )
    assert _read("build") == ["build/a.yaml", "build/sub/b.yaml"]
    assert _read("build/sub") == ["build/sub/b.yaml"]
    assert _read("d.gen.yaml") == ["d.gen.yaml"]
    assert _read("build/*.yaml") == ["build/a.yaml"]
    assert _read("*/*.yaml") == []


def test_forced_patterns_count_for_what_is_named(tree: Path) -> None:
    _write(tree, {".gitignore": "build/\n", "build/sub/a.yaml": "", "ok.yaml": "", ".hidden/a.yaml": "", "node_modules/p/a.yaml": ""})
    for path in ("build/sub/a.yaml", "build/sub", ".hidden/a.yaml", "node_modules/p/a.yaml"):
        selection = Selection(is_forced=True)
        assert _read(path, selection) == []
        assert [entry.path.rstrip("/") for entry in selection.left_out] == [path]
    assert _read("ok.yaml", Selection(is_forced=True)) == ["ok.yaml"]


def test_the_ignore_file_of_this_program_comes_before_gits(tree: Path) -> None:
    _write(tree, {".gitignore": "rendered/\n", ".weighbridgeignore": "!rendered/\nfixtures/\n!vendor/\n", "go.mod": ""})
    _write(tree, {"rendered/a.yaml": "", "fixtures/b.yaml": "", "vendor/c.yaml": ""})
    assert _read(".") == ["rendered/a.yaml", "vendor/c.yaml"]


def test_excluded_patterns_come_first_and_are_relative_to_their_folder(tree: Path) -> None:
    _write(tree, {".weighbridgeignore": "!a.yaml\n", "a.yaml": "", "d/a.yaml": "", "d/b.yaml": "", "e/b.yaml": ""})
    assert _read(".", Selection([Excluded(".", ("a.yaml",))])) == ["d/b.yaml", "e/b.yaml"]
    assert _read(".", Selection([Excluded("d", ("/b.yaml",))])) == ["a.yaml", "d/a.yaml", "e/b.yaml"]
    assert _read(".", Selection([Excluded(".", ("*.yaml", "!d/b.yaml"))])) == ["d/b.yaml"]


def test_folders_that_tools_fill_are_left_out_with_a_reason(tree: Path) -> None:
    _write(tree, {"node_modules/a.yaml": "", "x/__pycache__/a.yaml": "", "venv/a.yaml": "", ".venv/a.yaml": ""})
    _write(tree, {"vendor/a.yaml": "", "go/vendor/a.yaml": "", "go/go.mod": "", "dist/a.yaml": ""})
    selection = Selection()
    assert _read(".", selection) == ["dist/a.yaml", "vendor/a.yaml"]
    assert {entry.path for entry in selection.left_out} == {"node_modules/", "x/__pycache__/", "venv/", "go/vendor/"}


@pytest.mark.parametrize("kind", ["folder", "link to itself", "bytes that are no text", "Windows' line ends"])
def test_an_odd_ignore_file_ends_nothing(tree: Path, kind: str) -> None:
    _write(tree, {"a.yaml": "", "b.yaml": ""})
    path = tree / ".gitignore"
    if kind == "folder":
        path.mkdir()
    elif kind == "link to itself":
        path.symlink_to(".gitignore")
    else:
        path.write_bytes(b"\xff\xfe\nb.yaml\n" if kind.startswith("bytes") else b"b.yaml\r\n")
    found = _read(".")
    assert found == (["a.yaml", "b.yaml"] if kind in {"folder", "link to itself"} else ["a.yaml"])


def test_lint_counts_what_it_leaves_out_and_names_it_on_request(tree: Path) -> None:
    _write(tree, {".gitignore": "build/\n", "build/a.yaml": "", "ok.yaml": "services: {}\n"})
    assert (
        run("lint").stdout
        == "checked 0 objects in 1 file: 0 failed, 0 warned, 1 other document passed over, 1 path left out (-v lists them)\n"
    )
    listed = run("lint", "-v", ".").stdout.splitlines()
    assert "passed over: build/: .gitignore:1 leaves it out" in listed
    assert "passed over: ok.yaml:1: not a Kubernetes object" in listed
    passed_over = json.loads(run("lint", "-o", "json").stdout)["passedOver"]
    assert {"path": "build/", "reason": ".gitignore:1 leaves it out"} in passed_over
    assert {"path": "ok.yaml", "line": 1, "reason": "not a Kubernetes object"} in passed_over


def test_a_folder_of_which_all_is_left_out_is_no_error(tree: Path) -> None:
    _write(tree, {"d/.gitignore": "*\n", "d/a.yaml": "a: ["})
    assert run("lint", "d").returncode == 0
    assert run("lint", "d", "--exclude", "d/a.yaml").returncode == 0
    assert run("lint", "e").returncode == 2


def test_an_ignore_file_that_can_not_be_read_is_named(tmp_path: Path) -> None:
    _write(tmp_path, {"a.yaml": "", ".weighbridgeignore": "a.yaml\n"})
    (tmp_path / ".weighbridgeignore").chmod(0)
    if os.access(tmp_path / ".weighbridgeignore", os.R_OK):
        pytest.skip("this user may read everything")
    done = run("lint", "-v", cwd=tmp_path)
    assert done.returncode == 0
    assert "a.yaml" not in done.stdout
    assert done.stderr == ("Warning: .weighbridgeignore: can't be read (Permission denied), so it has no effect; let this user read it\n")
