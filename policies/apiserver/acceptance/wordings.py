"""Texts of kube-apiserver that several fields of a CRD share. A text for a single field is where that field is checked.

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
    """The detail for a value that isn't one of the allowed words."""
    return f"must be one of {words}"


def no_metadata(why: object) -> str:
    """The detail for a default whose metadata wouldn't be valid."""
    return f"must result in valid metadata: {why}"
