"""Why expressions of a policy aren't checked against types, and what to do about a warning: every wording, and all of them our words.

The warnings themselves are the checker's, whose wordings are in `cel.check.errors`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from weighbridge.policies.ground.objects import GroupVersionKind, GroupVersionResource
from weighbridge.policies.ground.spelling import listed

# --- kinds that aren't known ---


def no_definition(resource: GroupVersionResource) -> str:
    """A policy matches a resource without a known kind."""
    return f"no CustomResourceDefinition for {resource.resource}.{resource.group} in version {resource.version} is known"


def no_definition_of_parameters(gvk: GroupVersionKind) -> str:
    """The kind of a policy's parameters isn't known."""
    return f"no CustomResourceDefinition for its parameters, {gvk}, is known"


def no_types(kind: object) -> str:
    """Only the server has the types of a kind."""
    return f"the types of {kind} aren't known here"


def no_types_of_parameters(kind: object) -> str:
    """Only the server has the types of a policy's parameters."""
    return f"the types of its parameters, {kind}, aren't known here"


# --- advice ---

_RUNS: Final = "the server still evaluates the expression"
NO_REQUEST_RESOURCE: Final = f"the type check doesn't know authorizer.requestResource; {_RUNS}"
NO_NULL: Final = f"the type check doesn't know null; {_RUNS}. To avoid the warning, write dyn(...) around the field"
#: A field's value in words, for each type of which objects have a text.
TEXTS_WHEN_RUN: Final = {"timestamp": "a date", "duration": "a duration", "bytes": "the field"}


def text_when_run(what: str) -> str:
    """The type check wants another type than the object will have."""
    return f"when the policy runs, {what} of an object is a text; write string(...) around it, which works for both"


def no_type_of_field(name: str) -> str:
    """The schema has the field, but no type for it."""
    return f"the type check doesn't know the type of {name}"


def field_of_no_schema(name: str) -> str:
    """The schema doesn't have the field, and the object may."""
    return f"the type check doesn't know {name}, because the schema keeps unknown fields here"


def avoid(why: str, name: str) -> str:
    """The policy isn't at fault, for a reason of the two above."""
    return f"{why}; {_RUNS}. To avoid the warning, write dyn(...) around the part before .{name}"


def fields_here(names: Iterable[str]) -> str:
    """The fields that there are instead."""
    return f"the fields here are {listed(sorted(names), most=8)}"
