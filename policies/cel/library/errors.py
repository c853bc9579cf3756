"""What the functions of the libraries say against their arguments: every wording, as kube-apiserver prints it.

Errors of the language itself are in `run_time_errors`, such as those of numbers, keys and conversions. What Go says of an address or a URL
that it can't read is in `values.errors`, and is passed in here as the reason. Values are passed in as text. Source: cel-go's `ext`, and
k8s.io/apiserver's `pkg/cel/library`.
"""

from __future__ import annotations

from typing import Final

from weighbridge.policies.ground.go_text import quote

# --- lists ---

NEGATIVE_LEVEL: Final = "level must be non-negative"
NOT_COMPARABLE: Final = "list elements must be comparable"
SEVERAL_TYPES: Final = "list elements must have the same type"


def empty_list(function: str) -> str:
    """``min`` or ``max`` of an empty list."""
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
    """``lists.range`` of a negative size."""
    return f"lists.range: size must be non-negative, got {size}"


def range_too_long(size: int, limit: int) -> str:
    """``lists.range`` of more elements than are allowed."""
    return f"lists.range: size {size} exceeds maximum allowed ({limit})"


def not_an_int(go_type: str) -> str:
    """The server panics if the depth isn't an int."""
    return f"interface conversion: ref.Val is {go_type}, not types.Int"


def not_a_list(go_type: str, missing: str) -> str:
    """The server panics, since it takes an error for a list."""
    return f"interface conversion: {go_type} is not traits.Lister: missing method {missing}"


# --- texts ---


def index_out_of_range(index: int) -> str:
    """A text has no character at this index."""
    return f"index out of range: {index}"


def invalid_substring(start: int, end: int) -> str:
    """A part of a text ends before it begins."""
    return f"invalid substring range. start: {start}, end: {end}"


def not_joinable(value: str) -> str:
    """A list that is joined has an element that isn't a string."""
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
    """A percent sign precedes a letter that isn't a clause."""
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


def no_key(key: str) -> str:
    """A field of an object that is null can't be converted to text."""
    return f"could not find key: {quote(key)}"


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

# --- addresses and URLs ---


def invalid_address(text: str, why: object) -> str:
    """A text isn't an IP address."""
    return f"IP Address {quote(text)} parse error during conversion from string: {why}"


def address_with_zone(text: str) -> str:
    """An IP address has a zone."""
    return f"IP address {quote(text)} with zone value is not allowed"


def mapped_address(text: str) -> str:
    """An IPv4 address is written in the form of an IPv6 address."""
    return f"IPv4-mapped IPv6 address {quote(text)} is not allowed"


def invalid_network(why: object) -> str:
    """A text isn't the address of a network. The server's message begins twice with the same words if it can't parse the text."""
    return f"network address parse error during conversion from string: {why}"


def invalid_url(why: object) -> str:
    """A text isn't a URL."""
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


def _invalid_characters(part: str, text: str) -> str:
    return f"Invalid character(s) found in {part} {quote(text)}"


def invalid_number(part: str, text: str) -> str:
    """A number of a version has characters that aren't digits."""
    return _invalid_characters(f"{part} number", text)


def invalid_pre_release(text: str) -> str:
    """A part of a pre-release has other characters than letters, digits and hyphens."""
    return _invalid_characters("prerelease", text)


def invalid_build(text: str) -> str:
    """A part of the build metadata has other characters than letters, digits and hyphens."""
    return _invalid_characters("build meta data", text)


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

# --- JSON patches ---


def unexpected_field_type(type_name: str, field: str) -> str:
    """A field of a JSON patch is given a value that isn't a string."""
    return f"unexpected type {type_name} for JSONPatchType '{field}' field"
