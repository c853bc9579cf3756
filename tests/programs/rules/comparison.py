"""Compares the API server's own code with the engine on rules: the errors of the compiler, the costs, and the findings in objects.

Unlike a server, that code reports the cost of an evaluation.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any, Final

from tests.cel.random_expressions import MISFITS, OBJECTS, SCHEMA, random_expression
from tests.cel.rules.rules_on_server import normalised
from tests.programs.rules.judge import ask
from weighbridge.policies.cel.rules.evaluation import CompiledRules
from weighbridge.policies.cel.rules.rule_verdict import judge_rule
from weighbridge.policies.cel.values.declared import DeclaredType
from weighbridge.policies.cel.values.outcome import OBJECT_BUDGET
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.policies.ground.server_release import release
from weighbridge.policies.schema.node import Schema, ValidationRule

_LONGEST: Final = 400
_LARGE_RANGE: Final = re.compile(r"lists\.range\((?!\d{1,3}\))")
#: If the server goes through a map, or meets two errors, it has more than one answer.
_TRIES: Final = 8


@dataclass(slots=True)
class Found:
    """The result of the comparison."""

    compiled: int = 0
    evaluated: int = 0
    differences: list[str] = field(default_factory=list)


def expressions(seed: int, count: int) -> list[str]:
    """A number of expressions from a seed."""
    random = Random(seed)
    made: dict[str, None] = {}
    while len(made) < count:
        text = random_expression(random, random.choice((1, 1, 2, 2, 3)))
        if len(text) < _LONGEST:
            made[text] = None
    return list(made)


def can_be_asked(text: str) -> bool:
    """Whether the release in force can evaluate an expression: before Kubernetes 1.37, a large range takes all memory of the machine."""
    return release().bounds_ranges or not _LARGE_RANGE.search(text)


def _question(text: str) -> dict[str, Any]:
    """A schema whose rules show the result of an expression: its error, or its value in a message."""
    fails = {"rule": f"[{text}].size() == 2", "message": "m"}
    shown = {"rule": "false", "messageExpression": f"'%s'.format([{text}])"}
    return {"schema": {**SCHEMA, "x-kubernetes-validations": [fails, shown]}, "objects": [*OBJECTS, *MISFITS]}


def ours(text: str) -> dict[str, Any]:
    """The engine's answer to an expression, for each of the objects."""
    return _ours(_question(text))


def _ours(asked: dict[str, Any]) -> dict[str, Any]:
    schema = Schema(asked["schema"])
    declared = DeclaredType(schema, root=True)
    verdicts = [judge_rule(ValidationRule.from_json(rule), declared) for rule in asked["schema"]["x-kubernetes-validations"]]
    rules = [
        {
            "error": normalised(verdict.error),
            "messageError": normalised(verdict.message_error),
            "maxCost": verdict.max_cost,
            "messageMaxCost": verdict.message_max_cost,
        }
        for verdict in verdicts
    ]
    compiled = CompiledRules(schema, "compared")
    return {"fault": "", "rules": rules, "objects": [_evaluated(compiled, obj) for obj in asked["objects"]]}


def _evaluated(rules: CompiledRules, obj: JSONObject) -> dict[str, Any]:
    result = rules.validate(obj, has_old=False)
    return {"errors": sorted(normalised(str(error)) for error in result.errors), "cost": OBJECT_BUDGET - result.remaining_budget}


def _theirs(answer: dict[str, Any]) -> dict[str, Any]:
    for rule in answer["rules"]:
        rule |= {key: normalised(rule[key]) for key in ("error", "messageError")}
    for result in answer["objects"]:
        result["errors"] = sorted(normalised(text) for text in result["errors"])
    return answer


def compare(judge: Path, texts: Iterable[str]) -> Found:
    """Compare expressions; the release in force must be the judge's."""
    found = Found()
    questions = {text: _question(text) for text in texts}
    for (text, asked), answer in zip(questions.items(), ask(judge, questions.values()), strict=True):
        theirs, mine = _theirs(answer), _ours(asked)
        found.compiled += len(theirs["rules"])
        found.evaluated += len(theirs["objects"])
        for _ in range(_TRIES):
            if theirs == mine:
                break
            theirs = _theirs(ask(judge, [asked])[0])
        if theirs != mine:
            found.differences.append(_told(text, mine, theirs))
    return found


def _told(text: str, mine: dict[str, Any], theirs: dict[str, Any]) -> str:
    parts = [text]
    for part in ("fault", "rules", "objects"):
        if mine[part] != theirs[part]:
            pairs = [(mine[part], theirs[part])] if part == "fault" else zip(mine[part], theirs[part], strict=True)
            parts += [f"  ours   {one}\n  theirs {other}" for one, other in pairs if one != other]
    return "\n".join(parts)
