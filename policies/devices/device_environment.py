"""The CEL environment of device selectors: the libraries of stored rules, the variable `device`, and `cel.bind`.

An attribute's type is known only when it is read; until then it fits anywhere, except that before 1.37 no macro runs over it. A selector
must give a bool, or an attribute, which may turn out to be one. Source: k8s.io/dynamic-resource-allocation v0.36 and v0.37, cel/compile.go;
cel-go ext/bindings.go.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Final

from weighbridge.policies.cel.check import errors
from weighbridge.policies.cel.check.checked import Checked
from weighbridge.policies.cel.check.checker import check
from weighbridge.policies.cel.check.environment import Environment, environment_of
from weighbridge.policies.cel.check.validators import validate
from weighbridge.policies.cel.library import LIBRARIES, lists, quantity
from weighbridge.policies.cel.library.overload import Library
from weighbridge.policies.cel.syntax.errors import Issues
from weighbridge.policies.cel.syntax.nodes import (
    Call,
    Comprehension,
    Expr,
    Ident,
    ListLiteral,
    Literal,
    MapLiteral,
    Missing,
    Select,
    StructLiteral,
    walk,
)
from weighbridge.policies.cel.syntax.parser import parse
from weighbridge.policies.cel.syntax.source import Source
from weighbridge.policies.cel.values import types
from weighbridge.policies.cel.values.access import elements, is_list
from weighbridge.policies.cel.values.declared import JSON_TYPE, SelfTypes
from weighbridge.policies.cel.values.equality import contains, equal
from weighbridge.policies.cel.values.types import Kind, Type
from weighbridge.policies.cel.values.values import CelError, Value
from weighbridge.policies.devices.device_values import DomainMap
from weighbridge.policies.ground.server_release import ServerRelease, release

#: The type of an attribute before 1.37, which acts like dyn.
ANY: Final = Type(Kind.DYN, "any")
DEVICE: Final = types.struct("kubernetes.DRADevice")
_FIELDS: Final = {
    "driver": types.STRING,
    "allowMultipleAllocations": types.BOOL,
    "capacity": types.map_of(types.STRING, types.map_of(types.STRING, quantity.TYPE)),
}
_BIND_NAME: Final = "cel.bind() variable names must be simple identifiers"


class SelectorError(ValueError):
    """A text isn't a valid selector; the message is the scheduler's."""


class _DeviceTypes(SelfTypes):
    """The only struct: the device, with the type of its attributes."""

    def __init__(self, attribute: Type) -> None:
        super().__init__(JSON_TYPE)
        self._fields = {**_FIELDS, "attributes": types.map_of(types.STRING, types.map_of(types.STRING, attribute))}

    def has_struct(self, name: str) -> bool:
        return name == DEVICE.name

    def field(self, struct: str, identifier: str, *, keywords: bool = True) -> Type | None:
        return self._fields.get(identifier) if struct == DEVICE.name else None


def device_environment() -> Environment:
    """The environment of every selector."""
    return _environment(release())


@cache
def _environment(server: ServerRelease) -> Environment:
    # Before the function `includes` existed for rules, selectors had their own.
    own = () if server.reads_attribute_lists else (_INCLUDES,)
    found = environment_of((*(library for library in LIBRARIES if not own or library is not lists.MEMBERSHIP), *own))
    found.functions["@in"].singleton = _is_in
    return found.with_variables({"device": DEVICE}, _DeviceTypes(_attribute()))


def _attribute() -> Type:
    """The type of an attribute. A scheduler compiles stored selectors, so feature gates don't matter."""
    return types.DYN if release().reads_attribute_lists else ANY


def _includes(target: Value, wanted: Value) -> bool:
    """``attribute.includes(value)``: membership of a list, or equality."""
    if not is_list(target):
        return bool(equal(target, wanted))
    if contains(elements(target)[:_MOST_INCLUDED], wanted):
        return True
    if len(target) > _MOST_INCLUDED:
        raise CelError(f"'includes' function cannot be applied to lists longer than {_MOST_INCLUDED} values")
    return False


#: It is for list attributes, which are off in 1.36, but stored expressions may use it.
_MOST_INCLUDED: Final = 48
_INCLUDES: Final = Library(since=(1, 36))
_INCLUDES.member("includes", "dra_includes_dyn_dyn", (types.DYN, types.DYN), types.BOOL, _includes)


