"""The CEL engines for Python, each of which answers one rule from plain data, as for a caller with JSON. cel-python comes with the tests'
dependencies, the other two with the group ``bench``.

An engine that isn't installed is named and left out.
"""

from __future__ import annotations

import importlib
import importlib.metadata
import logging
from collections.abc import Callable
from typing import Any, Final

from tests.programs.benchmarks.rules import TimedRule
from tests.programs.benchmarks.timing import Call
from weighbridge.policies.cel.rules.compiled_rule import CompiledRule
from weighbridge.policies.cel.rules.direct_rule import direct_rule
from weighbridge.policies.cel.values.declared import DeclaredType
from weighbridge.policies.cel.values.outcome import PER_CALL_LIMIT
from weighbridge.policies.schema.node import Schema, ValidationRule

#: Takes ``self``, ``oldSelf`` and the cost limit, and returns the verdict in the engine's own form.
Run = Callable[[Any, Any, int], object]


class UnusableError(Exception):
    """The engine can't compile or evaluate a rule."""


def ours(timed: TimedRule) -> Call:
    """The call that validation makes for each rule, and its arguments."""
    rule = CompiledRule(ValidationRule(timed.text), DeclaredType(Schema(timed.schema)), timed.name)
    direct = direct_rule(rule, 0, None, None).direct
    arguments = (PER_CALL_LIMIT, timed.value, timed.old)
    if direct is None or direct(*arguments)[0] is not True:
        raise UnusableError(timed.name)
    return direct, arguments


def _cel_python(runner: str) -> Callable[[TimedRule], Run]:
    def prepare(timed: TimedRule) -> Run:
        celpy = importlib.import_module("celpy")
        # The engine also prints the errors of its compiler, which the caller gets anyway.
        logging.getLogger("celpy").setLevel(logging.CRITICAL + 1)
        environment = celpy.Environment(runner_class=getattr(celpy, runner))
        program = environment.program(environment.compile(timed.text))
        convert, evaluate = celpy.json_to_cel, program.evaluate
        if timed.old is None:
            return lambda value, _old, _limit: evaluate({"self": convert(value)})
        return lambda value, old, _limit: evaluate({"self": convert(value), "oldSelf": convert(old)})

    return prepare


def _cel_expr(timed: TimedRule) -> Run:
    cel = importlib.import_module("cel_expr_python.cel")
    environment = cel.NewEnv(variables={"self": cel.Type.DYN, "oldSelf": cel.Type.DYN})
    evaluate = environment.compile(timed.text).eval
    if timed.old is None:
        return lambda value, _old, _limit: evaluate(data={"self": value}).value()
    return lambda value, old, _limit: evaluate(data={"self": value, "oldSelf": old}).value()


def _rust(timed: TimedRule) -> Run:
    execute = importlib.import_module("cel").compile(timed.text).execute
    if timed.old is None:
        return lambda value, _old, _limit: execute({"self": value})
    return lambda value, old, _limit: execute({"self": value, "oldSelf": old})


#: Column, distribution, and the ways to run a rule, each with its mark in the table; the first way that answers counts. All rules are
#: prepared for cel-python's compiler before any for its interpreter, since the compiler fails in a process in which the interpreter has
#: run.
OTHERS: Final = (
    ("celpy", "cel-python", (("", _cel_python("CompiledRunner")), ("i", _cel_python("InterpretedRunner")))),
    ("cel-cpp", "cel-expr-python", (("", _cel_expr),)),
    ("rust", "common-expression-language", (("", _rust),)),
)


def installed(distribution: str) -> str:
    """The version of a distribution, empty if it isn't installed."""
    try:
        return importlib.metadata.version(distribution)
    except importlib.metadata.PackageNotFoundError:
        return ""


def answering(timed: TimedRule, prepare: Callable[[TimedRule], Run]) -> Run | None:
    """The engine's way to run the rule; `None` if it fails or gives another verdict than yes."""
    try:
        run = prepare(timed)
        return run if run(timed.value, timed.old, PER_CALL_LIMIT) else None
    except Exception:
        # Each engine fails with its own exceptions, and each of them means that it can't run the rule.
        return None
