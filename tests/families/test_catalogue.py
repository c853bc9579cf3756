"""The rules as a catalogue: ids, names, files, pages and examples."""

from __future__ import annotations

import importlib
import re
from collections.abc import Iterable
from pathlib import Path

import pytest

from tests.families.examples import bad_case, decided, examples, good_case
from weighbridge.policies.config import DEFAULT
from weighbridge.policies.facts import from_objects
from weighbridge.policies.families import families, family_of
from weighbridge.policies.families.family import Family
from weighbridge.policies.families.rule import Rule
from weighbridge.policies.ground.findings import Severity
from weighbridge.policies.ground.objects import Operation
from weighbridge.policies.ground.request import Request
from weighbridge.webhook.inputs.facts import bundled_definitions
from weighbridge.webhook.inputs.rule_examples import RuleExample, RuleExamples, sections

RULES = [(family, rule) for family in families() for rule in family.rules()]
IDS = [rule.id for _, rule in RULES]
OUTCOMES = {Severity.ERROR: "Refused", Severity.WARNING: "Warned of", Severity.NOTE: "Noted"}


def judged(family: Family, rule: Rule, spec: str) -> set[str]:
    """The ids of the rules with findings on an example."""
    return {finding.rule for finding in decided(family, rule, spec).findings}


def test_ids_are_unique_and_stand_in_the_name_of_the_file() -> None:
    assert len(set(IDS)) == len(IDS)
    for family in families():
        folder = Path(importlib.import_module(f"{family.package}.rules").__file__ or "").parent
        files = [path.stem for path in sorted(folder.glob("[!_]*.py"))]
        assert files == [f"{rule.id.lower().replace('-', '_')}_{rule.name.replace('-', '_')}" for rule in family.rules()]


@pytest.mark.parametrize(("family", "rule"), RULES, ids=IDS)
def test_a_rule_has_what_its_page_needs(family: Family, rule: Rule) -> None:
    assert re.fullmatch(r"[A-Z]+-[0-9]{3}", rule.id)
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", rule.name)
    assert rule.since
    assert rule.source
    assert "Source: " in rule.page, f"{rule.id}: end the docstring with 'Source: <project> <version>, <file>.'"
    assert set(rule.kinds) <= {kind.gvk.kind for kind in family.kinds}


@pytest.mark.parametrize(("family", "rule"), RULES, ids=IDS)
def test_a_rule_speaks_of_its_bad_example_and_not_of_its_good_one(family: Family, rule: Rule) -> None:
    assert rule.id in judged(family, rule, examples(rule).bad)
    assert rule.id not in judged(family, rule, examples(rule).good)


@pytest.mark.parametrize(("family", "rule"), RULES, ids=IDS)
def test_a_rule_names_a_case_that_it_speaks_of_and_one_that_it_lets_pass(family: Family, rule: Rule) -> None:
    good, bad = good_case(rule), bad_case(rule)
    assert rule.id in {finding.rule for finding in bad.decision.findings}
    assert rule.id not in {finding.rule for finding in good.decision.findings}
    assert good.decision.allowed, "a page shows it as what to write instead"
    assert {case.object["kind"] for case in (good, bad)} <= set(rule.kinds)


@pytest.mark.parametrize(("family", "rule"), RULES, ids=IDS)
def test_a_page_names_what_happens_to_the_bad_example(family: Family, rule: Rule) -> None:
    weights = {finding.severity for finding in bad_case(rule).decision.findings if finding.rule == rule.id}
    title = next(title for title, _ in sections(rule, RuleExamples(bad=RuleExample("an object"))))
    assert {OUTCOMES[weight] for weight in weights} == {title}, "begin the name of the case with refuses, warns-of or notes"


@pytest.mark.parametrize("family", [*families()], ids=lambda family: family.name)
def test_the_topics_of_rules_are_headings_of_the_rulebook(family: Family) -> None:
    topics = getattr(importlib.import_module(f"{family.package}.rulebook"), "TOPICS", ())
    headings = f"write one of TOPICS in the rulebook, {', '.join(topics)}" if topics else "the family's rulebook has no TOPICS"
    assert {rule.id: rule.topic for rule in family.rules() if rule.topic not in {"", *topics}} == {}, headings
    assert [topic for topic in topics if topic not in {rule.topic for rule in family.rules()}] == [], "no rule is about it"


SHAPES: Iterable[object] = (None, 1, 1.5, True, "text", [], [1], {}, {"gpu": 1}, {"gpu": {"count": "x", "resourceClaims": [1, {}]}})


@pytest.mark.parametrize(("family", "rule"), RULES, ids=IDS)
def test_a_rule_takes_any_object(family: Family, rule: Rule) -> None:
    kind = next(kind for kind in family.kinds if kind.gvk.kind == rule.kinds[0])
    facts = from_objects([], bundled_definitions())
    fields = ("source", "hardware", "files", "mmproj", "modelName", "poolRef", "targetModels", "resources")
    for obj in [None, {}, {"spec": None}, *({"spec": {name: shape}} for name in fields for shape in SHAPES)]:
        list(rule.check(Request("any", Operation.CREATE, kind.gvk, obj), facts, DEFAULT))


def test_a_group_of_no_family_has_none() -> None:
    assert family_of("apps") is None
