"""What kube-apiserver says of several fields of a CRD; a text of one field alone is where the field is checked.

Source: k8s.io/apiextensions-apiserver pkg/apis/apiextensions/validation and pkg/apiserver/schema, 1.37.
"""

from __future__ import annotations

from typing import Final

MUST_BE_UNDEFINED: Final = "must be undefined to be structural"
MUST_BE_EMPTY: Final = "must be empty to be structural"
MUST_BE_FALSE: Final = "must be false to be structural"
EMPTY: Final = "must be non-empty if specified"
LINE_BREAKS: Final = "must not contain line breaks"
NO_JSON_PATH: Final = "must be a simple json path starting with ."


def none_of(words: str) -> str:
    """The detail of a word that isn't one of those that are allowed."""
    return f"must be one of {words}"


def no_metadata(why: object) -> str:
    """The detail of a default from which no metadata comes that the server would take."""
    return f"must result in valid metadata: {why}"
