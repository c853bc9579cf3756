"""What kube-apiserver says of several fields of pods and of what makes them; a text of one field alone is where the field is checked.

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
    """The detail of a number that is too great."""
    return f"must be less than or equal to {most}"


def too_long(most: int) -> str:
    """The detail of a text that has too many characters."""
    return f"must be no more than {most} characters"
