"""The configuration's `references` sets the severity of findings about missing objects, for all such rules."""

from __future__ import annotations

import inspect
import re

import pytest

from tests.families.examples import decided, examples
from tests.families.test_catalogue import RULES
from weighbridge.policies.families.family import Family
from weighbridge.policies.families.rule import Concern, Rule

#: The rules that look for a missing object and aren't about a reference: a namespace may come later in the same rollout.
_NOT_ABOUT_IT = {"LLMKUBE-127"}
REFERRING = [(family, rule) for family, rule in RULES if Concern.REFERENCE in rule.about]


@pytest.mark.parametrize(("family", "rule"), REFERRING, ids=[rule.id for _, rule in REFERRING])
def test_the_configuration_says_what_a_missing_reference_leads_to(family: Family, rule: Rule) -> None:
    def weights(wanted: str) -> set[str]:
        return {
            finding.severity for finding in decided(family, rule, examples(rule).bad, references=wanted).findings if finding.rule == rule.id
        }

    assert weights("deny") == {"error"}
    assert weights("warn") == {"warning"}
    assert weights("audit") == {"note"}
    assert not weights("off")


def test_a_rule_that_looks_for_a_missing_object_is_about_a_reference() -> None:
    looking = {rule.id for _, rule in RULES if re.search(r"\w\.missing\(", inspect.getsource(inspect.unwrap(rule.judge)))}
    assert len(looking) > 10
    assert looking - {rule.id for _, rule in REFERRING} == _NOT_ABOUT_IT
