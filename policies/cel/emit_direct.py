"""Writes the direct form of an expression: straight Python on the JSON itself, for evaluations in which nothing goes wrong.

Types are known, so operations are written out; the constant part of the cost is summed while writing. At the first error, null or piece of
data that doesn't fit its type the generated code raises, and the tracked form decides instead. Both forms agree on value and cost wherever
the direct one comes to an end; the tests hold them to it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

from policies.cel import emit_calls, emit_folds
from policies.cel.check.checked import Checked
from policies.cel.direct_steps import DIRECT
from policies.cel.emit_numbers import NumberChecks
from policies.cel.emitter import Emitter, is_path, is_step, is_variable, pays_for_itself, stepped_into
from policies.cel.folding import Constants
from policies.cel.held import RAW_SHAPES, SCALAR_CLASSES, SCALAR_TYPES, Held, UnsupportedError, boolean, unsure
from policies.cel.syntax.nodes import Call, Comprehension, Expr, ListLiteral, Select
from policies.cel.values.declared import DeclaredType, Shape
from policies.cel.values.types import DYN, Kind
from policies.codegen import SourceWriter

_LONGEST_CODE: Final = 100


class DirectEmitter(Emitter):
    """Writes ``def name(limit, variables...)``, which returns value and cost, or raises."""

    def __init__(self, checked: Checked, constants: Constants, writer: SourceWriter) -> None:
        super().__init__(checked, constants, writer, DIRECT)
        self._costs = [0]
        #: What is already known in the open blocks, outermost first: fields that were read, containers that were looked at.
        self._known_here: list[dict[tuple[str, str], Held | str]] = [{}]
        self.number_checks = NumberChecks(writer)

    def function(self, name: str, variables: dict[str, Held]) -> None:
        """Write the whole function; raises UnsupportedError."""
        parameters = [held.code for held in variables.values()]
        with self.writer.block(f"def {name}({', '.join(['limit', *parameters])}):"):
            self._levels = 1
            self.line("cost = 0")
            for cel_name, held in variables.items():
                self.scope.bindings[cel_name] = self._variable(cel_name, held)
            self.write_body(self.checked.root)
        self.write_moved()

    def _variable(self, name: str, held: Held) -> Held:
        if held.declared is None or held.declared.shape in RAW_SHAPES or not self.checked.refers_to(name):
            return held
        return self.read(held.code, held.declared, held.code)

    @contextmanager
    def block(self, header: str, node: Expr | None = None) -> Iterator[None]:
        self._known_here.append({})
        with super().block(header, node):
            yield
        self._known_here.pop()

    def _recalled(self, code: str, name: str) -> Held | str | None:
        """What is known of a field (or of a container itself) since an earlier line that surely ran."""
        for known in reversed(self._known_here):
            if (code, name) in known:
                return known[code, name]
        return None

    def write_body(self, node: Expr) -> None:
        self._costs = [0]
        self._known_here = [{}]
        held = self.emit(node)
        value = self.value(held)
        paid = self._costs.pop()
        self.line(f"return {value}, cost{f' + {paid}' if paid else ''}")

    def write_moved(self) -> None:
        super().write_moved()
        self.number_checks.write()

    def variables_of(self, binding: Any) -> list[str]:
        return [binding.code]

    # --- costs ---

    def pay(self, cost: int) -> None:
        """Count a cost that is known now; it is added at the end of the block."""
        self._costs[-1] += cost

    def pay_code(self, code: str) -> None:
        """Add a cost that is known only when running."""
        self.line(f"cost += {code}")

    @contextmanager
    def paying_block(self, header: str, node: Expr | None = None) -> Iterator[None]:
        """A block whose costs are paid where it ends."""
        with self.block(header, node):
            self._costs.append(0)
            yield
            self.settle()

    def take_costs(self) -> int:
        """What the current block has run up so far, to be paid at once."""
        paid, self._costs[-1] = self._costs[-1], 0
        return paid

    def settle(self) -> None:
        """Add what the current block has run up."""
        paid = self._costs.pop()
        if paid:
            self.line(f"cost += {paid}")

    @contextmanager
    def paying_loop(self, header: str, node: Expr | None = None) -> Iterator[None]:
        """A loop whose iterations pay for themselves and look at the limit."""
        with self.loop(header, node):
            self._costs.append(0)
            yield
            self.settle()
            with self.block("if cost > limit:"):
                self.line("raise CostExceededError")

    # --- values ---

    def emit(self, node: Expr, *, branch: bool = False) -> Held:
        """Write what computes `node`; a `branch` of a conditional is read for free."""
        if node in self.constants:
            return self.constant(node)
        if self.is_too_deep():
            return self._moved_out(node, branch=branch)
        with self.part():
            return self._write(node, branch=branch)

    def _write(self, node: Expr, *, branch: bool) -> Held:
        if is_variable(node) or is_step(node):
            return self._chain(node, branch=branch)
        if isinstance(node, Call):
            return emit_calls.call(self, node)
        if isinstance(node, ListLiteral):
            return self._list(node)
        if isinstance(node, Comprehension):
            return emit_folds.fold(self, node)
        raise UnsupportedError(type(node).__name__)

    def _moved_out(self, node: Expr, *, branch: bool) -> Held:
        if is_path(node):
            return self._chain(node, branch=branch)
        value = self.fresh("v")
        self.line(f"{value}, cost = {self.move_out(node)}", node)
        if branch and pays_for_itself(node):
            self.pay(-1)
        return unsure(value, node.type or DYN)

    def fresh(self, prefix: str) -> str:
        """A new Python variable."""
        return self.writer.fresh(prefix)

    def assign(self, code: str, node: Expr | None = None, prefix: str = "v") -> str:
        """Put an expression into a variable of its own."""
        name = self.fresh(prefix)
        self.line(f"{name} = {code}", node)
        return name

    def computed_once(self, code: str, node: Expr) -> str:
        """A variable with the value of a call, which is written only where an earlier line hasn't computed it."""
        known = self._recalled(code, "")
        if isinstance(known, str):
            return known
        name = self._known_here[-1][code, ""] = self.assign(code, node)
        return name

    def compact(self, code: str) -> str:
        """An expression as it is while it is short, else in a variable: Python limits nested brackets."""
        return code if len(code) <= _LONGEST_CODE else self.assign(code)

    def constant(self, node: Expr) -> Held:
        """A value known now."""
        value = self.constants[node]
        held = Held(self.writer.literal(value), node.type or DYN, constant=value, is_constant=True)
        held.sure = held.type.kind is not Kind.DYN and held.type.kind is not Kind.NULL
        held.sure_elements = held.type.kind is Kind.LIST and held.type.parameters[0].kind is not Kind.DYN
        return held

    def value(self, held: Held) -> str:
        """The value as CEL sees it: a raw container gets its declared type put on."""
        if held.declared is None:
            return held.code
        self.verify(held)
        label = "DataList" if held.declared.shape is Shape.LIST else "DataMap"
        return f"{label}({held.code}, {self.writer.constant(held.declared)})"

    def verify(self, held: Held) -> None:
        """Make sure that a raw container is one."""
        if held.declared is None or self._recalled(held.code, "") is not None:
            return
        wanted = "list" if held.declared.shape is Shape.LIST else "dict"
        with self.block(f"if {held.code}.__class__ is not {wanted}:"):
            self.line("raise RetryError")
        self._known_here[-1][held.code, ""] = held

    def as_bool(self, held: Held) -> str:
        """The value as a condition."""
        if held.kind is Kind.BOOL:
            return held.code
        value = held.code if held.code.isidentifier() else self.assign(held.code)
        with self.block(f"if {value}.__class__ is not bool:"):
            self.line("raise RetryError")
        return value

    def read(self, code: str, declared: DeclaredType, value: str | None = None) -> Held:
        """A scalar from an object as a value (in a variable), a container as it is."""
        shape = declared.shape
        if shape in RAW_SHAPES:
            return Held(code, DYN, sure=False, declared=declared)
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
        return Held(name, SCALAR_TYPES[shape]) if shape in SCALAR_TYPES else unsure(name)

    def read_element(self, code: str, declared: DeclaredType) -> Held:
        """An element of a list or a value of a map, where null may stand."""
        if not declared.nullable:
            return self.read(code, declared)
        name = self.assign(f"read({code}, {self.writer.constant(declared)})")
        return unsure(name)

    # --- chains of selects and indexes ---

    def _chain(self, node: Expr, *, branch: bool) -> Held:
        steps: list[Expr] = []
        base = node
        while is_step(base) and base not in self.constants:
            steps.append(base)
            base = stepped_into(base)
        steps.reverse()
        tests = bool(steps) and isinstance(steps[-1], Select) and steps[-1].test_only
        if isinstance(base, Call) and base.function == "_?_:_" and base not in self.constants:
            raise UnsupportedError("a step from a conditional")
        held = self._base(base)
        if any(isinstance(step, Call) and step.function != "_[_]" for step in steps) or (
            held.declared is None and (held.type.is_optional or held.type.is_dyn)
        ):
            return self._optional_chain(held, steps, node, free=branch or tests)
        self.pay(len(steps) + (0 if branch or tests else 1))
        for step in steps:
            held = self._step(held, step)
        return held

    def _base(self, base: Expr) -> Held:
        if not is_variable(base):
            return self.emit(base)
        assert base.reference is not None  # noqa: S101 - what `is_variable` asked
        found = self.scope.find(base.reference)
        assert isinstance(found, Held)  # noqa: S101 - this emitter binds nothing else
        return found

    def _step(self, held: Held, step: Expr) -> Held:
        if isinstance(step, Select) and step.test_only:
            return self._presence(held, step.field)
        if isinstance(step, Select):
            return self._select(held, step)
        assert isinstance(step, Call)  # noqa: S101 - steps are selects and calls
        return self._index(held, step)

    def _select(self, held: Held, step: Select) -> Held:
        declared = held.declared
        if declared is None:
            return unsure(self.assign(f"get({held.code}, {self.writer.literal(step.field)})", step), step.type or DYN)
        if declared.shape is Shape.OBJECT:
            name = declared.property_of(step.field)
            if name is None:
                raise UnsupportedError("an undeclared field")
            return self._property(held, name, declared.properties[name], step)
        if declared.shape is Shape.MAP and declared.element is not None:
            value = self.assign(f"{held.code}[{self.writer.literal(step.field)}]", step)
            return self.read_element(value, declared.element)
        raise UnsupportedError("a field of an empty object")

    def _property(self, held: Held, name: str, declared: DeclaredType, step: Select) -> Held:
        known = self._recalled(held.code, name)
        if isinstance(known, Held):
            return known
        value = known or self.assign(f"{held.code}[{self.writer.literal(name)}]", step)
        found = self.read(value, declared, value)
        self._known_here[-1][held.code, name] = found
        return found

    def _presence(self, held: Held, identifier: str) -> Held:
        declared = held.declared
        if declared is None:
            return boolean(self.assign(f"has_field({held.code}, {self.writer.literal(identifier)})"))
        if declared.shape is Shape.OBJECT:
            name = declared.property_of(identifier)
            if name is None:
                raise UnsupportedError("an undeclared field")
            return self._present(held, name, declared.properties[name])
        if declared.shape is Shape.MAP and declared.element is not None:
            self.verify(held)
            key = self.writer.literal(identifier)
            constant = self.writer.constant(declared)
            return boolean(self.assign(f"has_field(DataMap({held.code}, {constant}), {key})"))
        raise UnsupportedError("a field of an empty object")

    def _present(self, held: Held, name: str, declared: DeclaredType) -> Held:
        """Whether a field is there; one that is there but of the wrong type is an error."""
        known = self._recalled(held.code, name)
        shares = declared.shape in SCALAR_CLASSES or declared.shape in RAW_SHAPES
        if isinstance(known, Held):
            return boolean(f"({known.code} is not None)")
        value = known or self.assign(f"{held.code}.get({self.writer.literal(name)})")
        if not shares:
            with self.block(f"if {value} is not None:"):
                self.line(f"read({value}, {self.writer.constant(declared)})")
            return boolean(f"({value} is not None)")
        if known is None:
            self._known_here[-1][held.code, name] = value
            wanted = SCALAR_CLASSES.get(declared.shape) or ("list" if declared.shape is Shape.LIST else "dict")
            with self.block(f"if {value} is not None and {value}.__class__ is not {wanted}:"):
                self.line("raise RetryError")
        return boolean(f"({value} is not None)")

    def looked_at(self, code: str, declared: DeclaredType) -> Held:
        """What a variable holds that `_present` found to be of its class, once it is known not to be None."""
        if declared.shape in SCALAR_CLASSES:
            return Held(code, SCALAR_TYPES[declared.shape])
        found = Held(code, DYN, sure=False, declared=declared)
        self._known_here[-1][code, ""] = found
        return found

    def _index(self, held: Held, step: Call) -> Held:
        key = self.emit(step.args[1], branch=True)
        declared = held.declared
        if declared is None:
            return unsure(self.assign(f"get({self.value(held)}, valid_key({self.value(key)}))", step), step.type or DYN)
        if declared.shape is Shape.LIST and declared.element is not None and key.kind is Kind.INT:
            self.verify(held)
            position = key.code if key.code.isidentifier() or key.is_constant else self.assign(key.code)
            with self.block(f"if not 0 <= {position} < len({held.code}):"):
                self.line("raise RetryError")
            return self.read_element(self.assign(f"{held.code}[{position}]", step), declared.element)
        if declared.shape is Shape.MAP and declared.element is not None and key.kind is Kind.STRING:
            return self.read_element(self.assign(f"{held.code}[{key.code}]", step), declared.element)
        return unsure(self.assign(f"get({self.value(held)}, valid_key({self.value(key)}))", step), step.type or DYN)

    def _optional_chain(self, held: Held, steps: list[Expr], node: Expr, *, free: bool) -> Held:
        """A chain that may end in nothing: the steps of the tracked form, errors raised."""
        if not free:
            self.pay(1)
        if not steps:
            return unsure(self.assign(f"variable({self.value(held)})", node), node.type or DYN)
        value, state, paid = self.fresh("v"), self.fresh("s"), self.fresh("c")
        self.line(f"{value}, {state} = start({self.value(held)})")
        for step in steps:
            with self.paying_block(f"if {state} != 2:"):
                key, optional = self._optional_key(step)
                if isinstance(step, Select) and step.test_only:
                    call = f"presence({value}, {state}, {key})"
                else:
                    call = f"step({value}, {state}, {key}{', optional=True' if optional else ''})"
                self.line(f"{value}, {state}, {paid} = {call}", step)
                self.line(f"cost += {paid}")
        with self.block(f"if {value}.__class__ is CelError:"):
            self.line("raise RetryError")
        if isinstance(node, Select) and node.test_only:
            return boolean(self.assign(f"tested({value})"))
        return unsure(self.assign(f"finish({value}, {state})"), node.type or DYN)

    def _optional_key(self, step: Expr) -> tuple[str, bool]:
        if isinstance(step, Select):
            return self.writer.literal(step.field), False
        assert isinstance(step, Call)  # noqa: S101 - steps are selects and calls
        return self.value(self.emit(step.args[1], branch=True)), step.function != "_[_]"

    # --- literals ---

    def _list(self, node: ListLiteral) -> Held:
        if node.optional:
            raise UnsupportedError("optional elements")
        elements = [self.emit(element) for element in node.elements]
        self.pay(10)
        code = f"[{', '.join(map(self.value, elements))}]"
        sure = all(element.sure and not element.is_raw for element in elements)
        return Held(self.assign(code, node), node.type or DYN, sure_elements=sure)
