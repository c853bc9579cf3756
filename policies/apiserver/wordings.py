"""What kube-apiserver says against a custom resource and its scale, and what is said here of a definition: every wording.

The forms of its answers are in `refusal`. What it says by a schema is in `schema.errors`, of metadata in `schema.metadata_errors`, by a
rule in `cel.rules.errors`, and against a CustomResourceDefinition in `acceptance`. Source: k8s.io/apimachinery pkg/api/errors and
pkg/runtime, k8s.io/apiserver pkg/endpoints/handlers and pkg/registry/rest, k8s.io/apiextensions-apiserver pkg/registry/customresource,
1.36.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from weighbridge.policies.ground.go_text import quote

# --- the body ---

NO_METADATA: Final = "system metadata was not initialized"
NULL_API_VERSION: Final = ".apiVersion accessor error: <nil> is of the type <nil>, expected string"
NO_API_VERSION: Final = "Object 'apiVersion' is missing in 'object has no apiVersion field'"


def unrecognized(kind: str, why: str, summary: str) -> str:
    """The server finds no type in the body; `summary` is the beginning of the body."""
    return f"the object provided is unrecognized (must be of type {kind}): {why} ({summary})"


def no_type(why: str) -> str:
    """Why the server finds no type: the body doesn't fit the struct into which its type is read."""
    return f"couldn't get version/kind; json parse error: {why}"


def no_kind(body: str) -> str:
    """Why the server finds no type in a body without a kind."""
    return f"Object 'Kind' is missing in '{body}'"


def wrong_version(found: str, wanted: str) -> str:
    """The body is of another version than its URL."""
    return f"the API version in the data ({found}) does not match the expected API version ({wanted})"


def not_readable_as(found: str, version: str, wanted: str, why: str) -> str:
    """The body has a kind and version that can't be read as the wanted kind."""
    return f"{found} in version {quote(version)} cannot be handled as a {wanted}: {why}"


def not_registered(what: str, line: int) -> str:
    """A kind that isn't in the server's scheme. The scheme is named by the source line that creates it."""
    return f'no kind {what} in scheme "pkg/runtime/scheme.go:{line}"'


def wrong_type(wanted: str) -> str:
    """The kind or the apiVersion isn't that of the resource."""
    return f"must be {wanted}"


# --- strict decoding ---

DUPLICATE_HINT: Final = "only the last of them counts; remove the others"
UNKNOWN_HINT: Final = "the API server drops it"


def strict_errors(texts: Iterable[str]) -> str:
    """Fields that occur twice or that aren't known."""
    return f"strict decoding error: {', '.join(texts)}"


def duplicate_field(field: str) -> str:
    """A field that occurs twice in the text."""
    return f"duplicate field {quote(field)}"


def unknown_field(path: str) -> str:
    """A field that a schema doesn't have."""
    return f'unknown field "{path}"'


def unknown_field_of_type(path: str) -> str:
    """A field that a Go type doesn't have."""
    return f"unknown field {quote(path)}"


# --- names and the stored object ---

WRONG_NAMESPACE: Final = "the namespace of the provided object does not match the namespace sent on the request"
MODIFIED: Final = "the object has been modified; please apply your changes to the latest version and try again"
VERSION_OF_NEW: Final = "resourceVersion should not be set on objects to be created"


def no_name(requested: str) -> str:
    """The body has no name."""
    return f"the name of the object ({requested} based on URL) was undeterminable: name must be provided"


def wrong_name(name: str, requested: str) -> str:
    """The name of the body isn't that of the URL."""
    return f"the name of the object ({name}) does not match the name on the URL ({requested})"


def not_found(resource: str, name: str) -> str:
    """The object doesn't exist."""
    return f"{resource} {quote(name)} not found"


def conflict(resource: str, name: str, why: str) -> str:
    """The stored object isn't the one for which the request was made."""
    return f"Operation cannot be fulfilled on {resource} {quote(name)}: {why}"


def wrong_uid(key: str, uid: str, stored: str, *, dry_run: bool) -> str:
    """The reason for a conflict if the stored object has another uid. Only a dry run names the key without etcd's prefix."""
    return (
        f"StorageError: invalid object, Code: 4, Key: {key if dry_run else f'/registry{key}'}, ResourceVersion: 0, AdditionalErrorMsg: "
        f"Precondition failed: UID in precondition: {uid}, UID in object meta: {stored}"
    )


def no_number(version: str) -> str:
    """A resourceVersion that isn't a number."""
    return f"strconv.ParseUint: parsing {quote(version)}: invalid syntax"


def number_too_great(version: str) -> str:
    """A resourceVersion that doesn't fit into 64 bits."""
    return f"strconv.ParseUint: parsing {quote(version)}: value out of range"


def internal_error(why: str) -> str:
    """The server fails at a request, mostly by a fault of its own."""
    return f"Internal error occurred: {why}"


# --- validation ---

RULES_NOT_CHECKED: Final = (
    "some validation rules were not checked because the object was invalid; correct the existing errors to complete validation"
)

# --- scale ---

NEGATIVE_REPLICAS: Final = "should be a non-negative integer"
NOT_A_SCALE: Final = "is registered for the type v1.Scale"


