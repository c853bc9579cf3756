"""Rules and their expressions have the same findings on the objects of all cases, and on random ones derived from them.

`python -m tests.programs.native_rules` draws more of them.
"""

from __future__ import annotations

import importlib
from random import Random

import pytest

from tests.export.comparison import Comparison, comparisons
from weighbridge.policies.families.native import NativeRule, must, native

pytestmark = pytest.mark.timeout(600)
COMPARISONS = list(comparisons())
#: The number of objects with one change to the cases of a rule, for all rules of a kind together. Each object is judged by all of these
#: rules.
OBJECTS = 300
EACH = 80
#: Each of these is wrong for some objects of OME-072.
WRONG = {
    "forgets the empty query": must("object.?spec.kedaConfig.customPromQuery.orValue('%s').contains('%s')"),
    "never speaks": must("true"),
    "always speaks": must("false"),
    "fails": must("object.spec.kedaConfig.customPromQuery.contains('%s')"),
}
FIELD = ".spec.kedaConfig.customPromQuery"
MESSAGE = "OME fills in the component's name with printf, and without %s spoils the query"


@pytest.mark.parametrize("comparison", COMPARISONS, ids=lambda comparison: str(comparison.definition.gvk))
def test_rules_and_expressions_say_the_same(comparison: Comparison) -> None:
    each = max(15, min(EACH, OBJECTS // len(comparison.rules)))
    assert comparison.compare(comparison.of_cases(Random(1))).differences == {}
    missing = set(comparison.broken)
    # Each rule has findings on some of the objects, and none on others. Those with findings on few may need more draws.
    for seed in range(2, 6):
        drawn = comparison.compare(comparison.drawn(Random(seed), each))
        assert drawn.differences == {}
        missing -= {rule for rule in missing if 0 < drawn.spoken[rule] < drawn.objects}
        if not missing:
            break
    assert missing == set()


def _differs(entry: NativeRule, monkeypatch: pytest.MonkeyPatch) -> bool:
    table = importlib.import_module("weighbridge.policies.families.ome.native").TABLE
    monkeypatch.setitem(table, "OME-072", entry)
    (comparison,) = comparisons(["OME-072"])
    return bool(comparison.compare(comparison.drawn(Random(2), EACH)).differences)


@pytest.mark.parametrize("wrong", WRONG)
def test_a_wrong_expression_is_found(wrong: str, monkeypatch: pytest.MonkeyPatch) -> None:
    expression = WRONG[wrong].expression
    assert _differs(native(must(expression, FIELD, MESSAGE)), monkeypatch)


@pytest.mark.parametrize(("path", "message"), [(FIELD, MESSAGE.upper()), (".spec.kedaConfig", MESSAGE)])
def test_another_text_is_found(path: str, message: str, monkeypatch: pytest.MonkeyPatch) -> None:
    expression = importlib.import_module("weighbridge.policies.families.ome.native").TABLE["OME-072"].validations[0].expression
    assert _differs(native(must(expression, path, message)), monkeypatch)
    assert not _differs(native(must(expression, FIELD, MESSAGE)), monkeypatch)
