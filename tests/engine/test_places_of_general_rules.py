"""The page of a general rule names the module that makes its findings."""

from __future__ import annotations

import ast

import pytest

from tests.conftest import ROOT
from weighbridge.policies.verdict.general_rules import GENERAL_RULES, GeneralRule


def _constants() -> dict[str, str]:
    """The ids of general rules by the names of the constants that hold them."""
    ids = {rule.id for rule in GENERAL_RULES}
    found: dict[str, str] = {}
    for folder in ("policies", "webhook"):
        for path in (ROOT / folder).rglob("*.py"):
            for node in ast.parse(path.read_text(encoding="utf-8")).body:
                value = node.value if isinstance(node, ast.AnnAssign) else None
                if isinstance(value, ast.Constant) and value.value in ids and isinstance(node, ast.AnnAssign):
                    found[ast.unparse(node.target)] = str(value.value)
    return found


CONSTANTS = _constants()


@pytest.mark.parametrize("rule", GENERAL_RULES, ids=lambda rule: rule.id)
def test_the_module_uses_the_id(rule: GeneralRule) -> None:
    tree = ast.parse((ROOT / rule.place).read_text(encoding="utf-8"))
    used = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    texts = {node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str)}
    assert rule.id in texts or rule.id in {CONSTANTS[name] for name in used & CONSTANTS.keys()}
