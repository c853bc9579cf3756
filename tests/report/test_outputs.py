"""Several outputs of one run: where each is written, that files are written whole or not at all, and which combinations are refused."""

from __future__ import annotations

import io
import json
import os
import sys
from pathlib import Path
from typing import Final

import pytest

from tests.command_line import run
from tests.report.objects import MODEL, TOO_MANY, result_of
from weighbridge.webhook.report import FORMATS, Style, Summary
from weighbridge.webhook.report.parts.outputs import opened
from weighbridge.webhook.texts.streams import OutputError

_BROKEN: Final = MODEL.replace("llama", "broken").replace("source:", "sauce:")


@pytest.fixture(autouse=True)
def _no_step(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GITHUB_STEP_SUMMARY", raising=False)


def test_every_format_has_its_file_and_text_is_on_standard_output(tmp_path: Path) -> None:
    (tmp_path / "m.yaml").write_text(_BROKEN)
    alone = {form: run("lint", "m.yaml", "-o", form, cwd=tmp_path).stdout for form in FORMATS if form != "junit"}
    outputs = [argument for form in FORMATS for argument in ("-o", f"{form}=out.{form}")]
    done = run("lint", "m.yaml", *outputs, "-o", "text", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (1, "")
    assert done.stdout == alone["text"]
    assert {form: (tmp_path / f"out.{form}").read_text() for form in alone} == alone
    assert "<testsuites" in (tmp_path / "out.junit").read_text()
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(["m.yaml", *(f"out.{form}" for form in FORMATS)])


def test_without_an_output_on_standard_output_nothing_is_written_there(tmp_path: Path) -> None:
    (tmp_path / "m.yaml").write_text(_BROKEN)
    done = run("lint", "m.yaml", "-o", "json=out.json", cwd=tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (1, "", "")
    assert json.loads((tmp_path / "out.json").read_text())["summary"]["failed"] == 1
    assert run("lint", "m.yaml", "-o", "json=-", cwd=tmp_path).stdout == (tmp_path / "out.json").read_text()


@pytest.mark.parametrize(
    ("outputs", "said"),
    [
        (["json", "text"], "-o json and -o text both go to standard output; give one a file of its own, as in -o text=FILE"),
        (["json=a", "text=./a"], "-o json and -o text both go to ./a; give one a file of its own, as in -o text=FILE"),
        (["json="], "json= names no file; write json=FILE, or json for standard output"),
        (["jsom=a"], "'jsom' is not one of"),
        (["json=no/such/a"], "no/such/a: there is no directory"),
        (["json=folder"], "folder: is a directory; give the name of a file"),
    ],
    ids=lambda given: " ".join(given) if isinstance(given, list) else "",
)
def test_what_cannot_be_written_is_one_error(tmp_path: Path, outputs: list[str], said: str) -> None:
    (tmp_path / "m.yaml").write_text(MODEL)
    (tmp_path / "folder").mkdir()
    done = run("lint", "m.yaml", *(argument for output in outputs for argument in ("-o", output)), cwd=tmp_path)
    assert done.returncode == 2
    assert said in done.stderr
    assert "Traceback" not in done.stderr
    assert sorted(path.name for path in tmp_path.iterdir()) == ["folder", "m.yaml"]


def test_a_run_that_cannot_begin_leaves_the_last_file_alone(tmp_path: Path) -> None:
    (tmp_path / "m.yaml").write_text(MODEL)
    (tmp_path / "out.json").write_text("of before")
    done = run("lint", "m.yaml", "--config", "none.yaml", "-o", "json=out.json", cwd=tmp_path)
    assert done.returncode == 2
    assert (tmp_path / "out.json").read_text() == "of before"


def test_a_step_of_github_gets_a_summary_below_what_is_there(tmp_path: Path) -> None:
    (tmp_path / "m.yaml").write_text(_BROKEN)
    summary = tmp_path / "summary.md"
    summary.write_text("### Of another command\n")
    done = run("lint", "m.yaml", "-o", "github", cwd=tmp_path, env={"GITHUB_STEP_SUMMARY": str(summary)})
    assert done.stdout.startswith("::error file=m.yaml")
    text = summary.read_text()
    assert text.startswith("### Of another command\n### Weighbridge: ")
    assert "| error | `m.yaml:" in text
    assert run("lint", "m.yaml", "-o", "text", cwd=tmp_path, env={"GITHUB_STEP_SUMMARY": str(summary)}).returncode == 1
    assert summary.read_text() == text


class _Closed(io.StringIO):
    """A pipe without a reader."""

    def write(self, text: str) -> int:
        raise OutputError(OSError(32, "Broken pipe"))


def test_files_are_written_also_where_the_reader_of_standard_output_has_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdout", _Closed())
    report = opened([f"json={tmp_path / 'out.json'}", "text"], Style(), os.environ)
    report.write(result_of(MODEL, TOO_MANY))
    with pytest.raises(OutputError):
        report.finish(Summary(objects=1))
    assert json.loads((tmp_path / "out.json").read_text())["summary"]["objects"] == 1
