"""Writes calls and operators of the direct form.

If both operands are sure, arithmetic, comparisons and string tests become Python's own, with the checks that CEL requires. All other calls
use the overload's implementation. Costs that depend on sizes are written out as integer arithmetic.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from weighbridge.policies.cel.emit import direct_logic
from weighbridge.policies.cel.emit.direct_form import DirectForm
from weighbridge.policies.cel.emit.operand import Operand, UnsupportedError, boolean, integer, unsure
from weighbridge.policies.cel.emit.resolved_calls import resolve
from weighbridge.policies.cel.syntax.nodes import Call, Expr
from weighbridge.policies.cel.values.declared import Shape
from weighbridge.policies.cel.values.types import DOUBLE, DYN, STRING, Kind, Type
from weighbridge.policies.ground.server_release import release
from weighbridge.policies.schema.kept_units import PATTERN
from weighbridge.policies.schema.patterns import compile_pattern

_MAX: Final = (1 << 63) - 1
_MIN: Final = -(1 << 63)
_PYTHON: Final = {
    "_==_": "==", "_!=_": "!=", "_<_": "<", "_<=_": "<=", "_>_": ">", "_>=_": ">=", "_+_": "+", "_-_": "-", "_*_": "*",
}  # fmt: skip
_PLAIN_EQUAL: Final = frozenset({Kind.INT, Kind.BOOL, Kind.UINT, Kind.DOUBLE, Kind.TIMESTAMP, Kind.DURATION, Kind.TYPE})


def call(emitter: DirectForm, node: Call) -> Operand:
    """Write a call; raises UnsupportedError."""
    special = _LOGIC.get(node.function)
    if special is not None:
        return special(emitter, node)
    written = _WRITTEN.get(node.function)
    if written is None:
        return _generic(emitter, node, [emitter.emit(arg) for arg in _args(node)])
    args = [emitter.emit(arg) for arg in _args(node)]
    return written(emitter, node, args) or _generic(emitter, node, args)


def _args(node: Call) -> list[Expr]:
    return node.args if node.target is None else [node.target, *node.args]


def _generic(emitter: DirectForm, node: Call, args: list[Operand]) -> Operand:
    """A call of the implementation with CEL values."""
    resolved = resolve(node, emitter.functions, emitter.constants)
    overload = resolved.overload
    call_ = resolved.call
    if overload is not None and overload.call is not None and all(map(_is_settled, args, overload.parameters)):
        call_ = overload.call
    values = [emitter.value(arg) for arg in args]
    if resolved.cost is not None:
        values = [
            value if value.isidentifier() or arg.is_constant else emitter.assign(value) for value, arg in zip(values, args, strict=True)
        ]
    result = emitter.assign(f"{emitter.name_of(call_)}({', '.join(values)})", node)
    if resolved.cost is None:
        emitter.pay(1)
    else:
        emitter.pay_code(f"{emitter.name_of(resolved.cost)}({', '.join([result, *values])})")
    return _result(result, node, overload is not None and _is_concrete(overload.result))


def _result(code: str, node: Call, concrete: bool) -> Operand:
    type_ = node.type or DYN
    if not concrete:
        return unsure(code, type_)
    return Operand(code, type_, sure_elements=type_.kind is Kind.LIST)


def _is_concrete(type_: Type) -> bool:
    """Whether a type has no dyn and no type parameter anywhere."""
    return type_.kind not in (Kind.DYN, Kind.PARAMETER) and all(map(_is_concrete, type_.parameters))


def _is_settled(operand: Operand, wanted: Type) -> bool:
    """Whether the type of an argument needn't be checked at run time."""
    return operand.sure and operand.declared is None and _is_concrete(wanted) and wanted.kind not in (Kind.LIST, Kind.MAP)


# --- equality and order ---


def _tenths(emitter: DirectForm, left: Operand, right: Operand) -> None:
    """The cost of comparing two texts or containers: a tenth of the smaller size."""
    constants = [operand.constant for operand in (left, right) if operand.is_constant]
    sizes = [len(constant) for constant in constants if isinstance(constant, (str, bytes, list))]
    if 0 in sizes:
        return
    if sizes and min(sizes) <= 10:
        other = right if left.is_constant else left
        if other.is_constant:
            emitter.pay(1)
        else:
            emitter.pay_code(f"1 if {other.code} else 0")
        return
    left_size, right_size = _size_code(left), _size_code(right)
    emitter.pay_code(f"(min({left_size}, {right_size}) + 9) // 10")


