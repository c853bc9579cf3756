"""docs/policies.md: its commands, run on the files that it shows, print the outputs that it shows; and the gallery's cases pass."""

from __future__ import annotations

import json
import re
import shlex
import shutil
from pathlib import Path

import pytest

from tests.command_line import run
from tests.conftest import ROOT
from tests.yaml_documents import read

PAGE = (ROOT / "docs" / "policies.md").read_text()
FILES = dict(re.findall(r"^```(?:yaml|json) (\S+)\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL))
GALLERY = "docs/examples/policies/gallery.yaml"


def consoles(section: str) -> list[str]:
    """The blocks with commands of a section."""
    text = PAGE.partition(f"\n{section}\n")[2].partition("\n## ")[0]
    return re.findall(r"^```console\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def commands(console: str) -> list[tuple[str, str]]:
    """The commands of a block, each with its output."""
    found = re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", console, re.MULTILINE)
    return [(command, output) for command, output in found]


def done(command: str, folder: Path) -> str:
    """The output of a command of the page; this does the work of the shell's own commands."""
    name, *arguments = shlex.split(command)
    if name == "weighbridge":
        result = run(*arguments)
        return result.stdout
    if name == "sed":
        _, script, path = arguments
        _, before, after, _ = script.split("/")
        (folder / path).write_text((folder / path).read_text().replace(before, after))
    elif name == "cp":
        shutil.copytree(folder / arguments[1], folder / arguments[2])
    else:
        assert (name, arguments[1]) == ("printf", ">")
        (folder / arguments[2]).write_text(arguments[0].replace("\\n", "\n"))
    return ""


def test_the_first_policy_is_made_and_tested_as_the_page_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    steps = consoles("## Your first policy, in ten minutes")
    assert len(steps) == 3
    for console in steps:
        for command, output in commands(console):
            assert done(command, tmp_path) == output, command


def test_what_is_exported_is_what_the_page_shows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "docs").symlink_to(ROOT / "docs")
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    shown = consoles("## While the webhook is down")
    assert len(shown) == 4
    for console in shown:
        for command, output in commands(console):
            name, *arguments = shlex.split(command)
            result = run(*arguments)
            assert (name, result.stdout + result.stderr) == ("weighbridge", output), command


def test_what_is_filled_in_is_what_the_page_shows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    ((command, output),) = commands(consoles("## Fill-ins")[0])
    assert done(command, tmp_path) == output


def test_the_review_of_the_page_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name, text in FILES.items():
        (tmp_path / name).write_text(text.replace("effective.gpu <", "effective.gpus <"))
    review = " ".join(FILES["review.json"].split())
    (tmp_path / "reviews.jsonl").write_text(review + "\n")
    result = run("dry-run", "--reviews", "reviews.jsonl", "--cluster", "cluster.yaml", "--config", "config.yaml")
    assert "denied the request: spec.replicas: asks for 3 GPUs, and two are allowed (POLICY-001)" in json.loads(result.stdout)["message"]


def test_the_cases_of_the_gallery_cover_every_policy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    ((command, output),) = commands(consoles("## Gallery")[-1])
    result = run(*shlex.split(command)[1:], "--require-coverage")
    assert (result.returncode, result.stdout) == (0, output)


def test_the_page_lists_the_gallery() -> None:
    policies = read((ROOT / GALLERY).read_text())["policies"]
    assert len(policies) == 12
    assert all(f"| {policy['id']} {policy['name']} |" in PAGE for policy in policies)
