"""A failed assertion shows its values in every module with assertions, not only in tests."""

from __future__ import annotations

import ast
from importlib.util import find_spec
from pathlib import Path

from _pytest.assertion.rewrite import AssertionRewritingHook

from tests.conftest import ROOT


def _asserts(path: Path) -> bool:
    return any(isinstance(node, ast.Assert) for node in ast.walk(ast.parse(path.read_text())))


def _name(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts)


def test_every_helper_that_asserts_shows_what_it_compared() -> None:
    helpers = [_name(path) for path in (ROOT / "tests").rglob("*.py") if not path.name.startswith(("test_", "conftest")) and _asserts(path)]
    assert "tests.doors.expectations" in helpers
    specs = {name: find_spec(name) for name in helpers}
    assert [name for name, spec in specs.items() if spec is None or not isinstance(spec.loader, AssertionRewritingHook)] == []
