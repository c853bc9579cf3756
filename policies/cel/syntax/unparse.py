"""Prints a tree back as CEL, for the comments of generated code and for explanations; macros are printed as they were written."""

from __future__ import annotations

from typing import Final

from weighbridge.policies.cel.syntax.nodes import (
    BINDING_MACROS,
    Call,
    Comprehension,
    Expr,
    Ident,
    ListLiteral,
    Literal,
    MapLiteral,
    Select,
    StructLiteral,
)
from weighbridge.policies.ground.go_text import quote

_OPERATORS: Final = {
    "_+_": "+", "_-_": "-", "_*_": "*", "_/_": "/", "_%_": "%", "_==_": "==", "_!=_": "!=", "_<_": "<", "_<=_": "<=", "_>_": ">",
    "_>=_": ">=", "_&&_": "&&", "_||_": "||", "@in": "in",
}  # fmt: skip
_DEEPEST: Final = 12


def unparse(node: Expr, levels: int = _DEEPEST) -> str:
    """The expression's text; parts deeper than `levels` are left out."""
    if levels == 0:
        return "…"
    if isinstance(node, Literal):
        return _literal(node)
    if isinstance(node, Ident):
        return node.name
    if isinstance(node, Select):
        text = f"{unparse(node.operand, levels - 1)}.{node.field}"
        return f"has({text})" if node.test_only else text
    if isinstance(node, Call):
        return _call(node, levels - 1)
    if isinstance(node, ListLiteral):
        return f"[{', '.join(unparse(element, levels - 1) for element in node.elements)}]"
    if isinstance(node, (MapLiteral, StructLiteral)):
        inner = ", ".join(f"{unparse(e.key, levels - 1)}: {unparse(e.value, levels - 1)}" for e in node.entries)
        return f"{node.name if isinstance(node, StructLiteral) else ''}{{{inner}}}"
    return _comprehension(node, levels - 1) if isinstance(node, Comprehension) else "…"


def _literal(node: Literal) -> str:
    value = node.value
    if isinstance(value, str):
        return quote(value)
    if isinstance(value, bytes):
        return repr(value)
    return "null" if value is None else str(value).lower() if isinstance(value, bool) else repr(value)


def _call(node: Call, levels: int) -> str:
    args = [unparse(arg, levels) for arg in node.args]
    function = node.function
    if function in _OPERATORS and len(args) == 2:
        return f"({args[0]} {_OPERATORS[function]} {args[1]})"
    if function == "_?_:_":
        return f"({args[0]} ? {args[1]} : {args[2]})"
    if function in ("!_", "-_"):
        return f"{function[0]}{args[0]}"
    if function in ("_[_]", "_[?_]"):
        return f"{args[0]}[{'?' if function == '_[?_]' else ''}{args[1]}]"
    if function == "_?._":
        return f"{args[0]}.?{args[1].strip(chr(34))}"
    target = "" if node.target is None else f"{unparse(node.target, levels)}."
    return f"{target}{function}({', '.join(args)})"


def _comprehension(node: Comprehension, levels: int) -> str:
    variables = node.variable + (f", {node.second_variable}" if node.second_variable else "")
    if node.macro in BINDING_MACROS:
        return f"{node.macro}({node.accumulator}, {unparse(node.result, levels)})"
    body = node.step.args[-1] if node.macro in ("all", "exists") and isinstance(node.step, Call) else node.step
    return f"{unparse(node.range, levels)}.{node.macro}({variables}, {unparse(body, levels)})"
