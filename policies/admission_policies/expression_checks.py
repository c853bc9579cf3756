"""Checks whether the server would store the expressions of a policy, with its messages.

Expressions that the stored policy has already may use everything that the server has. Source: kubernetes
pkg/apis/admissionregistration/validation/validation.go, 1.37.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Final

from weighbridge.policies.admission_policies import acceptance_wordings
from weighbridge.policies.admission_policies.environment import Expression, PolicyEnvironment
from weighbridge.policies.apiserver.acceptance.field_path import FieldPath
from weighbridge.policies.cel.values import types
from weighbridge.policies.cel.values.escapes import RESERVED
from weighbridge.policies.cel.values.types import Type
from weighbridge.policies.ground.expressions import expression
from weighbridge.policies.ground.field_errors import OMITTED, ErrorType, FieldError
from weighbridge.policies.ground.fields import items, text
from weighbridge.policies.ground.go_text import trimmed
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.policies.schema.names import qualified_name

_MAX_CONDITIONS: Final = 64
_IDENTIFIER: Final = expression(r"[_a-zA-Z][_a-zA-Z0-9]*")


class ExpressionChecks:
    """Checks the expressions of a policy, in the order of their fields; `stored` are those that the stored policy has."""

    def __init__(self, spec: JSONObject, path: FieldPath, stored: frozenset[str] = frozenset()) -> None:
        self._spec = spec
        self._path = path
        self._stored = stored
        self._has_params = isinstance(spec.get("paramKind"), dict)

    @cached_property
    def new(self) -> PolicyEnvironment:
        """The environment of new expressions."""
        return PolicyEnvironment(has_params=self._has_params, has_variables=bool(items(self._spec, "variables")), is_new=True)

    @cached_property
    def old(self) -> PolicyEnvironment:
        """The environment of stored expressions."""
        return PolicyEnvironment(has_params=self._has_params, has_variables=bool(items(self._spec, "variables")))

    @cached_property
    def _of_conditions(self) -> PolicyEnvironment:
        return PolicyEnvironment(has_params=self._has_params, has_variables=False, is_new=True)

    def of(self, written: str) -> PolicyEnvironment:
        """The environment for an expression."""
        return self.old if written in self._stored else self.new

    def conditions(self) -> Iterator[FieldError]:
        """The errors of the conditions, which see no variables."""
        path, found = self._path / "matchConditions", items(self._spec, "matchConditions")
        if len(found) > _MAX_CONDITIONS:
            yield FieldError(ErrorType.TOO_MANY, str(path), len(found), acceptance_wordings.too_many_conditions(_MAX_CONDITIONS))
        names: set[str] = set()
        for index, condition in enumerate(found):
            where = path[index]
            written, name = trimmed(text(condition, "expression")), text(condition, "name")
            if not written:
                yield (where / "expression").required()
            else:
                compiled = self._of_conditions.compile(written, types.BOOL)
                yield from expression_errors(where / "expression", written, compiled)
            if not name:
                yield (where / "name").required()
            else:
                yield from ((where / "name").invalid(name, problem) for problem in qualified_name(name))
                if name in names:
                    yield FieldError(ErrorType.DUPLICATE, str(where / "name"), name)
            names.add(name)

    def variables(self) -> Iterator[FieldError]:
        """The errors of the variables; each sees those before it."""
        for index, variable in enumerate(items(self._spec, "variables")):
            where = self._path / "variables"
            name, written = text(variable, "name"), text(variable, "expression")
            if not trimmed(name):
                yield (where[index] / "name").required(acceptance_wordings.NO_VARIABLE_NAME)
            elif name in RESERVED or not _IDENTIFIER.fullmatch(name):
                yield (where[index] / "name").invalid(name, acceptance_wordings.NO_IDENTIFIER)
            if not trimmed(written):
                yield (where[index] / "expression").required(acceptance_wordings.NO_EXPRESSION)
                continue
            compiled = self.new.add_variable(name, written)
            if self._stored:
                stored = self.old.add_variable(name, written)
                compiled = stored if written in self._stored else compiled
            yield from expression_errors(where[index] / "expression", written, compiled)

    def compile(self, where: FieldPath, written: str, *wanted: Type, asks: bool = True) -> Iterator[FieldError]:
        """The errors of an expression that must have one of these types."""
        yield from expression_errors(where, written, self.of(written).compile(written, *wanted, asks=asks))


def expression_errors(where: FieldPath, written: str, compiled: Expression) -> Iterator[FieldError]:
    """The errors of a compiled expression."""
    if compiled.error and compiled.is_internal:
        yield FieldError(ErrorType.INTERNAL, str(where), OMITTED, compiled.error)
    elif compiled.error:
        yield where.invalid(written, compiled.error)
