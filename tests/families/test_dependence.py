"""The fields on which each rule depends are those that are written in `tests/families/words`."""

from __future__ import annotations

import pytest

from tests.families.test_words import ANEW, RULES
from tests.programs.words.dependence import lines
from tests.programs.words.pages import DEPENDS, entries
from weighbridge.policies.families.family import Family
from weighbridge.policies.families.rule import Rule


@pytest.mark.parametrize(("family", "rule"), RULES, ids=[rule.id for _, rule in RULES])
def test_a_rule_depends_on_what_is_written(family: Family, rule: Rule) -> None:
    assert entries(family, rule, DEPENDS) == lines(family, rule), ANEW
