"""The findings of each rule on its bad example in other situations are those in `rules_in_situations.yaml`, word for word."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

import pytest

from tests.families.examples import examples
from tests.families.test_catalogue import RULES
from tests.families.test_words import ANEW
from tests.llmkube.situations import said, situations
from tests.yaml_documents import read
from weighbridge.policies.families.family import Family
from weighbridge.policies.families.rule import Rule

OWN = [(family, rule) for family, rule in RULES if family.name == "llmkube"]
#: Written by `make words`.
FILE = Path(__file__).with_name("rules_in_situations.yaml")
EXPECTED = read(FILE.read_text(encoding="utf-8"))


def found(family: Family, rule: Rule) -> dict[str, list[str]]:
    """The rule's findings, each with the situations in which it occurs."""
    lines: dict[str, list[str]] = defaultdict(list)
    for name, change in situations(rule).items():
        for line in said(family, rule, examples(rule).bad, change):
            lines[line].append(name)
    return dict(lines)


def shown(rule: Rule, lines: dict[str, list[str]]) -> list[dict[str, str]]:
    """The findings in the form of the file: the situations of each, or the only ones without it."""
    names = list(situations(rule))
    entries = []
    for line, where in lines.items():
        silent = [name for name in names if name not in where]
        is_short = len(where) <= len(silent)
        key = "in" if is_short else "everywhere but" if silent else "everywhere"
        entries.append({"says": line, key: ", ".join(where if is_short else silent)})
    return entries


@pytest.mark.parametrize(("family", "rule"), OWN, ids=[rule.id for _, rule in OWN])
def test_a_rule_says_in_each_situation_what_it_should(family: Family, rule: Rule) -> None:
    assert shown(rule, found(family, rule)) == EXPECTED.get(rule.id), ANEW
