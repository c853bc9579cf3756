"""Writes the macros of the direct form as loops over the list or map itself.

Each iteration adds its cost and checks the limit. `all` and `exists` stop when they are decided. If elements are left then, one more test
of the fold's condition is paid for, as upstream does.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from weighbridge.policies.cel.emit.direct_form import DirectForm
from weighbridge.policies.cel.emit.operand import Operand, UnsupportedError, boolean, unsure
from weighbridge.policies.cel.syntax.nodes import Call, Comprehension, Expr, ListLiteral
from weighbridge.policies.cel.values.declared import Shape
from weighbridge.policies.cel.values.types import DYN, INT, STRING, Kind
from weighbridge.policies.ground.records import dataclass


def fold(emitter: DirectForm, node: Comprehension) -> Operand:
    """Write a macro; raises UnsupportedError."""
    write = _MACROS.get(node.macro)
    if write is None:
        raise UnsupportedError(node.macro)
    return write(emitter, node)


@dataclass(slots=True)
class _Range:
    """The range of a loop: the iterated expression, the loop's variables, and how to bind them inside."""

    code: str
    target: str
    bind: Callable[[], dict[str, Operand]]


def _range(emitter: DirectForm, node: Comprehension) -> _Range:
    operand = emitter.emit(node.range)
    if operand.declared is not None and operand.declared.shape in (Shape.LIST, Shape.MAP) and operand.declared.element is not None:
        emitter.verify(operand)
        return _over_list(emitter, node, operand) if operand.declared.shape is Shape.LIST else _over_map(emitter, node, operand)
    if operand.declared is None and operand.sure and operand.type.kind is Kind.LIST:
        return _over_values(emitter, node, operand)
    raise UnsupportedError("a range of another kind")


def _over_list(emitter: DirectForm, node: Comprehension, operand: Operand) -> _Range:
    element = emitter.fresh("e")
    declared = operand.declared.element if operand.declared is not None else None
    assert declared is not None  # noqa: S101 - what `_range` asked
    names = (node.variable, node.second_variable)

    def bind() -> dict[str, Operand]:
        found = emitter.read(element, declared, element) if not declared.nullable else emitter.read_element(element, declared)
        return {names[1]: found, names[0]: Operand(index, INT)} if names[1] else {names[0]: found}

    if not node.second_variable:
        return _Range(operand.code, element, bind)
    index = emitter.fresh("i")
    return _Range(f"enumerate({operand.code})", f"{index}, {element}", bind)


def _over_map(emitter: DirectForm, node: Comprehension, operand: Operand) -> _Range:
    key = emitter.fresh("e")
    declared = operand.declared.element if operand.declared is not None else None
    assert declared is not None  # noqa: S101 - what `_range` asked
    if not node.second_variable:
        return _Range(operand.code, key, lambda: {node.variable: Operand(key, STRING)})
    element = emitter.fresh("e")

    def bind() -> dict[str, Operand]:
        found = emitter.read(element, declared, element) if not declared.nullable else emitter.read_element(element, declared)
        return {node.variable: Operand(key, STRING), node.second_variable: found}

    return _Range(f"{operand.code}.items()", f"{key}, {element}", bind)


def _over_values(emitter: DirectForm, node: Comprehension, operand: Operand) -> _Range:
    """The range of a list that the expression built or a function returned."""
    element = emitter.fresh("e")
    type_ = operand.type.parameters[0] if operand.type.parameters else DYN
    sure = operand.sure_elements and type_.kind not in (Kind.LIST, Kind.MAP, Kind.DYN, Kind.STRUCT)
    found = Operand(element, type_) if sure else unsure(element, type_)
    if not node.second_variable:
        return _Range(operand.code, element, lambda: {node.variable: found})
    index = emitter.fresh("i")
    return _Range(
        f"enumerate({operand.code})", f"{index}, {element}", lambda: {node.variable: Operand(index, INT), node.second_variable: found}
    )


