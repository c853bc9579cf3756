"""How the objects of a kind merge, and how they are read again after a policy has changed them.

Source: k8s.io/apiserver pkg/admission/plugin/policy/mutating/dispatcher.go, `dispatchOne`, 1.37.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from weighbridge.policies.admission_policies.mutating.merge_types import Atom
from weighbridge.policies.admission_policies.mutating.schema_fit import redefault, type_of
from weighbridge.policies.apiserver.definitions import ResourceDefinition
from weighbridge.policies.ground.objects import JSONObject, JSONValue, Path
from weighbridge.policies.ground.records import dataclass


class MutatedKind(Protocol):
    """The kind of an object that policies change. `atom` is the type by which it merges, `None` if it has none."""

    @property
    def atom(self) -> Atom | None:
        """The type by which the object merges; `None` if it has none."""
        ...

    @property
    def doubts(self) -> Mapping[Path, str]:
        """The places in which the object isn't known."""
        ...

    def seen(self, obj: JSONObject) -> JSONObject:
        """The object with marks for what isn't known."""
        ...

    def read_again(self, before: JSONObject, patched: JSONValue, *, is_patch: bool) -> JSONObject:
        """The patched object with its defaults. Raises ChangedError, MutationError and NotKnownError."""
        ...


@dataclass(frozen=True, slots=True)
class CustomKind:
    """A custom resource in one version; without a definition it is the Scale of one."""

    definition: ResourceDefinition | None
    version: str

    @property
    def atom(self) -> Atom | None:
        """The type of the definition; `None` for a Scale."""
        return None if self.definition is None else type_of(self.definition)

    @property
    def doubts(self) -> Mapping[Path, str]:
        """No places: a custom resource is known as a whole."""
        return {}

    def seen(self, obj: JSONObject) -> JSONObject:
        """The object itself."""
        return obj

    def read_again(self, before: JSONObject, patched: JSONValue, *, is_patch: bool) -> JSONObject:
        """The patched object with the defaults of its schema."""
        return redefault(patched, self.definition, self.version)
