"""The tree of folders is the one in docs/architecture.md, and no folder, file or function grows beyond what one can read at once."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from tests.conftest import ROOT

PAGE: Final = (ROOT / "docs" / "architecture.md").read_text()
TOPS: Final = ("policies", "webhook", "certs", "deploy", "tests")
MOST_MODULES: Final = 30
MOST_LINES: Final = 400
MOST_LINES_OF_A_FUNCTION: Final = 60

FILES: Final = [path for top in TOPS for path in sorted((ROOT / top).rglob("*.py"))]


def name(path: Path) -> str:
    """A path as it is written."""
    return path.relative_to(ROOT).as_posix()


def folders() -> set[str]:
    """The folders with Python in them."""
    return {name(path.parent) for path in FILES}


def described(page: str) -> list[str]:
    """The folders of the tree in a page, each with those above it."""
    block = re.search(r"^## The tree\n.*?^```\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    assert block is not None
    found: list[str] = []
    above: list[str] = []
    for indent, folder in re.findall(r"^( *)(\w+)/", block[1], re.MULTILINE):
        above = [*above[: len(indent) // 2], folder]
        found.append("/".join(above))
    return found


def test_the_page_shows_the_tree_as_it_is() -> None:
    shown, there = Counter(described(PAGE)), Counter(folders())
    lacking, gone = ", ".join(sorted(there - shown)), ", ".join(sorted(shown - there))
    assert not lacking, f"The tree in docs/architecture.md lacks {lacking}"
    assert not gone, f"The tree in docs/architecture.md shows what isn't there, or twice: {gone}"


def test_a_tree_is_read_with_the_folders_above_each() -> None:
    page = "## The tree\n\n```\na/      x\n  b/\n    c/  y\n  d/\ne/\n```\n"
    assert described(page) == ["a", "a/b", "a/b/c", "a/d", "e"]


@pytest.mark.parametrize("page", ["docs/architecture.md", "docs/exactness.md", "CONTRIBUTING.md", "README.md"])
def test_a_page_names_nothing_that_is_not_there(page: str) -> None:
    named = set(re.findall(rf"`((?:{'|'.join(TOPS)})/[\w./]+)`", (ROOT / page).read_text()))
    assert [path for path in sorted(named) if not (ROOT / path).exists()] == []


def crowded() -> Iterator[str]:
    """The folders with more modules than one can survey; rules and tests don't count, since they are found by their names."""
    for folder in sorted(folders()):
        is_searched = folder.startswith("tests/") or folder.endswith("/rules")
        if not is_searched and len([path for path in (ROOT / folder).glob("*.py") if path.stem != "__init__"]) > MOST_MODULES:
            yield folder


def test_no_folder_is_crowded() -> None:
    assert list(crowded()) == []


def test_no_file_is_too_long() -> None:
    lengths = {name(path): len(path.read_text().splitlines()) for path in FILES}
    assert {path: lines for path, lines in lengths.items() if lines >= MOST_LINES} == {}


def test_no_function_is_too_long() -> None:
    # A short file has no long function.
    texts = ((path, text) for path in FILES if (text := path.read_text()).count("\n") >= MOST_LINES_OF_A_FUNCTION)
    lengths = {
        f"{name(path)}:{node.lineno} {node.name}": (node.end_lineno or 0) - node.lineno + 1
        for path, text in texts
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    }
    assert {function: lines for function, lines in lengths.items() if lines >= MOST_LINES_OF_A_FUNCTION} == {}
