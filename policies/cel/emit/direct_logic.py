"""Writes ``&&``, ``||``, ``!``, the conditional and the optional alternatives of the direct form as plain control flow.

Errors aren't absorbed here: an operand that fails ends the direct form.
"""

from __future__ import annotations

from weighbridge.policies.cel.emit.direct_form import DirectForm
from weighbridge.policies.cel.emit.operand import Operand, boolean, unsure
from weighbridge.policies.cel.syntax.nodes import Call, Expr
from weighbridge.policies.cel.values.types import DYN
from weighbridge.policies.ground.server_release import release


def terms(node: Expr, function: str) -> list[Expr]:
    """The operands of a chain of one operator, in the order they are evaluated."""
    found: list[Expr] = []
    stack = [node]
    while stack:
        current = stack.pop()
        if isinstance(current, Call) and current.function == function:
            stack += reversed(current.args)
        else:
            found.append(current)
    return found


def conjunction(emitter: DirectForm, node: Call) -> Operand:
    """``a && b && c``."""
    return _chain(emitter, node, "if {}:")


def disjunction(emitter: DirectForm, node: Call) -> Operand:
    """``a || b || c``."""
    return _chain(emitter, node, "if not {}:")


def _chain(emitter: DirectForm, node: Call, header: str) -> Operand:
    result = emitter.fresh("t")
    for position, term in enumerate(terms(node, node.function)):
        if position == 0:
            emitter.line(f"{result} = {emitter.as_bool(emitter.emit(term))}", term)
            continue
        with emitter.paying_block(header.format(result)):
            emitter.line(f"{result} = {emitter.as_bool(emitter.emit(term))}", term)
    return boolean(result)


def negation(emitter: DirectForm, node: Call) -> Operand:
    """``!a``."""
    emitter.pay(1)
    return boolean(emitter.compact(f"(not {emitter.as_bool(emitter.emit(node.args[0]))})"))


def conditional(emitter: DirectForm, node: Call) -> Operand:
    """``c ? a : b``."""
    condition = emitter.as_bool(emitter.emit(node.args[0]))
    result = emitter.fresh("v")
    with emitter.paying_block(f"if {condition}:", node):
        truthy = _branch(emitter, node.args[1])
        truthy_value = emitter.value(truthy)
        emitter.line(f"{result} = {truthy_value}")
    with emitter.paying_block("else:"):
        falsy = _branch(emitter, node.args[2])
        emitter.line(f"{result} = {emitter.value(falsy)}")
    type_ = node.type or DYN
    if truthy.sure and falsy.sure and truthy.type == falsy.type and not truthy.is_raw and not falsy.is_raw:
        return Operand(result, truthy.type, sure_elements=truthy.sure_elements and falsy.sure_elements)
    return unsure(result, type_)


def _branch(emitter: DirectForm, node: Expr) -> Operand:
    operand = emitter.emit(node, branch=True)
    if operand.is_raw or operand.sure:
        return operand
    return unsure(emitter.assign(f"variable({operand.code})"), operand.type)


def optional_or(emitter: DirectForm, node: Call) -> Operand:
    """``optional.or(other)`` and ``optional.orValue(value)``."""
    assert node.target is not None  # noqa: S101 - both are member functions
    result = emitter.assign(emitter.value(emitter.emit(node.target)), node)
    with emitter.block(f"if is_present({result}):"):
        emitter.line(f"{result} = dereference({result})" if node.function == "orValue" else "pass")
    with emitter.paying_block(f"elif {result} is NONE:"):
        emitter.line(f"{result} = {emitter.value(emitter.emit(node.args[0]))}")
    if release().requires_optionals:
        with emitter.block("else:"):
            emitter.line("raise RetryError")
    return unsure(result, node.type or DYN)
