"""The state of writing a direct form: the costs of the open blocks, values, and what is already known of them.

The direct form is plain Python on the JSON itself, for evaluations without errors. Types are known, so operations are written out; the
constant part of the cost is summed while writing. At the first error, null or piece of data that doesn't fit its type the generated code
raises, and the tracked form decides instead. Both forms agree on value and cost if the direct one comes to an end; tests check that.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

from weighbridge.policies.cel.check.checked import Checked
from weighbridge.policies.cel.emit.constants import Constants
from weighbridge.policies.cel.emit.direct_steps import DIRECT
from weighbridge.policies.cel.emit.emitter import Emitter
from weighbridge.policies.cel.emit.kind_checks import KindChecks
from weighbridge.policies.cel.emit.operand import RAW_SHAPES, SCALAR_CLASSES, SCALAR_TYPES, Operand, unsure
from weighbridge.policies.cel.syntax.nodes import Expr
from weighbridge.policies.cel.values.declared import DeclaredType, Shape
from weighbridge.policies.cel.values.types import DYN, Kind
from weighbridge.policies.codegen import SourceWriter

_LONGEST_CODE: Final = 100


class DirectForm(Emitter):
    """The direct form of one expression while it is written; the emitter decides how each kind of node is written."""

    def __init__(self, checked: Checked, constants: Constants, writer: SourceWriter) -> None:
        super().__init__(checked, constants, writer, DIRECT)
        self._costs = [0]
        #: What is already known in the open blocks, outermost first: fields that were read, and containers that were checked.
        self._known_here: list[dict[tuple[str, str], Operand | str]] = [{}]
        self.kind_checks = KindChecks(writer)

    @contextmanager
    def block(self, header: str, node: Expr | None = None) -> Iterator[None]:
        """Open a block. What is found out in it isn't known after it."""
        self._known_here.append({})
        with super().block(header, node):
            yield
        self._known_here.pop()

    def _recalled(self, code: str, name: str) -> Operand | str | None:
        """What is known of a field (or of a container itself) from an earlier line that surely ran."""
        for known in reversed(self._known_here):
            if (code, name) in known:
                return known[code, name]
        return None

    def write_body(self, node: Expr) -> None:
        """Write the lines that compute the value of `node` and return it with its cost."""
        self._costs = [0]
        self._known_here = [{}]
        operand = self.emit(node)
        value = self.value(operand)
        paid = self._costs.pop()
        self.line(f"return {value}, cost{f' + {paid}' if paid else ''}")

    def write_moved(self) -> None:
        """Write the functions that were moved out of the body, then the checks of kinds."""
        super().write_moved()
        self.kind_checks.write()

    def variables_of(self, binding: Any) -> list[str]:
        """The Python variables of a bound name."""
        return [binding.code]

    # --- costs ---

    def pay(self, cost: int) -> None:
        """Count a cost that is known at compile time; it is added at the end of the block."""
        self._costs[-1] += cost

    def pay_code(self, code: str) -> None:
        """Add a cost that is known only at run time."""
        self.line(f"cost += {code}")

    @contextmanager
    def paying_block(self, header: str, node: Expr | None = None) -> Iterator[None]:
        """A block whose costs are paid where it ends."""
        with self.block(header, node):
            self._costs.append(0)
            yield
            self.settle()

    def take_costs(self) -> int:
        """The costs of the current block so far, which the caller adds at once."""
        paid, self._costs[-1] = self._costs[-1], 0
        return paid

    def settle(self) -> None:
        """Add the costs of the current block."""
        paid = self._costs.pop()
        if paid:
            self.line(f"cost += {paid}")

    @contextmanager
    def paying_loop(self, header: str, node: Expr | None = None) -> Iterator[None]:
        """A loop in which each iteration adds its cost and checks the limit."""
        with self.loop(header, node):
            self._costs.append(0)
            yield
            self.settle()
            with self.block("if cost > limit:"):
                self.line("raise CostExceededError(cost)")

    # --- values ---

    @abstractmethod
    def emit(self, node: Expr, *, branch: bool = False) -> Operand:
        """Write what computes `node`; a `branch` of a conditional is read for free."""

    def fresh(self, prefix: str) -> str:
        """A new Python variable."""
        return self.writer.fresh(prefix)

    def assign(self, code: str, node: Expr | None = None, prefix: str = "v") -> str:
        """Put an expression into a new variable."""
        name = self.fresh(prefix)
        self.line(f"{name} = {code}", node)
        return name

    def computed_once(self, code: str, node: Expr) -> str:
        """A variable with the value of a call. The call is written only if no earlier line has computed it."""
        known = self._recalled(code, "")
        if isinstance(known, str):
            return known
        name = self._known_here[-1][code, ""] = self.assign(code, node)
        return name

    def compact(self, code: str) -> str:
        """A short expression as it is, a longer one in a variable, since Python limits nested brackets."""
        return code if len(code) <= _LONGEST_CODE else self.assign(code)

    def constant(self, node: Expr) -> Operand:
        """A constant."""
        value = self.constants[node]
        operand = Operand(self.writer.literal(value), node.type or DYN, constant=value, is_constant=True)
        operand.sure = operand.type.kind is not Kind.DYN and operand.type.kind is not Kind.NULL
        operand.sure_elements = operand.type.kind is Kind.LIST and operand.type.parameters[0].kind is not Kind.DYN
        return operand

    def value(self, operand: Operand) -> str:
        """The value as CEL sees it: a raw container is labelled with its declared type."""
        if operand.declared is None:
            return operand.code
        self.verify(operand)
        label = "DataList" if operand.declared.shape is Shape.LIST else "DataMap"
        return f"{label}({operand.code}, {self.writer.constant(operand.declared)})"

    def verify(self, operand: Operand) -> None:
        """Check at run time that a raw container has the right kind."""
        if operand.declared is None or self._recalled(operand.code, "") is not None:
            return
        wanted = "list" if operand.declared.shape is Shape.LIST else "dict"
        with self.block(f"if {operand.code}.__class__ is not {wanted}:"):
            self.line("raise RetryError")
        self._known_here[-1][operand.code, ""] = operand

    def as_bool(self, operand: Operand) -> str:
        """The value as a condition."""
        if operand.kind is Kind.BOOL:
            return operand.code
        value = operand.code if operand.code.isidentifier() else self.assign(operand.code)
        with self.block(f"if {value}.__class__ is not bool:"):
            self.line("raise RetryError")
        return value

    def read(self, code: str, declared: DeclaredType, value: str | None = None) -> Operand:
        """A scalar from an object as a value (in a variable), a container as it is."""
        shape = declared.shape
        if shape in RAW_SHAPES:
            return Operand(code, DYN, sure=False, declared=declared)
        name = value or self.assign(code)
        if shape in SCALAR_CLASSES:
            with self.block(f"if {name}.__class__ is not {SCALAR_CLASSES[shape]}:"):
                self.line("raise RetryError")
        elif shape is Shape.DOUBLE:
            with self.block(f"if {name}.__class__ is int:"):
                self.line(f"{name} = float({name})")
            with self.block(f"elif {name}.__class__ is not float:"):
                self.line("raise RetryError")
        else:
            with self.block(f"if {name} is None:"):
                self.line("raise RetryError")
            self.line(f"{name} = read({name}, {self.writer.constant(declared)})")
        return Operand(name, SCALAR_TYPES[shape]) if shape in SCALAR_TYPES else unsure(name)

    def read_element(self, code: str, declared: DeclaredType) -> Operand:
        """An element of a list or a value of a map, which may be null."""
        if not declared.nullable:
            return self.read(code, declared)
        name = self.assign(f"read({code}, {self.writer.constant(declared)})")
        return unsure(name)
