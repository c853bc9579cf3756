"""Finds what a checked call runs and what it costs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from policies.cel.library.matching import dispatcher, guarded
from policies.cel.library.overload import Cost, Function, Implementation, Overload
from policies.cel.nodes import Call, Expr


@dataclass(frozen=True, slots=True)
class ResolvedCall:
    """A call's implementation; `overload` is `None` where only the values decide, `cost` where it is one."""

    name: str
    overload: Overload | None
    call: Implementation
    cost: Cost | None
    args: tuple[Expr, ...]


def resolve(node: Call, functions: Mapping[str, Function]) -> ResolvedCall:
    """What a call of the checked tree does."""
    function = functions[node.function]
    overload = function.overload(node.overloads[0]) if len(node.overloads) == 1 else None
    if function.singleton is not None:
        call = function.singleton
    elif overload is not None and overload.call is not None:
        call = guarded(function.name, overload)
    else:
        call = dispatcher(function)
    cost = overload.cost if overload is not None else function.unresolved_cost
    args = tuple(node.args) if node.target is None else (node.target, *node.args)
    return ResolvedCall(function.name, overload, call, cost, args)
