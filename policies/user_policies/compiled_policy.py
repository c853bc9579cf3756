"""A policy compiled for the objects of one kind: its programs, what they need, and the faults of its expressions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, Final

from weighbridge.policies.apiserver.definitions import Definitions
from weighbridge.policies.cel.emit.constants import ProgramError
from weighbridge.policies.cel.rules.field_paths import FieldPathError, normalised
from weighbridge.policies.cel.syntax.nodes import Call, Expr, Ident, Literal, Select, children, walk
from weighbridge.policies.cel.values import types
from weighbridge.policies.cel.values.types import Type
from weighbridge.policies.config.policies import Policy
from weighbridge.policies.ground.objects import JSONObject, Path
from weighbridge.policies.ground.records import dataclass
from weighbridge.policies.user_policies.compiler import Compiled, Fault, Scope
from weighbridge.policies.user_policies.effective import ORIGINS, PARTS
from weighbridge.policies.user_policies.filled_field import FilledField, field_at, misfits
from weighbridge.policies.user_policies.program import PolicyProgram
from weighbridge.policies.user_policies.vocabulary import (
    EFFECTIVE,
    NOW,
    OBJECT,
    OLD,
    PLACEMENT,
    REQUEST,
    VARIABLES,
    PolicyTypes,
    declared_object,
    declared_parts,
)

#: Variables of which only the named parts are computed, with all their parts.
_IN_PARTS: Final[Mapping[str, frozenset[str]]] = {
    EFFECTIVE: PARTS | {ORIGINS},
    PLACEMENT: frozenset({"nodes", "rejected"}),
    REQUEST: frozenset({"userInfo"}),
}
#: Variables about the change, and such parts of `request`.
_OF_CHANGES: Final = frozenset({OLD, NOW})
_OF_REQUESTS: Final = frozenset({"operation", "userInfo", "dryRun", "subResource"})
_NOTHING: Final[frozenset[str]] = frozenset()
_ORIGIN_FIELDS: Final = frozenset({"source", "reason"})
_PREFIX: Final = f"{VARIABLES}."


class Expression:
    """One compiled expression; `uses` are the variables that it names, including those of the policy."""

    def __init__(self, compiled: Compiled, scope: Scope, name: str) -> None:
        self.compiled = compiled
        self._scope = scope
        self._name = name
        named = dict.fromkeys(node.reference for node in walk(compiled.checked.root) if node.reference is not None)
        types_ = compiled.checked.environment
        self.uses = tuple(name for name in named if name.startswith(_PREFIX) or (types_.variable(name) and not types_.has_type_value(name)))

    @cached_property
    def program(self) -> PolicyProgram | str:
        """The program, or the error why there is none."""
        try:
            return PolicyProgram(self.compiled.checked, self.uses, self._name, self._scope.roots)
        except ProgramError as error:
            return str(error)


@dataclass(frozen=True, slots=True)
class CompiledValidation:
    """A validation with its programs; `path` leads to the field of its findings."""

    index: int
    expression: Expression
    message: Expression | None
    path: str


@dataclass(frozen=True, slots=True)
class CompiledFillIn:
    """A fill-in with its program and its field."""

    index: int
    expression: Expression
    field: FilledField


class CompiledPolicy:
    """A policy for one kind. With `faults`, each with its place in the policy, it can't be evaluated."""

    def __init__(self, policy: Policy, schema: JSONObject, definitions: Definitions) -> None:
        self.policy = policy
        self.faults: list[tuple[Path, Fault]] = []
        declared = declared_object(schema)
        self._scope = Scope({OBJECT: declared, OLD: declared, **declared_parts()}, definitions)
        # As in a ValidatingAdmissionPolicy, match conditions can't use variables.
        self.conditions = [
            (entry.name, found)
            for index, entry in enumerate(policy.match_conditions)
            if (found := self._compile(entry.expression, ("matchConditions", index, "expression"), types.BOOL)) is not None
        ]
        self.variables: dict[str, Expression] = {}
        for index, entry in enumerate(policy.variables):
            found = self._compile(entry.expression, ("variables", index, "expression"), None)
            if found is not None:
                self.variables[f"{_PREFIX}{entry.name}"] = found
            # Later expressions that use this variable have no separate fault.
            self._scope.add(entry.name, types.DYN if found is None else found.compiled.checked.type)
        self.validations = list(self._validations())
        self.fill_ins = list(self._fill_ins())

    def _validations(self) -> Iterator[CompiledValidation]:
        for index, entry in enumerate(self.policy.validations):
            expression = self._compile(entry.expression, ("validations", index, "expression"), types.BOOL)
            message = None
            if entry.message_expression:
                message = self._compile(entry.message_expression, ("validations", index, "messageExpression"), types.STRING)
            path = self._field_path(entry.field_path, ("validations", index, "fieldPath"))
            if expression is not None:
                yield CompiledValidation(index, expression, message, path)

    def _fill_ins(self) -> Iterator[CompiledFillIn]:
        for index, entry in enumerate(self.policy.fill_ins):
            where: Path = ("fillIns", index)
            found = field_at(entry.field_path, self._scope.roots[OBJECT])
            expression = self._compile(entry.expression, (*where, "expression"), None, is_for_object=True)
            if isinstance(found, Fault):
                self.faults.append(((*where, "fieldPath"), found))
            elif expression is not None:
                faults = list(self._faults_of_value(entry.expression, expression, found))
                self.faults += (((*where, "expression"), fault) for fault in faults)
                if not faults:
                    yield CompiledFillIn(index, expression, found)

    def _faults_of_value(self, text: str, expression: Expression, target: FilledField) -> Iterator[Fault]:
        if NOW in self.names_of(expression):
            yield Fault("a fill-in can't name now: every update would change the value", 1, 1)
        yield from misfits(text, expression.compiled.checked.root, target.declared)

    def names_of(self, expression: Expression) -> set[str]:
        """All variables that an expression names, directly or through its variables."""
        found, waiting = set[str](), [*expression.uses]
        while waiting:
            name = waiting.pop()
            if name not in found:
                found.add(name)
                waiting += self.variables[name].uses if name in self.variables else ()
        return found

    def _compile(self, text: str, path: Path, wanted: Type | None, *, is_for_object: bool = False) -> Expression | None:
        if not text.strip():
            self.faults.append((path, Fault("is empty; write an expression")))
            return None
        found = self._scope.compile(text, wanted, is_for_object=is_for_object)
        if isinstance(found, Compiled):
            return Expression(found, self._scope, f"{self.policy.id} {'.'.join(map(str, path))}")
        self.faults += ((path, fault) for fault in found)
        return None

    def _field_path(self, text: str, path: Path) -> str:
        if not text:
            return ""
        try:
            return normalised(text, self._scope.roots[OBJECT].schema)
        except FieldPathError as error:
            self.faults.append((path, Fault(f"{text[:64]!r} {error}; write one such as .spec.image")))
            return ""

    @cached_property
    def all_at_once(self) -> Expression | None:
        """All validations as one expression; `None` if that can't be compiled or there is only one.

        If it is true, each of them is. Common parts are read only once, and most objects violate no policy.
        """
        if self.faults or len(self.validations) < 2:
            return None
        text = " && ".join(f"({entry.expression}\n)" for entry in self.policy.validations)
        found = self._scope.compile(text, types.BOOL)
        return Expression(found, self._scope, f"{self.policy.id} validations") if isinstance(found, Compiled) else None

    @cached_property
    def quick(self) -> tuple[Callable[..., tuple[Any, int]], tuple[str, ...]] | None:
        """A fast check that may find that all validations are true, with the variables that it takes; `None` if there is none.

        It takes the cost limit and the values. It raises one of `UNDECIDED`, or returns a value and its cost.
        """
        combined = self.all_at_once or (self.validations[0].expression if len(self.validations) == 1 and not self.faults else None)
        if combined is None or self.conditions or not self.policy.match.is_everything or not isinstance(combined.program, PolicyProgram):
            return None
        if any(name in self.variables for name in combined.uses):
            return None
        function = combined.program.direct_function
        return None if function is None else (function, combined.uses)

    @cached_property
    def wanted(self) -> Mapping[str, frozenset[str]]:
        """The parts of variables that the expressions name."""
        return _all_parts(self.all_expressions())

    def all_expressions(self) -> Iterator[Expression]:
        """All expressions."""
        yield from self.expressions()
        yield from (entry.expression for entry in self.fill_ins)

    @property
    def types(self) -> PolicyTypes:
        """The types of the variables and of their parts."""
        return self._scope.types

    def expressions(self) -> Iterator[Expression]:
        """The expressions that decide whether an object is right."""
        yield from (expression for _, expression in self.conditions)
        yield from self.variables.values()
        for entry in self.validations:
            yield entry.expression
            if entry.message is not None:
                yield entry.message

    @cached_property
    def is_about_changes(self) -> bool:
        """Whether it is about the change instead of the object, so that a stored object can't be judged by itself."""
        names = {name for expression in self.expressions() for name in expression.uses}
        is_of_update = self.policy.match.operations == ["UPDATE"]
        of_request = _all_parts(self.expressions()).get(REQUEST, _NOTHING)
        return is_of_update or not names.isdisjoint(_OF_CHANGES) or not of_request.isdisjoint(_OF_REQUESTS)


