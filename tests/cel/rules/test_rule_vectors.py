"""Rules of CRDs with the verdict of Kubernetes 1.36: errors, remaining budget, errors of compiling."""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.cel.vectors.environments import environments_of, version_of, with_declared_variables
from tests.conftest import CountVectors
from tests.schema.vectors import expected, found, load, prefix
from weighbridge.policies.cel.check.checked import Refused, compile_text
from weighbridge.policies.cel.emit.program import Program
from weighbridge.policies.cel.rules.evaluation import CompiledRules, Limits
from weighbridge.policies.cel.rules.rule_verdict import judge_rule
from weighbridge.policies.cel.values.declared import DeclaredType
from weighbridge.policies.schema.node import Schema, ValidationRule

Json = dict[str, Any]


def _rules_of(case: Json) -> CompiledRules:
    return CompiledRules(Schema(case["schema"]), "vector", root=case["isResourceRoot"])


def test_objects_get_the_errors_and_costs_that_the_server_finds(shared: Path, count_vectors: CountVectors) -> None:
    wrong, of_rules = {}, 0
    cases = load(shared, "cel_validate")["cases"]
    for number, case in enumerate(cases):
        result = _rules_of(case).evaluate(
            case["object"],
            case["oldObject"],
            has_old=case["hasOld"],
            path=prefix(case["path"]),
            limits=Limits(case["costBudget"], case["perCallLimit"]),
            ratchets=case["ratcheting"],
        )
        texts = Counter(map(str, result.errors)) == Counter(error["message"] for error in case["errors"])
        if not texts or found(result.errors) != expected(case["errors"]) or result.remaining_budget != case["remainingBudget"]:
            wrong[number, case["test"]] = (list(map(str, result.errors)), result.remaining_budget)
        of_rules += len(case["errors"])
    assert not wrong
    assert (len(cases), of_rules) == (1214, 148)
    count_vectors("cel_validate", len(cases), len(cases))


def test_both_forms_of_a_rule_agree_on_every_object(shared: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    counts: Counter[bool] = Counter()
    wrong = []
    run = Program.run_on_data

    def both(self: Program, value: Any, old: Any, **options: Any) -> Any:
        first, second = run(self, value, old, **options), run(self, value, old, **options | {"is_typed": False})
        counts[self._direct is not None] += 1
        if first != second:
            wrong.append((self.checked.text, first, second))
        return first

    monkeypatch.setattr(Program, "run_on_data", both)
    monkeypatch.setattr("weighbridge.policies.cel.rules.direct_rule.write", lambda *_: None)
    for case in load(shared, "cel_validate")["cases"]:
        limits = Limits(case["costBudget"], case["perCallLimit"])
        _rules_of(case).evaluate(case["object"], case["oldObject"], has_old=case["hasOld"], limits=limits)
    assert not wrong
    assert counts[True] > 1000


def _plain(text: str) -> str:
    """A text without the numbers in generated type names, which increase over upstream's whole test run."""
    return re.sub(r"selfType\d+", "selfType", text)


def _judged(rule: ValidationRule, declared: DeclaredType, test: str) -> Json:
    rule_environment, message_environment = environments_of(test)
    verdict = judge_rule(rule, declared, rule_environment=rule_environment, message_environment=message_environment)
    return {
        "compiled": bool(rule.rule.strip()) and not verdict.error,
        "error": _plain(verdict.error),
        "usesOldSelf": verdict.uses_old_self,
        "maxCost": verdict.max_cost,
        "maxCardinality": verdict.max_cardinality,
        "hasMessageExpression": verdict.has_message,
        "messageExpressionError": _plain(verdict.message_error),
        "messageExpressionMaxCost": verdict.message_max_cost,
        "normalizedFieldPath": verdict.field_path,
    }


def test_rules_compile_as_they_do_on_the_server(shared: Path, count_vectors: CountVectors) -> None:
    wrong, rules = {}, 0
    # Not read with `load`: costs are unsigned, and `load` reads integers beyond int64 as floats.
    cases = json.loads((shared / "conformance" / "cel_compile.json").read_text("utf-8"))["cases"]
    for case in cases:
        declared = DeclaredType(Schema(case["schema"]), root=case["isResourceRoot"])
        assert declared.min_size == case["minSerializedSize"], case["test"]
        for rule, recorded in zip(Schema(case["schema"]).validations, case["results"], strict=True):
            compiled = _judged(rule, declared, case["test"])
            wanted = {part: _plain(said) if isinstance(said, str) else said for part, said in recorded.items()}
            texts = dict.fromkeys(("error", "messageExpressionError"), "")
            if compiled != texts | wanted:
                wrong[case["test"], rule.rule] = compiled
            rules += 1
    assert not wrong
    assert (len(cases), rules) == (1432, 1508)
    count_vectors("cel_compile", len(cases), len(cases))


def _nodes(raw: Json, *, root: bool) -> Iterator[tuple[Json, bool]]:
    """All nodes of a schema that can have rules; rules in ``allOf`` belong to the node around it."""
    yield raw, root
    below = [*(raw.get("properties") or {}).values(), raw.get("items"), raw.get("additionalProperties")]
    for node in below:
        if isinstance(node, dict):
            yield from _nodes(node, root=False)
    for part in raw.get("allOf") or []:
        yield {**raw, "x-kubernetes-validations": part.get("x-kubernetes-validations"), "allOf": []}, root


def _places(shared: Path) -> dict[tuple[str, str], list[tuple[ValidationRule, DeclaredType]]]:
    """The places of an expression in the schemas of a test."""
    places = defaultdict(list)
    for file in ("cel_validate", "cel_compile"):
        for case in load(shared, file)["cases"]:
            for raw, root in _nodes(case["schema"], root=case["isResourceRoot"]):
                declared = DeclaredType(Schema(raw), root=root)
                for rule in declared.schema.validations:
                    for text in (rule.rule, rule.message_expression):
                        places[_family(case["test"]), text].append((rule, declared))
    return places


def _family(test: str) -> str:
    return "/".join(test.split("/")[:2])


def _texts(test: str, expression: str, places: list[tuple[ValidationRule, DeclaredType]]) -> set[str]:
    """The compiler's messages on an expression in its test; expressions that aren't part of a rule have no schema."""
    rule_environment, message_environment = environments_of(test)
    if not places:
        said = compile_text(expression, with_declared_variables(rule_environment, version_of(test)))
        return {_plain(said.message)} if isinstance(said, Refused) else set()
    found = set()
    for rule, declared in places:
        verdict = judge_rule(rule, declared, rule_environment=rule_environment, message_environment=message_environment)
        found.add(_plain(verdict.error if rule.rule == expression else verdict.message_error).partition("compilation failed: ")[2])
    return found


def test_the_compilers_texts_are_the_servers(shared: Path, count_vectors: CountVectors) -> None:
    places = _places(shared)
    cases = load(shared, "cel_compile_errors")["cases"]
    wrong = {
        case["expr"]: found
        for case in cases
        if _plain(case["issues"]) not in (found := _texts(case["test"], case["expr"], places[_family(case["test"]), case["expr"]]))
    }
    assert not wrong
    assert len(cases) == 92
    count_vectors("cel_compile_errors", len(cases), len(cases))
