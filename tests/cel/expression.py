"""A single expression, compiled with declared variables and run with values for them.

This module is for expressions that aren't part of a rule, with the functions, costs, limits and messages of rules;
`weighbridge.policies.cel.rules.evaluation` runs rules of CRDs.
"""

from __future__ import annotations

from collections.abc import Mapping

from weighbridge.policies.cel.check.checked import Checked, Refused, compile_text
from weighbridge.policies.cel.check.environment import Environment, environment
from weighbridge.policies.cel.emit.constants import ProgramError
from weighbridge.policies.cel.emit.program import Program
from weighbridge.policies.cel.syntax.errors import Issues
from weighbridge.policies.cel.syntax.source import Source
from weighbridge.policies.cel.values.data import read
from weighbridge.policies.cel.values.declared import JSON_TYPE
from weighbridge.policies.cel.values.outcome import PER_CALL_LIMIT, Outcome
from weighbridge.policies.cel.values.types import Type
from weighbridge.policies.cel.values.values import CelError, Value
from weighbridge.policies.ground.objects import JSONValue
from weighbridge.policies.ground.records import dataclass


class Expression:
    """An expression that compiles, ready to run."""

    def __init__(self, checked: Checked, variables: Mapping[str, Type], name: str) -> None:
        """Raises ProgramError for an expression whose constant parts can't be computed."""
        self.checked = checked
        self.program = Program(checked, list(variables), name)
        self._variables = tuple(variables)

    @property
    def type(self) -> Type:
        """The type of its result."""
        return self.checked.type

    def run(self, values: Mapping[str, Value], limit: int = PER_CALL_LIMIT) -> Outcome:
        """Evaluates with values of the declared types; reading a variable without a value is an error of the expression."""
        return self.program.run(self.arguments(values), limit)

    def arguments(self, values: Mapping[str, Value]) -> list[Value]:
        """The values in the order of the program's parameters."""
        return [values[name] if name in values else CelError(f"no such attribute(s): {name}") for name in self._variables]


@dataclass(frozen=True, slots=True)
class Unready(Refused):
    """An expression whose types are right, but for which no program can be made."""

    said: str

    @property
    def message(self) -> str:
        return self.said


def compile_expression(
    text: str, variables: Mapping[str, Type], name: str = "expression", *, functions: Environment | None = None
) -> Expression | Refused:
    """Compiles with declared variables; an expression that can't be compiled or made a program gives the server's message.

    By default, `functions` are those of stored rules.
    """
    checked = compile_text(text, (functions or environment()).with_variables(variables))
    if isinstance(checked, Refused):
        return checked
    try:
        return Expression(checked, variables, name)
    except ProgramError as error:
        return Unready(text, checked.root, Issues(Source(text)), f"program instantiation failed: {error}")


def from_json(raw: JSONValue) -> Value:
    """JSON as the value of a variable that is declared ``dyn``, or with the list or map type that it fits."""
    return read(raw, JSON_TYPE)
