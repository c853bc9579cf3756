"""Writes the short-circuit form of a rule: a function that answers with the cost, and leaves as soon as the rule is decided.

It is the direct form turned inside out at the top: ``!``, ``&&`` and ``||`` there become returns, so that the cost of most ways is a number
in the source. The answer is the cost where the rule holds, the cost's complement (-1 - cost) where it doesn't, and None where the
tracked form has to decide.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from weighbridge.policies.cel.check.checked import Checked
from weighbridge.policies.cel.emit.constants import Constants
from weighbridge.policies.cel.emit.direct import DirectEmitter
from weighbridge.policies.cel.emit.direct_logic import terms
from weighbridge.policies.cel.emit.direct_steps import DIRECT
from weighbridge.policies.cel.emit.emitter import is_variable
from weighbridge.policies.cel.emit.operand import Operand
from weighbridge.policies.cel.syntax.nodes import Call, Expr, Select
from weighbridge.policies.cel.values.declared import Shape
from weighbridge.policies.cel.values.undecided import UNDECIDED
from weighbridge.policies.codegen import SourceWriter

FUNCTION: Final = "holds"
#: What the source calls, by name.
SHORT_CIRCUIT: Final = {**DIRECT, "UNDECIDED": UNDECIDED}
#: Operators inside operators that are written as returns; what lies deeper is computed.
_MOST_TURNS: Final = 12


class ShortCircuitEmitter(DirectEmitter):
    """Writes ``def holds(variables..., limit)``."""

    def __init__(self, checked: Checked, constants: Constants, writer: SourceWriter) -> None:
        super().__init__(checked, constants, writer)
        self._counts_while_running = False
        self._turns = 0

    def line(self, code: str, node: Expr | None = None) -> None:
        """One statement; notes whether the cost is counted by any so far."""
        self._counts_while_running |= code.startswith("cost +=") or ", cost =" in code
        super().line(code, node)

    def holds(self, variables: dict[str, Operand]) -> None:
        """Write the whole function; raises UnsupportedError."""
        parameters = ", ".join([*(operand.code for operand in variables.values()), "limit"])
        with self.writer.block(f"def {FUNCTION}({parameters}):"):
            with self.writer.block("try:"):
                self._levels = 2
                super().line("cost = 0")
                for name, operand in variables.items():
                    self.scope.bindings[name] = self._variable(name, operand)
                self._decide(self.checked.root, holds=True)
            with self.writer.block("except UNDECIDED:"):
                self.writer.line("return None")
        self.write_moved()

    # --- the end of a way ---

    def _answer(self, *, holds: bool) -> str:
        """What to return now."""
        paid = self._costs[-1]
        if not self._counts_while_running:
            return str(paid if holds else -1 - paid)
        if holds:
            return f"cost + {paid}" if paid else "cost"
        return f"{-1 - paid} - cost"

    def _decide(self, node: Expr, *, holds: bool) -> None:
        """Write statements that return in any case: that the rule holds if the node is equal to `holds`, that it doesn't otherwise."""
        operator = self._operator(node)
        if operator == "!_" and isinstance(node, Call):
            self.pay(1)
            self._decide(node.args[0], holds=not holds)
        elif operator and isinstance(node, Call):
            *first, last = terms(node, operator)
            deciding = operator == "_||_"
            with self._turn():
                for term in first:
                    self._leave_if(term, deciding, holds=holds is deciding)
                self._decide(last, holds=holds)
        else:
            condition = self.as_bool(self.emit(node))
            self.line(f"return {self._answer(holds=holds)} if {condition} else {self._answer(holds=not holds)}", node)

    def _leave_if(self, node: Expr, value: bool, *, holds: bool) -> None:
        """Write statements that return where the node is equal to `value`: that the rule holds, or that it doesn't."""
        operator = self._operator(node)
        if operator == "!_" and isinstance(node, Call):
            # Paid for on both ways, as it is only reached with its operand known.
            self.pay(1)
            self._leave_if(node.args[0], not value, holds=holds)
        elif operator == ("_||_" if value else "_&&_") and isinstance(node, Call):
            with self._turn():
                for term in terms(node, operator):
                    self._leave_if(term, value, holds=holds)
        else:
            condition = self.as_bool(self.emit(node))
            with self.block(f"if {condition}:" if value else f"if not {condition}:", node):
                self.line(f"return {self._answer(holds=holds)}")
            if not value:
                self._know_presence(node)

    @contextmanager
    def _turn(self) -> Iterator[None]:
        self._turns += 1
        yield
        self._turns -= 1

    def _know_presence(self, node: Expr) -> None:
        """From here on a field that was asked for is there, and its class was looked at."""
        if not isinstance(node, Select) or not node.test_only or not is_variable(node.operand) or node.operand.reference is None:
            return
        container = self.scope.find(node.operand.reference)
        if container.declared is None or container.declared.shape is not Shape.OBJECT:
            return
        name = container.declared.property_of(node.field)
        code = None if name is None else self._known_here[-1].get((container.code, name))
        if name is not None and isinstance(code, str):
            found = self.looked_at(code, container.declared.properties[name])
            self._known_here[-1][container.code, name] = found

    def _operator(self, node: Expr) -> str:
        """The logical operator of a node that is worth turning inside out, else empty."""
        if not isinstance(node, Call) or node in self.constants or self._turns >= _MOST_TURNS:
            return ""
        return node.function if node.function in ("!_", "_&&_", "_||_") else ""