def _all_parts(expressions: Iterable[Expression]) -> Mapping[str, frozenset[str]]:
    """The parts of variables that any expression names."""
    found: dict[str, frozenset[str]] = {}
    for expression in expressions:
        for name, parts in _parts(expression.compiled.checked.root).items():
            found[name] = found.get(name, frozenset()) | parts
    return found


def _parts(root: Expr) -> Mapping[str, frozenset[str]]:
    """The parts of the variables in `_IN_PARTS` that an expression names; all parts of a variable that it uses as a whole."""
    found: dict[str, set[str]] = {name: set() for name in _IN_PARTS}
    selected: set[int] = set()
    names_origins = False
    for node in walk(root):
        name, part = _selected(node)
        if part:
            names_origins |= part in _ORIGIN_FIELDS
            if name in found:
                found[name].add(part)
                selected.update(id(child) for child in children(node))
        if isinstance(node, Ident) and node.reference in found and id(node) not in selected:
            found[node.reference] |= _IN_PARTS[node.reference]
    if names_origins or "values" in found[EFFECTIVE]:
        found[EFFECTIVE].add(ORIGINS)
    return {name: frozenset(parts) for name, parts in found.items()}


def _selected(node: Expr) -> tuple[str, str]:
    """The variable and the field of a select of either form; the field is empty if the node isn't a select."""
    if isinstance(node, Select):
        operand, part = node.operand, node.field
    elif isinstance(node, Call) and node.function == "_?._" and isinstance(node.args[1], Literal):
        operand, part = node.args[0], str(node.args[1].value)
    else:
        return "", ""
    return (operand.reference or "" if isinstance(operand, Ident) else ""), part


def wanted_of(policies: Sequence[CompiledPolicy]) -> Mapping[str, frozenset[str]]:
    """The parts of variables that any of the policies names."""
    return {name: frozenset().union(*(policy.wanted.get(name, ()) for policy in policies)) for name in _IN_PARTS}
