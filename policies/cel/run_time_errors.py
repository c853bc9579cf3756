"""What goes wrong while an expression runs: every wording, as kube-apiserver prints it.

The parser's wordings are in `syntax.errors`, the checker's in `check.errors`, those about rules of CRDs in `rules.errors`, and that of a
spent limit is in `values.outcome`, since an evaluation without errors needs it too. What Go says of an address or a URL that it can't read
is in `values.errors`, and is passed in here as the reason. Values are passed in as text. Source: cel-go's `common/types`, `interpreter` and
`ext`, and k8s.io/apiserver's `pkg/cel/library` and `pkg/cel/common/valuesunstructured.go`.
"""

from __future__ import annotations

from typing import Final

from weighbridge.policies.ground.go_text import quote

# --- calls and conversions ---

NO_SUCH_OVERLOAD: Final = "no such overload"
PANIC: Final = "internal error"
INVALID_UTF_8: Final = "invalid UTF-8 in bytes, cannot convert to string"


def no_such_overload_of(call: str) -> str:
    """A function or an operator isn't there for these arguments."""
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


def no_such_key(key: str) -> str:
    """A map or an object has nothing under this key."""
    return f"no such key: {key}"


def key_exists(key: str) -> str:
    """A fold puts in an entry twice."""
    return f"insert failed: key {key} already exists"


def unhashable(go_type: str) -> str:
    """The server breaks down at a key that Go can't hash."""
    return f"runtime error: hash of unhashable type {go_type}"


def unsupported_key_type(type_name: str) -> str:
    """No key of a map is of this type."""
    return f"unsupported map key type: {type_name}"


def invalid_qualifier_type(type_name: str) -> str:
    """What is computed can be no key."""
    return f"invalid qualifier type: {type_name}"


def index_out_of_bounds(index: str) -> str:
    """A list has no element at this index."""
    return f"index out of bounds: {index}"


def unsupported_index(index: str) -> str:
    """A list of an object takes only ints as indexes."""
    return f"unsupported index: {index}"


def unsupported_index_value(index: str) -> str:
    """A number can't be the index of a list."""
    return f"unsupported index value {index} in list"


def unsupported_index_type(type_name: str) -> str:
    """A value that is no number can't be the index of a list."""
    return f"unsupported index type '{type_name}' in list"


# --- comprehensions, optionals and literals ---

EMPTY_OPTIONAL: Final = "optional.none() dereference"


def not_iterable(type_name: str) -> str:
    """A comprehension runs over something that is neither list nor map."""
    return f"got '{type_name}', expected iterable type"


def unsupported_range(type_name: str) -> str:
    """The same of a comprehension with two variables."""
    return f"unsupported comprehension range type: {type_name}"


def not_optional(value: str) -> str:
    """A list of optionals has another value in it."""
    return f"value {value} is not optional"


def element_not_optional(value: str) -> str:
    """``[?x]`` of what is no optional."""
    return f"cannot initialize optional list element from non-optional value {value}"


def entry_not_optional(key: str, value: str) -> str:
    """``{?key: x}`` or ``Type{?field: x}`` of what is no optional."""
    return f"cannot initialize optional entry '{key}' from non-optional value {value}"


def unexpected_field_type(type_name: str, field: str) -> str:
    """A field of a JSON patch is given something else than a string."""
    return f"unexpected type {type_name} for JSONPatchType '{field}' field"


# --- lists ---

NEGATIVE_LEVEL: Final = "level must be non-negative"
NOT_COMPARABLE: Final = "list elements must be comparable"
SEVERAL_TYPES: Final = "list elements must have the same type"
NOT_SCALARS: Final = "listSet operations are only supported on lists of scalar values"


def empty_list(function: str) -> str:
    """``min`` or ``max`` of nothing."""
    return f"{function} called on empty list"


def negative_slice(start: int, end: int) -> str:
    """A slice begins or ends before the list."""
    return f"cannot slice({start}, {end}), negative indexes not supported"


