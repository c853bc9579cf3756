"""Every case through the engine itself."""

from __future__ import annotations

import copy

import pytest

from policies.engine import decide
from policies.families import families
from tests.doors.cases import CASES, IDS, Case
from tests.doors.expectations import check
from webhook.verdict.record import verdict_record


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
    first = decide(case.request(), facts, config)
    again = Case(case.folder, first.object, case.old, case.cluster, case.config, case.expect)
    second = decide(again.request(), facts, config)
    assert second.allowed
    assert second.patch == ()
    assert second.object == first.object


def told_in(case: Case) -> set[str]:
    """The ids of all findings of a case, notes among them."""
    return {*case.expect.get("findings", []), *case.expect.get("notes", [])}


def test_every_rule_is_refused_or_warned_of_by_one_case_and_passed_by_another() -> None:
    told = set().union(*map(told_in, CASES))
    for family in families():
        for rule in family.rules():
            passing = [case for case in CASES if case.object["kind"] in rule.kinds and rule.id not in told_in(case)]
            assert rule.id in told, f"no case shows {rule.id}"
            assert passing, f"no case passes {rule.id}"


def test_there_are_enough_cases_and_a_third_of_them_refuse() -> None:
    assert len(CASES) >= 40
    assert sum(not case.expect["allowed"] for case in CASES) * 3 >= len(CASES)