def _size_code(operand: Operand) -> str:
    if operand.is_constant and isinstance(operand.constant, (str, bytes, list)):
        return str(len(operand.constant))
    return f"len({operand.code})"


def _equality(emitter: DirectForm, node: Call, args: list[Operand]) -> Operand | None:
    left, right = args
    operator = _PYTHON[node.function]
    if left.declared is not None and left.declared is right.declared:
        emitter.verify(left)
        emitter.verify(right)
        _tenths(emitter, left, right)
        same = _same_data(emitter, node, left, right)
        return boolean(f"(not {same})" if operator == "!=" else same)
    if left.kind is not right.kind:
        return None
    if left.kind in _PLAIN_EQUAL:
        emitter.pay(1)
        return boolean(emitter.compact(f"({left.code} {operator} {right.code})"))
    if left.kind is Kind.STRING:
        _tenths(emitter, left, right)
        return boolean(emitter.compact(f"({left.code} {operator} {right.code})"))
    return None


def _same_data(emitter: DirectForm, node: Call, left: Operand, right: Operand) -> str:
    """Whether two raw containers of one declared type are equal: by Python's own equality where both agree."""
    declared = left.declared
    assert declared is not None  # noqa: S101 - what `_equality` asked
    if not declared.is_plain:
        return emitter.assign(f"same_data({left.code}, {right.code}, {emitter.writer.constant(declared)})", node)
    same = emitter.assign(f"{left.code} == {right.code}", node)
    check = emitter.kind_checks.function(declared)
    emitter.line(f"{check}({left.code})")
    if declared.holds_numbers:
        with emitter.block(f"if {same}:"):
            emitter.line(f"{check}({right.code})")
    return same


def _order(emitter: DirectForm, node: Call, args: list[Operand]) -> Operand | None:
    left, right = args
    if left.kind is Kind.INT and right.kind is Kind.INT:
        emitter.pay(1)
        return boolean(emitter.compact(f"({left.code} {_PYTHON[node.function]} {right.code})"))
    if left.kind is Kind.DOUBLE and right.kind is Kind.DOUBLE:
        return _order_doubles(emitter, node, left, right)
    if left.kind is Kind.STRING and right.kind is Kind.STRING:
        _tenths(emitter, left, right)
        return boolean(emitter.compact(f"({left.code} {_PYTHON[node.function]} {right.code})"))
    return None


def _order_doubles(emitter: DirectForm, node: Call, left: Operand, right: Operand) -> Operand:
    """Compare doubles; NaN has no order."""
    emitter.pay(1)
    codes = [
        operand.code if operand.code.isidentifier() or operand.is_constant else emitter.assign(operand.code) for operand in (left, right)
    ]
    for operand, code in zip((left, right), codes, strict=True):
        if not (operand.is_constant and operand.constant == operand.constant):
            with emitter.block(f"if {code} != {code}:"):
                emitter.line("raise RetryError")
    return boolean(f"({codes[0]} {_PYTHON[node.function]} {codes[1]})")


# --- arithmetic ---


def _arithmetic(emitter: DirectForm, node: Call, args: list[Operand]) -> Operand | None:
    left, right = args
    code = f"{left.code} {_PYTHON[node.function]} {right.code}"
    if left.kind is Kind.INT and right.kind is Kind.INT:
        emitter.pay(1)
        result = emitter.assign(code, node)
        with emitter.block(f"if not {_MIN} <= {result} <= {_MAX}:"):
            emitter.line("raise RetryError")
        return integer(result)
    if left.kind is Kind.DOUBLE and right.kind is Kind.DOUBLE:
        emitter.pay(1)
        return Operand(emitter.compact(f"({code})"), left.type)
    if left.kind is Kind.STRING and right.kind is Kind.STRING and node.function == "_+_":
        emitter.pay_code(f"({_size_code(left)} + {_size_code(right)} + 9) // 10")
        return Operand(emitter.assign(code, node), STRING)
    return None


# --- containers and texts ---


def _size(emitter: DirectForm, _node: Call, args: list[Operand]) -> Operand | None:
    operand = args[0]
    if operand.declared is not None:
        emitter.verify(operand)
    elif operand.kind not in (Kind.STRING, Kind.BYTES):
        return None
    emitter.pay(1)
    return integer(f"len({operand.code})")


