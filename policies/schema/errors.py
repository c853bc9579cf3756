"""All texts of structural-schema validation, one function each. Those about names and metadata are in `metadata_errors`.

A `Violation` is what the server's OpenAPI validator reports: the name it was checking (a path that may begin with a dot), the raw text by
which equal reports are merged, and the parts of its field error. The words are those of k8s.io/kube-openapi (``pkg/validation/errors``,
``validate/schema_messages.go``) as k8s.io/apiextensions-apiserver 1.36 turns them into field errors.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from weighbridge.policies.ground.field_errors import OMITTED, ErrorType, FieldError
from weighbridge.policies.ground.go_text import float_text, json_text, quote
from weighbridge.policies.ground.objects import JSONValue
from weighbridge.policies.ground.records import dataclass
from weighbridge.policies.schema.go_values import plain_text

#: What is checked against the range of a number's type: the value, or a keyword's.
VALUE: Final = "Checked"
FACTOR: Final = "MultipleOf"
MINIMUM: Final = "Minimum boundary"
MAXIMUM: Final = "Maximum boundary"


@dataclass(slots=True)
class Violation:
    """One report; `text` is also the field error's detail if `detail` is `None`."""

    name: str
    text: str
    type: ErrorType = ErrorType.INVALID
    bad_value: JSONValue = ""
    detail: str | None = None

    def as_field_error(self, prefix: str) -> FieldError:
        """The field error, its field below `prefix`; a report without a name is at `prefix` itself."""
        return FieldError(self.type, child_field(prefix, self.name), self.bad_value, self.text if self.detail is None else self.detail)


def child_field(prefix: str, name: str) -> str:
    """The field of a validator's `name` below `prefix`."""
    if name in ("", "."):
        return prefix
    return f"{prefix}.{name.removeprefix('.')}" if prefix else name.removeprefix(".")


def _number_text(value: float) -> str:
    return float_text(value) if type(value) is float else str(value)


def wrong_type(name: str, expected: str, actual: str) -> Violation:
    """A value of another type. `actual` is a JSON type, a Go kind, or empty; or the text that isn't of format `expected`."""
    return Violation(name, f"{name} in body must be of type {expected}: {quote(actual)}", ErrorType.TYPE_INVALID, actual)


def out_of_range(what: str, name: str, type_name: str, format_name: str) -> Violation:
    """A value or a bound that its number type can't hold; it is reported without a field. `what` is one of the names above."""
    suffix = f"with format {format_name}" if format_name else "(default format)"
    return Violation("", f"{what} value must be of type {type_name} {suffix} in {name}")


def required(name: str) -> Violation:
    """A required field is missing."""
    return Violation(name, f"{name} in body is required", ErrorType.REQUIRED, detail="")


def not_in_enum(name: str, value: JSONValue, values: Sequence[JSONValue]) -> Violation:
    """A value that isn't one of the enum. Values that aren't strings are written as JSON inside quotes."""
    allowed = ", ".join(quote(item if isinstance(item, str) else json_text(item)) for item in values)
    text = f"{name} in body should be one of {plain_text(list(values))}"
    return Violation(name, text, ErrorType.NOT_SUPPORTED, value, f"supported values: {allowed}")


def too_long(name: str, limit: int) -> Violation:
    """More characters than maxLength. The server counts characters, but its text says bytes."""
    detail = f"may not be more than {limit} byte{'' if limit == 1 else 's'}"
    return Violation(name, f"{name} in body should be at most {limit} chars long", ErrorType.TOO_LONG, OMITTED, detail)


def too_short(name: str, limit: int, value: str) -> Violation:
    """Fewer characters than minLength."""
    return Violation(name, f"{name} in body should be at least {limit} chars long", bad_value=value)


def no_match(name: str, pattern: str, value: str) -> Violation:
    """A string that doesn't match `pattern`, which is as written in the schema."""
    return Violation(name, f"{name} in body should match '{pattern}'", bad_value=value)


def invalid_pattern(name: str, pattern: str, error: str, value: str) -> Violation:
    """A pattern that isn't valid; it refuses every string."""
    return Violation(name, f"{name} in body should match '{pattern}, but pattern is invalid: {error}'", bad_value=value)


