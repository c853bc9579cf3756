"""Field errors worded as the API server words them."""

from __future__ import annotations

import pytest

from weighbridge.policies.ground.field_errors import OMITTED, ErrorType, FieldError, aggregate, invalid_message


@pytest.mark.parametrize(
    ("error", "text"),
    [
        (FieldError(ErrorType.REQUIRED, "spec.source", "x"), "spec.source: Required value"),
        (FieldError(ErrorType.INVALID, "f", 1.5, "bad"), "f: Invalid value: 1.5: bad"),
        (FieldError(ErrorType.INVALID, "", None, "bad"), "<nil>: Invalid value: null: bad"),
        (FieldError(ErrorType.INVALID, "f", OMITTED, "bad"), "f: Invalid value: bad"),
        (FieldError(ErrorType.TOO_LONG, "f", "x", "may not be more than 1 byte"), "f: Too long: may not be more than 1 byte"),
        (FieldError(ErrorType.TOO_MANY, "f", 3, "must have at most 2 items"), "f: Too many: 3: must have at most 2 items"),
        (FieldError(ErrorType.NOT_SUPPORTED, "f", "b", 'supported values: "a"'), 'f: Unsupported value: "b": supported values: "a"'),
        (FieldError(ErrorType.DUPLICATE, "f[1]", {"b": 1, "a": "<"}), 'f[1]: Duplicate value: {"a":"\\u003c","b":1}'),
        (FieldError(ErrorType.FORBIDDEN, "f", "x", "no"), "f: Forbidden: no"),
    ],
)
def test_errors_print_as_the_server_prints_them(error: FieldError, text: str) -> None:
    assert str(error) == text


def test_a_cause_names_reason_field_and_message() -> None:
    error = FieldError(ErrorType.REQUIRED, "spec.source")
    assert error.cause() == {"reason": "FieldValueRequired", "message": "Required value", "field": "spec.source"}


def test_one_error_stands_bare_and_many_in_brackets_without_repeats() -> None:
    first, second = FieldError(ErrorType.REQUIRED, "a"), FieldError(ErrorType.REQUIRED, "b")
    assert aggregate([first, first]) == "a: Required value"
    assert aggregate([first, second, first]) == "[a: Required value, b: Required value]"


def test_the_message_names_kind_and_group() -> None:
    errors = [FieldError(ErrorType.REQUIRED, "a")]
    assert invalid_message("Model", "g.dev", "m", errors) == 'Model.g.dev "m" is invalid: a: Required value'
    assert invalid_message("Pod", "", "m", []) == 'Pod "m" is invalid'
