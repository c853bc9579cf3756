"""The page with examples shows the output of the commands."""

from __future__ import annotations

import re

import pytest

from tests.command_line import run
from tests.conftest import ROOT

PAGE = (ROOT / "docs" / "inference-extension.md").read_text()
SHOWN = re.findall(r"```\n\$ weighbridge ([^\n]+)\n(.*?)```", PAGE, re.DOTALL)


@pytest.mark.parametrize(("arguments", "output"), SHOWN, ids=[arguments.split()[1].rpartition("/")[2] for arguments, _ in SHOWN])
def test_the_output_on_the_page_is_what_the_command_prints(arguments: str, output: str) -> None:
    assert run(*arguments.split(), cwd=ROOT).stdout == output


def test_the_page_shows_a_pool_and_what_refers_to_one() -> None:
    assert len(SHOWN) == 2
    assert {rule for _, output in SHOWN for rule in re.findall(r"GIE-\d+", output)} == {
        "GIE-001",
        "GIE-007",
        "GIE-011",
        "GIE-015",
        "GIE-021",
    }
