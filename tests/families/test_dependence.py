"""`tests/families/dependence` has the fields on which each rule depends."""

from __future__ import annotations

import pytest

from tests.families.test_words import ANEW, BY_NAME, RULES
from tests.programs.words.dependence import file_of, section
from weighbridge.policies.families.family import Family
from weighbridge.policies.families.rule import Rule


@pytest.mark.parametrize(("family", "rule"), RULES, ids=[rule.id for _, rule in RULES])
def test_a_rule_depends_on_what_is_written(family: Family, rule: Rule) -> None:
    written = file_of(family).read_text().partition(f"## {rule.id} ")[2].partition("\n## ")[0]
    assert f"## {rule.id} {written}".strip() == section(family, rule).strip(), ANEW


@BY_NAME
def test_nothing_else_is_written(family: Family) -> None:
    heads = [line for line in file_of(family).read_text().splitlines() if line.startswith("## ")]
    assert heads == [f"## {rule.id} {rule.name}" for rule in family.rules()], ANEW
