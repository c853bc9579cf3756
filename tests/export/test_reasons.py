"""Each built-in rule is exported, or looks up other objects, or there is a reason why its check can't be written in CEL."""

from __future__ import annotations

import pytest

from tests.export.test_rules import NATIVE
from weighbridge.policies.families import families
from weighbridge.policies.families.family import Family
from weighbridge.policies.families.native import reasons_of, why_not_native

FAMILIES = list(families())


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.name)
def test_no_rule_lacks_an_expression_without_a_reason(family: Family) -> None:
    left = {rule.id: why_not_native(family, rule) for rule in family.rules() if rule.id not in NATIVE}
    found = [id_ for id_, why in left.items() if why == "no expression is written for it yet"]
    assert found == [], f"write {', '.join(found)} as CEL into TABLE of {family.package}.native, or into LEFT why that can't be done"


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.name)
def test_each_reason_is_of_a_rule_that_is_not_exported(family: Family) -> None:
    reasons = reasons_of(family)
    reads_nothing = {rule.id for rule in family.rules() if not rule.reads}
    assert {*reasons} <= reads_nothing - NATIVE
    # A reason follows a colon, and no full stop follows it.
    assert [why for why in reasons.values() if not why.startswith("it") or why.endswith(".")] == []
