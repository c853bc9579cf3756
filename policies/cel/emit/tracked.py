"""Writes the tracked form of an expression: every step is counted, and errors are values.

The result of this form is final. It follows upstream step by step, so that value, error and cost are equal even where one operand of ``&&``
fails and the other decides. The direct form (`direct`) is tried first and gives up at anything unusual. Source: cel-go's
`interpreter/planner.go`, `interpretable.go` and `runtimecost.go`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from weighbridge.policies.cel.check.checked import Checked
from weighbridge.policies.cel.emit.constants import Constants
from weighbridge.policies.cel.emit.emitter import Emitter, is_step, is_variable, pays_for_itself
from weighbridge.policies.cel.emit.resolved_calls import ResolvedCall, resolve
from weighbridge.policies.cel.emit.steps import TRACKED
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
from weighbridge.policies.cel.values.types import DYN
from weighbridge.policies.codegen import SourceWriter
from weighbridge.policies.ground.server_release import release

_FAILED: Final = ".__class__ is CelError"
_SOUND: Final = ".__class__ is not CelError"


class TrackedEmitter(Emitter):
    """Writes the function ``def name(limit, variables...)``, which returns value or error, and cost."""

    def __init__(self, checked: Checked, constants: Constants, writer: SourceWriter) -> None:
        super().__init__(checked, constants, writer, TRACKED)

    def function(self, name: str, variables: dict[str, str]) -> None:
        """Write the whole function; `variables` are CEL names and the parameters that hold their values."""
        self.scope.bindings.update(variables)
        with self.writer.block(f"def {name}({', '.join(['limit', *variables.values()])}):"):
            self._levels = 1
            self.line("cost = 0")
            self.write_body(self.checked.root)
        self.write_moved()

    def write_body(self, node: Expr) -> None:
        """Write the line that returns the value or error of `node`, and the cost."""
        self.line(f"return {self.emit(node)}, cost")

    def variables_of(self, binding: Any) -> list[str]:
        """The Python variables of a bound name."""
        return [binding] if isinstance(binding, str) else [binding.name]

    def emit(self, node: Expr, *, branch: bool = False, key: bool = False) -> str:
        """Write the code that computes `node`. Returns the Python expression of its value.

        Reading a `branch` of a conditional is free. The `key` of a step has another error if it is an element that can't be read.
        """
        if node in self.constants:
            return self._constant(node)
        if self.is_too_deep():
            value = self.writer.fresh("v")
            self.line(f"{value}, cost = {self.move_out(node)}", node)
            if branch and pays_for_itself(node):
                self.line("cost -= 1")
            return value
        with self.part():
            return self._write(node, branch=branch, key=key)

    def _write(self, node: Expr, *, branch: bool, key: bool) -> str:
        if is_variable(node) or is_step(node):
            return self._chain_from(*self.steps_of(node), node, branch=branch, key=key)
        if isinstance(node, Call):
            return self._conditional(node, [], key=key) if node.function == "_?_:_" else self._call(node)
        if isinstance(node, ListLiteral):
            return self._list(node)
        if isinstance(node, MapLiteral):
            return self._map(node)
        if isinstance(node, StructLiteral):
            return self._struct(node)
        assert isinstance(node, Comprehension)  # noqa: S101 - the checker leaves nothing else
        return self._comprehension(node)

    def _constant(self, node: Expr) -> str:
        value = self.constants[node]
        return self.writer.literal(value)

    # --- chains of selects and indexes ---

    def _chain_from(self, base: Expr, steps: list[Expr], node: Expr, *, branch: bool, key: bool) -> str:
        if isinstance(base, Call) and base.function == "_?_:_" and base not in self.constants:
            return self._conditional(base, steps, key=key)
        if is_step(base) and base not in self.constants:
            base, inner = self.steps_of(base)
            return self._chain_from(base, [*inner, *steps], node, branch=branch, key=key)
        start = self._start(base)
        # Upstream doesn't count the steps from a name outside of all scopes.
        counts = not (is_variable(base) and base.reference is not None and base.reference.startswith("."))
        value = self._steps(start, steps, node, counts=counts, key=key) if steps else self._read(start, base)
        tests = bool(steps) and isinstance(steps[-1], Select) and steps[-1].test_only
        if not branch and not tests:
            self.line("cost += 1")
        return value

    def _start(self, base: Expr) -> str:
        if not is_variable(base):
            return self.emit(base)
        assert base.reference is not None  # noqa: S101 - what `is_variable` asked
        binding = self.scope.find(base.reference)
        if isinstance(binding, _Lazy):
            self._initialise(binding)
            return binding.name
        return str(binding)

    def _initialise(self, lazy: _Lazy) -> None:
        with self.block(f"if {lazy.name} is CelError:"):
            outer, self.scope = self.scope, lazy.scope
            self.line(f"{lazy.name} = {self.emit(lazy.node)}", lazy.node)
            self.scope = outer

    def _read(self, start: str, base: Expr) -> str:
        type_ = base.type or DYN
        if not (type_.is_dyn or type_.is_optional):
            return start
        value = self.writer.fresh("v")
        self.line(f"{value} = variable({start})", base)
        return value

    def _steps(self, start: str, steps: list[Expr], node: Expr, *, counts: bool, key: bool) -> str:
        value, state, paid = self.writer.fresh("v"), self.writer.fresh("s"), self.writer.fresh("c")
        self.line(f"{value}, {state} = start({start})")
        for step in steps:
            with self.block(f"if {state} != 2:"):
                self.write_step(step, self._key(step), value, state, paid)
                if counts:
                    self.line(f"cost += {paid}")
        tests = isinstance(node, Select) and node.test_only
        finish = "finish_key" if key else "finish"
        self.line(f"{value} = tested({value})" if tests else f"{value} = {finish}({value}, {state})")
        return value

    def _key(self, step: Expr) -> str:
        if isinstance(step, Select):
            return self.writer.literal(step.field)
        assert isinstance(step, Call)  # noqa: S101 - steps are selects and calls
        return self.emit(step.args[1], branch=True, key=True)

    # --- calls ---

    def _call(self, node: Call) -> str:
        special = _SPECIAL.get(node.function)
        if special is not None:
            return special(self, node)
        members = self.constants.membership(node)
        if members is not None:
            value = self.emit(node.args[0])
            result = self.writer.fresh("v")
            self.line(f"{result} = belongs({value}, {self.writer.constant(members)})", node)
            return result
        return self._plain_call(node, resolve(node, self.functions, self.constants))

    def _plain_call(self, node: Call, resolved: ResolvedCall) -> str:
        result = self.writer.fresh("v")
        function = self.name_of(resolved.call)
        if not resolved.in_turn:
            args = [self.emit(arg) for arg in resolved.args]
            self.line(f"{result} = {self._invocation(function, args)}", node)
            self._pay(resolved, result, args)
            return result
        args = []
        self.line(f"{result} = None")
        for position, arg in enumerate(resolved.args):
            with self.block(f"if {result}{_SOUND}:"):
                value = self.writer.fresh("a")
                self.line(f"{value} = {self.emit(arg)}")
                args.append(value)
                with self.block(f"if {value}{_FAILED}:"):
                    self.line(f"{result} = {value}")
                if position == len(resolved.args) - 1:
                    with self.block("else:"):
                        self.line(f"{result} = {self._invocation(function, args)}", node)
                    self._pay(resolved, result, args)
        return result

    def _invocation(self, function: str, args: list[str]) -> str:
        return f"attempt({', '.join([function, *args])})"

    def _pay(self, resolved: ResolvedCall, result: str, args: list[str]) -> None:
        if resolved.cost is None:
            self.line("cost += 1")
        else:
            self.line(f"cost += {self.name_of(resolved.cost)}({', '.join([result, *args])})")

    def _and(self, node: Call) -> str:
        return self._logic(node, "False", "both")

    def _or(self, node: Call) -> str:
        return self._logic(node, "True", "either")

    def _logic(self, node: Call, decisive: str, combine: str) -> str:
        result = self.writer.fresh("v")
        left = self.emit(node.args[0])
        self.line(f"{result} = {left}")
        with self.block(f"if {result} is not {decisive}:", node):
            right = self.emit(node.args[1])
            self.line(f"{result} = {combine}({result}, {right})")
        return result

    def _conditional(self, node: Call, steps: list[Expr], *, key: bool) -> str:
        condition = self.emit(node.args[0])
        result = self.writer.fresh("v")
        chosen = self.writer.fresh("b")
        self.line(f"{chosen} = {condition}", node)
        for header, part in ((f"if {chosen} is True:", node.args[1]), (f"elif {chosen} is False:", node.args[2])):
            with self.block(header):
                if steps:
                    self.line(f"{result} = {self._chain_from(part, steps, steps[-1], branch=True, key=key)}")
                else:
                    self.line(f"{result} = {self._branch(part, key=key)}")
        with self.block("else:"):
            self.line(f"{result} = choice_error({chosen})")
        return result

    def _branch(self, node: Expr, *, key: bool) -> str:
        value = self.emit(node, branch=True, key=key)
        type_ = node.type or DYN
        if is_variable(node) or is_step(node) or not (type_.is_dyn or type_.is_optional):
            return value
        return f"variable({value})"

    def _optional_or(self, node: Call) -> str:
        return self._optional_choice(node, "{}")

    def _optional_or_value(self, node: Call) -> str:
        return self._optional_choice(node, "attempt(dereference, {})")

    def _optional_choice(self, node: Call, taken: str) -> str:
        assert node.target is not None  # noqa: S101 - both are member functions
        result = self.writer.fresh("v")
        left = self.emit(node.target)
        self.line(f"{result} = {left}", node)
        with self.block(f"if is_present({result}):"):
            self.line(f"{result} = {taken.format(result)}")
        with self.block(f"elif {result} is NONE:"):
            self.line(f"{result} = {self.emit(node.args[0])}")
        if release().requires_optionals:
            with self.block(f"elif {result}{_SOUND}:"):
                self.line(f"{result} = no_optional()")
        return result

    # --- literals ---

    def _list(self, node: ListLiteral) -> str:
        result = self.writer.fresh("v")
        self.line(f"{result} = []", node)
        for index, part in enumerate(node.elements):
            with self.block(f"if {result}{_SOUND}:"):
                optional = ", optional=True" if index in node.optional else ""
                self.line(f"{result} = element({result}, {self.emit(part)}{optional})")
        self.line("cost += 10")
        return result

    def _map(self, node: MapLiteral) -> str:
        result = self.writer.fresh("v")
        self.line(f"{result} = MapValue()", node)
        for entry in node.entries:
            with self.block(f"if {result}{_SOUND}:"):
                key = self.writer.fresh("a")
                self.line(f"{key} = {self.emit(entry.key)}")
                with self.block(f"if {key}{_FAILED}:"):
                    self.line(f"{result} = {key}")
                with self.block("else:"):
                    optional = ", optional=True" if entry.optional else ""
                    self.line(f"{result} = put({result}, {key}, {self.emit(entry.value)}{optional})")
        self.line("cost += 30")
        return result

    def _struct(self, node: StructLiteral) -> str:
        built = self.checked.environment.built
        assert built is not None and node.reference is not None  # noqa: S101, PT018 - the checker knows no other structs
        result = self.writer.fresh("v")
        self.line(f"{result} = {{}}", node)
        for entry in node.entries:
            assert isinstance(entry.key, Literal)  # noqa: S101 - the parser makes no other
            with self.block(f"if {result}{_SOUND}:"):
                optional = ", optional=True" if entry.optional else ""
                name = self.writer.literal(entry.key.value)
                self.line(f"{result} = with_field({result}, {name}, {self.emit(entry.value)}{optional})")
        build = self.name_of(built.build)
        self.line(f"{result} = attempt({build}, {self.writer.literal(node.reference)}, {result})")
        self.line("cost += 40")
        return result

    # --- comprehensions ---

    def _comprehension(self, node: Comprehension) -> str:
        if node.macro in BINDING_MACROS:
            return self._bound(node)
        over = self.emit(node.range)
        items, result = self.writer.fresh("r"), self.writer.fresh("v")
        run = "run_over_pairs" if node.second_variable else "run_over"
        self.line(f"{items} = {run}({over})", node.range)
        self.line(f"{result} = {items}")
        with self.block(f"if {items}{_SOUND}:"):
            accumulated, first, second = self.writer.fresh("acc"), self.writer.fresh("e"), self.writer.fresh("e")
            names = {node.variable: first}
            target = first
            if node.second_variable:
                names[node.second_variable] = second
                target = f"{first}, {second}"
            with self.scoped({node.accumulator: accumulated}):
                self.line(f"{accumulated} = {self._initial(node.initial)}")
                with self.loop(f"for {target} in {items}:", node), self.scoped(names):
                    self._iteration(node, accumulated)
                self.line(f"{result} = {self.emit(node.result)}")
        return result

    def _initial(self, node: Expr) -> str:
        if isinstance(node, ListLiteral):
            return "[]"
        return "MapValue()" if isinstance(node, MapLiteral) else self.emit(node)

    def _iteration(self, node: Comprehension, accumulated: str) -> None:
        condition = self.emit(node.condition)
        if condition != "True":
            with self.block(f"if {condition} is False:"):
                self.line("break")
        self.line(f"{accumulated} = {self.emit(node.step)}")
        with self.block("if cost > limit:"):
            self.line("raise CostExceededError(cost)")

    def _bound(self, node: Comprehension) -> str:
        """A name for an optional's value, which is computed when it is first read."""
        lazy = _Lazy(self.writer.fresh("o"), node.initial, self.scope)
        self.line(f"{lazy.name} = CelError")
        with self.scoped({node.accumulator: lazy}):
            return self.emit(node.result)

    def _not_strictly_false(self, node: Call) -> str:
        """The test of a fold: true unless its argument is false."""
        value = self.emit(node.args[0])
        self.line("cost += 1")
        return f"({value} is not False)"

    def _add(self, node: Call) -> str:
        """``+``; a fold's own list grows in place."""
        left = node.args[0]
        if isinstance(left, Ident) and left.name == "@result" and isinstance(node.args[1], ListLiteral):
            accumulated = self.emit(left)
            more = self.emit(node.args[1])
            result = self.writer.fresh("v")
            self.line(f"{result} = appended({accumulated}, {more})", node.args[1])
            self.line("cost += 1")
            return result
        return self._plain_call(node, resolve(node, self.functions, self.constants))


class _Lazy:
    """A name whose value is computed when it is first read."""

    def __init__(self, name: str, node: Expr, scope: Any) -> None:
        self.name = name
        self.node = node
        self.scope = scope


_SPECIAL: Final[dict[str, Callable[[TrackedEmitter, Call], str]]] = {
    "_&&_": TrackedEmitter._and,  # noqa: SLF001 - its own methods
    "_||_": TrackedEmitter._or,  # noqa: SLF001
    "@not_strictly_false": TrackedEmitter._not_strictly_false,  # noqa: SLF001
    "_+_": TrackedEmitter._add,  # noqa: SLF001
    "or": TrackedEmitter._optional_or,  # noqa: SLF001
    "orValue": TrackedEmitter._optional_or_value,  # noqa: SLF001
}
