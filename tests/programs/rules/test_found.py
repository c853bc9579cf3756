"""The expressions of found.yaml, which the engine once answered differently."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import pytest
import yaml

from tests.programs.rules.comparison import compare, ours
from tests.programs.rules.judge import find_judge

_FOUND: Final[list[dict[str, Any]]] = yaml.safe_load(Path(__file__).with_name("found.yaml").read_text(encoding="utf-8"))


@pytest.mark.parametrize("found", _FOUND, ids=lambda found: found["name"])
def test_an_expression_is_answered_as_by_the_servers_code(found: dict[str, Any]) -> None:
    answer = ours(found["expression"])["objects"][found["object"]]
    assert (answer["errors"], answer["cost"]) == (found["errors"], found["cost"])


def test_the_servers_code_answers_them_so() -> None:
    judge = find_judge()
    if judge is None:
        pytest.skip("the API server's code for rules isn't built; build it (needs Go) with: make control-plane")
    assert compare(judge, [found["expression"] for found in _FOUND]).differences == []