def _all(emitter: DirectForm, node: Comprehension) -> Operand:
    return _quantifier(emitter, node, undecided="True", per_iteration=3, per_test=2)


def _exists(emitter: DirectForm, node: Comprehension) -> Operand:
    return _quantifier(emitter, node, undecided="False", per_iteration=4, per_test=3)


def _quantifier(emitter: DirectForm, node: Comprehension, *, undecided: str, per_iteration: int, per_test: int) -> Operand:
    range_ = _range(emitter, node)
    emitter.pay(1)
    result, rest = emitter.fresh("t"), emitter.fresh("rest")
    emitter.line(f"{result} = {undecided}")
    emitter.line(f"{rest} = iter({range_.code})", node.range)
    with emitter.paying_loop(f"for {range_.target} in {rest}:", node), emitter.scoped(range_.bind()):
        predicate = emitter.as_bool(emitter.emit(_predicate(node)))
        emitter.pay(per_iteration)
        decided = f"if not {predicate}:" if undecided == "True" else f"if {predicate}:"
        # The iteration is paid for before the loop is left.
        paid = emitter.take_costs()
        emitter.line(f"cost += {paid}")
        with emitter.block(decided):
            emitter.line(f"{result} = {'False' if undecided == 'True' else 'True'}")
            with emitter.block(f"if next({rest}, END) is not END:"):
                emitter.line(f"cost += {per_test}")
            emitter.line("break")
    return boolean(result)


def _predicate(node: Comprehension) -> Expr:
    assert isinstance(node.step, Call)  # noqa: S101 - what the macro makes
    return node.step.args[1] if node.macro in ("all", "exists") else node.step.args[0]


def _exists_one(emitter: DirectForm, node: Comprehension) -> Operand:
    range_ = _range(emitter, node)
    emitter.pay(2)
    count = emitter.fresh("n")
    emitter.line(f"{count} = 0")
    with emitter.paying_loop(f"for {range_.target} in {range_.code}:", node), emitter.scoped(range_.bind()):
        predicate = emitter.as_bool(emitter.emit(_predicate(node)))
        with emitter.paying_block(f"if {predicate}:"):
            emitter.line(f"{count} += 1")
            emitter.pay(2)
    return boolean(f"({count} == 1)")


def _collect(emitter: DirectForm, node: Comprehension) -> Operand:
    """`map`, `filter` and `transformList`: all elements, or those that pass a condition, are appended."""
    range_ = _range(emitter, node)
    emitter.pay(1)
    result = emitter.fresh("v")
    emitter.line(f"{result} = []")
    condition, element = _parts(node)
    with emitter.paying_loop(f"for {range_.target} in {range_.code}:", node), emitter.scoped(range_.bind()):
        if condition is None:
            found = _append(emitter, result, element)
        else:
            with emitter.paying_block(f"if {emitter.as_bool(emitter.emit(condition))}:"):
                found = _append(emitter, result, element)
    type_ = node.type or DYN
    return Operand(result, type_, sure=type_.kind is Kind.LIST, sure_elements=found.sure and not found.is_raw)


def _parts(node: Comprehension) -> tuple[Expr | None, ListLiteral]:
    step = node.step
    condition = None
    assert isinstance(step, Call)  # noqa: S101 - what the macro makes
    if step.function == "_?_:_":
        condition, step = step.args[0], step.args[1]
    assert isinstance(step, Call)  # noqa: S101
    element = step.args[1]
    assert isinstance(element, ListLiteral)  # noqa: S101
    return condition, element


def _append(emitter: DirectForm, result: str, literal: ListLiteral) -> Operand:
    element = literal.elements[0]
    operand = emitter.emit(element)
    emitter.pay(2 if literal in emitter.constants else 12)
    emitter.line(f"{result}.append({emitter.value(operand)})", element)
    return operand


_MACROS: Final[dict[str, Callable[[DirectForm, Comprehension], Operand]]] = {
    "all": _all,
    "exists": _exists,
    "exists_one": _exists_one,
    "map": _collect,
    "filter": _collect,
    "transformList": _collect,
}
