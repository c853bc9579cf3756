"""Turns a compiled unit into bytes, and back.

Code objects and plain data are marshalled. A constant that is neither is replaced by its origin. For functions and classes that is their
module and name. For others, such as a node of a schema, it is a word and plain arguments from which a resolver finds or makes them again. A
unit that has a constant without an origin isn't kept.
"""

from __future__ import annotations

import marshal
import sys
from importlib import import_module
from types import CodeType
from typing import Any, Protocol

from weighbridge.policies.codegen.unit import GeneratedUnit
from weighbridge.policies.codegen.writer import NAMED, PLAIN, Origin
from weighbridge.policies.ground.records import dataclass


class OriginResolver(Protocol):
    """Finds the origin of a constant, and the constant of an origin."""

    def origin_of(self, value: object) -> Origin | None:
        """How to find a constant again; `None` if it is plain data or can't be found again."""

    def restore(self, origin: Origin) -> object:
        """The constant of an origin; raises LookupError, TypeError or ValueError if there is none."""


@dataclass(frozen=True, slots=True)
class FrozenUnit:
    """A unit and its code; `facts` is plain data that the resolver keeps with it."""

    unit: GeneratedUnit
    code: CodeType
    facts: object


def freeze(frozen: FrozenUnit, resolver: OriginResolver) -> bytes | None:
    """A unit and its code as bytes; `None` if it has constants that can't be kept."""
    unit, origins = frozen.unit, []
    for name, value in unit.constants.items():
        origin = unit.origins.get(name) or resolver.origin_of(value) or _origin_by_name(value) or (PLAIN, value)
        origins.append((name, origin))
    parts: Any = (unit.name, unit.source, origins, frozen.facts, frozen.code)
    try:
        return marshal.dumps(parts)
    except ValueError:
        # A constant isn't plain data, or it is nested too deep for the format.
        return None


def thaw(data: bytes, resolver: OriginResolver) -> FrozenUnit | None:
    """The unit from which `freeze` made `data`; `None` if it is something else. The bytes must be trusted: they hold code."""
    try:
        name, source, origins, facts, code = marshal.loads(data)  # noqa: S302 - the cache answers for its bytes
        constants = {key: _restored(origin, resolver) for key, origin in origins}
    except (AttributeError, EOFError, ImportError, LookupError, TypeError, ValueError):
        return None
    if not isinstance(code, CodeType):
        return None
    return FrozenUnit(GeneratedUnit(name, source, constants), code, facts)


def _restored(origin: Origin, resolver: OriginResolver) -> object:
    word = origin[0]
    if word == PLAIN:
        return origin[1]
    if word == NAMED:
        return getattr(import_module(origin[1]), origin[2])
    return resolver.restore(origin)


def _origin_by_name(value: object) -> Origin | None:
    """Module and name of a function or class that can be found there; `None` for a closure and for anything else."""
    module, name = getattr(value, "__module__", None), getattr(value, "__qualname__", None)
    if not isinstance(module, str) or not isinstance(name, str):
        return None
    return (NAMED, module, name) if getattr(sys.modules.get(module), name, None) is value else None
