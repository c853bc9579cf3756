"""What kube-apiserver says when a MutatingAdmissionPolicy can't change an object, and what isn't known then: every wording.

Those of a JSON patch are in `patch_wordings`, those of a merge in `merge_wordings`. Source: k8s.io/apiserver
pkg/admission/plugin/policy/mutating/{compilation,dispatcher}.go and its patch/{smd,json_patch}.go, pkg/cel/mutation/dynamic/objects.go;
k8s.io/apiextensions-apiserver pkg/apiserver/conversion/converter.go, 1.37; cel-go's common/types.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from weighbridge.policies.admission_policies.wordings import printed_kind
from weighbridge.policies.ground.go_text import quote
from weighbridge.policies.ground.objects import GroupVersionKind

# --- the refusal ---


def by_policy(policy: str) -> str:
    """The policy that refuses a request."""
    return f'policy "{policy}"'


def by_binding(policy: str, binding: str) -> str:
    """The policy that refuses a request, with its binding."""
    return f"policy '{policy}' with binding '{binding}'"


# --- the results of expressions ---

NO_OBJECT: Final = "invalid return type: *dynamic.ObjectVal"
NO_LIST: Final = "type mismatch: JSONPatchType.expression should evaluate to array"


def not_an_object(found: str) -> str:
    """An apply configuration isn't an object."""
    return f"unsupported return type from ApplyConfiguration expression: {found}"


def not_an_operation(found: str) -> str:
    """A list for a JSON patch has something else than an operation in it."""
    return f"{NO_LIST} of JSONPatch: unsupported native conversion from {found}"


def wrong_type_names(names: Iterable[str]) -> str:
    """Types in an object aren't named by their paths."""
    return "type mismatch: " + "\n".join(names)


def wrong_type_name(found: str, wanted: str) -> str:
    """A type in an object isn't named by its path."""
    return f'unexpected type name "{found}", expected "{wanted}", which matches field name path from root Object type'


def no_merge_type(api_version: str, kind: str) -> str:
    """Objects of a kind can't be merged."""
    return f"failed to convert patch object to typed object: no corresponding type for {api_version}, Kind={kind}"


def configuration_failed(why: object) -> str:
    """An apply configuration can't be applied."""
    return f"error applying patch: {why}"


def patch_failed(why: object) -> str:
    """A JSON patch can't be applied."""
    return f"JSON Patch: {why}"


# --- the conversion of results ---

NO_KEY_FROM_INT: Final = "unsupported type conversion from 'int' to string"
NO_KEY_FROM_UINT: Final = "unsupported type conversion from 'uint' to string"
NO_KEY_FROM_BOOL: Final = "type conversion error from bool to 'string'"
NO_KEY_FROM_DOUBLE: Final = "type conversion error from Double to 'string'"
NO_KEY_FROM_DURATION: Final = "type conversion error from 'Duration' to 'string'"
NO_KEY_FROM_TIMESTAMP: Final = "type conversion error from 'Timestamp' to 'string'"
NO_KEY_FROM_NULL: Final = "type conversion error from 'null_type' to 'string'"
NO_KEY_FROM_LIST: Final = "type conversion error from list to 'string'"
NO_KEY_FROM_MAP: Final = "type conversion error from map to 'string'"
TYPE_NOT_CONVERTED: Final = "type conversion not supported for 'type'"


def no_key_from(go_type: str) -> str:
    """A key of another type can't become a text."""
    return f"unsupported type conversion from '{go_type}' to 'string'"


def field_not_converted(name: str, why: object) -> str:
    """A field of an apply configuration can't be converted."""
    return f'fail to convert field "{name}": {why}'


def key_not_text(key: str, go_type: str) -> str:
    """A map in an apply configuration has a key that isn't a string."""
    return f"map key {key} is of type {go_type}, not string"


def value_not_json(why: object) -> str:
    """The value of a patch's operation can't be converted."""
    return f"JSONPath valueExpression evaluated to a type that could not marshal to JSON: {why}"


def library_value_not_json(name: str) -> str:
    """A value of one of the server's own types can't be converted."""
    return f"type conversion error from '{name}' to '*structpb.Value'"


def other_value_not_json(go_type: str) -> str:
    """A value of another type can't be converted."""
    return f"unsupported native conversion from {go_type} to *structpb.Value"


def number_not_json(number: str) -> str:
    """JSON has no infinite number."""
    return f"google.protobuf.Value cannot have {number} as a number value"


def field_not_json(go_type: str) -> str:
    """An object in the value of a patch's operation has a field that can't be converted."""
    return f"proto: invalid type: {go_type}"


# --- the changed object ---


def no_version(version: str) -> str:
    """A policy changes the Scale of a custom resource."""
    return f"request to convert CR to an invalid group/version: {version}"


def other_group(gvk: GroupVersionKind, wanted: str) -> str:
    """A policy has changed the group of an object."""
    return f"failed to convert object: {printed_kind(gvk)} is unstructured and is not suitable for converting to {quote(wanted)}"


def other_version(api_version: str) -> str:
    """A policy has changed the version of an object to one that isn't served."""
    return f"failed to convert object: request to convert CR from an invalid group/version: {api_version}"


def not_converted(gvk: GroupVersionKind, why: str) -> str:
    """An object of a built-in kind doesn't fit its Go type."""
    return f"unable to convert unstructured object to {printed_kind(gvk)}: {why}"


def float_not_converted(go_type: str) -> str:
    """The type of the field takes whole numbers, and this number isn't whole."""
    return f"cannot convert float64 to {go_type}"


# --- what isn't known, and where values come from: our words ---

CHANGED_KIND: Final = "an object whose kind a policy has changed"
ORDER_OF_CONTAINERS: Final = "the order of containers in which something isn't known"
NUMBER_OUT_OF_RANGE: Final = "a number that is out of range"
PANIC_ON_LIST: Final = "the API server breaks down on a list of objects as the value of a JSON patch"
PANIC_WITHOUT_VALUE: Final = "the API server breaks down on a JSON patch that replaces the object and has no value"
KEPT_DEFAULT: Final = "a default that stays in force"


def subresource_of_built_in(subresource: str) -> str:
    """A subresource of a built-in kind, whose changes aren't followed here."""
    return f"the {subresource} of a built-in kind"


def changed_by(kinds: Iterable[str]) -> str:
    """The origin of a changed value: the kinds of a policy's mutations."""
    return f"its {' and '.join(kinds)}"
