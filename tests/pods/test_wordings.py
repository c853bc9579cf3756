"""The words of the server are written in one module, whatever field they are about."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import Final

from tests.architecture.imports import ROOT

_SENTENCE: Final = re.compile(r"[a-z]+ [a-z]")


def _texts(tree: ast.Module) -> Iterator[ast.Constant]:
    """All texts of a module but its docstrings."""
    docstrings = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docstrings:
            yield node


def test_the_wordings_of_a_pods_validation_are_in_one_module() -> None:
    found = []
    for path in sorted((ROOT / "policies" / "pods" / "validation").glob("*.py")):
        if path.name != "wordings.py":
            found += [f"{path.name}:{text.lineno}" for text in _texts(ast.parse(path.read_text())) if _SENTENCE.search(str(text.value))]
    assert found == []
