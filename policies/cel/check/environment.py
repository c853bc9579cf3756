"""What an expression may name: functions by library, variables, types.

An `Environment` is immutable; `with_variables` makes another one. Rules that are stored in a CRD may use every library of the server; new
rules may use only what the oldest version has that the server must be compatible with. Source: k8s.io/apiserver
`pkg/cel/environment/base.go`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache

from weighbridge.policies.cel.library import LIBRARIES
from weighbridge.policies.cel.library.overload import Function, Library
from weighbridge.policies.cel.library.patches import BuiltTypes
from weighbridge.policies.cel.values import types
from weighbridge.policies.cel.values.declared import SelfTypes
from weighbridge.policies.cel.values.types import Type, type_of
from weighbridge.policies.cel.versions import EVERYTHING, KEYWORD_FIELDS, OPTIONALS, Version, stored_rules_version
from weighbridge.policies.ground.server_release import ServerRelease, release

_TYPE_NAMES: Mapping[str, Type] = {
    type_.name: type_
    for type_ in (
        types.BOOL, types.BYTES, types.DOUBLE, types.DURATION, types.INT, types.LIST_OF_A, types.MAP_OF_A_B, types.NULL, types.STRING,
        types.TIMESTAMP, types.TYPE, types.UINT, types.optional_of(types.A),
    )
}  # fmt: skip
#: Types that the checker knows by name but that aren't values at run time.
_DECLARED_ALONE: Mapping[str, Type] = {"duration": types.DURATION, "timestamp": types.TIMESTAMP}


class Environment:
    """Names and their types; `self_types` knows the structs below `self`."""

    def __init__(
        self,
        functions: Mapping[str, Function],
        variables: Mapping[str, Type],
        self_types: SelfTypes | None = None,
        type_names: Mapping[str, Type] | None = None,
        version: Version = EVERYTHING,
        built: BuiltTypes | None = None,
    ) -> None:
        self.functions = functions
        self.version = version
        #: Types whose values expressions can build; rules of CRDs have none.
        self.built = built
        self._variables = variables
        self._self_types = self_types
        self._type_names = _TYPE_NAMES if type_names is None else type_names

    def with_variables(self, variables: Mapping[str, Type], self_types: SelfTypes | None = None) -> Environment:
        """This environment with more variables."""
        known = self_types or self._self_types
        return Environment(self.functions, {**self._variables, **variables}, known, self._type_names, self.version, self.built)

    def with_built(self, built: BuiltTypes, library: Library) -> Environment:
        """This environment with types to build values of, and with the functions that go with them."""
        functions = {**self.functions, **library.functions}
        return Environment(functions, self._variables, self._self_types, self._type_names, self.version, built)

    def variable(self, name: str) -> Type | None:
        """The type of a variable or type name, or `None`."""
        found = self._variables.get(name)
        if found is not None:
            return found
        named = self._type_names.get(name)
        if named is None and self._self_types is not None:
            named = _DECLARED_ALONE.get(name) or self._self_types.named(name)
        if named is None and self.built is not None:
            named = self.built.type_named(name)
        return None if named is None else type_of(named)

    def has_type_value(self, name: str) -> bool:
        """Whether a name is a type that exists as a value at run time."""
        return name in self._type_names

    def has_struct(self, name: str) -> bool:
        """Whether a struct of this name is declared."""
        return self._is_built(name) or (self._self_types is not None and self._self_types.has_struct(name))

    def _is_built(self, name: str) -> bool:
        return self.built is not None and self.built.type_named(name) is not None

    def field(self, struct: str, identifier: str) -> Type | None:
        """The type of a struct's field, or `None`."""
        if self.built is not None and self.built.type_named(struct) is not None:
            return self.built.field(struct, identifier)
        if self._self_types is None:
            return None
        return self._self_types.field(struct, identifier, keywords=self.version >= KEYWORD_FIELDS)


def environment_of(libraries: Iterable[Library], version: Version = EVERYTHING) -> Environment:
    """An environment without variables; libraries may add overloads to each other's functions.

    Overloads that are newer than `version` are left out, and so are those that the release in force has removed. A function without
    overloads is left out too.
    """
    server = release().version
    functions: dict[str, Function] = {}
    type_names = dict(_TYPE_NAMES) if version >= OPTIONALS else {name: t for name, t in _TYPE_NAMES.items() if not t.is_optional}
    for library in libraries:
        for name, function in library.functions.items():
            overloads = [one for one in function.overloads if one.since <= version and (one.until is None or server < one.until)]
            known = functions.get(name)
            if not overloads:
                continue
            if known is None:
                functions[name] = Function(name, overloads, function.singleton, function.unresolved_cost)
            else:
                known.overloads += overloads
                known.singleton = known.singleton or function.singleton
                known.unresolved_cost = known.unresolved_cost or function.unresolved_cost
        type_names |= library.type_names if library.since <= version else {}
    return Environment(functions, {}, None, type_names, version)


def environment(version: Version | None = None) -> Environment:
    """The environment of rules that servers from `version` on must understand; by default that of stored rules."""
    return _environment(stored_rules_version() if version is None else version, release())


@cache
def _environment(version: Version, _server: ServerRelease) -> Environment:
    return environment_of(LIBRARIES, version)