def _membership(emitter: DirectForm, node: Call, args: list[Operand]) -> Operand | None:
    wanted, container = args
    members = emitter.constants.membership(node)
    if members is not None:
        if wanted.kind is Kind.STRING and isinstance(container.constant, list):
            return boolean(f"({wanted.code} in {emitter.writer.constant(frozenset(container.constant))})")
        token = f"({wanted.code}.__class__, {wanted.code})"
        if not wanted.code.isidentifier():
            name = emitter.assign(wanted.code)
            token = f"({name}.__class__, {name})"
        if wanted.kind in (Kind.INT, Kind.UINT, Kind.BOOL, Kind.DOUBLE):
            return boolean(f"({token} in {emitter.writer.constant(members)})")
        raise UnsupportedError("membership of something unsure")
    declared = container.declared
    if declared is None or declared.element is None or wanted.kind is not Kind.STRING:
        return None
    if declared.element.shape is not Shape.STRING or declared.element.nullable:
        return None
    emitter.verify(container)
    if declared.shape is Shape.LIST:
        emitter.pay_code(f"len({container.code})")
    else:
        emitter.pay(1)
    found = emitter.assign(f"{wanted.code} in {container.code}", node)
    # Text doesn't equal an element that isn't text, which the server reports.
    misfit = f"not {found} and not all_texts({container.code})"
    if declared.shape is not Shape.LIST:
        misfit = f"{found} and {container.code}[{wanted.code}].__class__ is not str"
    with emitter.block(f"if {misfit}:"):
        emitter.line("raise RetryError")
    return boolean(found)


def _text_test(emitter: DirectForm, node: Call, args: list[Operand]) -> Operand | None:
    text, part = args
    if text.kind is not Kind.STRING or part.kind is not Kind.STRING:
        return None
    if node.function == "contains":
        emitter.pay_code(f"(({_size_code(text)} + 9) // 10) * (({_size_code(part)} + 9) // 10)")
        return boolean(f"({part.code} in {text.code})")
    emitter.pay_code(f"({_size_code(part if release().prices_affixes else text)} + 9) // 10")
    method = "startswith" if node.function == "startsWith" else "endswith"
    return boolean(f"{_named(emitter, text)}.{method}({part.code})")


def _named(emitter: DirectForm, operand: Operand) -> str:
    return operand.code if operand.code.isidentifier() else emitter.assign(operand.code)


def _matches(emitter: DirectForm, node: Call, args: list[Operand]) -> Operand | None:
    text, pattern = args
    if text.kind is not Kind.STRING or not isinstance(pattern.constant, str) or node.target is None:
        return None
    fours = (len(pattern.constant) + 3) // 4
    if fours:
        emitter.pay_code(f"(({_size_code(text)} + 10) // 10) * {fours}")
    function = emitter.writer.constant(compile_pattern(pattern.constant).matches, (PATTERN, pattern.constant))
    return boolean(emitter.assign(f"bool({function}({text.code}))", node))


def _to_double(emitter: DirectForm, node: Call, args: list[Operand]) -> Operand | None:
    operand = args[0]
    if operand.kind is Kind.INT:
        emitter.pay(1)
        return Operand(f"float({operand.code})", DOUBLE)
    if operand.kind is not Kind.STRING or not operand.code.isidentifier():
        return None
    emitter.pay(1)
    return Operand(emitter.computed_once(f"to_double({operand.code})", node), DOUBLE)


def _to_dyn(emitter: DirectForm, _node: Call, args: list[Operand]) -> Operand | None:
    emitter.pay(1)
    return unsure(emitter.value(args[0]))


_LOGIC: Final[dict[str, Callable[[DirectForm, Call], Operand]]] = {
    "_&&_": direct_logic.conjunction,
    "_||_": direct_logic.disjunction,
    "!_": direct_logic.negation,
    "_?_:_": direct_logic.conditional,
    "or": direct_logic.optional_or,
    "orValue": direct_logic.optional_or,
}
_WRITTEN: Final[dict[str, Callable[[DirectForm, Call, list[Operand]], Operand | None]]] = {
    "_==_": _equality,
    "_!=_": _equality,
    "_<_": _order,
    "_<=_": _order,
    "_>_": _order,
    "_>=_": _order,
    "_+_": _arithmetic,
    "_-_": _arithmetic,
    "_*_": _arithmetic,
    "size": _size,
    "@in": _membership,
    "contains": _text_test,
    "startsWith": _text_test,
    "endsWith": _text_test,
    "matches": _matches,
    "double": _to_double,
    "dyn": _to_dyn,
}
