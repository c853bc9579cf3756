"""What the server says against names, labels and the other metadata of objects, and against JSON that its types can't hold: every wording.

What it says by a schema is in `schema.errors`, and what it says of many fields in `ground.field_errors`. Source: k8s.io/apimachinery
pkg/util/validation, pkg/api/validate/content, pkg/api/validation and pkg/apis/meta/v1/validation, 1.36; of times Go's time/format.go, of
JSON its encoding/json/decode.go.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from weighbridge.policies.ground.go_text import quote

# --- names ---

HAS_DOTS: Final = "must not contain dots"
EMPTY_PREFIX: Final = "prefix part must be non-empty"
EMPTY_NAME: Final = "name part must be non-empty"


def too_long(limit: int, unit: str) -> str:
    """A name has more bytes than it may have; of the server's two texts only that for label keys says bytes."""
    return f"must be no more than {limit} {unit}"


def _shape(sentence: str, pattern: str, *examples: str) -> str:
    # The comma after each example is the server's own.
    listed = " or ".join(f"'{example}', " for example in examples)
    return f"{sentence} (e.g. {listed}regex used for validation is '{pattern}')"


def no_label(pattern: str) -> str:
    """A name that isn't a label as of RFC 1123."""
    sentence = (
        "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', "
        "and must start and end with an alphanumeric character"
    )
    return _shape(sentence, pattern, "my-name", "123-abc")


def no_subdomain(pattern: str) -> str:
    """A name that isn't a subdomain as of RFC 1123."""
    sentence = (
        "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', "
        "and must start and end with an alphanumeric character"
    )
    return _shape(sentence, pattern, "example.com")


def no_subdomain_with_underscores(pattern: str) -> str:
    """A name that isn't a subdomain as of RFC 1123, in which underscores are allowed too."""
    sentence = (
        "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '_', '-' or '.', "
        "and must start and end with an alphanumeric character"
    )
    return _shape(sentence, pattern, "example.com")


def no_1035_label(pattern: str) -> str:
    """A name that isn't a label as of RFC 1035."""
    sentence = (
        "a DNS-1035 label must consist of lower case alphanumeric characters or '-', "
        "start with an alphabetic character, and end with an alphanumeric character"
    )
    return _shape(sentence, pattern, "my-name", "abc-123")


def no_kind(why: Iterable[str]) -> str:
    """A kind that isn't a label in lower case."""
    return f"may have mixed case, but should otherwise match: {','.join(why)}"


def reserved_segment(value: str) -> str:
    """A name that has a meaning as a segment of a path."""
    return f"may not be '{value}'"


def not_in_segment(char: str) -> str:
    """A name with a character that no segment of a path can have."""
    return f"may not contain '{char}'"


# --- labels and annotations ---


def _name_shape(pattern: str) -> str:
    sentence = "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character"
    return _shape(sentence, pattern, "MyName", "my.name", "123-abc")


def several_slashes(pattern: str, *, is_label_key: bool) -> str:
    """A key or another qualified name with more than one slash."""
    called = "a valid label key" if is_label_key else "a qualified name"
    return f"{called} {_name_shape(pattern)} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')"


def wrong_prefix(why: str) -> str:
    """What comes before the slash isn't a subdomain."""
    return f"prefix part {why}"


def wrong_name(why: str) -> str:
    """What comes after the slash isn't a name."""
    return f"name part {why}"


def no_name(pattern: str) -> str:
    """The name after the slash, or the whole name, has other characters than it may have."""
    return wrong_name(_name_shape(pattern))


def no_label_value(pattern: str) -> str:
    """The value of a label has other characters than it may have."""
    sentence = (
        "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', "
        "and must start and end with an alphanumeric character"
    )
    return _shape(sentence, pattern, "MyValue", "my_value", "12345")


# --- the object ---

EMPTY: Final = "must not be empty"
NOT_STRING: Final = "must be a string"
NO_OBJECT_NAME: Final = "name or generateName is required"
NO_NAMESPACE_ALLOWED: Final = "not allowed on this type"
NO_RESOURCE_VERSION: Final = "must be specified for an update"
GENERATION_DECREMENTED: Final = "must not be decremented"


def too_many_bytes(limit: int) -> str:
    """All annotations together, or a field of a managed field, are too long."""
    return f"may not be more than {limit} bytes"


def invalid_json(text: str, why: str) -> str:
    """An error whose bad value the server prints as JSON."""
    return f"{text}: {why}"


