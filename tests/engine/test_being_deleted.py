"""An object that is being deleted is judged as long as it exists, since its operator acts on the spec until the last finalizer is gone."""

from __future__ import annotations

import copy
from dataclasses import replace
from typing import Any

import pytest

from tests.families.examples import example_facts, example_request, examples
from tests.yaml_documents import read
from weighbridge.policies.families import families
from weighbridge.policies.families.configuration import parse
from weighbridge.policies.families.family import Family
from weighbridge.policies.families.rule import Rule
from weighbridge.policies.ground.findings import Decision
from weighbridge.policies.ground.objects import JSONObject, Operation
from weighbridge.policies.ground.request import Request
from weighbridge.policies.verdict.engine import Phase, decide

RULES = [(family, rule) for family in families() for rule in family.rules()]
PHASES = (Phase.WHOLE, Phase.MUTATE, Phase.VALIDATE)


def updated(family: Family, rule: Rule, *, changes: dict[str, Any], text: str) -> Request:
    """An update from a rule's good example, or from the old object of its example of an update, to the one in `text`; both with other
    metadata.
    """
    request = example_request(family, rule, text)
    good = example_request(family, rule, examples(rule).good)
    before = request.old_object if isinstance(request.old_object, dict) else good.object
    assert isinstance(before, dict)
    assert isinstance(request.object, dict)
    return replace(request, operation=Operation.UPDATE, object=_with(request.object, changes), old_object=_with(before, changes))


def _with(obj: JSONObject, changes: dict[str, Any]) -> JSONObject:
    found = copy.deepcopy(obj)
    found["metadata"] = {**found["metadata"], **changes}
    return found


def decided(rule: Rule, request: Request, phase: Phase) -> Decision:
    return decide(copy.deepcopy(request), example_facts(rule), parse(examples(rule).config), phase)


def _differ(rule: Rule) -> bool:
    good, bad = (read(text) for text in (examples(rule).good, examples(rule).bad))
    return bool(good.get("spec", good) != bad.get("spec", bad))


#: The others are about metadata, which doesn't matter for an object that is being deleted.
OF_SPECS = [(family, rule) for family, rule in RULES if _differ(rule)]
HELD = {"finalizers": ["example.com/hold"]}
GOING = {**HELD, "deletionTimestamp": "2026-01-01T00:00:00Z"}


@pytest.mark.parametrize(("family", "rule"), OF_SPECS, ids=[rule.id for _, rule in OF_SPECS])
def test_a_spec_that_changes_gets_the_verdict_that_it_gets_otherwise(family: Family, rule: Rule) -> None:
    going, staying = (updated(family, rule, changes=each, text=examples(rule).bad) for each in (GOING, HELD))
    for phase in PHASES:
        one, other = decided(rule, going, phase), decided(rule, staying, phase)
        assert (one.allowed, one.message, one.patch) == (other.allowed, other.message, other.patch)
        assert list(map(str, one.findings)) == list(map(str, other.findings))


@pytest.mark.parametrize(("family", "rule"), RULES, ids=[rule.id for _, rule in RULES])
def test_what_leaves_the_spec_alone_lets_it_go(family: Family, rule: Rule) -> None:
    request = updated(family, rule, changes=GOING, text=examples(rule).bad)
    obj = request.object
    assert isinstance(obj, dict)
    let_go = copy.deepcopy(obj)
    let_go["metadata"] |= {"finalizers": [], "labels": {"a": "b"}, "annotations": {"weighbridge.dev/filled-in": "[]"}}
    for phase in (Phase.MUTATE, Phase.VALIDATE):
        decision = decided(rule, replace(request, object=let_go, old_object=obj), phase)
        assert (decision.allowed, decision.patch, list(decision.findings), list(decision.warnings)) == (True, (), [], [])


def test_some_rule_of_each_family_refuses_there() -> None:
    refused = {
        family.name
        for family, rule in RULES
        if not decided(rule, updated(family, rule, changes=GOING, text=examples(rule).bad), Phase.VALIDATE).allowed
    }
    assert refused == {family.name for family in families()}
