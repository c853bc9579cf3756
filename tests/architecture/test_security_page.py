"""docs/security.md answers every threat and complaint, with tests that exist or with a decision."""

from __future__ import annotations

import ast
import re
from typing import Final

import pytest

from tests.conftest import ROOT

PAGE: Final = (ROOT / "docs" / "security.md").read_text()
_TEST: Final = re.compile(r"`(tests/[\w/]+\.py)::(test_\w+)`")


def rows(heading: str) -> list[list[str]]:
    """The rows of the table below a heading, cell by cell."""
    section = PAGE.partition(f"## {heading}\n")[2].partition("\n## ")[0]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in section.splitlines() if re.match(r"\| \d", line)]


@pytest.mark.parametrize(("heading", "count"), [("Threats", 18), ("Complaints", 25)])
def test_each_one_has_its_number_and_an_answer(heading: str, count: int) -> None:
    table = rows(heading)
    assert [int(row[0]) for row in table] == list(range(1, count + 1))
    assert [row[0] for row in table if not row[2] or not (_TEST.search(row[3]) or row[3] == "decision")] == []


def test_each_test_that_is_named_exists() -> None:
    named = _TEST.findall(PAGE)
    assert named
    assert [f"{path}::{test}" for path, test in named if test not in _tests_of(path)] == []


def _tests_of(path: str) -> set[str]:
    file = ROOT / path
    if not file.exists():
        return set()
    return {node.name for node in ast.walk(ast.parse(file.read_text())) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)}
