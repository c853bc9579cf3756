"""The configuration's `references` sets the severity of findings about missing objects, for all such rules."""

from __future__ import annotations

import pytest

from tests.families.examples import decided, examples
from tests.families.test_catalogue import RULES
from weighbridge.policies.families.family import Family
from weighbridge.policies.families.rule import Concern, Rule

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
