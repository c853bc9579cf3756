"""Prints a checked tree: each node with its type, calls with the matching overloads, names with their referents."""

from __future__ import annotations

from weighbridge.policies.cel.syntax.nodes import Call, Comprehension, Expr, Ident, ListLiteral, Literal, MapLiteral, Select, StructLiteral


def typed_tree(node: Expr) -> str:
    """``(x: int + 1: int => add_int64): int`` for ``x + 1``: operators as calls of their function."""
    return f"{_inner(node)}: {node.type}"


def _inner(node: Expr) -> str:
    if isinstance(node, Literal):
        return repr(node.value)
    if isinstance(node, Ident):
        return node.name
    if isinstance(node, Select):
        name = f"{typed_tree(node.operand)}.{node.field}" if node.reference is None else f"<{node.reference}>"
        return f"has({name})" if node.test_only else name
    if isinstance(node, Call):
        args = ", ".join(map(typed_tree, node.args))
        target = "" if node.target is None else f"({typed_tree(node.target)})."
        return f"{target}{node.function}({args})^{'|'.join(node.overloads)}"
    if isinstance(node, ListLiteral):
        return f"[{', '.join(map(typed_tree, node.elements))}]"
    if isinstance(node, (MapLiteral, StructLiteral)):
        return f"{{{', '.join(f'{typed_tree(entry.key)} -> {typed_tree(entry.value)}' for entry in node.entries)}}}"
    assert isinstance(node, Comprehension)
    return f"fold({node.variable} of {typed_tree(node.range)}, {typed_tree(node.step)})"
