"""Numbers of pods that may be percentages, as the API server checks them.

Source: Kubernetes v1.36.3, pkg/apis/apps/validation (ValidatePositiveIntOrPercent, IsNotMoreThan100Percent).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from weighbridge.policies.ground.expressions import expression
from weighbridge.policies.ground.field_errors import NEGATIVE, ErrorType, FieldError
from weighbridge.policies.ground.objects import JSONValue
from weighbridge.policies.pods.validation.wordings import ABOVE_ALL, PERCENT_SHAPE

_PERCENT: Final = expression(r"[0-9]+%")
#: The texts that Go reads as a number: digits with an optional sign, and a percentage.
_NUMBER: Final = expression(r"([+-]?[0-9]+|[0-9]+(?=%))%?")
_ALL: Final = 100


def number(value: JSONValue) -> int:
    """A number of pods, or the number of a percentage; 0 for other texts."""
    if isinstance(value, int):
        return value
    found = _NUMBER.fullmatch(value) if isinstance(value, str) else None
    return int(found[1]) if found is not None else 0


def count_errors(value: JSONValue, path: str) -> Iterator[FieldError]:
    """The errors of a value that is a number or a percentage of pods."""
    if isinstance(value, str) and not _PERCENT.fullmatch(value):
        yield FieldError(ErrorType.INVALID, path, value, PERCENT_SHAPE)
    elif isinstance(value, int) and value < 0:
        yield FieldError(ErrorType.INVALID, path, value, NEGATIVE)


def excess_errors(value: JSONValue, path: str) -> Iterator[FieldError]:
    """The error of a percentage above 100%."""
    if isinstance(value, str) and _PERCENT.fullmatch(value) and number(value) > _ALL:
        yield FieldError(ErrorType.INVALID, path, value, ABOVE_ALL)
