"""The expression tree, as the parser builds it and the checker annotates it.

Nodes are compared by identity: a macro may put one node in two places, and both places then share its type. After the check every node
has a `type`; calls have the ids of the overloads that fit, and names and qualified selects the name of their declaration.
Shape of the tree: cel-go's `common/ast`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, TypeAlias

from weighbridge.policies.ground.records import dataclass, field

if TYPE_CHECKING:
    from weighbridge.policies.cel.values.types import Type
    from weighbridge.policies.cel.values.values import Value


@dataclass(slots=True, eq=False)
class Node:
    """The base of all nodes: their place, and after the check their type and the name they refer to."""

    offset: int
    type: Type | None = field(default=None, init=False)
    reference: str | None = field(default=None, init=False)
    overloads: tuple[str, ...] = field(default=(), init=False)


@dataclass(slots=True, eq=False)
class Literal(Node):
    """A constant: bool, int, Uint, float, str, bytes or None."""

    value: Value


@dataclass(slots=True, eq=False)
class Ident(Node):
    """A name."""

    name: str


@dataclass(slots=True, eq=False)
class Select(Node):
    """``operand.field``, or inside ``has()`` the test whether the field is there."""

    operand: Expr
    field: str
    test_only: bool = False


@dataclass(slots=True, eq=False)
class Call(Node):
    """A function or operator, with a receiver where it is written ``target.function(...)``."""

    function: str
    args: list[Expr]
    target: Expr | None = None


@dataclass(slots=True, eq=False)
class ListLiteral(Node):
    """``[a, ?b]``; `optional` holds the indexes of the elements marked with ``?``."""

    elements: list[Expr]
    optional: frozenset[int] = frozenset()


@dataclass(slots=True, eq=False)
class MapEntry:
    """One entry of a map or message literal; a message's key is the field's name."""

    offset: int
    key: Expr
    value: Expr
    optional: bool = False


@dataclass(slots=True, eq=False)
class MapLiteral(Node):
    """``{k: v}``."""

    entries: list[MapEntry]


@dataclass(slots=True, eq=False)
class StructLiteral(Node):
    """``Name{field: v}``."""

    name: str
    entries: list[MapEntry]


@dataclass(slots=True, eq=False)
class Comprehension(Node):
    """A fold over a list or map, which is what every macro that loops becomes.

    `macro` is the name of the macro in the text, and `accumulator` the variable that collects the result.
    """

    macro: str
    range: Expr
    variable: str
    second_variable: str
    accumulator: str
    initial: Expr
    condition: Expr
    step: Expr
    result: Expr


@dataclass(slots=True, eq=False)
class Missing(Node):
    """Replaces an expression that is missing because of an error."""


Expr: TypeAlias = Literal | Ident | Select | Call | ListLiteral | MapLiteral | StructLiteral | Comprehension | Missing

#: Macros that fold over an empty list, in order to give a value a name.
BINDING_MACROS = frozenset({"optMap", "optFlatMap", "sortBy"})

#: The hidden accumulator of the macros; no rule can write this name.
ACCUMULATOR = "@result"


def children(node: Expr) -> Iterator[Expr]:
    """The direct parts of a node, in the order they are written (or, for a fold, evaluated)."""
    if isinstance(node, Select):
        yield node.operand
    elif isinstance(node, Call):
        if node.target is not None:
            yield node.target
        yield from node.args
    elif isinstance(node, ListLiteral):
        yield from node.elements
    elif isinstance(node, MapLiteral):
        for entry in node.entries:
            yield entry.key
            yield entry.value
    elif isinstance(node, StructLiteral):
        for entry in node.entries:
            yield entry.value
    elif isinstance(node, Comprehension):
        yield from (node.range, node.initial, node.condition, node.step, node.result)


def walk(root: Expr) -> Iterator[Expr]:
    """Every node, parents first; works at any depth."""
    stack = [root]
    while stack:
        node = stack.pop()
        yield node
        stack.extend(reversed(list(children(node))))


def depth(root: Expr) -> int:
    """The number of levels of the tree."""
    deepest = 0
    stack = [(root, 1)]
    while stack:
        node, level = stack.pop()
        deepest = max(deepest, level)
        stack.extend((child, level + 1) for child in children(node))
    return deepest


def qualified_name(node: Expr) -> str | None:
    """The dotted name that a chain of plain selects on a name represents, or `None`."""
    parts: list[str] = []
    while isinstance(node, Select) and not node.test_only:
        parts.append(node.field)
        node = node.operand
    if not isinstance(node, Ident):
        return None
    return ".".join([node.name, *reversed(parts)])
