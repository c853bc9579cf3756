"""Texts of kube-apiserver that several fields of pods and workloads share. A text for a single field is where that field is checked.

Source: Kubernetes v1.37, pkg/apis/core/validation/validation.go and pkg/apis/autoscaling/validation/validation.go.
"""

from __future__ import annotations

from typing import Final

NOT_ABOVE_ZERO: Final = "must be greater than 0"
EMPTY: Final = "can not be empty"
SEVERAL_FIELDS: Final = "may not have more than one field specified at a time"
BACKSTEPS: Final = "must not contain '..'"
BEGINS_WITH_BACKSTEP: Final = "must not start with '..'"
NO_RESOURCE: Final = "must specify a resource name"
NO_OPERATOR: Final = "not a valid selector operator"


def above(most: object) -> str:
    """The detail for a number that is too large."""
    return f"must be less than or equal to {most}"


def too_long(most: int) -> str:
    """The detail for a text with too many characters."""
    return f"must be no more than {most} characters"