def above_maximum(name: str, limit: float, value: float, *, exclusive: bool) -> Violation:
    """A value above the maximum. `limit` is printed in the value's kind: 1000000 for an integer, 1e+06 for a float."""
    words = "less than" if exclusive else "less than or equal to"
    return Violation(name, f"{name} in body should be {words} {_number_text(limit)}", bad_value=value)


def below_minimum(name: str, limit: float, value: float, *, exclusive: bool) -> Violation:
    """A value below the minimum. `limit` is printed in the value's kind."""
    words = "greater than" if exclusive else "greater than or equal to"
    return Violation(name, f"{name} in body should be {words} {_number_text(limit)}", bad_value=value)


def not_a_multiple(name: str, factor: float, value: float) -> Violation:
    """A value that isn't a multiple of `factor`, which is printed in the value's kind."""
    return Violation(name, f"{name} in body should be a multiple of {_number_text(factor)}", bad_value=value)


def factor_not_positive(name: str, factor: float) -> Violation:
    """A factor of 0 or less. A fractional factor for an integer under type number counts too: it is truncated to 0."""
    return Violation(name, f"factor MultipleOf declared for {name} must be positive: {_number_text(factor)}", bad_value=factor)


def _at_most(limit: int) -> str:
    return f"must have at most {limit} item{'' if limit == 1 else 's'}"


def too_many_items(name: str, limit: int, count: int) -> Violation:
    """More items than maxItems."""
    return Violation(name, f"{name} in body should have at most {limit} items", ErrorType.TOO_MANY, count, _at_most(limit))


def too_few_items(name: str, limit: int, count: int) -> Violation:
    """Fewer items than minItems."""
    return Violation(name, f"{name} in body should have at least {limit} items", bad_value=count)


def items_not_unique(name: str) -> Violation:
    """``uniqueItems``, which no CRD may use."""
    return Violation(name, f"{name} in body shouldn't contain duplicates")


def too_many_properties(name: str, limit: int, count: int) -> Violation:
    """More keys than maxProperties."""
    return Violation(name, f"{name} in body should have at most {limit} properties", ErrorType.TOO_MANY, count, _at_most(limit))


def too_few_properties(name: str, limit: int, count: int) -> Violation:
    """Fewer keys than minProperties."""
    return Violation(name, f"{name} in body should have at least {limit} properties", bad_value=count)


def forbidden_property(name: str, key: str) -> Violation:
    """A key that ``additionalProperties: false`` forbids."""
    return Violation(name, f"{name}.{key} in body is a forbidden property", bad_value=key)


def none_of_any(name: str) -> Violation:
    """No branch of ``anyOf`` is valid."""
    return Violation("", f"{quote(name)} must validate at least one schema (anyOf)")


def not_exactly_one(name: str, valid: int) -> Violation:
    """Not exactly one branch of ``oneOf`` is valid; `valid` is the number of those that are."""
    found = f"Found {valid} valid alternatives" if valid else "Found none valid"
    return Violation("", f"{quote(name)} must validate one and only one schema (oneOf). {found}")


def not_all(name: str, valid: int) -> Violation:
    """Not all branches of ``allOf`` are valid; `valid` is the number of those that are."""
    return Violation("", f"{quote(name)} must validate all the schemas (allOf){'' if valid else '. None validated'}")


def validates_not(name: str) -> Violation:
    """The schema below ``not`` is valid."""
    return Violation("", f"{quote(name)} must not validate the schema (not)")


def duplicate_item(field: str, value: JSONValue) -> FieldError:
    """A repeated item of a set, or repeated keys of an item of a list map."""
    return FieldError(ErrorType.DUPLICATE, field, value)


def nests_too_deep(most: int) -> str:
    """A schema that can't be followed to its end."""
    return f"the schema nests deeper than {most} levels"


def not_an_object(field: str, value: JSONValue) -> FieldError:
    """An item of a list map that has no keys."""
    return FieldError(ErrorType.INVALID, field, value, "must be an object for an array of list-type map")
