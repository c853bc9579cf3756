"""A few hundred expressions have the same results and costs as in the API server's own code. `make differential` compares thousands."""

from __future__ import annotations

import pytest

from tests.programs.rules.comparison import compare, expressions
from tests.programs.rules.judge import find_judge


def test_expressions_are_answered_as_by_the_servers_code() -> None:
    judge = find_judge()
    if judge is None:
        pytest.skip("the API server's code for rules isn't built; build it (needs Go) with: make control-plane")
    found = compare(judge, expressions(20, 300))
    assert found.differences == []
    assert found.evaluated == 1800
