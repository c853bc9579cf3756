"""What kube-apiserver says against an admission policy or a binding that it wouldn't store: every wording.

What it says against the type of an expression is in `environment`. Source: kubernetes pkg/apis/admissionregistration/validation and
pkg/registry/admissionregistration, 1.37.
"""

from __future__ import annotations

from typing import Final

from weighbridge.policies.ground.go_text import quote

# --- the object ---


def not_a_policy(kind: str) -> str:
    """A body isn't an object, or it nests deeper than is read here."""
    return f"the body is no {kind}"


def static_name_warning(suffix: str) -> str:
    """The warning at the update of a policy that has a name of policies in files."""
    return f"metadata.name: {static_name(suffix)}"


def static_name(suffix: str) -> str:
    """A name that only policies in files of the server may have."""
    return f"names ending with {quote(suffix)} are reserved for static manifest-based configurations and cannot be managed via the API"


# --- expressions ---

NO_EXPRESSION: Final = "expression is not specified"
NO_VARIABLE_NAME: Final = "name is not specified"
NO_IDENTIFIER: Final = "must be a valid CEL identifier"
EMPTY: Final = "must be non-empty if specified"
LINE_BREAKS: Final = "must not contain line breaks"
NOTHING_TO_VALIDATE: Final = "validations or auditAnnotations must contain at least one item"


def too_many_conditions(most: int) -> str:
    """More conditions than are allowed."""
    return f"must have at most {most} items"


# --- audit annotations ---

ANNOTATION_WITHOUT_NAME: Final = "requires metadata.name be non-empty"
NO_VALUE_EXPRESSION: Final = "valueExpression is not specified"


def too_many_annotations(most: int) -> str:
    """More audit annotations than are allowed."""
    return f"must not have more than {most} auditAnnotations"


def value_expression_too_long(most: int) -> str:
    """The value of an audit annotation is too long an expression."""
    return f"must not exceed {most} bytes in length"


# --- mutations ---

NO_MUTATIONS: Final = "mutations must contain at least one item"


def no_patch(patch_type: str) -> str:
    """The field of the patch type is missing."""
    return f"must be specified when patchType is {patch_type}"


def other_patch(patch_type: str) -> str:
    """There is the field of another patch type."""
    return f"must not be specified when patchType is {patch_type}"


# --- the match ---

NO_VERSION: Final = "version must be specified"
EVERYTHING_AND_MORE: Final = "if '*/*' is present, must not specify other resources"
RESOURCES_AND_MORE: Final = "if '*' is present, must not specify other resources without subresources"
OPERATIONS: Final = "operations"
API_GROUPS: Final = "API groups"
API_VERSIONS: Final = "API versions"


def all_and_more(what: str) -> str:
    """A list of operations, groups or versions has others than `*` too."""
    return f"if '*' is present, must not specify other {what}"


def all_subresources_and_more(resource: str, named: str) -> str:
    """A subresource of a resource whose subresources are all named already."""
    return f"if '{resource}/*' is present, must not specify {named}"


def subresource_of_all_and_more(subresource: str, named: str) -> str:
    """A subresource that is named of all resources already."""
    return f"if '*/{subresource}' is present, must not specify {named}"


# --- bindings ---

NAME_AND_SELECTOR: Final = "name and selector are mutually exclusive"
NEITHER_NAME_NOR_SELECTOR: Final = "one of name or selector must be specified"
NO_ACTION: Final = "at least one validation action is required"
_REPEATED: Final = "repeating the same validation failure information in the API response and headers serves no purpose"
DENY_AND_WARN: Final = f"must not contain both Deny and Warn ({_REPEATED})"
