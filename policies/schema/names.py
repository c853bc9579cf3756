"""What Kubernetes accepts as a name, and the words with which it refuses one.

Each function returns the server's messages, none for a good name. Lengths count UTF-8 bytes, as Go's ``len`` does.
Source: k8s.io/apimachinery/pkg/util/validation and pkg/api/validate/content, 1.36. Before 1.35 label keys and values had the words of
pkg/util/validation.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from weighbridge.policies.ground.expressions import expression
from weighbridge.policies.ground.server_release import release

_LABEL: Final = "[a-z0-9]([-a-z0-9]*[a-z0-9])?"
_SUBDOMAIN: Final = rf"{_LABEL}(\.{_LABEL})*"
_LABEL_1035: Final = "[a-z]([-a-z0-9]*[a-z0-9])?"
_KEY_NAME: Final = "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]"
_LABEL_VALUE: Final = f"({_KEY_NAME})?"

_LABEL_RE: Final = expression(_LABEL, re.ASCII)
_SUBDOMAIN_RE: Final = expression(_SUBDOMAIN, re.ASCII)
_LABEL_1035_RE: Final = expression(_LABEL_1035, re.ASCII)
_KEY_NAME_RE: Final = expression(_KEY_NAME, re.ASCII)
_LABEL_VALUE_RE: Final = expression(_LABEL_VALUE, re.ASCII)

_MAX_LABEL: Final = 63
_MAX_SUBDOMAIN: Final = 253


def _pattern_message(sentence: str, pattern: str, *examples: str) -> str:
    # The comma after each example is the server's own.
    listed = " or ".join(f"'{example}', " for example in examples)
    return f"{sentence} (e.g. {listed}regex used for validation is '{pattern}')"


def _too_long(value: str, limit: int, unit: str = "characters") -> list[str]:
    # Bytes are counted in either case. The server has two texts for it, of which only that for label keys says bytes.
    return [f"must be no more than {limit} {unit}"] if len(value.encode(errors="replace")) > limit else []


def dns1123_label(value: str) -> list[str]:
    """A label as of RFC 1123: namespaces."""
    messages = _too_long(value, _MAX_LABEL)
    if _LABEL_RE.fullmatch(value):
        return messages
    if _SUBDOMAIN_RE.fullmatch(value):
        return [*messages, "must not contain dots"]
    sentence = (
        "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', "
        "and must start and end with an alphanumeric character"
    )
    return [*messages, _pattern_message(sentence, _LABEL, "my-name", "123-abc")]


def dns1123_subdomain(value: str) -> list[str]:
    """A subdomain as of RFC 1123: the names of custom resources."""
    return _subdomain(value, "characters")


def _subdomain(value: str, unit: str) -> list[str]:
    messages = _too_long(value, _MAX_SUBDOMAIN, unit)
    if _SUBDOMAIN_RE.fullmatch(value):
        return messages
    sentence = (
        "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', "
        "and must start and end with an alphanumeric character"
    )
    return [*messages, _pattern_message(sentence, _SUBDOMAIN, "example.com")]


def go_lower(text: str) -> str:
    """Lower case as in Go, rune by rune; Python turns a dotted capital I into two."""
    return text.lower() if text.isascii() else "".join(char.lower()[0] for char in text)


def kind_problem(kind: str) -> str:
    """What is wrong with a kind's name, empty where nothing is: in lower case it must be a label."""
    messages = dns1035_label(go_lower(kind))
    return f"may have mixed case, but should otherwise match: {','.join(messages)}" if messages else ""


def dns1035_label(value: str) -> list[str]:
    """A label as of RFC 1035: kinds, in lower case."""
    messages = _too_long(value, _MAX_LABEL)
    if _LABEL_1035_RE.fullmatch(value):
        return messages
    sentence = (
        "a DNS-1035 label must consist of lower case alphanumeric characters or '-', "
        "start with an alphabetic character, and end with an alphanumeric character"
    )
    return [*messages, _pattern_message(sentence, _LABEL_1035, "my-name", "abc-123")]


def qualified_name(value: str) -> list[str]:
    """A name with an optional DNS prefix: the keys of labels and annotations, finalizers."""
    # The same few names come again and again. Texts that are too long for a name aren't remembered.
    messages = _remembered(value) if len(value) <= _MAX_SUBDOMAIN else _qualified_name(value)
    if messages and not release().names_label_keys:
        messages = _qualified_name(value, "a qualified name", "characters")
    return list(messages)


@lru_cache(maxsize=4096)
def _remembered(value: str) -> tuple[str, ...]:
    return _qualified_name(value)


def _qualified_name(value: str, called: str = "a valid label key", unit: str = "bytes") -> tuple[str, ...]:
    sentence = "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character"
    shape = _pattern_message(sentence, _KEY_NAME, "MyName", "my.name", "123-abc")
    if value.count("/") > 1:
        return (f"{called} {shape} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')",)
    prefix, slash, name = value.rpartition("/")
    messages: list[str] = []
    if slash and not prefix:
        messages.append("prefix part must be non-empty")
    elif slash:
        messages += [f"prefix part {message}" for message in _subdomain(prefix, unit)]
    if not name:
        messages.append("name part must be non-empty")
    messages += [f"name part {message}" for message in _too_long(name, _MAX_LABEL, unit)]
    if not _KEY_NAME_RE.fullmatch(name):
        messages.append(f"name part {shape}")
    return tuple(messages)


def label_value(value: str) -> list[str]:
    """The value of a label, which may be empty."""
    messages = _too_long(value, _MAX_LABEL, "bytes" if release().names_label_keys else "characters")
    if _LABEL_VALUE_RE.fullmatch(value):
        return messages
    sentence = (
        "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', "
        "and must start and end with an alphanumeric character"
    )
    return [*messages, _pattern_message(sentence, _LABEL_VALUE, "MyValue", "my_value", "12345")]


def path_segment(value: str, *, prefix: bool = False) -> list[str]:
    """A segment of a URL's path; `prefix` says that something will be appended to it."""
    if not prefix and value in {".", ".."}:
        return [f"may not be '{value}'"]
    return [f"may not contain '{char}'" for char in "/%" if char in value]


def subdomain_prefix(value: str) -> list[str]:
    """A text that becomes a subdomain when something is appended, so it may end in a dash."""
    # The server replaces the last two characters, not one.
    masked = value[:-2] + "a" if len(value) > 1 and value.endswith("-") else value
    return dns1123_subdomain(masked)
