"""Compares a real kube-apiserver with ours on rules: the errors of compiling, the highest costs, and the errors on objects.

The rules are random, from seeds. To run a part for longer, raise its number.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.cel.mutations import mutated
from tests.cel.random_expressions import OBJECTS, SCHEMA, random_expression
from tests.cel.rules.crds import crd_versions
from tests.cel.rules.rules_on_server import PlacedRule, RuleServer, crd, judged, schemas_with_rules
from tests.programs.control_plane.plane import ControlPlane
from weighbridge.policies.cel.rules.evaluation import CompiledRules
from weighbridge.policies.cel.rules.rule_verdict import judge_rule, times
from weighbridge.policies.cel.values.declared import DeclaredType
from weighbridge.policies.schema.node import Schema, ValidationRule

pytestmark = pytest.mark.control_plane

_MUTATED = 400
_RANDOM = 120
_BUDGET = 10_000_000
_FACTOR = re.compile(r"estimated rule cost exceeds budget by factor of (.*?) \(try")
_PROPERTY = re.compile(r"\bp(\d+)\b")


@pytest.fixture(scope="module")
def server(control_plane: ControlPlane) -> RuleServer:
    return RuleServer(control_plane.server, control_plane.admin_token, control_plane.ca_file)


def _rules_of_crds(shared: Path) -> list[PlacedRule]:
    """The rules of the corpus, each with its node."""
    found = {}
    for schema in crd_versions(shared / "corpus").values():
        for rule, node in schemas_with_rules(schema):
            found[rule["rule"], json.dumps(node, sort_keys=True)] = PlacedRule(rule["rule"], node)
    return list(found.values())


def _expressions(seed: int) -> list[str]:
    random = Random(seed)
    found = (random_expression(random, random.choice((1, 2, 3))) for _ in range(_RANDOM * 2))
    return [text for text in dict.fromkeys(found) if len(text) < 400][:_RANDOM]


def test_rules_that_went_wrong_are_refused_in_the_same_words(server: RuleServer, shared: Path) -> None:
    random = Random("mutated")
    originals = [*_rules_of_crds(shared), *(PlacedRule(f"{text} != dyn(1)", SCHEMA) for text in _expressions(1))]
    rules = [PlacedRule(mutated(rule.rule, random), rule.schema) for rule in random.choices(originals, k=_MUTATED)]
    rules = [rule for rule in rules if rule.rule.strip()]
    theirs = server.compile(rules)
    differing = {rule.rule: (judged(rule), said) for rule, said in zip(rules, theirs, strict=True) if judged(rule) != said}
    assert not differing
    assert sum(map(bool, theirs)) > _MUTATED // 2


def _worst_case(text: str) -> tuple[dict[str, Any], str]:
    """A list with just enough items to make the rule exceed the cost limit, and the factor that the server will then give."""
    entry = {"rule": f"[{text}].size() == 1", "message": "m"}
    cost = judge_rule(ValidationRule.from_json(entry), DeclaredType(Schema(SCHEMA))).max_cost
    items = max(_BUDGET * 6 // 5 // max(cost, 1) + 1, 1)
    factor = times(cost, items) / _BUDGET
    said = "more than 100x" if factor > 100 else f"{factor:f}x" if factor < 1.5 else f"{factor:.1f}x"
    return {"type": "array", "maxItems": items, "items": {**SCHEMA, "x-kubernetes-validations": [entry]}}, said


def test_rules_are_estimated_to_cost_the_same(server: RuleServer) -> None:
    texts = [text for text in _expressions(2) if not judged(PlacedRule(f"[{text}].size() == 1", SCHEMA))]
    placed = [_worst_case(text) for text in texts]
    schema = {"type": "object", "properties": {f"p{number}": node for number, (node, _) in enumerate(placed)}}
    code, answer = server.post("/apis/apiextensions.k8s.io/v1/customresourcedefinitions?dryRun=All", crd(schema))
    assert code == 422
    theirs = {}
    for cause in answer["details"]["causes"]:
        number, factor = _PROPERTY.search(cause["field"]), _FACTOR.search(cause["message"])
        if number and factor:
            theirs[int(number.group(1))] = factor.group(1)
    ours = {number: factor for number, (_, factor) in enumerate(placed)}
    assert {texts[number]: (ours[number], theirs.get(number)) for number in ours if ours[number] != theirs.get(number)} == {}
    assert len(texts) > _RANDOM // 2


def _node(text: str) -> dict[str, Any]:
    """A node whose rules show the result of an expression: its error, or its value in a message."""
    shown = {"rule": "false", "messageExpression": f"'%s'.format([{text}])"}
    return {**SCHEMA, "x-kubernetes-validations": [{"rule": f"[{text}].size() == 2", "message": "m"}, shown]}


@pytest.fixture
def properties(server: RuleServer) -> Iterator[dict[str, Any]]:
    """The nodes of the expressions that the server accepts, in a CRD that it serves until the end of the test."""
    schemas = {f"p{number}": _node(text) for number, text in enumerate(_expressions(3))}
    definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
    for _ in range(5):
        code, answer = server.post(definitions, crd({"type": "object", "properties": schemas}))
        if code == 201:
            break
        refused = {match.group() for cause in answer["details"]["causes"] if (match := _PROPERTY.search(cause["field"]))}
        schemas = {name: node for name, node in schemas.items() if name not in refused}
    server.wait_for("/apis/weighbridge.test/v1/rules?dryRun=All")
    yield schemas
    server.post(f"{definitions}/rules.weighbridge.test", {}, method="DELETE")


def test_rules_find_the_same_in_objects(server: RuleServer, properties: dict[str, Any]) -> None:
    rules = CompiledRules(Schema({"type": "object", "properties": properties}), "random")
    for content in OBJECTS:
        obj = {"apiVersion": "weighbridge.test/v1", "kind": "Rule", "metadata": {"name": "x"}, **dict.fromkeys(properties, content)}
        code, answer = server.post("/apis/weighbridge.test/v1/rules?dryRun=All", obj)
        assert code == 422
        theirs = Counter(f"{cause['field']}: {cause['message']}" for cause in answer["details"]["causes"])
        ours = Counter(map(str, rules.validate(obj, has_old=False).errors))
        assert ours - theirs == theirs - ours
    assert len(properties) > _RANDOM // 2
