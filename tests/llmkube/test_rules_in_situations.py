"""The findings of each rule on its bad example in other situations are those that are written in `tests/families/words`, word for word."""

from __future__ import annotations

import pytest

from tests.families.test_catalogue import RULES
from tests.families.test_words import ANEW
from tests.llmkube.situations import lines
from tests.programs.words.pages import SITUATIONS, entries
from weighbridge.policies.families.family import Family
from weighbridge.policies.families.rule import Rule

OWN = [(family, rule) for family, rule in RULES if family.name == "llmkube"]


@pytest.mark.parametrize(("family", "rule"), OWN, ids=[rule.id for _, rule in OWN])
def test_a_rule_says_in_each_situation_what_it_should(family: Family, rule: Rule) -> None:
    assert entries(family, rule, SITUATIONS) == lines(family, rule), ANEW
