"""One rule of a CRD, compiled against its schema node.

A rule is compiled when it is first needed, and the compiler is imported only then: most objects that are linted reach no rule. A rule that
doesn't compile keeps the server's error, and the other rules still run. Source: k8s.io/apiextensions-apiserver
`pkg/apiserver/schema/cel/compilation.go`.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Final

from weighbridge.policies.cel.values import types
from weighbridge.policies.cel.values.declared import DeclaredType, SelfTypes
from weighbridge.policies.cel.values.types import Type, optional_of
from weighbridge.policies.ground.go_text import trimmed
from weighbridge.policies.schema.node import ValidationRule

if TYPE_CHECKING:
    from weighbridge.policies.cel.check.environment import Environment
    from weighbridge.policies.cel.emit.program import Program

#: The variables of a rule, in the order of a program's arguments.
VARIABLES: Final = ("self", "oldSelf")


class CompiledRule:
    """A rule, its program, and the program of its message."""

    def __init__(
        self,
        rule: ValidationRule,
        declared: DeclaredType,
        name: str,
        *,
        rule_environment: Environment | None = None,
        message_environment: Environment | None = None,
    ) -> None:
        """The environments are those of stored rules, unless others are given."""
        self.rule = rule
        self.declared = declared
        self._name = name
        self._rule_environment = rule_environment
        self._message_environment = message_environment

    @cached_property
    def _self_types(self) -> SelfTypes:
        return SelfTypes(self.declared)

    def _environment(self, functions: Environment | None) -> Environment:
        """The environment of the rule."""
        from weighbridge.policies.cel.check.environment import environment

        types_ = self._self_types
        old = optional_of(types_.type) if self.rule.optional_old_self else types_.type
        return (functions or environment()).with_variables({"self": types_.type, "oldSelf": old}, types_)

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to evaluate."""
        return not trimmed(self.rule.rule)

    @cached_property
    def _compiled(self) -> tuple[Program | None, str]:
        if self.is_empty:
            return None, ""
        return self._compile(self.rule.rule, types.BOOL, self._environment(self._rule_environment))

    @cached_property
    def _compiled_message(self) -> tuple[Program | None, str]:
        if not self.rule.message_expression or self.program is None:
            return None, ""
        return self._compile(self.rule.message_expression, types.STRING, self._environment(self._message_environment))

    def _compile(self, text: str, wanted: Type, environment: Environment) -> tuple[Program | None, str]:
        from weighbridge.policies.cel.check.checked import Refused, compile_text
        from weighbridge.policies.cel.emit.constants import ProgramError
        from weighbridge.policies.cel.emit.program import Program
        from weighbridge.policies.cel.rules import errors

        of_message = wanted is types.STRING
        checked = compile_text(text, environment)
        if isinstance(checked, Refused):
            return None, errors.not_compiled(checked.message, of_message=of_message)
        if checked.type != wanted:
            return None, errors.MESSAGE_NOT_STRING if of_message else errors.RULE_NOT_BOOL
        try:
            return Program(checked, VARIABLES, f"{self._name}{' message' if of_message else ''}", self.declared), ""
        except ProgramError as error:
            return None, errors.not_instantiated(error, of_message=of_message)

    @property
    def program(self) -> Program | None:
        """The rule's program; `None` if the rule is empty or doesn't compile."""
        return self._compiled[0]

    @property
    def error(self) -> str:
        """Why the rule doesn't compile, or the empty string."""
        return self._compiled[1]

    @property
    def message_program(self) -> Program | None:
        """The program of the message expression; `None` if there is none or it doesn't compile."""
        return self._compiled_message[0]

    @property
    def message_error(self) -> str:
        """Why the message expression doesn't compile, or the empty string."""
        return self._compiled_message[1]

    @cached_property
    def uses_old_self(self) -> bool:
        """Whether this is a transition rule."""
        return self.program is not None and self.program.checked.refers_to("oldSelf")

    @cached_property
    def field_path(self) -> str:
        """The rule's `fieldPath` below its node; empty if there is none or the message doesn't compile."""
        if not self.rule.field_path or self.program is None or self.message_error:
            return ""
        from weighbridge.policies.cel.rules.field_paths import FieldPathError, normalised

        try:
            return normalised(self.rule.field_path, self.declared.schema)
        except FieldPathError:
            return ""
