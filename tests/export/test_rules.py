"""Exported built-in rules have the rules' findings, on the cases of each rule."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.export.parts import DEFINITIONS, exported, ours, request, theirs
from tests.yaml_documents import read_all
from weighbridge.policies.config import DEFAULT
from weighbridge.policies.families import families
from weighbridge.policies.families.family import Family
from weighbridge.policies.families.native import native_policies
from weighbridge.policies.families.rule import Rule
from weighbridge.policies.ground.findings import Severity
from weighbridge.policies.ground.objects import GroupVersionKind, JSONObject
from weighbridge.policies.verdict.engine import Phase

CASES = Path(__file__).resolve().parents[1] / "cases"
NATIVE = {policy.id for family in families() for policy in native_policies(family)}
RULES = [(family, rule) for family in families() for rule in family.rules() if rule.id in NATIVE]


def case(family: Family, name: str) -> tuple[JSONObject, JSONObject | None]:
    """The object of a case, and the object that it replaces."""
    folder = CASES / family.name / name
    obj, old = next(iter(read_all((folder / "object.yaml").read_text(encoding="utf-8")))), folder / "old.yaml"
    return obj, next(iter(read_all(old.read_text(encoding="utf-8")))) if old.exists() else None


def test_there_are_some_of_each_family() -> None:
    assert len(RULES) >= 170
    assert len({family.name for family, _ in RULES}) >= 5


@pytest.mark.parametrize(("family", "rule"), RULES, ids=[rule.id for _, rule in RULES])
def test_a_rule_and_its_expressions_say_the_same(family: Family, rule: Rule) -> None:
    found = exported(DEFAULT, rule.id)
    assert found.left == []
    for name in (rule.good, rule.bad):
        asked = request(*case(family, name))
        mine, native = ours(DEFAULT, asked, rule.id), theirs(list(found.objects), asked)
        said = {"error": mine.refusals, "warning": mine.warnings, "note": mine.notes}[str(rule.severity)]
        told = {"error": native.refusals, "warning": native.warnings, "note": native.notes}[str(rule.severity)]
        assert (bool(told), set(told) <= set(said), bool(said)) == (name == rule.bad, True, name == rule.bad)


@pytest.mark.parametrize(("family", "rule"), RULES, ids=[rule.id for _, rule in RULES])
def test_every_kind_of_the_rule_is_checked_that_has_its_fields(family: Family, rule: Rule) -> None:
    (found,) = (own for policy, own in exported(DEFAULT, rule.id).done if policy.id == rule.id)
    kinds = {kind.gvk for kind in family.kinds if kind.gvk.kind in rule.kinds and DEFINITIONS.get(kind.gvk) is not None}
    assert {*found.kinds} <= kinds
    for gvk in kinds - {*found.kinds}:
        bad, _ = case(family, rule.bad)
        moved = {**bad, "apiVersion": gvk.api_version, "kind": gvk.kind}
        assert GroupVersionKind.from_object(moved) == gvk
        mine = ours(DEFAULT, request(moved), rule.id, Phase.WHOLE)
        assert mine.refusals + mine.warnings + mine.notes == []


def test_a_failing_expression_of_a_rule_refuses_nothing() -> None:
    policies = [policy for family in families() for policy in native_policies(family)]
    assert {policy.failure_policy for policy in policies} == {"Ignore"}
    assert {policy.severity for policy in policies} == set(Severity)
