"""The API server's checks of label selectors, and of the terms of node selectors.

Source: Kubernetes v1.36, apimachinery/pkg/apis/meta/v1/validation (ValidateLabelSelector) and pkg/apis/core/validation
(ValidateNodeSelectorTerm).
"""

from __future__ import annotations

from collections.abc import Iterator

from weighbridge.policies.facts.selectors import Requirement, read_requirements
from weighbridge.policies.ground.field_errors import ErrorType, FieldError, value_errors
from weighbridge.policies.ground.fields import items, text_map
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.policies.pods.validation.wordings import (
    NO_FIELD_KEY,
    NO_OPERATOR,
    NO_VALUES,
    SEVERAL_NAMES,
    SEVERAL_NUMBERS,
    UNUSED_VALUES,
)
from weighbridge.policies.schema.names import dns1123_subdomain, label_value, qualified_name


def selector_errors(selector: JSONObject, path: str) -> Iterator[FieldError]:
    """The errors of a label selector."""
    for key, value in text_map(selector, "matchLabels").items():
        yield from value_errors(f"{path}.matchLabels", key, qualified_name(key))
        yield from value_errors(f"{path}.matchLabels", value, label_value(value))
    for index, wanted in enumerate(read_requirements(items(selector, "matchExpressions"))):
        where = f"{path}.matchExpressions[{index}]"
        yield from _expression_errors(wanted, where, compares=False)
        yield from _value_errors(wanted, where)


def term_errors(term: JSONObject, path: str, *, is_required: bool = True) -> Iterator[FieldError]:
    """The errors of a term of a node selector; a preferred one may have values that no label can have."""
    for index, wanted in enumerate(read_requirements(items(term, "matchExpressions"))):
        where = f"{path}.matchExpressions[{index}]"
        yield from _expression_errors(wanted, where, compares=True)
        if is_required:
            yield from _value_errors(wanted, where)
    for index, wanted in enumerate(read_requirements(items(term, "matchFields"))):
        yield from _field_errors(wanted, f"{path}.matchFields[{index}]")


def _expression_errors(wanted: Requirement, path: str, *, compares: bool) -> Iterator[FieldError]:
    """The errors of a condition on a label. With `compares`, as in a node selector, it may compare numbers."""
    match wanted.operator:
        case "In" | "NotIn":
            if not wanted.values:
                yield FieldError(ErrorType.REQUIRED, f"{path}.values", detail=NO_VALUES)
        case "Exists" | "DoesNotExist":
            if wanted.values:
                yield FieldError(ErrorType.FORBIDDEN, f"{path}.values", detail=UNUSED_VALUES)
        case "Gt" | "Lt" if compares:
            if len(wanted.values) != 1:
                yield FieldError(ErrorType.REQUIRED, f"{path}.values", detail=SEVERAL_NUMBERS)
        case _:
            yield FieldError(ErrorType.INVALID, f"{path}.operator", wanted.operator, NO_OPERATOR)
    yield from value_errors(f"{path}.key", wanted.key, qualified_name(wanted.key))


def _value_errors(wanted: Requirement, path: str) -> Iterator[FieldError]:
    for index, value in enumerate(wanted.values):
        yield from value_errors(f"{path}.values[{index}]", value, label_value(value))


def _field_errors(wanted: Requirement, path: str) -> Iterator[FieldError]:
    if wanted.operator not in ("In", "NotIn"):
        yield FieldError(ErrorType.INVALID, f"{path}.operator", wanted.operator, NO_OPERATOR)
    elif len(wanted.values) != 1:
        yield FieldError(ErrorType.REQUIRED, f"{path}.values", detail=SEVERAL_NAMES)
    if wanted.key != "metadata.name":
        yield FieldError(ErrorType.INVALID, f"{path}.key", wanted.key, NO_FIELD_KEY)
        return
    for index, value in enumerate(wanted.values):
        yield from value_errors(f"{path}.values[{index}]", value, dns1123_subdomain(value))
