"""What an expression may name: functions by library, variables, types.

An `Environment` is immutable; `with_variables` makes another one. The libraries are those of kube-apiserver 1.36 for rules stored in a CRD.
Source: k8s.io/apiserver `pkg/cel/environment/base.go`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache

from policies.cel import types
from policies.cel.declared import SelfTypes
from policies.cel.library import LIBRARIES
from policies.cel.library.overload import Function, Library
from policies.cel.types import Type, type_of

_TYPE_NAMES: Mapping[str, Type] = {
    type_.name: type_
    for type_ in (
        types.BOOL, types.BYTES, types.DOUBLE, types.DURATION, types.INT, types.LIST_OF_A, types.MAP_OF_A_B, types.NULL, types.STRING,
        types.TIMESTAMP, types.TYPE, types.UINT, types.optional_of(types.A),
    )
}  # fmt: skip


class Environment:
    """Names and what they stand for; `self_types` knows the structs below `self`."""

    def __init__(
        self,
        functions: Mapping[str, Function],
        variables: Mapping[str, Type],
        self_types: SelfTypes | None = None,
        type_names: Mapping[str, Type] | None = None,
    ) -> None:
        self.functions = functions
        self._variables = variables
        self._self_types = self_types
        self._type_names = _TYPE_NAMES if type_names is None else type_names

    def with_variables(self, variables: Mapping[str, Type], self_types: SelfTypes | None = None) -> Environment:
        """This environment with more variables."""
        return Environment(self.functions, {**self._variables, **variables}, self_types or self._self_types, self._type_names)

    def variable(self, name: str) -> Type | None:
        """The type of a variable or type name, or `None`."""
        found = self._variables.get(name)
        if found is not None:
            return found
        named = self._type_names.get(name)
        return None if named is None else type_of(named)

    def is_type_name(self, name: str) -> bool:
        """Whether a name means a type, as no variable of that name is declared."""
        return name in self._type_names and name not in self._variables

    def has_struct(self, name: str) -> bool:
        """Whether a struct of this name is declared."""
        return self._self_types is not None and self._self_types.has_struct(name)

    def field(self, struct: str, identifier: str) -> Type | None:
        """The type of a struct's field, or `None`."""
        return None if self._self_types is None else self._self_types.field(struct, identifier)


def environment_of(libraries: Iterable[Library]) -> Environment:
    """An environment without variables; libraries may add overloads to each other's functions."""
    functions: dict[str, Function] = {}
    type_names = dict(_TYPE_NAMES)
    for library in libraries:
        for name, function in library.functions.items():
            known = functions.get(name)
            if known is None:
                functions[name] = Function(name, list(function.overloads), function.singleton, function.unresolved_cost)
            else:
                known.overloads += function.overloads
                known.singleton = known.singleton or function.singleton
                known.unresolved_cost = known.unresolved_cost or function.unresolved_cost
        type_names |= library.type_names
    return Environment(functions, {}, None, type_names)


@cache
def standard_environment() -> Environment:
    """The environment of stored rules: every library there is."""
    return environment_of(LIBRARIES)