def too_many_replicas(most: int) -> str:
    """More replicas than a Scale can hold."""
    return f"should be less than or equal to {most}"


def wrong_type_at(path: str, value: str, go_type: str, wanted: str) -> str:
    """The value at the path of a scale has a wrong type."""
    return f"{path} accessor error: {value} is of the type {go_type}, expected {wanted}"


def no_replicas(path: str) -> str:
    """The Scale has no replicas."""
    return f"the spec replicas field {quote(path)} cannot be empty"


def not_settable(path: str) -> str:
    """The replicas can't be written, since a part of their path isn't a map."""
    return f"value cannot be set because {path} is not a map[string]interface{{}}"


# --- warnings ---


def deprecated(version: str, better: str) -> str:
    """A deprecated version, with the one to use instead if there is one; each with its group and kind."""
    return f"{version} is deprecated; use {better}" if better else f"{version} is deprecated"


def unqualified_finalizer(finalizer: str) -> str:
    """A finalizer without a domain."""
    how = " including a path (/)" if "." in finalizer else ""
    return (
        f"metadata.finalizers: {quote(finalizer)}: prefer a domain-qualified finalizer name{how} "
        "to avoid accidental conflicts with other finalizer writers"
    )


def duplicate_owners(uids: Iterable[str], *, after_mutation: bool) -> str:
    """Duplicate owner references have been removed."""
    when = " after mutating admission happens" if after_mutation else ""
    return (
        f".metadata.ownerReferences contains duplicate entries{when}; API server dedups owner references in 1.20+, and may reject such "
        f"requests as early as 1.24; please fix your requests; duplicate UID(s) observed: {', '.join(uids)}"
    )


# --- definitions that can't be read ---

NO_SPEC: Final = "is missing; wanted a map with group, names, scope and versions"
NO_NAMES: Final = "is missing; wanted a map with kind and plural"
NO_VERSIONS: Final = "wanted a list of at least one version"
NOT_A_VERSION: Final = "wanted a map with name, served, storage and schema"
NO_SCHEMA: Final = "is missing; every version needs a structural schema of type object"
NOT_SUBRESOURCES: Final = "wanted a map with status and scale"
NO_SCALE_PATHS: Final = "wanted a map with specReplicasPath and statusReplicasPath"
NO_SELECTOR_PATH: Final = "wanted a JSON path, as in .status.selector"
NOT_A_SCHEMA: Final = "a schema is a map"
NOT_A_RULE: Final = "a rule is a map"
UNSUPPORTED_KEYWORD: Final = "is not supported in a CustomResourceDefinition; write the schema out where it is used"
# What is wanted in a field.
A_GROUP: Final = "the API group, as in inference.llmkube.dev"
A_KIND: Final = "the kind in camel case"
A_PLURAL: Final = "the resource's name in URLs"
A_VERSION: Final = "the version's name, as in v1alpha1"
A_REPLICAS_PATH: Final = "a JSON path, as in .spec.replicas"
A_MAP: Final = "a map"
A_TEXT: Final = "a string"
A_FLAG: Final = "true or false"
A_NUMBER: Final = "a number"
A_WHOLE_NUMBER: Final = "an integer"
A_LIST: Final = "a list"
TEXTS: Final = "a list of strings"
A_SCHEMA_OR_TRUE: Final = "a schema or true"


def not_a_definition(kind: str) -> str:
    """The document isn't even a map."""
    return f"a {kind} is a map with apiVersion, kind, metadata and spec"


def unwanted(found: str, wanted: str) -> str:
    """A wrong value, with what is wanted instead."""
    return f"found {found}, wanted {wanted}"


def outdated(found: str, wanted: str) -> str:
    """A definition in the version that servers no longer have."""
    return f"{unwanted(found, wanted)}; v1beta1 went away with Kubernetes 1.22"


def misshapen(found: str, what: str) -> str:
    """A schema or a rule that isn't a map."""
    return f"found {found}, {what}"


def no_text(wanted: str) -> str:
    """A text is missing or empty."""
    return f"is missing or empty; wanted {wanted}"


def one_of(words: Sequence[str]) -> str:
    """The types that a schema can have."""
    return f"one of {', '.join(words)}"


def the_number(value: float) -> str:
    """A number where something else is wanted."""
    return f"the number {value}"


# --- an installed definition that lacks checks ---

THE_OBJECT: Final = "the object"


def lacking_check(release: str) -> str:
    """What to do about an unmet demand; `release` may be empty."""
    wanted = f"the CRD of {release}" if release else "upstream's CRD"
    return f"the installed CRD lacks this check; install {wanted}"


def lacking_checks(kind: str, count: int, release: str, places: Iterable[str], *, are_all: bool) -> str:
    """How many checks are lacking, with the places of some of them."""
    checks = f"{count} check{'' if count == 1 else 's'}{' of ' if release else ''}{release}"
    them = "it" if count == 1 else "them"
    return f"the installed CRD of {kind} lacks {checks}, so the webhook makes {them}: {', '.join(places)}{'' if are_all else ', ...'}"