def reversed_slice(start: int, end: int) -> str:
    """A slice ends before it begins."""
    return f"cannot slice({start}, {end}), start index must be less than or equal to end index"


def slice_too_long(start: int, end: int, length: int) -> str:
    """A slice ends behind the list."""
    return f"cannot slice({start}, {end}), list is length {length}"


def negative_range(size: int) -> str:
    """``lists.range`` below zero."""
    return f"lists.range: size must be non-negative, got {size}"


def range_too_long(size: int, limit: int) -> str:
    """``lists.range`` of more elements than are allowed."""
    return f"lists.range: size {size} exceeds maximum allowed ({limit})"


def not_an_int(go_type: str) -> str:
    """The server breaks down at a depth that is no int."""
    return f"interface conversion: ref.Val is {go_type}, not types.Int"


def not_a_list(go_type: str, missing: str) -> str:
    """The server breaks down at an error that it takes for a list."""
    return f"interface conversion: {go_type} is not traits.Lister: missing method {missing}"


# --- texts ---


def index_out_of_range(index: int) -> str:
    """A text has no character at this index."""
    return f"index out of range: {index}"


def invalid_substring(start: int, end: int) -> str:
    """A part of a text ends before it begins."""
    return f"invalid substring range. start: {start}, end: {end}"


def not_joinable(value: str) -> str:
    """An element of a list that is joined is no string."""
    return f"join: invalid input: {value}"


def illegal_pattern(why: object) -> str:
    """``find`` or ``findAll`` with a pattern that doesn't compile."""
    return f"Illegal regex: {why}"


# --- format ---

_CLAUSE: Final = "could not parse formatting clause: "
UNEXPECTED_END: Final = "unexpected end of string"
NO_END_OF_PRECISION: Final = f"{_CLAUSE}error while parsing precision: could not find end of precision specifier"
EMPTY_PRECISION: Final = (
    f'{_CLAUSE}error while parsing precision: error while converting precision to integer: strconv.Atoi: parsing "": invalid syntax'
)


def no_argument(index: int) -> str:
    """A clause has no argument."""
    return f"index {index} out of range"


def unknown_clause(clause: str) -> str:
    """A percent sign before a letter that is no clause."""
    return f'{_CLAUSE}unrecognized formatting clause "{clause}"'


def formatting_failed(why: object) -> str:
    """A clause can't print its argument."""
    return f"error during formatting: {why}"


def argument_not_text(why: object) -> str:
    """An argument can't be converted to a string."""
    return f"could not convert argument {quote(str(why))} to string"


def no_form(type_name: str) -> str:
    """A value inside a list or map can't be printed."""
    return f"no formatting function for {type_name}"


def no_form_of_key(type_name: str) -> str:
    """A key of a map can't be printed."""
    return f"no formatting function for map key of type {type_name}"


def not_for_string(type_name: str) -> str:
    """``%s`` is given a value that it can't print."""
    kinds = "strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps"
    return f"string clause can only be used on {kinds}, was given {type_name}"


def not_for_decimal(type_name: str) -> str:
    """``%d`` is given a value that it can't print."""
    return f"decimal clause can only be used on integers, was given {type_name}"


def not_for_fixed(type_name: str) -> str:
    """``%f`` is given a value that it can't print."""
    return f"fixed-point clause can only be used on doubles, was given {type_name}"


def not_for_scientific(type_name: str) -> str:
    """``%e`` is given a value that it can't print."""
    return f"scientific clause can only be used on doubles, was given {type_name}"


def not_for_binary(type_name: str) -> str:
    """``%b`` is given a value that it can't print."""
    return f"only integers and bools can be formatted as binary, was given {type_name}"


def not_for_octal(type_name: str) -> str:
    """``%o`` is given a value that it can't print."""
    return f"octal clause can only be used on integers, was given {type_name}"


