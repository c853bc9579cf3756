"""Finds the overload that fits the values of a call if the static types don't decide.

A list or map is judged by its first element, as cel-go does. Source: cel-go's `common/decls/decls.go`.
"""

from __future__ import annotations

from weighbridge.policies.cel.library.overload import Function, Implementation, Overload
from weighbridge.policies.cel.run_time_errors import no_such_overload_of
from weighbridge.policies.cel.values.access import find, is_list, is_map, item_at, keys
from weighbridge.policies.cel.values.types import Kind, Type
from weighbridge.policies.cel.values.values import CelError, Value, type_name


def fits(type_: Type, value: Value) -> bool:
    """Whether a value is of a type. Of a list or a map only the first entry is looked at."""
    if _is_any(type_):
        return True
    if type_.name != type_name(value):
        return False
    try:
        if type_.kind is Kind.LIST and is_list(value) and len(value):
            return _is_any(type_.parameters[0]) or fits(type_.parameters[0], item_at(value, 0))
        if type_.kind is Kind.MAP and is_map(value) and len(value):
            for key in keys(value):
                return fits(type_.parameters[0], key) and (_is_any(type_.parameters[1]) or fits(type_.parameters[1], find(value, key)[0]))
    except CelError:
        # An entry that can't be read is an error, which is of no type.
        return False
    return True


def _is_any(type_: Type) -> bool:
    return type_.kind in (Kind.DYN, Kind.PARAMETER)


def accepts(overload: Overload, args: tuple[Value, ...]) -> bool:
    """Whether an overload takes these values."""
    return len(args) == len(overload.parameters) and all(map(fits, overload.parameters, args))


def no_such_overload(name: str, args: tuple[Value, ...]) -> CelError:
    """The error of a call that no overload takes."""
    return CelError(no_such_overload_of(f"{name}({', '.join(map(type_name, args))})"))


def guarded(name: str, overload: Overload) -> Implementation:
    """An overload's implementation, preceded by a check of its arguments' types."""
    call = overload.call
    assert call is not None  # noqa: S101 - overloads without one belong to singletons

    def guarded_call(*args: Value) -> Value:
        if not accepts(overload, args):
            raise no_such_overload(name, args)
        return call(*args)

    return guarded_call


def dispatcher(function: Function) -> Implementation:
    """A function that tries the overloads in the order of their declaration."""

    def dispatch(*args: Value) -> Value:
        for overload in function.overloads:
            if overload.call is not None and accepts(overload, args):
                return overload.call(*args)
        raise no_such_overload(function.name, args)

    return dispatch
