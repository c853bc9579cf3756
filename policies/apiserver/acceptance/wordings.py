"""What kube-apiserver says against a CustomResourceDefinition outside of its schemas: every wording.

The schemas are in `schema_wordings`, what is said of metadata is in `schema.metadata_errors`, and what is said of any object is in
`apiserver.wordings`. Source: k8s.io/apiextensions-apiserver pkg/apis/apiextensions/validation, pkg/apihelpers and
pkg/registry/customresourcedefinition, and k8s.io/apiserver pkg/util/webhook, 1.37.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from weighbridge.policies.ground.go_text import quote

# --- decoding ---


def nests_too_deep(most: int) -> str:
    """A definition that isn't followed to its end here; the server would follow it."""
    return f"the definition nests deeper than {most} levels of JSON, and deeper ones aren't checked here"


def registered_elsewhere(kind: str, api_version: str) -> str:
    """A body of another kind or group, as the reason that its kind isn't in the server's scheme."""
    return f"{quote(kind)} is registered for version {quote(api_version)}"


def illegal_base64(at: int) -> str:
    """A text of bytes that isn't base64."""
    return f"illegal base64 data at input byte {at}"


# --- names and group ---

NOT_PLURAL_AND_GROUP: Final = 'must be spec.names.plural+"."+spec.group'
LIST_KIND_IS_KIND: Final = "kind and listKind may not be the same"
GROUP_WITHOUT_DOT: Final = "should be a domain with at least one dot"
_PROPOSAL: Final = "see https://github.com/kubernetes/enhancements/pull/1111"


def not_approved(annotation: str) -> str:
    """A definition in a group of Kubernetes' own has no approval."""
    return f'protected groups must have approval annotation "{annotation}", {_PROPOSAL}'


def invalid_approval(annotation: str) -> str:
    """The approval of a definition in such a group is neither a URL nor a reason."""
    must = f'protected groups must have approval annotation "{annotation}"'
    return f'{must} with either a URL or a reason starting with "unapproved", {_PROPOSAL}'


# --- versions ---

DUPLICATE_VERSIONS: Final = "must contain unique version names"
NOT_ONE_STORAGE_VERSION: Final = "must have exactly one version marked as storage version"
NO_SCHEMA: Final = "because otherwise all fields are pruned"
PRESERVED_WITH_DEFAULTS: Final = "must be false in order to use defaults in the schema"
PRESERVED_IN_V1: Final = "cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead"
NO_STORED_VERSION: Final = "must have at least one stored version"


def storage_version_not_stored(name: str) -> str:
    """The status doesn't list the storage version."""
    return f"must have the storage version {name}"


def stored_version_removed(name: str) -> str:
    """The status lists a version that the definition has no longer."""
    return (
        f"missing from spec.versions; {name} was previously a storage version, and must remain in spec.versions until a storage "
        f"migration ensures no data remains persisted in {name} and removes {name} from status.storedVersions"
    )


# --- deprecation warnings ---

WARNING_WITHOUT_DEPRECATION: Final = "can only be set for deprecated versions"
EMPTY_WARNING: Final = "must not be an empty string"


def warning_too_long(most: int) -> str:
    """The server counts bytes, but its text says characters."""
    return f"must be <= {most} characters long"


def unprintable_warning(at: int) -> str:
    """A deprecation warning has a character that isn't printable, at this byte."""
    return f"must only contain printable UTF-8 characters; non-printable character found at index {at}"


# --- subresources, printer columns and selectable fields ---

NO_JSON_PATH: Final = "must be a simple json path starting with ."
NOT_BELOW_SPEC_OR_STATUS: Final = "should be a json path under either .spec or .status"
SELECTABLE_METADATA: Final = "must not point to fields in metadata"
NOT_SELECTABLE: Final = "must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed."
SELECTABLE_WITHOUT_SCHEMA: Final = "may only be set when `version.schema.openAPIV3Schema` is not included"
SELECTABLE_WITHOUT_SHARED_SCHEMA: Final = "may only be set when validations.schema is included"


def none_of(words: str) -> str:
    """The type or the format of a column isn't one of the allowed words."""
    return f"must be one of {words}"


def not_below(part: str) -> str:
    """The path of replicas doesn't begin in this part of the object."""
    return f"should be a json path under {part}"


def invalid_path(why: str) -> str:
    """The path of a selectable field leads to no declared field."""
    return f"is an invalid path: {why}"


def too_many_selectable(most: int) -> str:
    """More selectable fields than are allowed."""
    return f"must have at most {most} items"


# --- conversion ---

NOT_OF_STRATEGY: Final = "should not be set when strategy is not set to Webhook"
NO_CLIENT: Final = "required when strategy is set to Webhook"
CONVERTED_AND_PRESERVED: Final = "must be None if spec.preserveUnknownFields is true"
NOT_URL_OR_SERVICE: Final = "exactly one of url or service is required"
DUPLICATE_REVIEW_VERSION: Final = "duplicate version"
NO_CERTIFICATE: Final = "no valid certificate authority data seen"
NO_PEM_BLOCK: Final = "unable to parse bytes as PEM block"


def no_known_review_version(known: Sequence[str]) -> str:
    """The webhook supports none of the review versions that servers send."""
    return f"must include at least one of {', '.join(known)}"


def unusable_ca_bundle(why: str) -> str:
    """A CA bundle without a certificate."""
    return f"unable to load root certificates: {why}"


# --- the address of a webhook ---

_URL_FORM: Final = "; desired format: https://host[/path]"
NOT_HTTPS: Final = f"'https' is the only allowed URL scheme{_URL_FORM}"
NO_HOST: Final = f"host must be specified{_URL_FORM}"
USER_IN_URL: Final = "user information is not permitted in the URL"
FRAGMENT_IN_URL: Final = "fragments are not permitted in the URL"
QUERY_IN_URL: Final = "query parameters are not permitted in the URL"
PATH_WITHOUT_SLASH: Final = "must start with a '/'"


def invalid_url(why: object) -> str:
    """The URL can't be parsed."""
    return f"url must be a valid URL: {why}{_URL_FORM}"


def invalid_port(most: int) -> str:
    """The port of the Service is too small or too great."""
    return f"port is not valid: must be between 1 and {most}, inclusive"


def empty_segment(index: int) -> str:
    """A segment of the path is empty."""
    return f"segment[{index}] may not be empty"


def invalid_segment(index: int, why: str) -> str:
    """A segment of the path isn't a subdomain."""
    return f"segment[{index}]: {why}"


# --- warnings ---


def unknown_format(name: str) -> str:
    """The warning about a format that the server doesn't check."""
    return f"unrecognized format {quote(name)}"


def set_of(kind: str) -> str:
    """The warning about a set whose items are objects or lists."""
    return f"x-kubernetes-list-type: set for items of type {quote(kind)} is not supported by server-side apply or CEL validation rules"
