"""A shell completes the commands, as click does it."""

from __future__ import annotations

import pytest
from click.shell_completion import BashComplete

from weighbridge.webhook.cli.commands import cli


@pytest.mark.parametrize(("begun", "commands"), [("li", ["lint"]), ("d", ["dry-run", "doctor"]), ("x", [])], ids=["one", "several", "none"])
def test_a_command_that_is_begun_is_completed(begun: str, commands: list[str]) -> None:
    found = BashComplete(cli, {}, "weighbridge", "_WEIGHBRIDGE_COMPLETE").get_completions([], begun)
    assert [item.value for item in found] == commands
