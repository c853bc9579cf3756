"""What kube-apiserver says about a JSON patch that it can't apply: every wording.

Source: gopkg.in/evanphx/json-patch.v4 `patch.go`, Go's strconv and encoding/json.
"""

from __future__ import annotations

from typing import Final

_MISSING: Final = "missing value"
#: Go has no error to wrap here, and says so.
SCALAR_DOCUMENT: Final = "replace operation value must be object or array: %!w(<nil>)"


def unknown_operation(operation: str) -> str:
    """An operation has a name that there isn't."""
    return f"Unexpected kind: {operation}"


# --- keys and indexes ---


def no_index(key: str) -> str:
    """The key of a list isn't a number."""
    return f'strconv.Atoi: parsing "{key}": invalid syntax'


def index_too_great(key: str) -> str:
    """The key of a list doesn't fit into 64 bits."""
    return f'strconv.Atoi: parsing "{key}": value out of range'


def index_out_of_bounds(index: int) -> str:
    """A list has no item at an index."""
    return f"Unable to access invalid index: {index}: invalid index referenced"


def no_index_to_add(key: str, why: object) -> str:
    """A value can't be added to a list under this key."""
    return f"value was not a proper array index: '{key}': {why}"


def no_key_to_remove(key: str) -> str:
    """An object has no member to remove."""
    return f"Unable to remove nonexistent key: {key}: {_MISSING}"


# --- texts that can't be decoded ---


def invalid_escape(character: str) -> str:
    """Go quotes a text with an escape that JSON doesn't have."""
    return f"invalid character '{character}' in string escape code"


def path_not_decoded(operation: str, why: str = _MISSING) -> str:
    """The path of an operation can't be decoded."""
    return f"{operation} operation failed to decode path: {why}"


def source_not_decoded(operation: str, why: str) -> str:
    """The source of an operation can't be decoded."""
    return f"{operation} operation failed to decode from: {why}"


def no_source(operation: str) -> str:
    """An operation has no source."""
    return source_not_decoded(operation, f"operation, missing from field: {_MISSING}")


# --- places that aren't there ---


def _missing(operation: str, what: str) -> str:
    return f"{operation} operation does not apply: {what}: {_MISSING}"


def no_quoted_path(operation: str, path: str) -> str:
    """A path leads nowhere; the path is in quotes."""
    return _missing(operation, f'doc is missing path: "{path}"')


def no_path_to_replace(path: str) -> str:
    """The path of a replacement leads nowhere."""
    return _missing("replace", f"doc is missing path: {path}")


def no_key_to_replace(path: str) -> str:
    """The path of a replacement ends at an index that there isn't."""
    return _missing("replace", f"doc is missing key: {path}")


def no_path_to_test(path: str) -> str:
    """The path of a test leads nowhere."""
    return _missing("test", f"is missing path: {path}")


def no_path_to_take_from(operation: str, path: str) -> str:
    """The source of a ``move`` or ``copy`` leads nowhere."""
    return _missing(operation, f"doc is missing from path: {path}")


def no_destination(operation: str, path: str) -> str:
    """The destination of a ``move`` or ``copy`` leads nowhere."""
    return _missing(operation, f"doc is missing destination path: {path}")


# --- operations that fail ---


def operation_failed(operation: str, path: str, why: object) -> str:
    """An operation fails at the end of its path."""
    return f"error in {operation} for path: '{path}': {why}"


def source_failed(path: str, why: object) -> str:
    """A ``copy`` fails at the end of its source."""
    return f"error in copy for from: '{path}': {why}"


def copy_not_added(why: object) -> str:
    """A ``copy`` fails at its destination."""
    return f"error while adding value during copy: {why}"
