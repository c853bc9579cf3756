"""The common base of both emitters: the function that is being written, names in scope, and parts that are moved out.

Python limits nesting (20 loops, 100 levels of indentation). A part that would come near a limit is written as a separate function. It takes
the variables in scope and the cost so far, and returns its value and the new cost.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

from weighbridge.policies.cel.check.checked import Checked
from weighbridge.policies.cel.emit.constants import Constants
from weighbridge.policies.cel.syntax.nodes import Call, Expr, Ident, Select
from weighbridge.policies.cel.syntax.unparse import unparse
from weighbridge.policies.cel.values.types import Kind
from weighbridge.policies.codegen import SourceWriter
from weighbridge.policies.ground.records import dataclass, field

_MOST_LEVELS: Final = 24
_MOST_LOOPS: Final = 6
#: How deep parts may nest while they are written, which takes stack frames here.
_MOST_PARTS: Final = 60
_COMMENT: Final = 70


@dataclass(slots=True)
class Scope:
    """CEL names in scope and their bindings; inner names hide outer ones."""

    bindings: dict[str, Any]
    outer: Scope | None = field(default=None)

    def find(self, name: str) -> Any:
        """The binding of a name; with a dot before it, that outside of all scopes. KeyError if there is none."""
        if name.startswith("."):
            return self._outermost().find(name[1:])
        scope: Scope | None = self
        while scope is not None:
            if name in scope.bindings:
                return scope.bindings[name]
            scope = scope.outer
        raise KeyError(name)

    def _outermost(self) -> Scope:
        scope = self
        while scope.outer is not None:
            scope = scope.outer
        return scope


class Emitter(ABC):
    """Writes the functions of one expression."""

    def __init__(self, checked: Checked, constants: Constants, writer: SourceWriter, environment: dict[str, object]) -> None:
        self.checked = checked
        self.constants = constants
        self.writer = writer
        self.functions = checked.environment.functions
        self.scope = Scope({})
        self._known = {id(value): name for name, value in environment.items()}
        self._levels = 0
        self._loops = 0
        self._parts = 0
        self._moved: list[tuple[str, Expr, Scope, list[str]]] = []

    # --- writing ---

    def line(self, code: str, node: Expr | None = None) -> None:
        """One statement, with its expression as a comment."""
        self.writer.line(code, "" if node is None else fragment(node))

    @contextmanager
    def block(self, header: str, node: Expr | None = None) -> Iterator[None]:
        """A compound statement."""
        self._levels += 1
        with self.writer.block(header, "" if node is None else fragment(node)):
            yield
        self._levels -= 1

    @contextmanager
    def loop(self, header: str, node: Expr | None = None) -> Iterator[None]:
        """A loop."""
        self._loops += 1
        with self.block(header, node):
            yield
        self._loops -= 1

    @contextmanager
    def scoped(self, bindings: dict[str, Any]) -> Iterator[None]:
        """More names in scope."""
        outer = self.scope
        self.scope = Scope(bindings, outer)
        yield
        self.scope = outer

    def name_of(self, function: object) -> str:
        """The name by which generated code calls a function: its own if the environment has it, else that of a constant."""
        return self._known.get(id(function)) or self.writer.constant(function)

    # --- chains of selects and indexes ---

    def steps_of(self, node: Expr) -> tuple[Expr, list[Expr]]:
        """The base of a chain of steps, and the steps."""
        steps: list[Expr] = []
        while is_step(node) and node not in self.constants:
            steps.append(node)
            node = stepped_into(node)
        return node, steps[::-1]

    def write_step(self, step: Expr, key: str, value: str, state: str, paid: str) -> None:
        """Write one step of a chain that may end in nothing or in an error.

        The step leads from value and state to the next value and state, and adds its cost to `paid`.
        """
        if isinstance(step, Select) and step.test_only:
            call = f"presence({value}, {state}, {key})"
        else:
            is_optional = isinstance(step, Call) and step.function != "_[_]"
            call = f"step({value}, {state}, {key}{', optional=True' if is_optional else ''})"
        self.line(f"{value}, {state}, {paid} = {call}", step)

    # --- parts that nest too deep ---

    def is_too_deep(self) -> bool:
        """Whether the next part should become a separate function."""
        return self._levels >= _MOST_LEVELS or self._loops >= _MOST_LOOPS or self._parts >= _MOST_PARTS

    @contextmanager
    def part(self) -> Iterator[None]:
        """Count one level of nesting within the block."""
        self._parts += 1
        yield
        self._parts -= 1

    def move_out(self, node: Expr) -> str:
        """Queue `node` to be written as a function. Returns the call that replaces it."""
        name = self.writer.fresh("part")
        names = self.python_names()
        self._moved.append((name, node, self.scope, names))
        return f"{name}({', '.join(['cost', 'limit', *names])})"

    def write_moved(self) -> None:
        """Write the functions that were moved out, until there are none left."""
        while self._moved:
            name, node, scope, names = self._moved.pop(0)
            self.scope, self._levels, self._loops, self._parts = scope, 1, 0, 0
            self.writer.line("")
            self.writer.line("")
            with self.writer.block(f"def {name}({', '.join(['cost', 'limit', *names])}):"):
                self.write_body(node)

    def python_names(self) -> list[str]:
        """The Python variables that a part needs if it is moved out of the current place."""
        found: dict[str, None] = {}
        scope: Scope | None = self.scope
        while scope is not None:
            for binding in scope.bindings.values():
                found.update(dict.fromkeys(self.variables_of(binding)))
            scope = scope.outer
        return sorted(found)

    @abstractmethod
    def variables_of(self, binding: Any) -> list[str]:
        """The Python variables of a binding."""

    @abstractmethod
    def write_body(self, node: Expr) -> None:
        """The statements that compute `node` and return it with the cost."""


def fragment(node: Expr) -> str:
    """The expression as a short comment."""
    text = unparse(node)
    return text if len(text) <= _COMMENT else text[: _COMMENT - 1] + "…"


def is_variable(node: Expr) -> bool:
    """Whether a node reads a variable (and doesn't name a type)."""
    return isinstance(node, (Ident, Select)) and node.reference is not None and not (node.type and node.type.kind is Kind.TYPE)


def is_step(node: Expr) -> bool:
    """Whether a node is a step into another: a select or an index, optional or not."""
    if isinstance(node, Select):
        return node.reference is None
    return isinstance(node, Call) and node.function in STEPS


#: Operators that step into a value.
STEPS: Final = frozenset({"_[_]", "_[?_]", "_?._"})


def stepped_into(step: Expr) -> Expr:
    """The operand of a step."""
    if isinstance(step, Select):
        return step.operand
    assert isinstance(step, Call)  # noqa: S101 - steps are selects and calls
    return step.args[0]


def is_path(node: Expr) -> bool:
    """Whether a node is a variable, or a chain of plain selects on one."""
    while isinstance(node, Select) and node.reference is None:
        node = node.operand
    return is_variable(node)


def pays_for_itself(node: Expr) -> bool:
    """Whether a node includes the cost of its read.

    A branch of a conditional is read for free, so a part that is moved out needs to know.
    """
    if not is_step(node):
        return is_variable(node)
    if isinstance(node, Select) and node.test_only:
        return False
    while is_step(node):
        node = stepped_into(node)
    return not (isinstance(node, Call) and node.function == "_?_:_")
