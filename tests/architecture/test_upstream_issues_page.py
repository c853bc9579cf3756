"""docs/upstream-issues.md answers every report, with rules that exist or with another part of the program."""

from __future__ import annotations

import re
from typing import Final

from tests.conftest import ROOT
from weighbridge.policies.families import families
from weighbridge.policies.verdict.general_rules import GENERAL_RULES

PAGE: Final = (ROOT / "docs" / "upstream-issues.md").read_text(encoding="utf-8")
_OTHER: Final = {"prediction", "defaults", "migrate", "decision"}


def _rows() -> list[list[str]]:
    lines = [line for line in PAGE.splitlines() if line.startswith("| ") and "---" not in line]
    return [cells for line in lines if (cells := [cell.strip() for cell in line.strip("|").split("|")])[0] != "reported in"]


def test_each_report_is_answered_by_rules_that_exist_or_by_another_part() -> None:
    known = {rule.id for family in families() for rule in family.rules()} | {rule.id for rule in GENERAL_RULES} | _OTHER
    rows = _rows()
    assert len(rows) >= 60
    assert [(row[0], held) for row in rows for held in row[3].split(", ") if held not in known] == []


def test_a_decision_says_why() -> None:
    assert [row[0] for row in _rows() if "decision" in row[3] and not row[2]] == []


def test_every_family_has_a_section() -> None:
    sections = " ".join(re.findall(r"^## (.*)$", PAGE, re.MULTILINE))
    lacking = ", ".join(family.title for family in families() if family.title not in sections)
    assert not lacking, f"docs/upstream-issues.md has no section on {lacking}: write what its users reported, and which rule answers it"
