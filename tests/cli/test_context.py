"""`lint --context` and `--stdin-filename`: objects are judged with the others around them, so that parts of a repository get the same
findings.
"""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Final

import pytest

from tests.cli.test_changed_since import ENVIRONMENT, MODEL, SERVICE
from tests.cli.test_kept_runs import Place
from tests.command_line import run
from tests.conftest import ROOT

_BARE: Final = MODEL.replace(", files: [m.gguf]", "")


def _found(*arguments: str, cwd: Path, text: str = "") -> list[str]:
    done = run("lint", *arguments, "-o", "concise", cwd=cwd, text=text)
    assert done.stderr == ""
    return done.stdout.splitlines()[:-1]


@pytest.mark.parametrize("folder", ["docs/examples/ome", "docs/examples/llmaz", "docs/examples/inference-extension", "docs/examples/aim"])
def test_batches_find_what_a_whole_run_finds(folder: str) -> None:
    files = sorted(str(path.relative_to(ROOT)) for path in (ROOT / folder).glob("*.yaml"))
    whole = _found("-v", *files, cwd=ROOT)
    batches = [line for file in files for line in _found("-v", file, "--context", folder, cwd=ROOT)]
    assert sorted(batches) == sorted(whole)
    assert whole


def test_a_batch_alone_loses_what_the_context_has(tmp_path: Path) -> None:
    (tmp_path / "m.yaml").write_text(_BARE)
    (tmp_path / "s.yaml").write_text(SERVICE)
    assert _found("s.yaml", cwd=tmp_path) == []
    (line,) = _found("s.yaml", "--context", ".", cwd=tmp_path)
    assert line.startswith("s.yaml:4:18: LLMKUBE-052 ")


def test_the_context_itself_is_not_judged(tmp_path: Path) -> None:
    (tmp_path / "m.yaml").write_text(MODEL)
    (tmp_path / "wrong.yaml").write_text(MODEL.replace("name: m", "name: w").replace("hf://org/m", "pvc://models"))
    done = run("lint", "m.yaml", "--context", ".", "-o", "json", cwd=tmp_path)
    assert [result["object"] for result in json.loads(done.stdout)["results"]] == ["Model ai/m"]
    assert done.returncode == 0


def test_what_cannot_be_read_of_the_context_is_warned_of(tmp_path: Path) -> None:
    (tmp_path / "m.yaml").write_text(MODEL)
    (tmp_path / "broken.yaml").write_text("a: [\n")
    done = run("lint", "m.yaml", "--context", ".", cwd=tmp_path)
    assert done.returncode == 0
    assert done.stderr.startswith("Warning: broken.yaml:1:5: ")
    assert done.stderr.count("\n") == 1


def test_standard_input_has_the_name_of_a_file_and_takes_its_place(tmp_path: Path) -> None:
    (tmp_path / "m.yaml").write_text(MODEL)
    (tmp_path / "s.yaml").write_text(SERVICE)
    (line,) = _found("-", "--stdin-filename", "m.yaml", "s.yaml", text=_BARE, cwd=tmp_path)
    assert line.startswith("s.yaml:4:18: LLMKUBE-052 ")
    wrong = MODEL.replace("hf://org/m, files: [m.gguf]", "pvc://models")
    (line,) = _found("-", "--stdin-filename", "m.yaml", "--context", ".", text=wrong, cwd=tmp_path)
    assert line.startswith("m.yaml:4:16: LLMKUBE-009 ")
    assert "checked 2 objects in 2 files" in run("lint", "-", ".", "--stdin-filename", "m.yaml", text=MODEL, cwd=tmp_path).stdout


def test_a_buffer_that_cannot_be_read_has_its_name(tmp_path: Path) -> None:
    assert run("lint", "-", "--stdin-filename", "new.yaml", text="a: [\n", cwd=tmp_path).stdout.startswith("new.yaml:1:5: error: ")


@pytest.fixture
def place(tmp_path: Path) -> Place:
    found = Place(tmp_path)
    found.file("s.yaml", SERVICE)
    found.file("around/m.yaml", MODEL)
    return found


def test_an_answer_is_kept_until_the_context_differs(place: Place) -> None:
    asked = "lint", "s.yaml", "--context", "around", "-o", "concise"
    first = place.run(*asked)
    assert place.run(*asked) == (*first[:2], False)
    place.file("around/m.yaml", _BARE)
    code, text, was_needed = place.run(*asked)
    assert (code, was_needed) == (1, True)
    assert "LLMKUBE-052" in text


@pytest.mark.parametrize(
    "arguments",
    [
        ("-o", "junit"),
        ("-o", "json=out.json"),
        ("-o", "sarif"),
        ("-o", "github", "-o", "text=out.txt"),
        ("--changed-since", "HEAD"),
    ],
    ids=" ".join,
)
def test_what_follows_from_more_than_files_is_not_kept(place: Place, arguments: tuple[str, ...]) -> None:
    for command in (["init", "-q", "-b", "main"], ["add", "-A"], ["commit", "-q", "-m", "one"]):
        subprocess.run(["git", *command], cwd=place.folder, env=ENVIRONMENT, check=True, capture_output=True)
    assert place.run("lint", ".", *arguments)[0] == 0
    assert place.kept() == 0