def no_group_version(version: str) -> str:
    """An apiVersion with more than one slash."""
    return f"unexpected GroupVersion string: {version}"


# --- owners, finalizers and managed fields ---

NO_VERSION_OF_OWNER: Final = "version must not be empty"
WRONG_VERSION_OF_OWNER: Final = "must be <group>/<version> or <version>"
EVENT_AS_OWNER: Final = "/v1, Kind=Event is disallowed from being an owner"
WRONG_OPERATION: Final = "must be `Apply` or `Update`"
WRONG_FIELDS_TYPE: Final = "must be `FieldsV1`"


def several_controllers(first: str, second: str) -> str:
    """Two owners are controllers."""
    return f'Only one reference can have Controller set to true. Found "true" in references for {first} and {second}'


def exclusive_finalizers(one: str, other: str) -> str:
    """Two finalizers that exclude each other."""
    return f"finalizer {one} and {other} cannot be both set"


def finalizers_while_deleted(added: Iterable[str]) -> str:
    """Finalizers are added to an object that is being deleted."""
    listed = f"[]string{{{', '.join(map(quote, added))}}}"
    return f"no new finalizers can be added if the object is being deleted, found new finalizers {listed}"


def unprintable(char: str, at: int) -> str:
    """The name of a manager has a character that isn't printable, at this byte."""
    return f"invalid character U+{ord(char):04X} (at position {at})"


# --- JSON that the types can't hold ---


_UNMARSHAL: Final = "json: cannot unmarshal "
_INTO_VALUE: Final = " into Go value of type "
_INTO_FIELD: Final = " into Go struct field "


def not_unmarshalled(word: str, go_type: str, field: str = "") -> str:
    """A value of a wrong type; `field` has the name of its struct, and is empty outside of structs."""
    return f"{_UNMARSHAL}{word}{_INTO_FIELD}{field} of type {go_type}" if field else f"{_UNMARSHAL}{word}{_INTO_VALUE}{go_type}"


def not_unmarshalled_value(message: str) -> tuple[str, str]:
    """The word and the type in the error of a value outside of structs; the type is empty for any other text."""
    word, _, go_type = message.removeprefix(_UNMARSHAL).partition(_INTO_VALUE)
    return word, go_type


def not_unmarshalled_field(message: str) -> tuple[str, str]:
    """The word and the type in the error of a field of a struct; the type is empty for any other text."""
    word, _, rest = message.removeprefix(_UNMARSHAL).partition(_INTO_FIELD)
    return word, rest.rpartition(" ")[2]


def the_number(text: str) -> str:
    """A number that its type can't hold, as these errors name it."""
    return f"number {text}"


def not_metadata(go_type: str) -> str:
    """The metadata isn't a map."""
    return f"invalid metadata: expected object, got {go_type}"


def not_converted(go_kind: str, go_type: str) -> str:
    """A value of an object can't become one of a struct's type, though Go could convert it."""
    return f"cannot convert {go_kind} to {go_type}"


def unrecognised_kind(go_kind: str) -> str:
    """A value of an object can't become one of a struct's type, and Go couldn't convert it either; the text names the kind of the type."""
    return f"unrecognized type: {go_kind}"


def no_map(go_kind: str) -> str:
    """The struct has a map here, and the object doesn't."""
    return f"cannot restore map from {go_kind}"


def no_slice(go_kind: str) -> str:
    """The struct has a list here, and the object doesn't."""
    return f"cannot restore slice from {go_kind}"


def no_struct(go_kind: str) -> str:
    """The struct has another struct here, and the object has no map."""
    return f"cannot restore struct from: {go_kind}"


# --- times ---


def unreadable_time(text: str, why: str) -> str:
    """A time that can't be parsed; `text` is quoted already."""
    return f"parsing time {text}: {why}"


def unexpected_in_time(text: str, layout: str, found: str, element: str) -> str:
    """An element of the layout isn't where it should be; all of these are quoted already."""
    return f"parsing time {text} as {layout}: cannot parse {found} as {element}"


def out_of_range(element: str) -> str:
    """An element of a time is too great."""
    return f"{element} out of range"


def offset_out_of_range(element: str) -> str:
    """The hour or the minute of a time zone is too great."""
    return out_of_range(f"time zone offset {element}")


def extra_text(rest: str) -> str:
    """More text follows a complete time; it is quoted already."""
    return f"extra text: {rest}"
