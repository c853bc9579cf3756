"""The command line with standard streams that are closed, full, of another encoding, or whose reader has gone."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
from pathlib import Path
from typing import Final

import pytest

from tests.command_line import run
from tests.e2e.process import WEIGHBRIDGE
from tests.yaml_documents import read

GOOD = "apiVersion: inference.llmkube.dev/v1alpha1\nkind: Model\nmetadata: {name: good, annotations: {a: é€}}\nspec: {source: hf://o/m}\n"
BAD = "apiVersion: inference.llmkube.dev/v1alpha1\nkind: Model\nmetadata: {name: bad}\nspec: {source: pvc://é€😀}\n"
#: The environment that sets the locale and the encoding of a process.
OTHER_ENCODINGS: Final = (
    {"PYTHONIOENCODING": "ascii"},
    {"PYTHONIOENCODING": "latin-1"},
    {"LC_ALL": "POSIX", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a good manifest and a bad one."""
    (tmp_path / "good.yaml").write_text(GOOD)
    (tmp_path / "bad.yaml").write_text(BAD)
    return tmp_path


def _shell(folder: Path, command: str, **environment: str) -> tuple[int, bytes, str]:
    """The exit code, standard output and standard error of a line of shell with `weighbridge` in it."""
    script = f'weighbridge() {{ {shlex.quote(WEIGHBRIDGE)} "$@"; }}; {command}'
    given = ["bash", "-o", "pipefail", "-c", script]
    done = subprocess.run(given, cwd=folder, capture_output=True, timeout=60, check=False, env=os.environ | environment)
    return done.returncode, done.stdout, done.stderr.decode()


@pytest.mark.parametrize("command", ["lint bad.yaml", "dry-run good.yaml", "dry-run -o json bad.yaml", "rules", "--version", "--help"])
@pytest.mark.parametrize(("where", "why"), [("> /dev/full", "no space left on device"), (">&-", "it is closed")])
def test_output_that_cannot_be_written_is_one_line_and_two(folder: Path, command: str, where: str, why: str) -> None:
    assert _shell(folder, f"weighbridge {command} {where}") == (2, b"", f"Error: standard output can't be written to: {why}\n")


@pytest.mark.parametrize("where", ["2> /dev/full", "2>&-", "<&- >&- 2>&-"])
@pytest.mark.parametrize("command", ["lint nowhere --nonsense", "lint --config nowhere.yaml good.yaml"])
def test_errors_that_cannot_be_written_still_have_their_exit_code(folder: Path, command: str, where: str) -> None:
    assert _shell(folder, f"weighbridge {command} {where}") == (2, b"", "")


@pytest.mark.parametrize("command", ["lint good.yaml", "dry-run good.yaml", "rules"])
def test_closed_standard_input_is_nothing_to_who_does_not_read_it(folder: Path, command: str) -> None:
    code, out, complaints = _shell(folder, f"weighbridge {command} <&-")
    assert (code, complaints) == (0, "")
    assert out


@pytest.mark.parametrize(
    "command", ["lint -", "dry-run -", "dry-run --reviews -", "lint good.yaml --config -", "lint good.yaml --crds -", "lint -o json -"]
)
def test_closed_standard_input_is_an_error_to_who_reads_it(folder: Path, command: str) -> None:
    code, out, complaints = _shell(folder, f"weighbridge {command} <&-")
    assert code == 2
    assert (out.decode() + complaints).count("standard input is closed") == 1
    assert "Traceback" not in complaints


def test_reader_that_goes_away_ends_it_as_the_signal_would(folder: Path) -> None:
    (folder / "many.yaml").write_text("---\n".join([GOOD] * 300))
    assert _shell(folder, "weighbridge dry-run many.yaml -o yaml | head -n 1") == (141, b"---\n", "")
    assert _shell(folder, "(sleep 0.1; weighbridge --version) | true") == (141, b"", "")


@pytest.mark.parametrize("environment", OTHER_ENCODINGS, ids=["ascii", "latin-1", "POSIX"])
def test_text_shows_what_its_encoding_lacks_as_escapes(folder: Path, environment: dict[str, str]) -> None:
    for command in ("lint bad.yaml", "dry-run bad.yaml", "dry-run -o diff good.yaml"):
        code, out, complaints = _shell(folder, f"weighbridge {command}", **environment)
        assert (code, complaints) == (int("bad" in command), "")
        assert rb"\u20ac" in out


@pytest.mark.parametrize("environment", OTHER_ENCODINGS, ids=["ascii", "latin-1", "POSIX"])
def test_data_is_utf_8_whatever_the_locale(folder: Path, environment: dict[str, str]) -> None:
    for command in ("lint -o json bad.yaml", "dry-run -o json bad.yaml", "dry-run -o jsonl bad.yaml"):
        _, out, complaints = _shell(folder, f"weighbridge {command}", **environment)
        assert complaints == ""
        assert "pvc://é€😀" in json.dumps(json.loads(out.decode("utf-8")), ensure_ascii=False)
    _, out, _ = _shell(folder, "weighbridge dry-run -o yaml good.yaml", **environment)
    assert read(out.decode("utf-8"))["metadata"]["annotations"] == {"a": "é€"}


@pytest.mark.parametrize("command", ["lint", "lint -o json", *(f"dry-run -o {name}" for name in ("text", "json", "jsonl", "yaml", "diff"))])
def test_name_that_is_not_text_is_shown_with_escapes(folder: Path, command: str) -> None:
    (folder / "odd").mkdir()
    (folder / "bad.yaml").rename(folder / "odd" / os.fsdecode(b"\xff\xfe.yaml"))
    done = run(*command.split(), "odd", cwd=folder)
    assert done.stderr == ""
    shown = r"odd/\xff\xfe.yaml"
    assert (json.dumps(shown) if "json" in command else shown) in done.stdout


def test_arguments_that_are_not_text_are_errors_that_show_them(folder: Path) -> None:
    for command, said in (
        ("dry-run --reviews $'\\xff'", r"Error: \xff: no such file"),
        ("dry-run -o jsonl -n $'\\xff' good.yaml", r"\xff: not UTF-8"),
        ("lint --crds $'\\xff' good.yaml", r"Error: \xff: no such file"),
    ):
        code, _, complaints = _shell(folder, f"weighbridge {command}")
        assert code == 2
        assert said in complaints


def test_what_a_process_writes_is_read_where_its_pipe_is_named(folder: Path) -> None:
    code, out, _ = _shell(folder, "weighbridge lint <(cat good.yaml) <(cat bad.yaml); cat good.yaml | weighbridge lint /dev/stdin")
    assert code == 0
    assert out.count(b"LLMKUBE-009") == 1
    assert [line.partition(b":")[0] for line in out.splitlines() if line.startswith(b"checked")] == [
        b"checked 2 objects in 2 files",
        b"checked 1 object in 1 file",
    ]


@pytest.mark.parametrize("arguments", ["lint", "init --print", "config check .", "certs make x", "test ."])
def test_a_current_folder_that_was_deleted_is_one_error_and_two(tmp_path: Path, arguments: str) -> None:
    code, _, complaint = _shell(tmp_path, f"mkdir gone; cd gone; rmdir ../gone; weighbridge {arguments}")
    assert code == 2
    assert complaint.startswith("Error: ")
    assert "Traceback" not in complaint
