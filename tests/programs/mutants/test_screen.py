"""Mutants of rules are run in place: one that finds anything else is told apart, and one that nothing reaches isn't."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from policies.families import families
from tests.programs.mutants.mutations import Mutant
from tests.programs.mutants.screen import inputs_of_examples, is_told_apart

FAMILY = next(family for family in families() if family.name == "aim")
RULE = next(rule for rule in FAMILY.rules() if rule.id == "AIM-063")
MODULE = sys.modules[RULE.check.__module__]
TEXT = Path(MODULE.__file__ or "").read_text()


@pytest.mark.parametrize(
    ("before", "after", "apart"),
    [
        ("0 < length < _LEAST", "0 < length <= _LEAST", True),
        ("0 < length < _LEAST", "0 <= length < _LEAST", True),
        ('expected="15m or more"', 'expected=""', True),
        ("yield RULE.finding", "while True: pass\n        yield RULE.finding", True),
        ("yield RULE.finding", "yield UNKNOWN.finding", True),
        ("#: Fifteen minutes", "#: A quarter of an hour", False),
    ],
)
def test_a_mutant_is_told_apart_by_examples_and_boundaries(monkeypatch: pytest.MonkeyPatch, before: str, after: str, apart: bool) -> None:
    monkeypatch.setattr("tests.programs.mutants.screen._SECONDS", 0.5)
    assert before in TEXT
    mutant = Mutant("any", 1, before, after, TEXT.replace(before, after))
    assert is_told_apart(mutant, MODULE, RULE, list(inputs_of_examples(FAMILY, RULE))) is apart
