"""The hand-written rules of the benchmark answer as the engine does, so that both do the same work."""

from __future__ import annotations

import pytest

from tests.programs.benchmarks.rules import FROM_CRDS, TYPICAL, TimedRule
from weighbridge.policies.cel.rules.compiled_rule import CompiledRule
from weighbridge.policies.cel.values.declared import DeclaredType
from weighbridge.policies.cel.values.outcome import PER_CALL_LIMIT
from weighbridge.policies.ground.objects import JSONValue
from weighbridge.policies.schema.node import Schema, ValidationRule

RULES = [*TYPICAL, *FROM_CRDS]


def _by_engine(timed: TimedRule, value: JSONValue, old: JSONValue) -> tuple[bool, int]:
    rule = CompiledRule(ValidationRule(timed.text), DeclaredType(Schema(timed.schema)), timed.name)
    assert rule.program is not None, rule.error
    outcome = rule.program.run_on_data(value, old, optional=False)
    assert not outcome.error
    return outcome.value is True, outcome.cost


# The hand-written functions have the costs of 1.36.
@pytest.mark.usefixtures("kubernetes_1_36")
@pytest.mark.parametrize("timed", RULES, ids=lambda timed: timed.name)
def test_a_rule_written_by_hand_has_the_verdict_and_the_cost_of_the_engine(timed: TimedRule) -> None:
    assert _by_engine(timed, timed.value, timed.old)[0] is True
    verdicts = set()
    for value, old in ((timed.value, timed.old), *timed.wrong):
        answer = timed.by_hand(value, old, PER_CALL_LIMIT)
        assert answer == _by_engine(timed, value, old), f"on {value} after {old}"
        verdicts.add(answer[0])
    assert verdicts == {True, False}
