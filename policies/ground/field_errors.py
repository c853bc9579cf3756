"""Kubernetes' own error for one field of an object, worded as the API server words it.

A `FieldError` is what ``k8s.io/apimachinery/pkg/util/validation/field.Error`` is: a type, a field, a bad value and a detail. Its text is
the contract between the linter and the server: same type, same field, same words.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import Enum, StrEnum
from typing import Final

from weighbridge.policies.ground.go_text import quote, value_text
from weighbridge.policies.ground.objects import JSONObject, JSONValue
from weighbridge.policies.ground.records import dataclass


class ErrorType(StrEnum):
    """The machine-readable reasons in ``details.causes[].reason``."""

    NOT_FOUND = "FieldValueNotFound"
    REQUIRED = "FieldValueRequired"
    DUPLICATE = "FieldValueDuplicate"
    INVALID = "FieldValueInvalid"
    NOT_SUPPORTED = "FieldValueNotSupported"
    FORBIDDEN = "FieldValueForbidden"
    TOO_LONG = "FieldValueTooLong"
    TOO_MANY = "FieldValueTooMany"
    INTERNAL = "InternalError"
    TYPE_INVALID = "FieldValueTypeInvalid"


_WORDS: Final = {
    ErrorType.NOT_FOUND: "Not found",
    ErrorType.REQUIRED: "Required value",
    ErrorType.DUPLICATE: "Duplicate value",
    ErrorType.INVALID: "Invalid value",
    ErrorType.NOT_SUPPORTED: "Unsupported value",
    ErrorType.FORBIDDEN: "Forbidden",
    ErrorType.TOO_LONG: "Too long",
    ErrorType.TOO_MANY: "Too many",
    ErrorType.INTERNAL: "Internal error",
    ErrorType.TYPE_INVALID: "Invalid value",
}
_WITHOUT_VALUE: Final = frozenset({ErrorType.REQUIRED, ErrorType.FORBIDDEN, ErrorType.TOO_LONG, ErrorType.INTERNAL})

#: Errors after which the server doesn't run an object's CEL rules.
BLOCKING_TYPES: Final = frozenset(
    {ErrorType.NOT_SUPPORTED, ErrorType.REQUIRED, ErrorType.TOO_LONG, ErrorType.TOO_MANY, ErrorType.TYPE_INVALID},
)


class Omitted(Enum):
    """The bad value of an error that doesn't print it (``field.OmitValueType``)."""

    OMITTED = "<value omitted>"


OMITTED: Final = Omitted.OMITTED
#: Details that the server writes about many fields; the names are the server's.
IMMUTABLE: Final = "field is immutable"
NEGATIVE: Final = "must be greater than or equal to 0"
NOT_POSITIVE: Final = "must be greater than zero"


@dataclass(frozen=True, slots=True)
class FieldError:
    """One error; `field` is empty for a nil path, which prints as ``<nil>``."""

    type: ErrorType
    field: str
    bad_value: JSONValue = OMITTED
    detail: str = ""

    @property
    def field_text(self) -> str:
        """The field as printed."""
        return self.field or "<nil>"

    @property
    def body(self) -> str:
        """The text without the field, as in ``details.causes[].message``."""
        text = _WORDS[self.type]
        if self.type not in _WITHOUT_VALUE and self.bad_value is not OMITTED:
            text += f": {value_text(self.bad_value)}"
        return f"{text}: {self.detail}" if self.detail else text

    def __str__(self) -> str:
        return f"{self.field_text}: {self.body}"

    def cause(self) -> JSONObject:
        """The entry of ``details.causes``."""
        return {"reason": str(self.type), "message": self.body, "field": self.field_text}


def value_errors(field: str, value: JSONValue, messages: Iterable[str]) -> list[FieldError]:
    """The errors of a value that is refused with each of these messages."""
    return [FieldError(ErrorType.INVALID, field, value, message) for message in messages]


def merged(errors: list[FieldError]) -> list[FieldError]:
    """The errors without duplicates: of several with the same text the first stays."""
    return list({str(error): error for error in reversed(errors)}.values())[::-1] if len(errors) > 1 else errors


def unsupported(field: str, value: JSONValue, supported: Iterable[str]) -> FieldError:
    """The error for a word that isn't one of the supported ones."""
    return FieldError(ErrorType.NOT_SUPPORTED, field, value, supported_values(supported))


def supported_values(words: Iterable[str]) -> str:
    """The detail of such an error."""
    listed = ", ".join(f'"{word}"' for word in words)
    return f"supported values: {listed}"


def aggregate(errors: Iterable[FieldError]) -> str:
    """The texts of several errors as one text: bare if there is one error, else in brackets.

    Equal texts appear once, in the given order.
    """
    texts = list(dict.fromkeys(map(str, errors)))
    return texts[0] if len(texts) == 1 else f"[{', '.join(texts)}]"


def invalid_message(kind: str, group: str, name: str, errors: Sequence[FieldError]) -> str:
    """The message of a 422 answer (``errors.NewInvalid``)."""
    qualified = f"{kind}.{group}" if group else kind
    text = f"{qualified} {quote(name)} is invalid"
    return f"{text}: {aggregate(errors)}" if errors else text
