"""The checker's error messages, as kube-apiserver prints them. Source: cel-go's checker."""

from __future__ import annotations

from collections.abc import Iterable


def undeclared_reference(name: str) -> str:
    """Neither a variable, a type nor a function has this name."""
    return f"undeclared reference to '{name}' (in container '')"


def undefined_field(name: str) -> str:
    """The schema declares no such field here."""
    return f"undefined field '{name}'"


def no_field_selection(type_text: str) -> str:
    """Values of this type have no fields."""
    return f"type '{type_text}' does not support field selection"


def type_mismatch(expected: str, found: str) -> str:
    """One type was expected, another was found."""
    return f"expected type '{expected}' but found '{found}'"


def no_matching_overload(function: str, arguments: Iterable[str], *, member: bool) -> str:
    """The function exists, but not for these arguments."""
    texts = list(arguments)
    target = f"{texts.pop(0)}." if member else ""
    return f"found no matching overload for '{function}' applied to '{target}({', '.join(texts)})'"


def not_a_range(type_text: str) -> str:
    """A comprehension runs over something that is neither list nor map."""
    return f"expression of type '{type_text}' cannot be range of a comprehension (must be list, map, or dynamic)"


def not_a_type(name: str) -> str:
    """A message literal names something that isn't a type."""
    return f"'{name}' is not a type"


def not_a_message_type(name: str) -> str:
    """A message literal names a type that isn't built this way."""
    return f"'{name}' is not a message type"


def field_type_mismatch(name: str, wanted: str, found: str) -> str:
    """A field of a message literal is given a value of another type."""
    return f"expected type of field '{name}' is '{wanted}' but provided type is '{found}'"


def invalid_argument(function: str) -> str:
    """A constant argument can't be converted."""
    return f"invalid {function} argument"


def failed_resolution(name: str) -> str:
    """A struct type has no declaration under its name."""
    return f"unexpected failed resolution of '{name}'"


def too_many_arguments(expected: int, found: int) -> str:
    """A constant format is given more arguments than it has clauses."""
    return f"too many arguments supplied to string.format (expected {expected}, got {found})"
