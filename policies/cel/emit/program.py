"""A compiled expression: runs it, counts its cost, keeps errors and defects apart.

An evaluation runs the direct form first. If that gives up, the tracked form decides. The result is an `Outcome`: a value or an error text,
and the cost. Any other exception is a defect of this package.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from weighbridge.policies.cel.check.checked import Checked
from weighbridge.policies.cel.emit.constants import Constants
from weighbridge.policies.cel.emit.direct import DirectEmitter
from weighbridge.policies.cel.emit.direct_steps import DIRECT
from weighbridge.policies.cel.emit.operand import Operand, UnsupportedError
from weighbridge.policies.cel.emit.steps import TRACKED
from weighbridge.policies.cel.emit.tracked import TrackedEmitter
from weighbridge.policies.cel.run_time_errors import NO_OLD_SELF, PANIC
from weighbridge.policies.cel.values.data import read
from weighbridge.policies.cel.values.declared import DeclaredType
from weighbridge.policies.cel.values.outcome import COST_EXCEEDED, PER_CALL_LIMIT, Outcome
from weighbridge.policies.cel.values.types import DYN, Kind, Type
from weighbridge.policies.cel.values.undecided import UNDECIDED, CostExceededError
from weighbridge.policies.cel.values.values import NONE, CelError, Optional, PanicError, Value
from weighbridge.policies.codegen import CompiledUnit, GeneratedUnit, SourceWriter, load
from weighbridge.policies.codegen.writer import comment_text
from weighbridge.policies.ground.objects import JSONValue

#: Types of variables whose values are trusted to be of the declared type.
_SCALARS: Final = frozenset(
    {Kind.BOOL, Kind.INT, Kind.UINT, Kind.DOUBLE, Kind.STRING, Kind.BYTES, Kind.TIMESTAMP, Kind.DURATION, Kind.TYPE},
)
#: More than any limit of costs.
_LARGEST: Final = 1 << 63
_NO_OLD_SELF: Final = CelError(NO_OLD_SELF)


class Program:
    """One expression, ready to run with values for its variables."""

    def __init__(self, checked: Checked, variables: Sequence[str], name: str, declared: DeclaredType | None = None) -> None:
        """`variables` gives the order of the values; raises ProgramError if upstream refuses to make a program.

        `declared` is the type of ``self`` if the variables are ``self`` and ``oldSelf`` and their values are JSON.
        """
        self.checked = checked
        self.name = name
        self._declared = declared
        self._variables = tuple(variables)
        self._constants = Constants(checked.root, checked.environment)
        self._tracked: CompiledUnit | None = None
        self._direct: Callable[..., Any] | None = None
        self._direct_is_written = False
        self._mentions_old = checked.refers_to("oldSelf")

    def tracked(self, values: Sequence[Value], limit: int = PER_CALL_LIMIT) -> Outcome:
        """Run the tracked form. A value may be a CelError, which is then the result of reading the variable."""
        if self._tracked is None:
            self._tracked = load(self._written(self._write_tracked), TRACKED)
        try:
            result, cost = self._tracked.function("tracked")(limit, *values)
        except CostExceededError as error:
            return Outcome(None, max(error.cost, limit + 1), COST_EXCEEDED)
        except PanicError as error:
            return Outcome(None, _spent(error), f"{PANIC}: {error}")
        if not 0 <= cost <= limit:
            # A negative cost, which only `flatten` has, is a very large one for the server, which counts without signs.
            return Outcome(None, cost if cost > 0 else _LARGEST, COST_EXCEEDED)
        return Outcome(None, cost, str(result) or "error") if result.__class__ is CelError else Outcome(result, cost)

    def run(self, values: Sequence[Value], limit: int = PER_CALL_LIMIT) -> Outcome:
        """Evaluate with values for the variables."""
        return self.direct(values, limit) or self.tracked(values, limit)

    def direct(self, values: Sequence[Value], limit: int = PER_CALL_LIMIT) -> Outcome | None:
        """Run the direct form; `None` if it gives up."""
        direct = self.direct_function
        if direct is None:
            return None
        try:
            value, cost = direct(limit, *values)
        except CostExceededError as error:
            return Outcome(None, max(error.cost, limit + 1), COST_EXCEEDED)
        except UNDECIDED:
            return None
        return Outcome(value, cost) if cost <= limit else Outcome(None, cost, COST_EXCEEDED)

    @property
    def direct_function(self) -> Callable[..., Any] | None:
        """The direct form itself. It takes the limit and the values, returns value and cost, and may raise one of `UNDECIDED`."""
        if not self._direct_is_written:
            self._load_direct()
        return self._direct

    def _load_direct(self) -> None:
        self._direct_is_written = True
        written = self.direct_unit()
        if written is not None:
            self._direct_unit = load(written, DIRECT)
            self._direct = self._direct_unit.function("direct")

    def direct_unit(self) -> GeneratedUnit | None:
        """The direct form, ``direct(limit, variables...)``, which calls functions of `DIRECT`; `None` if the expression has none."""
        try:
            return self._written(self._write_direct)
        except UnsupportedError:
            return None

    def _write_direct(self, writer: SourceWriter) -> None:
        emitter = DirectEmitter(self.checked, self._constants, writer)
        emitter.function("direct", {name: self._operand(name, code) for name, code in self._parameters().items()})

    def _operand(self, name: str, code: str) -> Operand:
        if self._declared is not None and not self._is_optional(name):
            return Operand(code, self._type(name), sure=False, declared=self._declared)
        return Operand(code, self._type(name), sure=self._declared is None and self._type(name).kind in _SCALARS)

    def _type(self, name: str) -> Type:
        return self.checked.environment.variable(name) or DYN

    def _is_optional(self, name: str) -> bool:
        return self._type(name).is_optional

    def run_on_data(
        self,
        value: JSONValue,
        old: JSONValue,
        *,
        optional: bool,
        limit: int = PER_CALL_LIMIT,
        plain_old: bool = False,
        is_typed: bool = True,
    ) -> Outcome:
        """Run with data for ``self`` and ``oldSelf``; `optional` is whether oldSelf is an optional.

        The direct form trusts data to be of the declared types, so it isn't run if that isn't known.
        """
        read_old = self._read_old(old, optional=True, hidden=False) if optional and self._mentions_old else old
        is_direct = is_typed and not (plain_old and self._mentions_old)
        outcome = self.direct((value, read_old), limit) if is_direct else None
        return outcome or self.tracked([self._read(value), self._read_old(old, optional=optional, hidden=plain_old)], limit)

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
        """The generated code of both forms, to be read."""
        parts = []
        for write in (self._write_direct, self._write_tracked):
            try:
                parts.append(self._written(write).source)
            except UnsupportedError as error:
                parts.append(f"# no direct form: {error}\n")
        return "\n".join(parts)

    def _written(self, write: Callable[[SourceWriter], None]) -> GeneratedUnit:
        writer = SourceWriter()
        write(writer)
        # The name contains property names, which may have characters that a file name can't.
        return writer.unit(comment_text(f"cel {self.name}"))

    def _write_tracked(self, writer: SourceWriter) -> None:
        emitter = TrackedEmitter(self.checked, self._constants, writer)
        emitter.function("tracked", self._parameters())

    def _parameters(self) -> dict[str, str]:
        """CEL variables and the Python parameters for them. Parameters are numbered, since a CEL name could be any text."""
        return {name: f"x{number}" for number, name in enumerate(self._variables, 1)}


def _spent(error: PanicError) -> int:
    """The cost of an evaluation up to its panic, which the server charges: the cost in the innermost generated function."""
    spent, step = 0, error.__traceback__
    while step is not None:
        names = step.tb_frame.f_locals
        if "limit" in names:
            spent = names.get("cost", spent)
        step = step.tb_next
    return spent
