"""A compiled expression: runs it, counts its cost, keeps errors and defects apart.

An evaluation first runs the direct form, which gives up at anything out of the ordinary; then the tracked form decides. What comes out is an
`Outcome`: a value or an error text, and the cost. Any other exception that gets out is a defect of this package.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from policies.cel.checked import Checked
from policies.cel.data import read
from policies.cel.declared import DeclaredType
from policies.cel.emit_tracked import TrackedEmitter
from policies.cel.folding import Constants
from policies.cel.steps import TRACKED, CostExceededError
from policies.cel.values import NONE, CelError, Optional, Value
from policies.codegen import CompiledUnit, SourceWriter, load
from policies.objects import JSONValue

#: The most that one evaluation may cost.
PER_CALL_LIMIT: Final = 1_000_000
#: What may be spent on one object, over all its rules.
OBJECT_BUDGET: Final = 10_000_000
_NO_OLD_SELF: Final = CelError("no such attribute(s): oldSelf")
COST_EXCEEDED: Final = "operation cancelled: actual cost limit exceeded"


@dataclass(frozen=True, slots=True)
class Outcome:
    """What an evaluation came to: a value, or an error's text where `error` isn't empty; and its cost."""

    value: Value
    cost: int
    error: str = ""

    @property
    def exceeded(self) -> bool:
        """Whether the evaluation was stopped for its cost."""
        return self.error == COST_EXCEEDED


class Program:
    """One expression, ready to run with values for its variables."""

    def __init__(self, checked: Checked, variables: Sequence[str], name: str, declared: DeclaredType | None = None) -> None:
        """`variables` gives the order of the values; raises ProgramError for what can't be instantiated.

        `declared` is the type of ``self`` where the variables are ``self`` and ``oldSelf`` and come as data.
        """
        self.checked = checked
        self.name = name
        self._declared = declared
        self._variables = tuple(variables)
        self._constants = Constants(checked.root, checked.environment)
        self._tracked: CompiledUnit | None = None

    def tracked(self, values: Sequence[Value], limit: int = PER_CALL_LIMIT) -> Outcome:
        """Run the tracked form; a value may be a CelError, which then is what reading the variable yields."""
        if self._tracked is None:
            self._tracked = self._load(self._write_tracked, TRACKED)
        try:
            result, cost = self._tracked.function("tracked")(limit, *values)
        except CostExceededError:
            return Outcome(None, limit + 1, COST_EXCEEDED)
        if cost > limit:
            return Outcome(None, cost, COST_EXCEEDED)
        return Outcome(None, cost, str(result) or "error") if result.__class__ is CelError else Outcome(result, cost)

    def run_on_data(
        self, value: JSONValue, old: JSONValue, *, optional: bool, limit: int = PER_CALL_LIMIT, plain_old: bool = False
    ) -> Outcome:
        """Run with data for ``self`` and ``oldSelf``; `optional` is whether oldSelf is an optional."""
        return self.tracked([self._read(value), self._read_old(old, optional=optional, hidden=plain_old)], limit)

    def _read(self, value: JSONValue) -> Value:
        assert self._declared is not None  # noqa: S101 - only programs of rules run on data
        try:
            return read(value, self._declared)
        except CelError as error:
            return error

    def _read_old(self, old: JSONValue, *, optional: bool, hidden: bool) -> Value:
        if optional:
            return NONE if old is None else Optional(present=True, value=self._read(old))
        return _NO_OLD_SELF if old is None or hidden else self._read(old)

    def source(self) -> str:
        """The generated code of the tracked form, for people."""
        writer = SourceWriter()
        self._write_tracked(writer)
        return writer.unit(self.name).source

    def _load(self, write: Callable[[SourceWriter], None], environment: dict[str, Any]) -> CompiledUnit:
        writer = SourceWriter()
        write(writer)
        return load(writer.unit(f"cel {self.name}"), environment)

    def _write_tracked(self, writer: SourceWriter) -> None:
        emitter = TrackedEmitter(self.checked, self._constants, writer)
        emitter.function("tracked", self._parameters())

    def _parameters(self) -> dict[str, str]:
        """CEL variables and the Python parameters that hold them: numbered, since a name could be any text."""
        return {name: f"x{number}" for number, name in enumerate(self._variables, 1)}
