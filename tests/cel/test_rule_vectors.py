"""Rules of CRDs with the verdict of Kubernetes 1.36: errors, remaining budget, what compiling says."""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from policies.cel.checked import Refused, compile_text
from policies.cel.compiled_rule import CompiledRule
from policies.cel.declared import DeclaredType
from policies.cel.environment import standard_environment
from policies.cel.estimate import estimate
from policies.cel.program import Program
from policies.cel.rules import CompiledRules, Limits
from policies.schema.node import Schema
from tests.schema.vectors import expected, found, load, prefix

#: Fields named like CEL's reserved words: new rules of a server that is to stay compatible with 1.30 can't name them; stored rules can.
_RESERVED = {
    "as", "break", "const", "continue", "else", "for", "function", "if", "import", "let", "loop", "namespace", "package", "return", "var",
    "void", "while",
}  # fmt: skip
_OF_RESERVED = {f"self.{word} > 0" for word in _RESERVED}
#: Functions that upstream's tests declare for themselves.
_OF_TESTS = re.compile(r"\b(test|fakeFunction)\(")
#: What only servers older than 1.31 say, by the expression.
_OLD_SERVERS = {"1.5 > 1", "gadget.namespace == 'buzz'", "authorizer.path('/healthz').check('get').allowed()"}
#: A request's size, of which the number of times that a rule may run is reckoned.
_LARGEST_REQUEST = 3 * 1024 * 1024

Json = dict[str, Any]


def _rules_of(case: Json) -> CompiledRules:
    return CompiledRules(Schema(case["schema"]), "vector", root=case["isResourceRoot"])


def test_objects_get_the_errors_and_costs_that_the_server_finds(shared: Path) -> None:
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

    def judge(self: Program, *_: Any) -> int:
        return -1

    monkeypatch.setattr(Program, "run_on_data", both)
    monkeypatch.setattr(Program, "cost_if_true", judge)
    for case in load(shared, "cel_validate")["cases"]:
        limits = Limits(case["costBudget"], case["perCallLimit"])
        _rules_of(case).evaluate(case["object"], case["oldObject"], has_old=case["hasOld"], limits=limits)
    assert not wrong
    assert counts[True] > 1000


def _plain(text: str) -> str:
    """A text without the numbers of generated type names, which count up over upstream's whole test run."""
    return re.sub(r"selfType\d+", "selfType", text)


def _compiled(rule: CompiledRule, declared: DeclaredType) -> Json:
    program, message = rule.program, rule.message_program
    return {
        "compiled": program is not None,
        "error": _plain(rule.error),
        "usesOldSelf": rule.uses_old_self,
        "maxCost": estimate(program.checked, declared).high if program else 0,
        "maxCardinality": _LARGEST_REQUEST // (declared.min_size + 1) if program else 0,
        "hasMessageExpression": message is not None,
        "messageExpressionError": _plain(rule.message_error),
        "messageExpressionMaxCost": estimate(message.checked, declared).high if message else 0,
        "normalizedFieldPath": rule.field_path,
    }


def test_rules_compile_as_they_do_on_the_server(shared: Path) -> None:
    wrong, excepted = {}, Counter[str]()
    # Costs are unsigned, so they are read as they stand.
    cases = json.loads((shared / "conformance" / "cel_compile.json").read_text("utf-8"))["cases"]
    for case in cases:
        declared = DeclaredType(Schema(case["schema"]), root=case["isResourceRoot"])
        assert declared.min_size == case["minSerializedSize"], case["test"]
        for rule, recorded in zip(Schema(case["schema"]).validations, case["results"], strict=True):
            compiled = _compiled(CompiledRule(rule, declared, "vector"), declared)
            wanted = {part: _plain(said) if isinstance(said, str) else said for part, said in recorded.items()}
            if {part: compiled[part] for part in wanted} == wanted:
                continue
            if rule.rule in _OF_RESERVED:
                excepted["reserved"] += 1
            elif _OF_TESTS.search(rule.rule + rule.message_expression):
                excepted["test's own function"] += 1
            else:
                wrong[case["test"], rule.rule] = compiled
    assert not wrong
    assert (len(cases), excepted) == (1432, {"reserved": 17, "test's own function": 9})


def _nodes(raw: Json, *, root: bool) -> Iterator[tuple[Json, bool]]:
    """All nodes of a schema that rules can stand on; rules in ``allOf`` stand on the node around it."""
    yield raw, root
    below = [*(raw.get("properties") or {}).values(), raw.get("items"), raw.get("additionalProperties")]
    for node in below:
        if isinstance(node, dict):
            yield from _nodes(node, root=False)
    for part in raw.get("allOf") or []:
        yield {**raw, "x-kubernetes-validations": part.get("x-kubernetes-validations"), "allOf": []}, root


def _places(shared: Path) -> dict[str, list[CompiledRule]]:
    """Where in the vectors' schemas an expression stands."""
    places = defaultdict(list)
    for file in ("cel_validate", "cel_compile"):
        for case in load(shared, file)["cases"]:
            for raw, root in _nodes(case["schema"], root=case["isResourceRoot"]):
                declared = DeclaredType(Schema(raw), root=root)
                for rule in declared.schema.validations:
                    for text in (rule.rule, rule.message_expression):
                        places[text].append(CompiledRule(rule, declared, "vector"))
    return places


def test_the_compilers_texts_are_the_servers(shared: Path) -> None:
    places = _places(shared)

    @cache
    def texts(expression: str) -> set[str]:
        """What the compiler says of the expression, wherever it stands."""
        environments = [rule._environment for rule in places[expression]] or [standard_environment()]
        said = [compile_text(expression, environment) for environment in environments]
        return {_plain(checked.message) for checked in said if isinstance(checked, Refused)}

    cases = load(shared, "cel_compile_errors")["cases"]
    wrong = {case["expr"] for case in cases if _plain(case["issues"]) not in texts(case["expr"])}
    assert wrong == _OF_RESERVED | _OLD_SERVERS
    assert len(cases) == 92
