"""How the objects of a kind merge, and how they are read again once a policy has changed them: custom resources, and built-in kinds.

Source: k8s.io/apiserver pkg/admission/plugin/policy/mutating/dispatcher.go (`dispatchOne`), k8s.io/apimachinery pkg/runtime/scheme.go
(`unstructuredToTyped`) and converter.go, 1.37.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Protocol

from weighbridge.policies.admission_policies.built_in.objects import Taken, UnreadableError, read, type_name
from weighbridge.policies.admission_policies.mutating.compiled import MutationError
from weighbridge.policies.admission_policies.mutating.fitting import ChangedError, redefault, type_of
from weighbridge.policies.admission_policies.mutating.merge_types import Atom, MergeTypes
from weighbridge.policies.apiserver.built_in_types import built_in_types
from weighbridge.policies.apiserver.definitions import ResourceDefinition
from weighbridge.policies.cel.values.values import NotKnownError
from weighbridge.policies.ground.fields import items, text
from weighbridge.policies.ground.objects import GroupVersionKind, JSONObject, JSONValue, Path
from weighbridge.policies.ground.records import dataclass
from weighbridge.policies.ground.server_release import release

_CONTAINERS = ("containers", "initContainers")


class Kind(Protocol):
    """The kind of an object that policies change. `atom` is the type by which it merges, `None` where it has none."""

    @property
    def atom(self) -> Atom | None: ...

    @property
    def doubts(self) -> Mapping[Path, str]:
        """The places in which the object isn't known."""
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
        return None if self.definition is None else type_of(self.definition)

    @property
    def doubts(self) -> Mapping[Path, str]:
        return {}

    def read_again(self, before: JSONObject, patched: JSONValue, *, is_patch: bool) -> JSONObject:
        return redefault(patched, self.definition, self.version)


@dataclass(frozen=True, slots=True)
class BuiltInKind:
    """A kind for which the server has a Go struct."""

    gvk: GroupVersionKind
    taken: Taken

    @property
    def atom(self) -> Atom:
        return _atom(release().name, type_name(self.gvk))

    @property
    def doubts(self) -> Mapping[Path, str]:
        return self.taken.doubts

    def read_again(self, before: JSONObject, patched: JSONValue, *, is_patch: bool) -> JSONObject:
        if not isinstance(patched, dict) or any(patched.get(key, before[key]) != before[key] for key in ("apiVersion", "kind")):
            raise NotKnownError("an object whose kind a policy has changed")
        if self.doubts and not is_patch and not all(_begins_as(before, patched, kind) for kind in _CONTAINERS):
            raise NotKnownError("the order of containers in which something isn't known")
        try:
            found = read(patched, type_name(self.gvk), is_strict=is_patch)
        except UnreadableError as error:
            if is_patch:
                raise ChangedError(str(error)) from None
            raise MutationError(f"unable to convert unstructured object to {_printed(self.gvk)}: {_not_converted(str(error))}") from None
        return found | {"apiVersion": before["apiVersion"], "kind": before["kind"]}


@cache
def _atom(_version: str, name: str) -> Atom:
    return MergeTypes(built_in_types().schemas).named(name).atom


def _begins_as(before: JSONObject, after: JSONObject, kind: str) -> bool:
    """Whether the containers of a pod are still at their places."""
    old, new = ([text(container, "name") for container in items(pod, "spec", kind)] for pod in (before, after))
    return new[: len(old)] == old


def _printed(gvk: GroupVersionKind) -> str:
    return f"{gvk.group}/{gvk.version}, Kind={gvk.kind}"


def _not_converted(error: str) -> str:
    """The words for a number that isn't whole where JSON isn't read again; another number out of range is cut off there."""
    number, isnt_converted, rest = error.removeprefix("json: cannot unmarshal number ").partition(" into Go struct field ")
    if not isnt_converted:
        return error
    if not {".", "e"} & set(number):
        raise NotKnownError("a number that is out of range")
    return f"cannot convert float64 to {rest.rpartition(' ')[2]}"
