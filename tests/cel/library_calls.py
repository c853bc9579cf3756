"""Calls the functions of all libraries without an expression."""

from __future__ import annotations

from collections.abc import Callable
from itertools import chain
from typing import Final

from weighbridge.policies.cel.library import LIBRARIES
from weighbridge.policies.cel.library.overload import Overload
from weighbridge.policies.cel.values.values import CelError, MapValue, Value

#: All overloads by their ids.
OVERLOADS: Final[dict[str, Overload]] = {
    overload.id: overload
    for overload in chain.from_iterable(function.overloads for library in LIBRARIES for function in library.functions.values())
}


def said(call: Callable[..., Value], *args: Value) -> Value:
    """The result of a call, or the message of its error."""
    try:
        return call(*args)
    except CelError as error:
        return str(error)


def made(*entries: tuple[Value, Value]) -> MapValue:
    """A map in the form in which an expression builds it."""
    found = MapValue()
    for key, value in entries:
        found.put(key, value)
    return found
