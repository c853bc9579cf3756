"""The table of the kinds of each rule: a command imports only the rules of the kinds in its input."""

from __future__ import annotations

import importlib
import subprocess
import sys
from collections.abc import Iterator

import pytest

from tests.programs import rule_kinds
from weighbridge.policies.families import families
from weighbridge.policies.families import family as form
from weighbridge.policies.families.family import Family
from weighbridge.policies.families.rule import FAILURE, PLACEMENT

FAMILIES = list(families())
EACH = pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.name)


@pytest.fixture
def asked_anew() -> Iterator[None]:
    """Empty the caches of families before and after."""
    form._rules_for.cache_clear()
    yield
    form._rules_for.cache_clear()


@EACH
def test_the_table_is_current(family: Family) -> None:
    assert rule_kinds.path_of(family).read_text(encoding="utf-8") == rule_kinds.page(family), "run: make schemas"


@EACH
def test_each_kind_has_the_rules_that_name_it(family: Family) -> None:
    for kind in (*(kind.gvk.kind for kind in family.kinds), "Unheard"):
        assert family.rules_for(kind) == tuple(rule for rule in family.rules() if kind in rule.kinds)


@pytest.mark.usefixtures("asked_anew")
@pytest.mark.parametrize("change", ["a rule is missing", "a rule is gone"])
def test_a_table_of_other_rules_is_not_believed(monkeypatch: pytest.MonkeyPatch, change: str) -> None:
    family = FAMILIES[0]
    table = importlib.import_module(f"{family.package}.rules._kinds")
    kept = dict(table.KINDS)
    rule = family.rules()[0]
    kind = rule.kinds[0]
    if change == "a rule is missing":
        kept = {name: " ".join(numbers.split()[1:]) for name, numbers in kept.items()}
    else:
        kept = dict.fromkeys(kept, "") | {kind: "000"}
    monkeypatch.setattr(table, "KINDS", kept)
    assert rule in family.rules_for(kind)


def test_the_topic_of_a_rule_is_found_by_its_id() -> None:
    for family in FAMILIES:
        for rule in family.rules():
            topics = (family.speaks_of_placement(rule.id), family.speaks_of_failure(rule.id))
            assert topics == (PLACEMENT in rule.about, FAILURE in rule.about)
        assert not family.speaks_of_placement("PLACE-001")


def test_rules_of_other_kinds_are_not_imported() -> None:
    asking = (
        "import sys; from weighbridge.policies.families import family_of; family = family_of('inference.llmkube.dev');"
        "print(len(family.rules_for('GPUQuota'))); print(sum('.rules.llmkube_' in name for name in sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", asking], capture_output=True, text=True, check=True)
    asked, imported = map(int, done.stdout.split())
    assert asked == imported > 0
