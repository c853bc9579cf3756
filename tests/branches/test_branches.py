"""The tables of branches: each branch of a reconciler names the cases that cover it, or why admission can't know its outcome.

A table is a file of this folder, named with the family and the reconciler. An entry has the place of the branch (`at`: upstream's file and
function) and what it does (`branch`). `cases` are paths below `tests/`: a folder of a case, a file, or a test's function after `::`.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, Final

import pytest

from tests.yaml_documents import read

_FOLDER: Final = Path(__file__).parent
_TESTS: Final = _FOLDER.parent
_TABLES: Final = sorted(_FOLDER.glob("*.yaml"))
_KEYS: Final = ({"at", "branch", "cases"}, {"at", "branch", "unknowable"})


def _table(file: Path) -> Any:
    return read(file.read_text())


def _is_there(case: str) -> bool:
    """Whether a case is a folder or file below `tests/`, or a function of one."""
    path, _, function = case.partition("::")
    file = _TESTS / path
    if not function:
        return file.exists()
    return file.is_file() and re.search(rf"^def {re.escape(function)}\(", file.read_text(), re.MULTILINE) is not None


@pytest.mark.parametrize("file", _TABLES, ids=lambda file: file.stem)
def test_a_table_says_whose_branches_it_lists(file: Path) -> None:
    table = _table(file)
    assert set(table) == {"reconciler", "source", "branches"}
    assert table["branches"]


@pytest.mark.parametrize("file", _TABLES, ids=lambda file: file.stem)
def test_each_branch_has_cases_or_says_why_it_cannot_be_known(file: Path) -> None:
    branches = _table(file)["branches"]
    assert [entry for entry in branches if set(entry) not in _KEYS or not all(entry.values())] == []
    said = [(entry["at"], entry["branch"]) for entry in branches]
    assert [one for one in said if said.count(one) > 1] == []


@pytest.mark.parametrize("file", _TABLES, ids=lambda file: file.stem)
def test_each_named_case_is_there(file: Path) -> None:
    cases = [case for entry in _table(file)["branches"] for case in entry.get("cases", ())]
    assert [case for case in cases if not _is_there(case)] == []


def test_a_case_that_is_not_there_is_noticed() -> None:
    assert _is_there("branches/test_branches.py::test_each_named_case_is_there")
    assert not _is_there("branches/test_branches.py::test_each_named_case")
    assert not _is_there("cases/ome/accepts-what-never-was")
