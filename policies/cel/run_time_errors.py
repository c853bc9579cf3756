"""What goes wrong in the language itself while an expression runs: every wording, as kube-apiserver prints it.

The parser's wordings are in `syntax.errors`, the checker's in `check.errors`, those of functions in `library.errors`, those about rules of
CRDs in `rules.errors`, and that of a spent limit is in `values.outcome`, since an evaluation without errors needs it too. Values are passed
in as text. Source: cel-go's `common/types` and `interpreter`, and k8s.io/apiserver's `pkg/cel/common/valuesunstructured.go`.
"""

from __future__ import annotations

from typing import Final

# --- calls and conversions ---

NO_SUCH_OVERLOAD: Final = "no such overload"
PANIC: Final = "internal error"
INVALID_UTF_8: Final = "invalid UTF-8 in bytes, cannot convert to string"


def no_such_overload_of(call: str) -> str:
    """A function or an operator has no overload for these arguments."""
    return f"no such overload: {call}"


def no_conversion(source: str, target: str) -> str:
    """A value can't be converted to a type."""
    return f"type conversion error from '{source}' to '{target}'"


def undefined_type(name: str) -> str:
    """An expression names a type that its environment doesn't have."""
    return f"reference to undefined type: {name}"


# --- numbers ---

INTEGER_OVERFLOW: Final = "integer overflow"
UNSIGNED_OVERFLOW: Final = "unsigned integer overflow"
DIVISION_BY_ZERO: Final = "division by zero"
MODULUS_BY_ZERO: Final = "modulus by zero"
NAN_HAS_NO_ORDER: Final = "NaN values cannot be ordered"

# --- fields, keys and indexes ---

NO_OLD_SELF: Final = "no such attribute(s): oldSelf"
NOT_SCALARS: Final = "listSet operations are only supported on lists of scalar values"


def no_such_key(key: str) -> str:
    """A map or an object has nothing under this key."""
    return f"no such key: {key}"


def key_exists(key: str) -> str:
    """A fold adds two entries with one key."""
    return f"insert failed: key {key} already exists"


def unhashable(go_type: str, *, in_empty: bool = False) -> str:
    """The server panics at a key that Go can't hash. Go words it differently for a search in an empty map."""
    return f"hash of unhashable type: {go_type}" if in_empty else f"runtime error: hash of unhashable type {go_type}"


def unsupported_error(text: str) -> str:
    """Before 1.37 the content of an optional is converted again, which fails for an error."""
    return f"unsupported conversion to ref.Val: (*errors.errorString){text}"


def unsupported_key_type(type_name: str) -> str:
    """A key of a map can't be of this type."""
    return f"unsupported map key type: {type_name}"


def invalid_qualifier_type(type_name: str) -> str:
    """A computed value can't be a key."""
    return f"invalid qualifier type: {type_name}"


def index_out_of_bounds(index: str) -> str:
    """A list has no element at this index."""
    return f"index out of bounds: {index}"


def unsupported_index(index: str) -> str:
    """A list of an object takes only ints as indexes."""
    return f"unsupported index: {index}"


def unsupported_index_value(index: str) -> str:
    """The index of a list is a number that isn't whole or that is too great."""
    return f"unsupported index value {index} in list"


def unsupported_index_type(type_name: str) -> str:
    """The index of a list isn't a number."""
    return f"unsupported index type '{type_name}' in list"


# --- comprehensions, optionals and literals ---

EMPTY_OPTIONAL: Final = "optional.none() dereference"


def not_iterable(type_name: str) -> str:
    """A comprehension runs over something that is neither list nor map."""
    return f"got '{type_name}', expected iterable type"


def unsupported_range(type_name: str) -> str:
    """A comprehension with two variables runs over something that is neither list nor map."""
    return f"unsupported comprehension range type: {type_name}"


def not_optional(value: str) -> str:
    """A list of optionals has another value in it."""
    return f"value {value} is not optional"


def element_not_optional(value: str) -> str:
    """The element of ``[?x]`` isn't an optional."""
    return f"cannot initialize optional list element from non-optional value {value}"


def entry_not_optional(key: str, value: str) -> str:
    """The value of ``{?key: x}`` or ``Type{?field: x}`` isn't an optional."""
    return f"cannot initialize optional entry '{key}' from non-optional value {value}"


# --- times ---

TIMESTAMP_OVERFLOW: Final = "timestamp overflow"
INVALID_LOCATION: Final = "time: invalid location name"


def unknown_zone(name: str) -> str:
    """No time zone has this name."""
    return f"unknown time zone {name}"


def no_number_in_zone(text: str) -> str:
    """The hours or minutes of a zone aren't a number."""
    return f'strconv.Atoi: parsing "{text}": invalid syntax'


# --- data of objects ---

UNEXPECTED_NULL: Final = "invalid data, got null for schema with nullable=false"
NOT_INT_OR_STRING: Final = "invalid data, expected XIntOrString value to be either a string or integer"
NOT_A_MAP: Final = "invalid data, expected a map for the provided schema with type=object"
NOT_AN_ARRAY: Final = "invalid data, expected an array for the provided schema with type=array"
NO_ITEMS: Final = "invalid array type, expected Items with a non-empty Schema"


def unexpected_data(wanted: str, found: str) -> str:
    """A value isn't of the type that the schema says."""
    return f"invalid data, expected {wanted}, got {found}"


def invalid_duration(text: str, why: str) -> str:
    """A text isn't a duration."""
    return f"Invalid duration {text}: {why}"


def invalid_time(form: str, text: str, why: object) -> str:
    """A text isn't a date, or isn't a date with a time."""
    return f"Invalid {form} formatted string {text}: {why}"


def invalid_bytes(text: str, at: int | None) -> str:
    """A text isn't base64."""
    return f"Invalid byte formatted string {text}: illegal base64 data at input byte {at}"


def invalid_type(type_name: str) -> str:
    """The schema describes no value that an expression could read."""
    types = "object, array, number, integer, boolean or string, or no type"
    extensions = "x-kubernetes-int-or-string or x-kubernetes-preserve-unknown-fields"
    return f"invalid type, expected {types} with {extensions} is true, got {type_name}"
