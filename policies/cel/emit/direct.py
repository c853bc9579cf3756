"""Writes the direct form of an expression: chooses the writer of each part, and writes chains of selects and indexes."""

from __future__ import annotations

from weighbridge.policies.cel.emit import direct_calls, direct_folds
from weighbridge.policies.cel.emit.direct_form import DirectForm
from weighbridge.policies.cel.emit.emitter import is_path, is_step, is_variable, pays_for_itself
from weighbridge.policies.cel.emit.operand import RAW_SHAPES, SCALAR_CLASSES, Operand, UnsupportedError, boolean, unsure
from weighbridge.policies.cel.syntax.nodes import Call, Comprehension, Expr, ListLiteral, Select
from weighbridge.policies.cel.values.declared import DeclaredType, Shape
from weighbridge.policies.cel.values.types import DYN, Kind


class DirectEmitter(DirectForm):
    """Writes the function ``def name(limit, variables...)``, which returns value and cost, or raises."""

    def function(self, name: str, variables: dict[str, Operand]) -> None:
        """Write the whole function; raises UnsupportedError."""
        parameters = [operand.code for operand in variables.values()]
        with self.writer.block(f"def {name}({', '.join(['limit', *parameters])}):"):
            self._levels = 1
            self.line("cost = 0")
            for cel_name, operand in variables.items():
                self.scope.bindings[cel_name] = self._variable(cel_name, operand)
            self.write_body(self.checked.root)
        self.write_moved()

    def _variable(self, name: str, operand: Operand) -> Operand:
        if operand.declared is None or operand.declared.shape in RAW_SHAPES or not self.checked.refers_to(name):
            return operand
        return self.read(operand.code, operand.declared, operand.code)

    def emit(self, node: Expr, *, branch: bool = False) -> Operand:
        """Write the code that computes `node`. Reading a `branch` of a conditional is free."""
        if node in self.constants:
            return self.constant(node)
        if self.is_too_deep():
            return self._moved_out(node, branch=branch)
        with self.part():
            return self._write(node, branch=branch)

    def _write(self, node: Expr, *, branch: bool) -> Operand:
        if is_variable(node) or is_step(node):
            return self._chain(node, branch=branch)
        if isinstance(node, Call):
            return direct_calls.call(self, node)
        if isinstance(node, ListLiteral):
            return self._list(node)
        if isinstance(node, Comprehension):
            return direct_folds.fold(self, node)
        raise UnsupportedError(type(node).__name__)

    def _moved_out(self, node: Expr, *, branch: bool) -> Operand:
        if is_path(node):
            return self._chain(node, branch=branch)
        value = self.fresh("v")
        self.line(f"{value}, cost = {self.move_out(node)}", node)
        if branch and pays_for_itself(node):
            self.pay(-1)
        return unsure(value, node.type or DYN)

    # --- chains of selects and indexes ---

    def _chain(self, node: Expr, *, branch: bool) -> Operand:
        base, steps = self.steps_of(node)
        tests = bool(steps) and isinstance(steps[-1], Select) and steps[-1].test_only
        if isinstance(base, Call) and base.function == "_?_:_" and base not in self.constants:
            raise UnsupportedError("a step from a conditional")
        operand = self._base(base)
        if any(isinstance(step, Call) and step.function != "_[_]" for step in steps) or (
            operand.declared is None and (operand.type.is_optional or operand.type.is_dyn)
        ):
            return self._optional_chain(operand, steps, node, free=branch or tests)
        self.pay(len(steps) + (0 if branch or tests else 1))
        for step in steps:
            operand = self._step(operand, step)
        return operand

    def _base(self, base: Expr) -> Operand:
        if not is_variable(base):
            return self.emit(base)
        assert base.reference is not None  # noqa: S101 - what `is_variable` asked
        if base.reference.startswith("."):
            raise UnsupportedError("a name around all scopes")
        found = self.scope.find(base.reference)
        assert isinstance(found, Operand)  # noqa: S101 - this emitter binds nothing else
        return found

    def _step(self, operand: Operand, step: Expr) -> Operand:
        if isinstance(step, Select) and step.test_only:
            return self._presence(operand, step.field)
        if isinstance(step, Select):
            return self._select(operand, step)
        assert isinstance(step, Call)  # noqa: S101 - steps are selects and calls
        return self._index(operand, step)

    def _select(self, operand: Operand, step: Select) -> Operand:
        declared = operand.declared
        if declared is None:
            return unsure(self.assign(f"get({operand.code}, {self.writer.literal(step.field)})", step), step.type or DYN)
        if declared.shape is Shape.OBJECT:
            name = declared.property_of(step.field)
            if name is None:
                raise UnsupportedError("an undeclared field")
            return self._property(operand, name, declared.properties[name], step)
        if declared.shape is Shape.MAP and declared.element is not None:
            value = self.assign(f"{operand.code}[{self.writer.literal(step.field)}]", step)
            return self.read_element(value, declared.element)
        raise UnsupportedError("a field of an empty object")

    def _property(self, operand: Operand, name: str, declared: DeclaredType, step: Select) -> Operand:
        known = self._recalled(operand.code, name)
        if isinstance(known, Operand):
            return known
        value = known or self.assign(f"{operand.code}[{self.writer.literal(name)}]", step)
        found = self.read(value, declared, value)
        self._known_here[-1][operand.code, name] = found
        return found

    def _presence(self, operand: Operand, identifier: str) -> Operand:
        declared = operand.declared
        if declared is None:
            return boolean(self.assign(f"has_field({operand.code}, {self.writer.literal(identifier)})"))
        if declared.shape is Shape.OBJECT:
            name = declared.property_of(identifier)
            if name is None:
                raise UnsupportedError("an undeclared field")
            return self._present(operand, name, declared.properties[name])
        if declared.shape is Shape.MAP and declared.element is not None:
            self.verify(operand)
            key = self.writer.literal(identifier)
            constant = self.writer.constant(declared)
            return boolean(self.assign(f"has_field(DataMap({operand.code}, {constant}), {key})"))
        raise UnsupportedError("a field of an empty object")

    def _present(self, operand: Operand, name: str, declared: DeclaredType) -> Operand:
        """Whether a field is there. A field of the wrong type is an error."""
        known = self._recalled(operand.code, name)
        shares = declared.shape in SCALAR_CLASSES or declared.shape in RAW_SHAPES
        if isinstance(known, Operand):
            return boolean(f"({known.code} is not None)")
        value = known or self.assign(f"{operand.code}.get({self.writer.literal(name)})")
        if not shares:
            with self.block(f"if {value} is not None:"):
                self.line(f"read({value}, {self.writer.constant(declared)})")
            return boolean(f"({value} is not None)")
        if known is None:
            self._known_here[-1][operand.code, name] = value
            wanted = SCALAR_CLASSES.get(declared.shape) or ("list" if declared.shape is Shape.LIST else "dict")
            with self.block(f"if {value} is not None and {value}.__class__ is not {wanted}:"):
                self.line("raise RetryError")
        return boolean(f"({value} is not None)")

    def _index(self, operand: Operand, step: Call) -> Operand:
        key = self.emit(step.args[1], branch=True)
        declared = operand.declared
        if declared is None:
            return unsure(self.assign(f"get({self.value(operand)}, valid_key({self.value(key)}))", step), step.type or DYN)
        if declared.shape is Shape.LIST and declared.element is not None and key.kind is Kind.INT:
            self.verify(operand)
            position = key.code if key.code.isidentifier() or key.is_constant else self.assign(key.code)
            with self.block(f"if not 0 <= {position} < len({operand.code}):"):
                self.line("raise RetryError")
            return self.read_element(self.assign(f"{operand.code}[{position}]", step), declared.element)
        if declared.shape is Shape.MAP and declared.element is not None and key.kind is Kind.STRING:
            return self.read_element(self.assign(f"{operand.code}[{key.code}]", step), declared.element)
        return unsure(self.assign(f"get({self.value(operand)}, valid_key({self.value(key)}))", step), step.type or DYN)

    def _optional_chain(self, operand: Operand, steps: list[Expr], node: Expr, *, free: bool) -> Operand:
        """A chain with optional steps: it uses the steps of the tracked form, but raises errors."""
        if not free:
            self.pay(1)
        if not steps:
            return unsure(self.assign(f"variable({self.value(operand)})", node), node.type or DYN)
        value, state, paid = self.fresh("v"), self.fresh("s"), self.fresh("c")
        self.line(f"{value}, {state} = start({self.value(operand)})")
        for step in steps:
            with self.paying_block(f"if {state} != 2:"):
                self.write_step(step, self._optional_key(step), value, state, paid)
                self.line(f"cost += {paid}")
        tests = isinstance(node, Select) and node.test_only
        found = self.assign(f"tested({value})" if tests else f"finish({value}, {state})")
        # An element that can't be read becomes an error only when the chain is finished.
        with self.block(f"if {found}.__class__ is CelError:"):
            self.line("raise RetryError")
        return boolean(found) if tests else unsure(found, node.type or DYN)

    def _optional_key(self, step: Expr) -> str:
        if isinstance(step, Select):
            return self.writer.literal(step.field)
        assert isinstance(step, Call)  # noqa: S101 - steps are selects and calls
        return self.value(self.emit(step.args[1], branch=True))

    # --- literals ---

    def _list(self, node: ListLiteral) -> Operand:
        if node.optional:
            raise UnsupportedError("optional elements")
        elements = [self.emit(element) for element in node.elements]
        self.pay(10)
        code = f"[{', '.join(map(self.value, elements))}]"
        sure = all(element.sure and not element.is_raw for element in elements)
        return Operand(self.assign(code, node), node.type or DYN, sure_elements=sure)
