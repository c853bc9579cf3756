"""Every case through the engine itself."""

from __future__ import annotations

import copy

import pytest

from tests.doors.cases import CASES, IDS, Case
from tests.doors.expectations import check
from weighbridge.policies.families import families
from weighbridge.policies.verdict.engine import decide
from weighbridge.webhook.dry_run_report.parts.record import verdict_record


@pytest.mark.parametrize("case", CASES, ids=IDS)
def test_engine_reaches_the_expected_verdict(case: Case) -> None:
    request = case.request()
    before = copy.deepcopy((request.object, request.old_object))
    decision = decide(request, case.facts(), case.configuration())
    check(case, dict(verdict_record("case", decision)))
    assert (request.object, request.old_object) == before, "the engine changed its input"


@pytest.mark.parametrize("case", [case for case in CASES if case.expect["allowed"]], ids=lambda case: case.id)
def test_what_is_stored_is_accepted_again_without_a_change(case: Case) -> None:
    facts, config = case.facts(), case.configuration()
    first = case.decision
    again = Case(case.folder, first.object, case.old, case.cluster, case.config, case.expect)
    second = decide(again.request(), facts, config)
    assert second.allowed
    assert second.patch == ()
    assert second.object == first.object


def test_every_rule_is_refused_or_warned_of_by_one_case_and_passed_by_another() -> None:
    told = {rule for case in CASES for rule in rules_of(case)}
    for family in families():
        for rule in family.rules():
            passing = [case for case in CASES if case.object["kind"] in rule.kinds and rule.id not in rules_of(case)]
            assert rule.id in told, f"no case shows {rule.id}"
            assert passing, f"no case passes {rule.id}"


def rules_of(case: Case) -> list[str]:
    """The ids of the rules with findings on a case."""
    return [text.split()[0] for key in ("findings", "notes") for text in case.expect.get(key, [])]


def test_there_are_enough_cases_and_a_quarter_refuses() -> None:
    assert len(CASES) >= 40
    assert sum(not case.expect["allowed"] for case in CASES) * 4 >= len(CASES)
