"""The types of some dozens of policies are checked as by kube-controller-manager's code. `make differential` compares thousands."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.admission_policies.situations import policy
from tests.admission_policies.test_type_checks import FIT, UNFIT
from tests.export.test_types_fit import exported_policies
from tests.programs.type_checks import world
from tests.programs.type_checks.comparison import Comparison
from tests.programs.type_checks.judge import find_judge


@pytest.fixture(scope="module")
def judge() -> Path:
    found = find_judge()
    if found is None:
        pytest.skip("the controller's type checker isn't built; build it (needs Go) with: make control-plane")
    return found


def test_types_are_checked_as_by_the_controllers_code(judge: Path) -> None:
    comparison = Comparison(judge)
    comparison.compare_drawn(20, 60)
    tally = comparison.tally
    assert tally.differences == []
    assert tally.policies == 60
    assert tally.unchecked < 10
    assert tally.warned > 30


def test_the_controllers_code_says_what_the_tests_expect(judge: Path) -> None:
    rule = {"apiGroups": [world.GROUP], "apiVersions": ["v1"], "operations": ["*"], "resources": ["widgets"]}
    comparison = Comparison(judge)
    comparison.compare([policy(*FIT, *(expression for expression, _ in UNFIT), rules=[rule])])
    assert comparison.tally.differences == []
    assert comparison.tally.expressions == len(UNFIT)


def test_the_controllers_code_has_nothing_to_say_of_what_is_exported(judge: Path) -> None:
    comparison = Comparison(judge)
    comparison.compare(exported_policies())
    tally = comparison.tally
    assert (tally.differences, tally.warned, tally.unchecked) == ([], 0, 0)
    assert tally.policies > 30
