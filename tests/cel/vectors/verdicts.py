"""The verdict of our compiler and of both program forms on an expression, in the form of the vectors."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from tests.cel.vectors.type_texts import parse_type
from tests.cel.vectors.typed_values import agrees, decode
from weighbridge.policies.cel.check.checked import Refused, compile_text
from weighbridge.policies.cel.check.environment import Environment, environment
from weighbridge.policies.cel.cost.estimate import estimate
from weighbridge.policies.cel.emit.constants import ProgramError
from weighbridge.policies.cel.emit.program import Program
from weighbridge.policies.cel.library.authz import AUTHORIZER, AuthorizerValue
from weighbridge.policies.cel.values.types import DYN, Kind, Type
from weighbridge.policies.cel.values.values import Value

#: The outcomes of an expression that aren't a value.
_TEXTS = ("compileError", "programError", "error")


@dataclass(slots=True)
class Verdict:
    """The results for an expression, under the vectors' names, and the value, if there is one."""

    said: dict[str, Any] = field(default_factory=dict)
    value: Value = None

    def differences(self, wanted: Mapping[str, Any]) -> set[str]:
        """The names of the results that differ from the vector's; results that the vector leaves out aren't compared, except errors."""
        names = {name for name in ("type", "cost", "estMin", "estMax") if name in wanted} | set(_TEXTS)
        found = {name for name in names if self.said.get(name) != wanted.get(name)}
        if "value" in wanted and (self.said.keys() & set(_TEXTS) or not agrees(wanted["value"], self.value)):
            found.add("value")
        return found


def judged(text: str, types: Mapping[str, str], values: Mapping[str, Any]) -> Verdict:
    """Compiles and runs with variables whose types and values are as the vectors write them."""
    declared = environment().with_variables({name: parse_type(type_) for name, type_ in types.items()})
    return _judged(text, declared, {name: decode(value) for name, value in values.items()})


def judged_values(text: str, functions: Environment, values: Mapping[str, Value]) -> Verdict:
    """Compiles and runs with variables of unknown type, except that an authorizer has its type."""
    types = {name: AUTHORIZER if isinstance(value, AuthorizerValue) else DYN for name, value in values.items()}
    return _judged(text, functions.with_variables(types), values)


def _judged(text: str, declared: Environment, values: Mapping[str, Value]) -> Verdict:
    """The direct and the tracked form must agree if the direct one decides."""
    checked = compile_text(text, declared)
    if isinstance(checked, Refused):
        return Verdict({"compileError": checked.message})
    cost = estimate(checked)
    verdict = Verdict({"estMin": cost.low, "estMax": cost.high, "type": declared_name(checked.type)})
    try:
        program = Program(checked, tuple(values), "vector")
    except ProgramError as error:
        verdict.said["programError"] = str(error)
        return verdict
    arguments = list(values.values())
    outcome, tracked = program.run(arguments), program.tracked(arguments)
    assert (outcome.cost, outcome.error) == (tracked.cost, tracked.error), text
    verdict.said["cost"] = outcome.cost
    if outcome.error:
        verdict.said["error"] = outcome.error
    verdict.value = outcome.value
    return verdict


def declared_name(type_: Type) -> str:
    """A type as the vectors print it: with run-time names; the checker's messages have other names for some types."""
    if type_.kind in (Kind.NULL, Kind.DURATION, Kind.TIMESTAMP) or not type_.parameters:
        return type_.name
    return f"{type_.name}({', '.join(map(declared_name, type_.parameters))})"
