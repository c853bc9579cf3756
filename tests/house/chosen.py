"""A plugin of pytest that chooses tests of many files in one process, each file's by words of its own.

`--choose "tests/doors/test_engine.py: [llmkube/"` takes of this file the tests with the word in their names. Files without a word are run
whole.
"""

from __future__ import annotations

from collections import defaultdict
from typing import Final

import pytest

#: The word for the tests without parameters, which are in brackets.
WITHOUT_PARAMETERS: Final = "not ["


def pytest_addoption(parser: pytest.Parser) -> None:
    """Take words of files."""
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
    return words is None or any("[" not in name if word == WITHOUT_PARAMETERS else word in name for word in words)
