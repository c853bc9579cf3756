"""Finds the type of every node and the overloads of every call.

The checker writes its results on the nodes and reports errors to the issues. After an error it goes on with dyn or an error type, so that
one mistake gives one message. Source: cel-go's `checker/checker.go`, with `CrossTypeNumericComparisons`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from weighbridge.policies.cel.check import errors
from weighbridge.policies.cel.check.environment import Environment
from weighbridge.policies.cel.check.unify import Substitution, more_general
from weighbridge.policies.cel.library.overload import Function, Overload
from weighbridge.policies.cel.syntax.errors import Issues
from weighbridge.policies.cel.syntax.nodes import (
    Call,
    Comprehension,
    Expr,
    Ident,
    ListLiteral,
    Literal,
    MapEntry,
    MapLiteral,
    Missing,
    Select,
    StructLiteral,
    qualified_name,
    walk,
)
from weighbridge.policies.cel.values import types
from weighbridge.policies.cel.values.types import Kind, Type, list_of, map_of, optional_of, unwrapped
from weighbridge.policies.cel.values.values import Uint
from weighbridge.policies.ground.records import dataclass, field
from weighbridge.policies.ground.server_release import release

_LITERAL_TYPES: Final[dict[type, Type]] = {
    bool: types.BOOL, int: types.INT, Uint: types.UINT, float: types.DOUBLE, str: types.STRING, bytes: types.BYTES,
    type(None): types.NULL,
}  # fmt: skip


def check(root: Expr, environment: Environment, issues: Issues) -> None:
    """Write the type of every node on it, and what names and calls refer to; the result is unusable if `issues` has grown."""
    checker = _Checker(environment, issues)
    checker.check(root)
    for node in walk(root):
        if node.type is not None:
            node.type = checker.settled(node.type)


@dataclass(slots=True)
class _Scope:
    """The variables of one comprehension, and the scope around it."""

    variables: dict[str, Type]
    outer: _Scope | None = field(default=None)

    def find(self, name: str) -> Type | None:
        scope: _Scope | None = self
        while scope is not None:
            found = scope.variables.get(name)
            if found is not None:
                return found
            scope = scope.outer
        return None


class _Checker:
    """The state of checking one expression."""

    def __init__(self, environment: Environment, issues: Issues) -> None:
        self._environment = environment
        self._issues = issues
        self._substitution = Substitution()
        self._free = 0
        self._scope = _Scope({})

    def settled(self, type_: Type) -> Type:
        """A type in which known type parameters are replaced by their types, and the others by dyn."""
        return self._substitution.apply(type_, unbound_to_dyn=True)

    def check(self, node: Expr) -> None:
        """Find the type of one node and all below it."""
        _CHECKS[node.__class__](self, node)

    def _type(self, node: Expr) -> Type:
        return node.type or types.ERROR

    def _fits(self, source: Type, target: Type) -> bool:
        found = self._substitution.assignable(source, target)
        if found is not None:
            self._substitution = found
        return found is not None

    def _free_type(self) -> Type:
        self._free += 1
        return types.parameter(f"_var{self._free - 1}")

    def _mismatch(self, node: Expr, expected: Type, found: Type) -> None:
        self._issues.report(node.offset, errors.type_mismatch(str(expected), str(found)))

    # --- names ---

    def _lookup(self, name: str) -> Type | None:
        plain = name.removeprefix(".")
        local = None if self._leaves_scopes(name) else self._scope.find(plain)
        return local or self._environment.variable(plain)

    def _leaves_scopes(self, name: str) -> bool:
        """Whether a dot before the name excludes the variables of macros."""
        return name.startswith(".") and release().leaves_scopes

    def literal(self, node: Literal) -> None:
        node.type = _LITERAL_TYPES[node.value.__class__]

    def ident(self, node: Ident) -> None:
        found = self._lookup(node.name)
        if found is None:
            node.type = types.ERROR
            self._issues.report(node.offset, errors.undeclared_reference(node.name))
            return
        node.type = found
        plain = node.name.removeprefix(".")
        node.reference = node.name if self._leaves_scopes(node.name) and self._scope.find(plain) else plain

    def missing(self, node: Missing) -> None:
        node.type = types.ERROR

    def select(self, node: Select) -> None:
        if not node.test_only:
            name = qualified_name(node)
            found = None if name is None else self._qualified(name)
            if found is not None and name is not None:
                node.type = found
                node.reference = name.removeprefix(".")
                return
        result = self._field_type(node, node.operand, node.field, optional=False)
        node.type = types.BOOL if node.test_only else self._substitution.apply(result)

    def _qualified(self, name: str) -> Type | None:
        """The type of a dotted name, if the environment declares it."""
        return self._environment.variable(name.removeprefix("."))

    def _field_type(self, node: Expr, operand: Expr, name: str, *, optional: bool) -> Type:
        self.check(operand)
        target, is_optional = unwrapped(self._substitution.apply(self._type(operand)))
        result = types.ERROR
        if target.kind is Kind.MAP:
            result = target.parameters[1]
        elif target.kind is Kind.STRUCT:
            result = self._struct_field(node, target, name)
        elif target.kind is Kind.PARAMETER:
            self._fits(types.DYN, target)
            result = types.DYN
        else:
            if target.kind not in (Kind.DYN, Kind.ERROR):
                self._issues.report(node.offset, errors.no_field_selection(str(target)))
            result = types.DYN
        return optional_of(result) if is_optional or optional else result

    def _struct_field(self, node: Expr, struct: Type, name: str) -> Type:
        if not self._environment.has_struct(struct.name):
            self._issues.report(node.offset, errors.failed_resolution(struct.name))
            return types.ERROR
        found = self._environment.field(struct.name, name)
        if found is None:
            self._issues.report(node.offset, errors.undefined_field(name))
            return types.ERROR
        return found

    # --- calls ---

    def call(self, node: Call) -> None:
        if node.function == "_?._":
            self._optional_select(node)
            return
        for arg in node.args:
            self.check(arg)
        if node.target is None:
            self._global_call(node, node.function.removeprefix("."))
            return
        prefix = qualified_name(node.target)
        if prefix is not None:
            qualified = f"{prefix}.{node.function}".removeprefix(".")
            function = self._environment.functions.get(qualified)
            if function is not None:
                node.function, node.target = qualified, None
                self._resolve(node, function, node.args)
                return
        self.check(node.target)
        function = self._environment.functions.get(node.function)
        if function is None:
            self._undeclared(node)
        else:
            self._resolve(node, function, [node.target, *node.args])

    def _global_call(self, node: Call, name: str) -> None:
        function = self._environment.functions.get(name)
        if function is None:
            self._undeclared(node)
            return
        node.function = name
        self._resolve(node, function, node.args)

    def _undeclared(self, node: Call) -> None:
        node.type = types.ERROR
        self._issues.report(node.offset, errors.undeclared_reference(node.function))

    def _optional_select(self, node: Call) -> None:
        operand, name = node.args
        assert isinstance(name, Literal)  # noqa: S101 - the parser makes no other
        name.type = types.STRING
        result = self._field_type(node, operand, name.value, optional=True)
        node.type = self._substitution.apply(result)
        node.overloads = ("select_optional_field",)

    def _resolve(self, node: Call, function: Function, args: list[Expr]) -> None:
        if function.name in ("_&&_", "_||_"):
            self._logical(node, function, args)
            return
        arg_types = [self._type(arg) for arg in args]
        found: list[str] = []
        result: Type | None = None
        for overload in function.overloads:
            if overload.member is not (node.target is not None):
                continue
            parameters, overload_result = self._instance(overload)
            fitting = self._substitution.all_assignable(arg_types, parameters)
            if fitting is None:
                continue
            self._substitution = fitting
            found.append(overload.id)
            candidate = fitting.apply(overload_result)
            if result is None:
                result = candidate
            elif not result.is_dyn and candidate != result:
                result = types.DYN
        if result is None:
            texts = [str(self.settled(type_)) for type_ in arg_types]
            message = errors.no_matching_overload(function.name, texts, member=node.target is not None)
            self._issues.report(node.offset, message)
            result = types.ERROR
        node.type = result
        node.overloads = tuple(found)

    def _logical(self, node: Call, function: Function, args: list[Expr]) -> None:
        sound = True
        for arg in args:
            if not self._fits(self._type(arg), types.BOOL):
                self._mismatch(arg, types.BOOL, self._type(arg))
                sound = False
        node.type = types.BOOL if sound else types.ERROR
        node.overloads = (function.overloads[0].id,)

    def _instance(self, overload: Overload) -> tuple[list[Type], Type]:
        """An overload's signature with fresh type parameters."""
        names = {inner for type_ in (overload.result, *overload.parameters) for inner in _parameters(type_)}
        if not names:
            return list(overload.parameters), overload.result
        fresh = Substitution({name: self._free_type() for name in sorted(names, key=lambda name: name.name)})
        return [fresh.apply(type_) for type_ in overload.parameters], fresh.apply(overload.result)

    # --- literals ---

    def list_literal(self, node: ListLiteral) -> None:
        element: Type | None = None
        for index, part in enumerate(node.elements):
            self.check(part)
            found = self._type(part)
            if index in node.optional:
                found = self._optional_part(part, found)
            element = self._joined(element, found)
        node.type = list_of(element or self._free_type())

    def map_literal(self, node: MapLiteral) -> None:
        key: Type | None = None
        value: Type | None = None
        for entry in node.entries:
            self.check(entry.key)
            key = self._joined(key, self._type(entry.key))
            self.check(entry.value)
            found = self._type(entry.value)
            if entry.optional:
                found = self._optional_part(entry.value, found)
            value = self._joined(value, found)
        node.type = map_of(key or self._free_type(), value or self._free_type())

    def _optional_part(self, node: Expr, found: Type) -> Type:
        inner, is_optional = unwrapped(found)
        if not is_optional and not inner.is_dyn:
            self._mismatch(node, optional_of(inner), inner)
        return inner

    def _joined(self, previous: Type | None, current: Type) -> Type:
        """The common type of several parts, or dyn if they differ. `validators` refuses such literals, except where they are allowed."""
        if previous is None:
            return current
        return more_general(previous, current) if self._fits(previous, current) else types.DYN

    def struct_literal(self, node: StructLiteral) -> None:
        found = self._environment.variable(node.name.removeprefix("."))
        if found is None or (release().resolves_types_alone and found.kind is not Kind.TYPE):
            node.type = types.ERROR
            self._issues.report(node.offset, errors.undeclared_reference(node.name))
            return
        node.type = types.ERROR
        if found.kind is not Kind.TYPE:
            self._issues.report(node.offset, errors.not_a_type(str(found)))
        elif self._environment.has_struct(found.parameters[0].name):
            node.type = found.parameters[0]
            node.reference = node.type.name
        else:
            self._issues.report(node.offset, errors.not_a_message_type(found.parameters[0].name))
        for entry in node.entries:
            self.check(entry.value)
            if node.type.kind is Kind.STRUCT:
                self._struct_entry(node.type.name, entry)

    def _struct_entry(self, struct: str, entry: MapEntry) -> None:
        name = entry.key.value if isinstance(entry.key, Literal) else ""
        wanted = self._environment.field(struct, name)
        found = self._type(entry.value)
        if entry.optional:
            found = self._optional_part(entry.value, found)
        if wanted is None or not self._fits(found, wanted):
            printed = "" if wanted is None else str(wanted)
            self._issues.report(entry.offset, errors.field_type_mismatch(name, printed, str(self._substitution.apply(found))))

    # --- comprehensions ---

    def comprehension(self, node: Comprehension) -> None:
        self.check(node.range)
        self.check(node.initial)
        range_type = self._substitution.apply(self._type(node.range))
        accumulated = self._type(node.initial)
        self._scope = _Scope({node.accumulator: accumulated}, self._scope)
        first, second = self._iteration_types(node, range_type)
        variables = {node.variable: first}
        if node.second_variable:
            variables[node.second_variable] = second
        self._scope = _Scope(variables, self._scope)
        self.check(node.condition)
        self._assert(node.condition, types.BOOL)
        self.check(node.step)
        self._assert(node.step, accumulated)
        self._scope = self._scope.outer or self._scope
        self.check(node.result)
        self._scope = self._scope.outer or self._scope
        node.type = self._substitution.apply(self._type(node.result))

    def _assert(self, node: Expr, wanted: Type) -> None:
        if not self._fits(wanted, self._type(node)):
            self._mismatch(node, wanted, self._type(node))

    def _iteration_types(self, node: Comprehension, range_type: Type) -> tuple[Type, Type]:
        """The types of the variables; with one variable a list gives its elements and a map its keys."""
        if range_type.kind is Kind.LIST:
            element = range_type.parameters[0]
            return (types.INT, element) if node.second_variable else (element, types.ERROR)
        if range_type.kind is Kind.MAP:
            return range_type.parameters[0], range_type.parameters[1]
        if range_type.kind in (Kind.DYN, Kind.ERROR, Kind.PARAMETER):
            self._fits(types.DYN, range_type)
            return types.DYN, types.DYN
        self._issues.report(node.range.offset, errors.not_a_range(str(range_type)))
        return types.ERROR, types.ERROR


def _parameters(type_: Type) -> set[Type]:
    if type_.kind is Kind.PARAMETER:
        return {type_}
    return {name for inner in type_.parameters for name in _parameters(inner)}


_CHECKS: Final[dict[type, Callable[..., None]]] = {
    Literal: _Checker.literal,
    Ident: _Checker.ident,
    Missing: _Checker.missing,
    Select: _Checker.select,
    Call: _Checker.call,
    ListLiteral: _Checker.list_literal,
    MapLiteral: _Checker.map_literal,
    StructLiteral: _Checker.struct_literal,
    Comprehension: _Checker.comprehension,
}
