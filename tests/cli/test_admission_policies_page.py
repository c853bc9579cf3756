"""docs/admission-policies.md: its commands, run on its own files, print what it shows."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.user_policies.test_page import commands, done

PAGE = (ROOT / "docs" / "admission-policies.md").read_text(encoding="utf-8")


def test_the_commands_print_what_the_page_shows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name, text in re.findall(r"^```yaml (\S+)\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL):
        (tmp_path / name).write_text(text, encoding="utf-8")
    consoles = re.findall(r"^```console\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    shown = [pair for console in consoles for pair in commands(console)]
    assert len(shown) == 6
    assert [(command, done(command, tmp_path)) for command, _ in shown] == shown
