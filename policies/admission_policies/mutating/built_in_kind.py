"""An object of a built-in kind that mutating policies change. The module is imported with the first one.

Source: k8s.io/apimachinery pkg/runtime/scheme.go (`unstructuredToTyped`) and converter.go, 1.37.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Final

from weighbridge.policies.admission_policies.attributes import Attributes
from weighbridge.policies.admission_policies.built_in.as_written import as_given
from weighbridge.policies.admission_policies.built_in.objects import (
    Taken,
    UnreadableObjectError,
    converted,
    in_doubt,
    read,
    take,
    type_name,
)
from weighbridge.policies.admission_policies.mutating import wordings
from weighbridge.policies.admission_policies.mutating.changes import changes, with_changes
from weighbridge.policies.admission_policies.mutating.compiled import MutationError
from weighbridge.policies.admission_policies.mutating.merge_types import Atom, MergeTypes
from weighbridge.policies.admission_policies.mutating.schema_fit import ChangedError
from weighbridge.policies.apiserver.built_in_types import built_in_types
from weighbridge.policies.cel.values.values import NotKnownError
from weighbridge.policies.facts import Facts
from weighbridge.policies.ground.fields import items, text
from weighbridge.policies.ground.objects import GroupVersionKind, JSONObject, JSONValue, Path
from weighbridge.policies.ground.records import dataclass
from weighbridge.policies.ground.server_release import release
from weighbridge.policies.schema.go_values import deep_equal
from weighbridge.policies.schema.metadata_errors import not_unmarshalled_field, the_number

_CONTAINERS: Final = ("containers", "initContainers")


@dataclass(frozen=True, slots=True)
class BuiltInKind:
    """A kind for which the server has a Go struct; `taken` is the object as the policies get it, and `given` the object as it was sent."""

    gvk: GroupVersionKind
    given: JSONValue
    taken: Taken

    @property
    def atom(self) -> Atom:
        """The type by which the object merges."""
        return _atom(release().name, type_name(self.gvk))

    @property
    def doubts(self) -> Mapping[Path, str]:
        """The places in which the object isn't known."""
        return self.taken.doubts

    def seen(self, obj: JSONObject) -> JSONObject:
        """The object with marks for what isn't known."""
        return in_doubt(obj, self.doubts) if self.doubts else obj

    def read_again(self, before: JSONObject, patched: JSONValue, *, is_patch: bool) -> JSONObject:
        """The patched object with its defaults. Raises ChangedError, MutationError and NotKnownError."""
        if not isinstance(patched, dict) or any(patched.get(key, before[key]) != before[key] for key in ("apiVersion", "kind")):
            raise NotKnownError(wordings.CHANGED_KIND)
        if self.doubts and not is_patch and not all(_begins_as(before, patched, kind) for kind in _CONTAINERS):
            raise NotKnownError(wordings.ORDER_OF_CONTAINERS)
        try:
            found = read(patched, type_name(self.gvk), is_strict=is_patch)
        except UnreadableObjectError as error:
            if is_patch:
                raise ChangedError(str(error)) from None
            raise MutationError(wordings.not_converted(self.gvk, _not_converted(str(error)))) from None
        return found | {"apiVersion": before["apiVersion"], "kind": before["kind"]}

    def as_given(self, obj: JSONObject) -> JSONObject:
        """A state of the object, without the values that the server has filled in."""
        found: JSONObject = as_given(self.given, self.taken.object, converted(obj, self.gvk), type_name(self.gvk))
        return found

    def as_sent(self, obj: JSONObject, attributes: Attributes, facts: Facts) -> JSONValue:
        """What to send without policies to get the same object.

        Defaults that the server would now fill in differently are written out. If a removed default would come back, all of the changed
        object is written out.
        """

        def again(sent: JSONValue) -> JSONObject:
            return take(sent, attributes.kind, attributes.operation, attributes.namespace, facts).object

        wanted, sent = converted(obj, self.gvk), self.as_given(obj)
        sent = with_changes(sent, changes(again(sent), wanted))
        return sent if deep_equal(again(sent), wanted) else wanted


def built_in_kind(attributes: Attributes, facts: Facts) -> BuiltInKind:
    """The object of a request as the policies get it; raises NotKnownError if the server can't read it."""
    obj = attributes.object
    taken = take(obj, attributes.kind, attributes.operation, attributes.namespace, facts)
    return BuiltInKind(attributes.kind, obj, taken)


@cache
def _atom(_version: str, name: str) -> Atom:
    return MergeTypes(built_in_types().schemas).named(name).atom


def _begins_as(before: JSONObject, after: JSONObject, kind: str) -> bool:
    """Whether the containers of a pod are still at their positions."""
    old, new = ([text(container, "name") for container in items(pod, "spec", kind)] for pod in (before, after))
    return new[: len(old)] == old


def _not_converted(error: str) -> str:
    """The error for a number that isn't whole, if JSON isn't read again; a whole number out of range is truncated then."""
    word, go_type = not_unmarshalled_field(error)
    if not go_type:
        return error
    if not {".", "e"} & set(word.removeprefix(the_number(""))):
        raise NotKnownError(wordings.NUMBER_OUT_OF_RANGE)
    return wordings.float_not_converted(go_type)