def not_for_hex(type_name: str) -> str:
    """``%x`` or ``%X`` is given a value that it can't print."""
    return f"only integers, byte buffers, and strings can be formatted as hex, was given {type_name}"


# --- named formats ---

NO_UUID: Final = "does not match the UUID format"
NO_BASE64: Final = "invalid base64"
NO_DATE: Final = "invalid date"
NO_DATE_TIME: Final = "invalid datetime"

# --- times ---

TIMESTAMP_OVERFLOW: Final = "timestamp overflow"
INVALID_LOCATION: Final = "time: invalid location name"


def unknown_zone(name: str) -> str:
    """No time zone has this name."""
    return f"unknown time zone {name}"


def no_number_in_zone(text: str) -> str:
    """The hours or minutes of a zone are no number."""
    return f'strconv.Atoi: parsing "{text}": invalid syntax'


# --- addresses and URLs ---


def invalid_address(text: str, why: object) -> str:
    """A text is no IP address."""
    return f"IP Address {quote(text)} parse error during conversion from string: {why}"


def address_with_zone(text: str) -> str:
    """An IP address has a zone."""
    return f"IP address {quote(text)} with zone value is not allowed"


def mapped_address(text: str) -> str:
    """An IPv4 address is written as one of IPv6."""
    return f"IPv4-mapped IPv6 address {quote(text)} is not allowed"


def invalid_network(why: object) -> str:
    """A text is no address of a network; the server says so twice where it can't parse the text."""
    return f"network address parse error during conversion from string: {why}"


def invalid_url(why: object) -> str:
    """A text is no URL."""
    return f"URL parse error during conversion from string: {why}"


# --- versions ---

EMPTY_VERSION: Final = "Version string empty"
TOO_FEW_NUMBERS: Final = "No Major.Minor.Patch elements found"
SHORT_WITH_MORE: Final = "short version cannot contain PreRelease/Build meta data"
EMPTY_PRE_RELEASE: Final = "Prerelease is empty"
EMPTY_BUILD: Final = "Build meta data is empty"
EMPTY_NUMBER: Final = 'strconv.ParseUint: parsing "": invalid syntax'


def number_too_great(text: str) -> str:
    """A number of a version doesn't fit into 64 bits."""
    return f"strconv.ParseUint: parsing {quote(text)}: value out of range"


def invalid_characters(part: str, text: str) -> str:
    """A part of a version has other characters than it may have."""
    return f"Invalid character(s) found in {part} {quote(text)}"


def leading_zeroes(part: str, text: str) -> str:
    """A number of a version begins with zero."""
    return f"{part.capitalize()} number must not contain leading zeroes {quote(text)}"


def leading_zeroes_of_pre_release(text: str) -> str:
    """A number of a pre-release begins with zero."""
    return f"Numeric PreRelease version must not contain leading zeroes {quote(text)}"


# --- authorization ---

EMPTY_PATH: Final = "path must not be empty"
EMPTY_RESOURCE: Final = "resource must not be empty"
INVALID_SERVICE_ACCOUNT: Final = "Invalid service account name"
INVALID_NAMESPACE: Final = "Invalid service account namespace"

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
    """A text is no duration."""
    return f"Invalid duration {text}: {why}"


def invalid_time(form: str, text: str, why: object) -> str:
    """A text is no date, or no date with a time."""
    return f"Invalid {form} formatted string {text}: {why}"


def invalid_bytes(text: str, at: int | None) -> str:
    """A text isn't base64."""
    return f"Invalid byte formatted string {text}: illegal base64 data at input byte {at}"


def invalid_type(type_name: str) -> str:
    """The schema says nothing of a value that an expression could read."""
    types = "object, array, number, integer, boolean or string, or no type"
    extensions = "x-kubernetes-int-or-string or x-kubernetes-preserve-unknown-fields"
    return f"invalid type, expected {types} with {extensions} is true, got {type_name}"
