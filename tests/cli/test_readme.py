"""The README is true: the commands print what it shows."""

from __future__ import annotations

import re

import pytest

from tests.command_line import run
from tests.conftest import ROOT

SHOWN = re.findall(r"```\n\$ weighbridge ([^\n]+)\n(.*?)```", (ROOT / "README.md").read_text(), re.DOTALL)


@pytest.mark.parametrize(("arguments", "output"), SHOWN, ids=[arguments.partition(" --")[0] for arguments, _ in SHOWN])
def test_the_output_in_the_readme_is_what_the_command_prints(arguments: str, output: str) -> None:
    done = run(*arguments.split(), cwd=ROOT)
    # An ellipsis matches any lines; the rest must come in this order.
    wanted = "(?s:.*?)".join(map(re.escape, re.split(r"^\.\.\.\n", output, flags=re.MULTILINE)))
    assert re.fullmatch(wanted, done.stdout)


def test_the_readme_shows_a_dry_run_and_a_lint() -> None:
    assert [arguments.split()[0] for arguments, _ in SHOWN] == ["dry-run", "lint", "dry-run", "dry-run"]
