"""A plugin of pytest that chooses tests of many files in one process, with separate words for each file.

`--choose "tests/doors/test_engine.py: [llmkube/"` chooses the tests of this file with the word in their names. Files without a word are run
as a whole. A word `family ome` chooses the tests that aren't about another family: their parameters name it, one of its rules, or none.
"""

from __future__ import annotations

import re
from collections import defaultdict
from functools import cache
from pathlib import Path
from typing import Final

import pytest

#: The word for the tests without parameters, which are in brackets.
WITHOUT_PARAMETERS: Final = "not ["
#: The beginning of a word that names a family.
OF_FAMILY: Final = "family "
_FAMILIES: Final = Path(__file__).parents[2] / "policies" / "families"
#: The first parameter of a test, up to what follows the name of a family or the prefix of a rule's id.
_FIRST: Final = re.compile(r"\[(\w+)[-/\]]")


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option for words of files."""
    parser.addoption("--choose", action="append", default=[], metavar="FILE: WORD", help="run of this file the tests with the word")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out the tests that no word of their file chooses."""
    words: dict[str, list[str]] = defaultdict(list)
    for file, _, word in (line.partition(": ") for line in config.getoption("choose")):
        words[file].append(word)
    left_out = [item for item in items if not _is_chosen(item.name, words.get(item.path.relative_to(config.rootpath).as_posix()))]
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        gone = set(left_out)
        items[:] = [item for item in items if item not in gone]


def _is_chosen(name: str, words: list[str] | None) -> bool:
    return words is None or any(_chooses(word, name) for word in words)


def _chooses(word: str, name: str) -> bool:
    if word == WITHOUT_PARAMETERS:
        return "[" not in name
    if word.startswith(OF_FAMILY):
        first = _FIRST.search(name)
        return first is None or _family_of(first[1].lower()) in {"", word.removeprefix(OF_FAMILY)}
    return word in name


@cache
def _family_of(word: str) -> str:
    """The family with this name or this prefix of its rules' ids."""
    if (_FAMILIES / word / "family.py").exists():
        return word
    return next((path.parents[1].name for path in _FAMILIES.glob(f"*/rules/{word}_[0-9]*.py")), "")
