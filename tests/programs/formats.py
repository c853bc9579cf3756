"""Writes the table of lint's formats into docs/ci.md: the readers of each, and its content."""

from __future__ import annotations

import re
from typing import Final

from tests.conftest import ROOT
from weighbridge.webhook.report import TABLE

PATH: Final = ROOT / "docs" / "ci.md"
_TABLE: Final = re.compile(r"(\| `-o` \| for \| what it holds \|\n\|---\|---\|---\|\n)(?:\|.*\n)*")


def with_formats(page: str) -> str:
    """The page with the new table."""
    rows = [f"| `{name}` | {readers} | {holds} |\n" for name, _, readers, holds in TABLE]
    rows[0] = rows[0].replace("` |", "` (default) |", 1)
    written, count = _TABLE.subn(lambda found: found[1] + "".join(rows), page)
    assert count == 1, "docs/ci.md has no table of formats"
    return written


def write() -> None:
    """Write the table into the page."""
    PATH.write_text(with_formats(PATH.read_text(encoding="utf-8")), encoding="utf-8")
