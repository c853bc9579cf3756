"""Rules from another run's cache: they have the verdicts, messages and costs of the tracked form, without the compiler."""

from __future__ import annotations

import copy
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.cel.rules.crds import crd_versions, nodes_with_rules
from tests.conftest import ROOT
from tests.schema.vectors import load
from weighbridge.policies.cel.rules.compiled_rule import CompiledRule
from weighbridge.policies.cel.rules.evaluation import CompiledRules, Limits
from weighbridge.policies.codegen import Cache
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.policies.schema.kept_units import KeptUnits
from weighbridge.policies.schema.node import Schema

RAW: JSONObject = {
    "type": "object",
    "properties": {
        "spec": {
            "type": "object",
            "x-kubernetes-validations": [
                {"rule": "has(self.name) && self.name.matches('^[a-z]+$')", "message": "wrong name"},
                {"rule": "!has(oldSelf.size) || self.size == oldSelf.size"},
                {"rule": "self.ports == oldSelf.ports"},
                {"rule": "self.when > timestamp('2024-01-01T00:00:00Z')"},
                {"rule": "!has(self.unknown)"},
                {"rule": "self.size > 0", "messageExpression": "'size is ' + string(self.size)", "fieldPath": ".size"},
                {"rule": "oldSelf.hasValue() || self.size < 100", "optionalOldSelf": True},
                {"rule": " "},
            ],
            "properties": {
                "name": {"type": "string"},
                "size": {"type": "integer"},
                "when": {"type": "string", "format": "date-time"},
                "ports": {"type": "array", "items": {"type": "object", "properties": {"port": {"type": "integer"}}}},
                "tags": {
                    "type": "object",
                    "additionalProperties": {
                        "type": "array",
                        "items": {"type": "string"},
                        "x-kubernetes-validations": [{"rule": "self.all(t, t.size() < 5)"}],
                    },
                },
            },
            "allOf": [{"properties": {"name": {"x-kubernetes-validations": [{"rule": "self != 'root'"}]}}}],
        }
    },
}
GOOD: JSONObject = {"spec": {"name": "a", "size": 1, "when": "2025-01-01T00:00:00Z", "ports": [{"port": 1}], "tags": {"x": ["b"]}}}
OBJECTS: list[tuple[JSONObject, JSONObject | None]] = [
    (GOOD, None),
    (GOOD, GOOD),
    ({"spec": {**GOOD["spec"], "size": 0, "name": "root", "ports": [{"port": True}]}}, GOOD),
    ({"spec": {"name": "A", "size": 200, "tags": {"x": ["longer"]}}}, None),
    ({"spec": {}}, {"spec": {}}),
    ({"spec": {"size": 1.0, "ports": {}, "when": 5}}, GOOD),
]


class Memory(dict[str, bytes]):
    """A cache whose content tests can read."""

    def put(self, key: str, data: bytes) -> None:
        self[key] = data


def _rules(cache: Cache | None) -> CompiledRules:
    schema = Schema(copy.deepcopy(RAW))
    return CompiledRules(schema, "test", kept=None if cache is None else KeptUnits(schema, "test", cache))


def _said(rules: CompiledRules, obj: JSONObject, old: JSONObject | None, *, is_typed: bool = True) -> Any:
    result = rules.evaluate(obj, old, has_old=old is not None, is_typed=is_typed)
    return list(map(str, result.errors)), list(map(str, result.warnings)), result.remaining_budget


@pytest.mark.parametrize(("obj", "old"), OBJECTS, ids=range(len(OBJECTS)))
def test_rules_from_the_cache_say_what_fresh_ones_say(obj: JSONObject, old: JSONObject | None) -> None:
    cache = Memory()
    expected = _said(_rules(None), obj, old, is_typed=False)
    for rules in (_rules(None), _rules(cache), _rules(cache)):
        assert _said(rules, obj, old) == expected


def test_a_rule_from_the_cache_is_compiled_only_where_its_direct_form_can_not_decide(monkeypatch: pytest.MonkeyPatch) -> None:
    cache = Memory()
    _said(_rules(cache), GOOD, GOOD)
    compiled: list[str] = []
    compile_rule = CompiledRule._compile

    def counted(self: Any, text: str, *rest: Any) -> Any:
        compiled.append(text)
        return compile_rule(self, text, *rest)

    monkeypatch.setattr(CompiledRule, "_compile", counted)
    _said(_rules(cache), GOOD, GOOD)
    assert sorted(set(compiled)) == [
        "!has(self.unknown)",
        "oldSelf.hasValue() || self.size < 100",
        "self.when > timestamp('2024-01-01T00:00:00Z')",
    ]


def test_both_forms_agree_on_every_object_of_the_vectors(shared: Path) -> None:
    written: Counter[bool] = Counter()
    wrong = []
    for number, case in enumerate(load(shared, "cel_validate")["cases"]):
        rules = CompiledRules(Schema(case["schema"]), "vector", root=case["isResourceRoot"])
        limits = Limits(case["costBudget"], case["perCallLimit"])
        first, second = (
            rules.evaluate(case["object"], case["oldObject"], has_old=case["hasOld"], limits=limits, is_typed=is_typed)
            for is_typed in (True, False)
        )
        if first != second:
            wrong.append((number, case["test"], first, second))
        for node in nodes_with_rules(rules.tree):
            written.update(rule.direct is not None for rule in node.direct_rules if not rule.error)
    assert not wrong
    assert written[True] > 1000


def test_every_rule_of_the_corpus_has_a_direct_form_that_can_be_kept(shared: Path) -> None:
    without, kept = [], 0
    for (file, version), raw in crd_versions(shared / "corpus").items():
        schema, cache = Schema(raw), Memory()
        rules = CompiledRules(schema, file, kept=KeptUnits(schema, file, cache))
        for node in nodes_with_rules(rules.tree):
            before = len(cache)
            if len(node.direct_rules) != len(cache) - before:
                without.append((file, version, node.name))
            kept += len(cache) - before
    assert not without
    assert kept > 70


def test_a_kept_rule_runs_without_the_compiler(tmp_path: Path) -> None:
    script = f"""
import sys
from tests.cel.rules.test_kept_rules import GOOD, RAW
from weighbridge.policies.cel.rules.evaluation import CompiledRules
from weighbridge.policies.schema.kept_units import KeptUnits
from weighbridge.policies.schema.node import Schema
from weighbridge.webhook.inputs.compile_cache import CompileCache
cache = CompileCache(__import__("pathlib").Path({str(tmp_path)!r}), b"test")
spec = RAW["properties"]["spec"]
spec["x-kubernetes-validations"] = spec["x-kubernetes-validations"][:3]
schema = Schema(RAW)
before = set(sys.modules)
result = CompiledRules(schema, "test", kept=KeptUnits(schema, "test", cache)).evaluate(
    {{"spec": {{**GOOD["spec"], "name": "A"}}}}, GOOD, has_old=True
)
cache.save()
new = [name for name in set(sys.modules) - before if name.startswith("weighbridge.policies.cel")]
print(*map(str, result.errors), *sorted(name.rpartition(".")[2] for name in new))
"""
    first, second = (
        subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True).stdout for _ in range(2)
    )
    assert first.startswith("spec: Invalid value: wrong name")
    assert second.startswith("spec: Invalid value: wrong name")
    assert "parser" in first.split()
    assert not {"parser", "check", "program", "library"} & set(second.split())
