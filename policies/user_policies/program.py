"""A compiled expression of a policy, ready to run on the values of a review."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from weighbridge.policies.cel.check.checked import Checked
from weighbridge.policies.cel.emit.operand import Operand
from weighbridge.policies.cel.emit.program import Program
from weighbridge.policies.cel.values.data import read
from weighbridge.policies.cel.values.declared import DeclaredType
from weighbridge.policies.cel.values.outcome import PER_CALL_LIMIT, Outcome
from weighbridge.policies.cel.values.types import Kind
from weighbridge.policies.cel.values.values import CelError, Value

_SURE: Final = frozenset({Kind.BOOL, Kind.INT, Kind.DOUBLE, Kind.STRING, Kind.TIMESTAMP})


class PolicyProgram(Program):
    """A program whose variables with a declared type are given as JSON."""

    def __init__(self, checked: Checked, variables: Sequence[str], name: str, declared: Mapping[str, DeclaredType]) -> None:
        self._declared_as = declared
        super().__init__(checked, variables, name)

    @property
    def names(self) -> Sequence[str]:
        """Its variables, in the order of the values."""
        return self._variables

    def _operand(self, name: str, code: str) -> Operand:
        declared = self._declared_as.get(name)
        if declared is not None:
            return Operand(code, self._type(name), sure=False, declared=declared)
        type_ = self._type(name)
        return Operand(code, type_, sure=type_.kind in _SURE)

    def evaluate(self, values: Sequence[Any], limit: int = PER_CALL_LIMIT) -> Outcome:
        """Run it. A value may be a CelError, which is then the result of reading the variable."""
        if not any(value.__class__ is CelError for value in values):
            found = self.direct(values, limit)
            if found is not None and not found.error:
                return found
        return self.tracked([self._read_as(name, value) for name, value in zip(self._variables, values, strict=True)], limit)

    def _read_as(self, name: str, value: Any) -> Value:
        declared = self._declared_as.get(name)
        if declared is None or value is None or value.__class__ is CelError:
            return value
        try:
            return read(value, declared)
        except CelError as error:
            return error
