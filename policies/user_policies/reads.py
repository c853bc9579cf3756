"""The fields of the object that an expression reads."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from weighbridge.policies.cel.syntax.nodes import Call, Expr, Ident, Literal, Select, children
from weighbridge.policies.ground.objects import Path
from weighbridge.policies.user_policies.vocabulary import OBJECT

_BY_NAME: Final = frozenset({"_?._", "_[_]", "_[?_]"})


def fields_read(root: Expr) -> Iterator[Path]:
    """The paths that an expression reads. If it uses a part as a whole, or with a computed name, the path is that of the part."""
    waiting = [root]
    while waiting:
        node = waiting.pop()
        path = _path(node)
        if path is not None:
            yield path
        else:
            # The name in brackets may read the object as well.
            waiting += children(node)


def _path(node: Expr) -> Path | None:
    """The path of the object's field that a node is; `None` if it isn't one."""
    if isinstance(node, Ident):
        return () if node.reference == OBJECT else None
    if isinstance(node, Select):
        operand, name = node.operand, node.field
    elif isinstance(node, Call) and node.function in _BY_NAME and isinstance(node.args[1], Literal) and isinstance(node.args[1].value, str):
        operand, name = node.args[0], node.args[1].value
    else:
        return None
    path = _path(operand)
    return None if path is None else (*path, name)


def meet(one: Path, other: Path) -> bool:
    """Whether one of two fields is the other, or a part of it."""
    shorter = min(len(one), len(other))
    return one[:shorter] == other[:shorter]
