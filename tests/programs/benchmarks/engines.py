"""The CEL engines that Python has, each made to answer one rule from plain data: what a caller with JSON in hand pays.

cel-python comes with the tests' dependencies, the other two with the group ``bench``; one that isn't installed is left out by name.
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

#: Takes ``self``, ``oldSelf`` and the cost limit; what comes back says yes in the engine's own way.
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
        # It prints what its compiler fails on, although the caller hears of it.
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


#: Column, distribution, and the ways to make a rule run, of which the first that answers counts, with the mark that says which it was.
#: Every rule is prepared for cel-python's compiler before any for its interpreter: once that has run, the compiler fails in the process.
OTHERS: Final = (
    ("celpy", "cel-python", (("", _cel_python("CompiledRunner")), ("i", _cel_python("InterpretedRunner")))),
    ("cel-cpp", "cel-expr-python", (("", _cel_expr),)),
    ("rust", "common-expression-language", (("", _rust),)),
)


def installed(distribution: str) -> str:
    """The version of a distribution, empty where it isn't installed."""
    try:
        return importlib.metadata.version(distribution)
    except importlib.metadata.PackageNotFoundError:
        return ""


def answering(timed: TimedRule, prepare: Callable[[TimedRule], Run]) -> Run | None:
    """The engine's way to run the rule; `None` where it fails or gives another verdict than yes."""
    try:
        run = prepare(timed)
        return run if run(timed.value, timed.old, PER_CALL_LIMIT) else None
    except Exception:
        # Each engine fails in ways of its own, and each of them means that it can't do it.
        return None
