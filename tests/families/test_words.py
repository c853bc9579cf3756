"""`tests/families/words` has the texts that people read as prose, so that a change of a word, field or source is read there."""

from __future__ import annotations

import pytest

from tests.programs.words.pages import file_of, outline, outline_of, section
from tests.programs.words.prose import LISTS, findings
from weighbridge.policies.families import families
from weighbridge.policies.families.family import Family
from weighbridge.policies.families.rule import Rule

RULES = [(family, rule) for family in families() for rule in family.rules()]
BY_NAME = pytest.mark.parametrize("family", list(families()), ids=lambda family: family.name)
ANEW = "write the words anew with `make words`, and read the difference"


@pytest.mark.parametrize(("family", "rule"), RULES, ids=[rule.id for _, rule in RULES])
def test_a_rule_says_of_its_bad_example_what_its_words_say(family: Family, rule: Rule) -> None:
    assert section(family, rule).partition("\n#### ")[0] == findings(family, rule), ANEW


@BY_NAME
@pytest.mark.parametrize("title", tuple(LISTS))
def test_what_is_told_beside_findings_says_where_it_is_from(family: Family, title: str) -> None:
    written = file_of(family).read_text().partition(f"\n## {title}\n")[2].partition("\n## ")[0]
    assert [line.removeprefix("- ") for line in written.splitlines() if line] == LISTS[title](family), ANEW


@BY_NAME
def test_nothing_else_is_written(family: Family) -> None:
    """The fields and situations of each rule have tests of their own."""
    assert outline_of(file_of(family).read_text()) == outline(family), ANEW
