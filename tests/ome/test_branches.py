"""The branches of OME's controller: each has a case that is there, or a reason why admission can't know it."""

from __future__ import annotations

import ast
from typing import Any

import pytest

from tests.conftest import ROOT
from tests.yaml_documents import read

_TESTS = ROOT / "tests"
TABLE: list[dict[str, str]] = read((_TESTS / "ome" / "branches" / "inference_service.yaml").read_text())  # type: ignore[assignment]


def is_there(case: str) -> bool:
    """Whether a case exists: a test of a module, a folder of a case, or a file."""
    path, _, name = case.partition("::")
    found = _TESTS / path
    if not name or not found.exists():
        return found.exists()
    return any(isinstance(node, ast.FunctionDef) and node.name == name for node in ast.parse(found.read_text()).body)


@pytest.mark.parametrize("row", TABLE, ids=lambda row: f"{row['where']}: {row['branch']}")
def test_a_branch_has_a_case_or_a_reason(row: dict[str, Any]) -> None:
    assert row.keys() in ({"where", "branch", "case"}, {"where", "branch", "unknown"})
    assert is_there(row["case"]) if "case" in row else row["unknown"]


def test_each_branch_is_there_once() -> None:
    assert len({(row["where"], row["branch"]) for row in TABLE}) == len(TABLE)


def test_a_case_that_is_not_there_is_noticed() -> None:
    assert not is_there("ome/test_branches.py::test_of_nothing")
    assert not is_there("cases/ome/accepts-nothing-at-all")
