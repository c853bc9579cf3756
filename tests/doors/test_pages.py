"""Pages with examples in docs/examples: their commands print the output that they show. `...` means lines that are left out."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from tests.command_line import run
from tests.conftest import ROOT

EXAMPLES = ROOT / "docs" / "examples"
PAGES = {
    ROOT / "docs" / "hardware.md": EXAMPLES / "hardware",
    ROOT / "docs" / "placement.md": EXAMPLES / "placement",
    ROOT / "docs" / "pod-admission.md": EXAMPLES / "pod-admission",
}


def commands(page: Path) -> list[tuple[str, str]]:
    """The commands of a page, each with its output."""
    blocks = re.findall(r"^```console\n(\$ .*?)^```$", page.read_text(), re.MULTILINE | re.DOTALL)
    return [(command, output) for block in blocks for command, output in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", block, re.MULTILINE)]


@pytest.mark.parametrize(("page", "folder"), PAGES.items(), ids=[page.name for page in PAGES])
def test_commands_print_what_the_page_shows(page: Path, folder: Path) -> None:
    code = -1
    found = commands(page)
    assert len(found) >= 3
    for command, output in found:
        name, *arguments = shlex.split(command)
        if name == "echo":
            assert output == f"{code}\n"
            continue
        assert name == "weighbridge"
        done = run(*arguments, cwd=folder)
        code = done.returncode
        shown = "".join("(?:.*\n)*?" if line == "..." else re.escape(f"{line}\n") for line in output.splitlines())
        assert re.fullmatch(shown, done.stdout), f"{command}\n{done.stdout}"
        assert done.stderr == ""
