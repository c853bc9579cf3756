"""A shell completes the commands, as click does it."""

from __future__ import annotations

import pytest
from click.shell_completion import BashComplete

from weighbridge.webhook.cli.commands import cli


def _completed(arguments: list[str], begun: str) -> list[str]:
    found = BashComplete(cli, {}, "weighbridge", "_WEIGHBRIDGE_COMPLETE").get_completions(arguments, begun)
    return [f"{item.type}:{item.value}" if item.type != "plain" else item.value for item in found]


@pytest.mark.parametrize(("begun", "commands"), [("li", ["lint"]), ("d", ["dry-run", "doctor"]), ("x", [])], ids=["one", "several", "none"])
def test_a_command_that_is_begun_is_completed(begun: str, commands: list[str]) -> None:
    found = BashComplete(cli, {}, "weighbridge", "_WEIGHBRIDGE_COMPLETE").get_completions([], begun)
    assert [item.value for item in found] == commands


@pytest.mark.parametrize(
    ("arguments", "begun", "completed"),
    [
        (["lint", "-o"], "j", ["json", "jsonl", "junit"]),
        (["lint", "-o"], "git", ["gitlab", "github"]),
        (["dry-run", "-o"], "e", ["effective"]),
        (["lint", "--ignore"], "LLMKUBE-00", [f"LLMKUBE-00{number}" for number in range(1, 10)]),
        (["lint", "--select"], "LLMKUBE-001,gie-00", [f"LLMKUBE-001,GIE-00{number}" for number in range(1, 10)]),
        (["rules"], "pod-", ["POD-001", "POD-002", "POD-003"]),
        (["impact", "--delete"], "inferencep", ["InferencePool/", "InferencePoolImport/"]),
        (["lint", "--kubernetes-version"], "1.36,1.3", ["1.36,1.34", "1.36,1.35", "1.36,1.36", "1.36,1.37"]),
        (["lint"], "mani", ["file:mani"]),
        (["lint", "--cluster"], "", ["file:"]),
        (["dry-run"], "x", ["file:x"]),
    ],
    ids=lambda given: " ".join(given) if isinstance(given, list) else given,
)
def test_values_are_completed(arguments: list[str], begun: str, completed: list[str]) -> None:
    assert _completed(arguments, begun) == completed
