"""The words of an error are written in one module, whatever raises it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from tests.architecture.imports import ROOT

_ERRORS: Final = ("CelError", "PanicError", "ProgramError")


def _inline(node: ast.expr) -> Iterator[ast.expr]:
    """What an error is given as text itself, in either branch of a conditional."""
    if isinstance(node, ast.IfExp):
        yield from _inline(node.body)
        yield from _inline(node.orelse)
    elif isinstance(node, ast.JoinedStr | ast.Constant):
        yield node


def test_the_wordings_of_run_time_errors_are_in_one_module() -> None:
    found = []
    for path in sorted((ROOT / "policies" / "cel").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in _ERRORS:
                found += [f"{path.relative_to(ROOT)}:{text.lineno}" for arg in node.args for text in _inline(arg)]
    assert found == []
