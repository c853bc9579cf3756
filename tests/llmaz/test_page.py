"""The page with examples shows the output of the commands."""

from __future__ import annotations

import re

import pytest

from tests.command_line import run
from tests.conftest import ROOT

PAGE = (ROOT / "docs" / "llmaz.md").read_text()
SHOWN = re.findall(r"```\n\$ weighbridge ([^\n]+)\n(.*?)```", PAGE, re.DOTALL)
OUTPUT = {arguments.split()[1].rpartition("/")[2].removesuffix(".yaml"): output for arguments, output in SHOWN}


@pytest.mark.parametrize(("arguments", "output"), SHOWN, ids=list(OUTPUT))
def test_the_output_on_the_page_is_what_the_command_prints(arguments: str, output: str) -> None:
    assert run(*arguments.split(), cwd=ROOT).stdout == output


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("chat", "a100    nvidia.com/gpu=4, gpu=a100  fits          node a100-1"),
        ("chat", "h100    nvidia.com/gpu=4, gpu=h100  fits no node  0/2 nodes"),
        ("chat", "default               taken     it follows from the roles of the models"),
        ("large", "nearest: 1 node has the label gpu=a100, none has gpu=h100"),
        ("spread", "nvidia.com/gpu: '2'"),
        ("offline", "Configurations of BackendRuntime sglang of llmaz's chart"),
    ],
)
def test_each_example_shows_what_it_is_for(name: str, words: str) -> None:
    assert words in OUTPUT[name]
