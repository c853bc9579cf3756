"""Objects of the cases, each changed at random, on clusters whose objects are changed as well: no rule and no prediction fails on them.

Offline the engine gets objects that the API server would refuse, and clusters have objects that an older CRD accepted. A seed decides the
changes.
"""

from __future__ import annotations

import copy
from random import Random
from typing import Any, Final

import pytest

from tests.doors.cases import CASES, Case
from weighbridge.policies.facts.document import is_snapshot
from weighbridge.policies.ground.objects import JSONObject, Path, lookup, walk
from weighbridge.policies.verdict.engine import Phase, decide
from weighbridge.policies.verdict.judgement import INTERNAL_RULE

#: Fields that identify the object stay, otherwise it wouldn't be judged.
_KEPT: Final[frozenset[Path]] = frozenset({(), ("apiVersion",), ("kind",), ("metadata",), ("metadata", "name"), ("metadata", "namespace")})
_VALUES: Final[tuple[Any, ...]] = (
    None, True, 0, -1, 3, 2**63 - 1, 1e308, 1.5, "", "x", "1Gi", "1e9999", "x/y", "hf://", "http://[", "{{.x}}", "=", "--", "\n", "é",
    [], [[]], [None], [1], ["x"], [{}], {}, {"": None}, {"x": 1}, {"a": {"b": []}}, [{"name": {}}], [{"name": "x"}, {"name": "x"}],
)  # fmt: skip
_FAMILIES: Final = sorted({case.folder.parent.name for case in CASES})
_CHANGED_CASES: Final = 150


def _change(obj: JSONObject, dice: Random) -> None:
    """Take a value out, put another in its place, or make a list longer."""
    path = dice.choice([path for path, _ in walk(obj) if path not in _KEPT] or [("spec",)])
    around: Any = lookup(obj, path[:-1])
    what = dice.random()
    if isinstance(around, dict) and path[-1] not in around:
        around[path[-1]] = copy.deepcopy(dice.choice(_VALUES))
    elif what < 0.2:
        del around[path[-1]]
    elif what < 0.35 and isinstance(around, list):
        around.append(copy.deepcopy(dice.choice(around)))
    else:
        around[path[-1]] = copy.deepcopy(dice.choice(_VALUES))


def _changed(case: Case, dice: Random) -> Case:
    obj, old, cluster = copy.deepcopy((case.object, case.old, case.cluster))
    targets = [obj, *([old] if old is not None else []), *(document for document in cluster or () if not is_snapshot(document))]
    for target in targets:
        if dice.random() < 0.5 and target.get("kind") != "CustomResourceDefinition":
            for _ in range(dice.randint(1, 3)):
                _change(target, dice)
    return Case(case.folder, obj, old, cluster, case.config, case.expect)


@pytest.mark.parametrize("family", _FAMILIES)
def test_no_rule_and_no_prediction_fails_on_odd_objects(family: str) -> None:
    dice = Random(family)
    cases = [case for case in CASES if case.folder.parent.name == family]
    for _ in range(_CHANGED_CASES):
        case = _changed(dice.choice(cases), dice)
        facts, config = case.facts(), case.configuration()
        for phase in (Phase.WHOLE, Phase.MUTATE, Phase.VALIDATE):
            decision = decide(case.request(), facts, config, phase)
            failed = [finding.message for finding in decision.findings if finding.rule == INTERNAL_RULE]
            assert not failed, (case.id, phase, case.object, case.cluster)
