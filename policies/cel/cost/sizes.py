"""The sizes of values that are known while a cost is estimated: from the schema, from literals, and from the results of calls.

A path leads from ``self`` to a schema node, with ``@items``, ``@values``, ``@keys`` and ``@indices`` as steps to elements.
Source: cel-go's `checker/cost.go`.
"""

from __future__ import annotations

from typing import Final

from weighbridge.policies.cel.library.ranges import MAX, ONE, UNKNOWN, Range
from weighbridge.policies.cel.syntax.nodes import Expr, Ident, ListLiteral, Literal, MapLiteral
from weighbridge.policies.cel.values.declared import DeclaredType, Shape
from weighbridge.policies.cel.values.types import DYN, Kind, Type, is_scalar
from weighbridge.policies.cel.values.values import Value
from weighbridge.policies.ground.records import dataclass


@dataclass(frozen=True, slots=True)
class Entries:
    """The sizes of a container's keys and values."""

    is_list: bool
    key: Range
    value: Range

    def union(self, other: Entries | None) -> Entries | None:
        """Ranges that include both; `None` if the other is unknown."""
        return None if other is None else Entries(self.is_list, self.key.union(other.key), self.value.union(other.value))


@dataclass(slots=True)
class Local:
    """A name bound by a comprehension."""

    path: tuple[str, ...]
    size: Range | None
    entries: Entries | None = None


#: The step from a container to its keys or values: by whether it is a list, and whether the keys are meant.
_ENTRY_STEPS: Final = {(True, True): "@indices", (False, True): "@keys", (True, False): "@items", (False, False): "@values"}


class Sizes:
    """Sizes, paths and entries of the nodes met so far, and of the names bound around the current one."""

    def __init__(self, declared: DeclaredType | None) -> None:
        self._declared = declared
        self.paths: dict[Expr, tuple[str, ...]] = {}
        self.sizes: dict[Expr, Range] = {}
        self.entries: dict[Expr, Entries] = {}
        self._locals: dict[str, list[Local]] = {}

    def local(self, name: str) -> Local | None:
        """What a name is bound to, or `None` for one that no comprehension binds."""
        found = self._locals.get(name)
        return found[-1] if found else None

    def path(self, node: Expr) -> tuple[str, ...]:
        """The path of a node's value from ``self``; empty if it has none."""
        if isinstance(node, Ident):
            local = self.local(node.name)
            if local is not None:
                return local.path
        return self.paths.get(node, ())

    def size(self, node: Expr) -> Range | None:
        """The size of a node's value, or `None` if it is unknown."""
        if node in self.sizes:
            return self.sizes[node]
        written = _written_size(node)
        if written is not None:
            return written
        declared = self.declared_size(self.path(node))
        if declared is not None:
            self.sizes[node] = declared
            return declared
        if is_scalar(node.type or DYN):
            return ONE
        local = self.local(node.name) if isinstance(node, Ident) else None
        return None if local is None else local.size

    def declared_size(self, path: tuple[str, ...]) -> Range | None:
        """The size that the schema allows at a path from ``self``."""
        if not path or self._declared is None:
            return None
        current = self._declared
        for step in path[1:]:
            following = _declared_step(current, step)
            if following is None:
                return None
            current = following
        return Range(0, 0 if current is _KEYS else current.max_elements)

    def size_or_unknown(self, node: Expr) -> Range:
        """The size, or the widest range if it is unknown."""
        return self.size(node) or UNKNOWN

    def entries_of(self, node: Expr) -> Entries | None:
        """The sizes of a container's keys and values, or `None` if they are unknown."""
        if node in self.entries:
            return self.entries[node]
        local = self.local(node.name) if isinstance(node, Ident) else None
        return None if local is None else local.entries

    def bind(self, name: str, node: Expr) -> None:
        """Bind a name to the value of a node, until `unbind`."""
        self._push(name, Local(self.path(node), self.size(node), self.entries_of(node)))

    def _push(self, name: str, local: Local) -> None:
        self._locals.setdefault(name, []).append(local)

    def unbind(self, name: str) -> None:
        """Forget the innermost binding of a name."""
        self._locals[name].pop()

    def runs_over_list(self, node: Expr) -> bool:
        """Whether a container is known to be a list."""
        entries = self.entries_of(node)
        return (node.type or DYN).kind is Kind.LIST if entries is None else entries.is_list

    def bind_entry(self, name: str, over: Expr, *, wants_key: bool) -> None:
        """Bind a name to the keys or the values that a comprehension runs over."""
        entries = self.entries_of(over)
        is_list = self.runs_over_list(over)
        step = _ENTRY_STEPS[is_list, wants_key]
        size = None if entries is None else entries.key if wants_key else entries.value
        self._push(name, Local((*self.path(over), step), size))


#: Marks the keys of a map, which have no declaration.
_KEYS: Final = DeclaredType.__new__(DeclaredType)


def _declared_step(current: DeclaredType, step: str) -> DeclaredType | None:
    if current is _KEYS:
        return None
    if step in ("@items", "@values"):
        return current.element if current.shape in (Shape.LIST, Shape.MAP) else None
    if step == "@keys":
        return _KEYS if current.shape is Shape.MAP else None
    if current.shape is not Shape.OBJECT:
        return None
    name = current.fields.get(step)
    return None if name is None else current.properties[name]


def _written_size(node: Expr) -> Range | None:
    """The size of a literal."""
    if isinstance(node, Literal):
        return Range.of(len(node.value)) if isinstance(node.value, (str, bytes)) else ONE
    if isinstance(node, ListLiteral):
        return Range.of(len(node.elements))
    return Range.of(len(node.entries)) if isinstance(node, MapLiteral) else None


class Arguments:
    """What an overload's estimate can ask about its arguments, receiver first."""

    def __init__(self, sizes: Sizes, args: list[Expr]) -> None:
        self._sizes = sizes
        self._args = args

    def __len__(self) -> int:
        return len(self._args)

    def size(self, index: int) -> Range:
        """The size of an argument."""
        return self._sizes.size_or_unknown(self._args[index])

    def type(self, index: int) -> Type:
        """The type of an argument."""
        return self._args[index].type or DYN

    def element_type(self, index: int) -> Type | None:
        """The type of a list's elements."""
        parameters = self.type(index).parameters
        return parameters[0] if parameters else None

    def element_size(self, index: int) -> Range | None:
        """The size of a list's elements, as far as the schema says."""
        if self.element_type(index) is None:
            return None
        path = self._sizes.path(self._args[index])
        if path[:1] == ("@result",):
            path = ()
        found = self._sizes.declared_size((*path, "@items")) if path else None
        return found or Range(0, MAX)

    def constant(self, index: int) -> Value:
        """The value of an argument that is a literal."""
        node = self._args[index]
        return node.value if isinstance(node, Literal) else None
