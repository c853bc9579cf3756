"""Finds what has another meaning in the server in an expression of the configuration, or what the server lacks.

The server knows no schema when it runs the expressions of a policy: dates and durations are texts there, lists are equal only in the same
order, and a number has the type that its JSON gives it. Source: k8s.io/apiserver pkg/admission/plugin/cel/{compile,condition}.go, 1.37.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from weighbridge.policies.cel.syntax.nodes import Call, Comprehension, Expr, Ident, Literal, Select, walk
from weighbridge.policies.cel.values.declared import DeclaredType
from weighbridge.policies.cel.values.types import Kind, Type, unwrapped
from weighbridge.policies.user_policies.compiled_policy import Expression
from weighbridge.policies.user_policies.vocabulary import CLUSTER, EFFECTIVE, NAMESPACE, NOW, OBJECT, OLD, PLACEMENT, REQUEST, PolicyTypes

#: Variables that the server doesn't have.
_OURS: Final = (EFFECTIVE, PLACEMENT, CLUSTER, NOW)
_OF_OBJECTS: Final = (OBJECT, OLD)
#: Functions and overloads that the server doesn't have, as users write them.
_OVERLOADS: Final = {"string_to_image": "image()", "is_image_string": "isImage()", "int_to_quantity": "quantity() of a whole number"}
_READ_AS_TEXT: Final = {Kind.TIMESTAMP: "date", Kind.DURATION: "duration", Kind.BYTES: "base64"}
_COMPARISONS: Final = frozenset({"_<_", "_<=_", "_>_", "_>=_", "_==_", "_!=_"})
_EQUALITIES: Final = frozenset({"_==_", "_!=_", "_+_", "@in", "distinct", "indexOf", "lastIndexOf", "contains", "intersects", "equivalent"})
#: Fields of the request that the server leaves out if they are empty, as they are for a resource itself.
_LEFT_OUT: Final = frozenset({"subResource"})


def words_of_ours(expression: Expression) -> Iterator[str]:
    """The variables and functions of an expression that the server lacks."""
    if expression.compiled.looks_up:
        yield CLUSTER
    for node in walk(expression.compiled.checked.root):
        if isinstance(node, Ident) and node.reference in _OURS:
            yield node.reference
        yield from (_OVERLOADS[overload] for overload in node.overloads if overload in _OVERLOADS)


def differences(expression: Expression, types: PolicyTypes, *, is_namespaced: bool) -> Iterator[str]:
    """Why an expression that both can evaluate may have another value in the server."""
    root = expression.compiled.checked.root
    compared = {id(arg) for node in walk(root) if isinstance(node, Call) and _is_for_numbers(node) for arg in node.args}
    for node in walk(root):
        if isinstance(node, Comprehension) and {node.variable, node.second_variable} & {*_OF_OBJECTS, "variables"}:
            yield f"names a variable of a macro {node.variable}, which is a word of its own; choose another name"
        read = _field(node)
        if read is not None:
            yield from _of_field(*read, node, types, is_compared=id(node) in compared, is_namespaced=is_namespaced)
        if isinstance(node, Call) and node.function.rpartition(".")[2] in _EQUALITIES:
            yield from _of_equality(node, types)


def names_namespace(expression: Expression) -> bool:
    """Whether an expression reads the namespace, which the server gives only to validations."""
    return NAMESPACE in expression.uses


def _is_for_numbers(node: Call) -> bool:
    return node.function in _COMPARISONS or node.function == "double"


def _field(node: Expr) -> tuple[str, str] | None:
    """The struct and the field that a node reads; `None` if it reads none."""
    if isinstance(node, Select):
        operand, name = node.operand, node.field
    elif isinstance(node, Call) and node.function == "_?._" and isinstance(node.args[1], Literal):
        operand, name = node.args[0], str(node.args[1].value)
    else:
        return None
    if operand.type is None:
        return None
    type_, _ = unwrapped(operand.type)
    return (type_.name, name) if type_.kind is Kind.STRUCT else None


def _of_field(struct: str, name: str, node: Expr, types: PolicyTypes, *, is_compared: bool, is_namespaced: bool) -> Iterator[str]:
    root = struct.partition(".")[0]
    if struct == REQUEST and (name in _LEFT_OUT or (name == "namespace" and not is_namespaced)):
        yield f"reads request.{name}, which the API server leaves out where it is empty"
    declared = types.declared_as(struct) if root in _OF_OBJECTS else None
    if declared is None:
        return
    place = f"{struct.replace('.@idx', '[]').replace('.@elem', '[]')}.{name}"
    if declared.property_of(name) != name:
        yield f"reads {place} by an escaped name, which the API server reads as it is written"
    if (isinstance(node, Select) and node.test_only) or node.type is None:
        return
    kinds = set(_kinds(node.type))
    for kind in kinds & _READ_AS_TEXT.keys():
        yield f"reads {place} as a {_READ_AS_TEXT[kind]}, which to the API server is a text"
    if Kind.DOUBLE in kinds and not is_compared:
        yield f"reads the number {place}, which to the API server may be a whole one; write double({place})"


def _kinds(type_: Type) -> Iterator[Kind]:
    yield type_.kind
    for parameter in type_.parameters:
        yield from _kinds(parameter)


def _of_equality(node: Call, types: PolicyTypes) -> Iterator[str]:
    """The differences of comparisons: by the schema here, and by JSON in the server."""
    if any(arg.type is not None and arg.type.kind is Kind.NULL for arg in node.args):
        return
    for operand in [*([node.target] if node.target is not None else []), *node.args]:
        by_schema = [declared for declared in _structs(operand.type, types) if not declared.is_plain]
        read = _field(operand)
        if read is not None and read[0].partition(".")[0] in _OF_OBJECTS and node.function != "@in":
            holder = types.declared_as(read[0])
            found = holder.properties.get(read[1]) if holder is not None else None
            by_schema += [found] if found is not None and _has_parts(found) and not found.is_plain else []
        if by_schema:
            yield "compares lists or objects as their schema says, and the API server knows no schema"
            return


def _has_parts(declared: DeclaredType) -> bool:
    return declared.shape.name in ("OBJECT", "MAP", "LIST")


def _structs(type_: Type | None, types: PolicyTypes) -> Iterator[DeclaredType]:
    if type_ is None:
        return
    if type_.kind is Kind.STRUCT and type_.name.partition(".")[0] in _OF_OBJECTS:
        found = types.declared_as(type_.name)
        if found is not None:
            yield found
    for parameter in type_.parameters:
        yield from _structs(parameter, types)


def is_surely_bool(root: Expr) -> bool:
    """Whether the server, too, can infer that an expression gives a bool; for the server a field can have any type."""
    while isinstance(root, Call) and root.function == "_?_:_":
        root = root.args[1]
    if isinstance(root, Select):
        return root.test_only
    return not isinstance(root, Ident) and not (isinstance(root, Call) and root.function in ("_[_]", "orValue", "value"))