def _is_in(wanted: Value, container: Value) -> bool:
    return container.has(wanted) if isinstance(container, DomainMap) else contains(container, wanted)


def compile_selector(text: str) -> Checked:
    """A selector with its types. Raises SelectorError."""
    source = Source(text)
    issues = Issues(source)
    root = parse(source, issues)
    if not issues:
        root = _bind(root, issues)
    if not issues:
        check(root, device_environment(), issues)
    if not issues:
        _refuse_runs_over_attributes(root, issues)
    if not issues:
        validate(root, issues)
    if issues or root.type is None:
        raise SelectorError(f"compilation failed: {issues.display()}")
    if root.type not in (types.BOOL, _attribute()):
        raise SelectorError(f"must evaluate to bool or the unknown type, not {_go_name(root.type)}")
    return Checked(text, root, root.type, device_environment())


def _go_name(type_: Type) -> str:
    """The run-time name of a type, which differs from that in the checker's messages."""
    if type_ == ANY:
        return "google.protobuf.Any"
    return f"{type_.name}({', '.join(map(_go_name, type_.parameters))})" if type_.parameters else type_.name


def _refuse_runs_over_attributes(root: Expr, issues: Issues) -> None:
    for node in walk(root):
        if isinstance(node, Comprehension) and node.range.type == ANY:
            issues.report(node.range.offset, errors.not_a_range("any"))


def _bind(root: Expr, issues: Issues) -> Expr:
    """The tree in which every `cel.bind(name, value, body)` is a fold over an empty list whose accumulator has the name."""
    done: dict[Expr, Expr] = {}

    def bound(node: Expr) -> Expr:
        if node not in done:
            _REWRITE[type(node)](node, bound)
            done[node] = _fold(node, issues) if _is_bind(node) else node
        return done[node]

    return bound(root)


def _is_bind(node: Expr) -> bool:
    if not isinstance(node, Call) or node.function != "bind" or len(node.args) != 3:
        return False
    return isinstance(node.target, Ident) and node.target.name == "cel"


def _fold(node: Expr, issues: Issues) -> Expr:
    assert isinstance(node, Call)  # noqa: S101 - what `_is_bind` asked
    name, value, body = node.args
    if not isinstance(name, Ident):
        issues.report(name.offset, _BIND_NAME)
        return Missing(node.offset)
    nothing = ListLiteral(node.offset, [])
    # The macros that bind an optional's value have the same form, and are recognised by their name.
    return Comprehension(
        node.offset, "optMap", nothing, "#unused", "", name.name, value, Literal(node.offset, False), Ident(node.offset, name.name), body
    )


def _rewrite_call(node: Expr, bound: Callable[[Expr], Expr]) -> None:
    assert isinstance(node, Call)  # noqa: S101
    node.target = None if node.target is None else bound(node.target)
    node.args = [bound(arg) for arg in node.args]


def _rewrite_select(node: Expr, bound: Callable[[Expr], Expr]) -> None:
    assert isinstance(node, Select)  # noqa: S101
    node.operand = bound(node.operand)


def _rewrite_list(node: Expr, bound: Callable[[Expr], Expr]) -> None:
    assert isinstance(node, ListLiteral)  # noqa: S101
    node.elements = [bound(element) for element in node.elements]


def _rewrite_entries(node: Expr, bound: Callable[[Expr], Expr]) -> None:
    assert isinstance(node, (MapLiteral, StructLiteral))  # noqa: S101
    for entry in node.entries:
        entry.key, entry.value = bound(entry.key), bound(entry.value)


def _rewrite_fold(node: Expr, bound: Callable[[Expr], Expr]) -> None:
    assert isinstance(node, Comprehension)  # noqa: S101
    node.range, node.initial, node.condition = bound(node.range), bound(node.initial), bound(node.condition)
    node.step, node.result = bound(node.step), bound(node.result)


def _keep(_node: Expr, _bound: Callable[[Expr], Expr]) -> None:
    return None


_REWRITE: Final[dict[type, Callable[[Expr, Callable[[Expr], Expr]], None]]] = {
    Call: _rewrite_call,
    Select: _rewrite_select,
    ListLiteral: _rewrite_list,
    MapLiteral: _rewrite_entries,
    StructLiteral: _rewrite_entries,
    Comprehension: _rewrite_fold,
    Literal: _keep,
    Ident: _keep,
    Missing: _keep,
}
