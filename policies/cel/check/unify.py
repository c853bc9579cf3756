"""Decides which types fit where, finding type parameters on the way.

A `Substitution` is immutable; a successful match returns the one that makes it succeed, so that a failed attempt leaves nothing behind.
Source: cel-go's `checker/types.go` and `checker/mapping.go`, whose odd corners (null fits opaque types, a parameter may widen to the more
general of two types) decide which rules compile.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from weighbridge.policies.cel.values.types import DYN, NULL, Kind, Type


class Substitution:
    """The types of the type parameters found so far."""

    def __init__(self, found: dict[Type, Type] | None = None) -> None:
        self._found = found or {}

    def assignable(self, source: Type, target: Type) -> Substitution | None:
        """The substitution under which `source` fits where `target` is wanted; `None` if there is none."""
        return self.all_assignable([source], [target])

    def all_assignable(self, sources: Sequence[Type], targets: Sequence[Type]) -> Substitution | None:
        """The substitution under which all arguments of a call fit its parameters; `None` if there is none."""
        attempt = Substitution(dict(self._found))
        return attempt if attempt._fit_all(sources, targets) else None

    def apply(self, type_: Type, *, unbound_to_dyn: bool = False) -> Type:
        """`type_` with all known parameters replaced, and on request the others replaced by dyn."""
        if type_.kind is Kind.PARAMETER:
            found = self._found.get(type_)
            if found is not None:
                return self.apply(found, unbound_to_dyn=unbound_to_dyn)
            return DYN if unbound_to_dyn else type_
        if not type_.parameters:
            return type_
        return Type(type_.kind, type_.name, tuple(self.apply(p, unbound_to_dyn=unbound_to_dyn) for p in type_.parameters))

    def _fit_all(self, sources: Sequence[Type], targets: Sequence[Type]) -> bool:
        return len(sources) == len(targets) and all(map(self._fits, sources, targets))

    def _fits(self, first: Type, second: Type) -> bool:
        if second.kind is Kind.PARAMETER:
            valid, known = self._stands_for(first, second)
            if valid or known:
                return valid
        if first.kind is Kind.PARAMETER:
            return self._stands_for(second, first)[0]
        if {first.kind, second.kind} & _ANYTHING:
            return True
        if first.kind is Kind.NULL or second.kind is Kind.NULL:
            return _takes_null(second if first.kind is Kind.NULL else first)
        if first.kind is Kind.TYPE:
            return second.kind is Kind.TYPE
        return first.kind is second.kind and first.name == second.name and self._fit_all(first.parameters, second.parameters)

    def _stands_for(self, type_: Type, parameter: Type) -> tuple[bool, bool]:
        """Whether `parameter` can be bound to `type_`, and whether it was bound already."""
        if type_ == parameter:
            return True, True
        known = self._found.get(parameter)
        if known is None:
            if not self._is_free_of(parameter, type_):
                return False, False
            self._found[parameter] = type_
            return True, False
        if type_ == known:
            return True, True
        if not self._fits(type_, known):
            return False, True
        general = more_general(type_, known)
        if self._is_free_of(parameter, general):
            self._found[parameter] = general
        return True, True

    def _is_free_of(self, parameter: Type, within: Type) -> bool:
        """The occurs check."""
        if parameter == within:
            return False
        if within.kind is Kind.PARAMETER:
            known = self._found.get(within)
            return known is None or self._is_free_of(parameter, known)
        return all(self._is_free_of(parameter, inner) for inner in within.parameters)


_ANYTHING: Final = frozenset({Kind.DYN, Kind.ERROR})
_NULLABLE: Final = frozenset({Kind.OPAQUE, Kind.STRUCT, Kind.DURATION, Kind.TIMESTAMP})


def _takes_null(type_: Type) -> bool:
    return type_ == NULL or type_.kind in _NULLABLE


def more_general(first: Type, second: Type) -> Type:
    """The more general of two types that fit each other."""
    return first if _at_most_as_specific(first, second) else second


def _at_most_as_specific(first: Type, second: Type) -> bool:
    if first.kind in (Kind.DYN, Kind.PARAMETER):
        return True
    if second.kind in (Kind.DYN, Kind.PARAMETER) or first.kind is not second.kind:
        return False
    if first.kind is Kind.TYPE:
        return True
    if first.name != second.name or len(first.parameters) != len(second.parameters):
        return False
    return all(map(_at_most_as_specific, first.parameters, second.parameters))
