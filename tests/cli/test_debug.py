"""Internal errors are shown on standard error on request, and never otherwise."""

from __future__ import annotations

import logging

import click
import pytest

from tests.command_line import run
from weighbridge.webhook.cli import rules


@click.command()
def _warning() -> int:
    logging.getLogger("weighbridge.engine").warning("a rule failed")
    return 3


@pytest.mark.parametrize(("arguments", "shown"), [(("rules",), ""), (("--debug", "rules"), "a rule failed\n")])
def test_a_warning_of_ours_is_shown_with_debug_alone(monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], shown: str) -> None:
    monkeypatch.setattr(rules, "command", _warning)
    monkeypatch.setattr(logging.getLogger(), "handlers", [])
    found = run(*arguments)
    assert (found.returncode, found.stdout, found.stderr) == (3, "", shown)
