"""What Kubernetes accepts as a name.

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
from weighbridge.policies.schema import metadata_errors

_LABEL: Final = "[a-z0-9]([-a-z0-9]*[a-z0-9])?"
_SUBDOMAIN: Final = rf"{_LABEL}(\.{_LABEL})*"
_UNDERSCORED: Final = r"_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?"
_SUBDOMAIN_UNDERSCORED: Final = rf"{_UNDERSCORED}(\.{_UNDERSCORED})*"
_LABEL_1035: Final = "[a-z]([-a-z0-9]*[a-z0-9])?"
_KEY_NAME: Final = "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]"
_LABEL_VALUE: Final = f"({_KEY_NAME})?"

_LABEL_RE: Final = expression(_LABEL, re.ASCII)
_SUBDOMAIN_RE: Final = expression(_SUBDOMAIN, re.ASCII)
_SUBDOMAIN_UNDERSCORED_RE: Final = expression(_SUBDOMAIN_UNDERSCORED, re.ASCII)
_LABEL_1035_RE: Final = expression(_LABEL_1035, re.ASCII)
_KEY_NAME_RE: Final = expression(_KEY_NAME, re.ASCII)
_LABEL_VALUE_RE: Final = expression(_LABEL_VALUE, re.ASCII)

_MAX_LABEL: Final = 63
_MAX_SUBDOMAIN: Final = 253


def _too_long(value: str, limit: int, unit: str = "characters") -> list[str]:
    return [metadata_errors.too_long(limit, unit)] if len(value.encode(errors="replace")) > limit else []


def dns1123_label(value: str) -> list[str]:
    """A label as of RFC 1123: namespaces."""
    messages = _too_long(value, _MAX_LABEL)
    if _LABEL_RE.fullmatch(value):
        return messages
    if _SUBDOMAIN_RE.fullmatch(value):
        return [*messages, metadata_errors.HAS_DOTS]
    return [*messages, metadata_errors.no_label(_LABEL)]


def dns1123_subdomain(value: str) -> list[str]:
    """A subdomain as of RFC 1123: the names of custom resources."""
    return _subdomain(value, "characters")


def dns1123_subdomain_with_underscore(value: str) -> list[str]:
    """A subdomain as of RFC 1123, in which underscores are allowed too: search paths of DNS."""
    messages = _too_long(value, _MAX_SUBDOMAIN)
    if _SUBDOMAIN_UNDERSCORED_RE.fullmatch(value):
        return messages
    return [*messages, metadata_errors.no_subdomain_with_underscores(_SUBDOMAIN_UNDERSCORED)]


def _subdomain(value: str, unit: str) -> list[str]:
    messages = _too_long(value, _MAX_SUBDOMAIN, unit)
    if _SUBDOMAIN_RE.fullmatch(value):
        return messages
    return [*messages, metadata_errors.no_subdomain(_SUBDOMAIN)]


def go_lower(text: str) -> str:
    """Lower case as in Go, rune by rune; Python turns a dotted capital I into two."""
    return text.lower() if text.isascii() else "".join(char.lower()[0] for char in text)


def kind_problem(kind: str) -> str:
    """What is wrong with a kind's name, empty where nothing is: in lower case it must be a label."""
    messages = dns1035_label(go_lower(kind))
    return metadata_errors.no_kind(messages) if messages else ""


def dns1035_label(value: str) -> list[str]:
    """A label as of RFC 1035: kinds, in lower case."""
    messages = _too_long(value, _MAX_LABEL)
    if _LABEL_1035_RE.fullmatch(value):
        return messages
    return [*messages, metadata_errors.no_1035_label(_LABEL_1035)]


def qualified_name(value: str) -> list[str]:
    """A name with an optional DNS prefix: the keys of labels and annotations, finalizers."""
    # The same few names come again and again. Texts that are too long for a name aren't remembered.
    messages = _remembered(value) if len(value) <= _MAX_SUBDOMAIN else _qualified_name(value)
    if messages and not release().names_label_keys:
        messages = _qualified_name(value, is_label_key=False)
    return list(messages)


@lru_cache(maxsize=4096)
def _remembered(value: str) -> tuple[str, ...]:
    return _qualified_name(value)


def _qualified_name(value: str, *, is_label_key: bool = True) -> tuple[str, ...]:
    if value.count("/") > 1:
        return (metadata_errors.several_slashes(_KEY_NAME, is_label_key=is_label_key),)
    unit = "bytes" if is_label_key else "characters"
    prefix, slash, name = value.rpartition("/")
    messages: list[str] = []
    if slash and not prefix:
        messages.append(metadata_errors.EMPTY_PREFIX)
    elif slash:
        messages += [metadata_errors.wrong_prefix(message) for message in _subdomain(prefix, unit)]
    if not name:
        messages.append(metadata_errors.EMPTY_NAME)
    messages += [metadata_errors.wrong_name(message) for message in _too_long(name, _MAX_LABEL, unit)]
    if not _KEY_NAME_RE.fullmatch(name):
        messages.append(metadata_errors.no_name(_KEY_NAME))
    return tuple(messages)


def label_value(value: str) -> list[str]:
    """The value of a label, which may be empty."""
    messages = _too_long(value, _MAX_LABEL, "bytes" if release().names_label_keys else "characters")
    if _LABEL_VALUE_RE.fullmatch(value):
        return messages
    return [*messages, metadata_errors.no_label_value(_LABEL_VALUE)]


def path_segment(value: str, *, prefix: bool = False) -> list[str]:
    """A segment of a URL's path; `prefix` says that something will be appended to it."""
    if not prefix and value in {".", ".."}:
        return [metadata_errors.reserved_segment(value)]
    return [metadata_errors.not_in_segment(char) for char in "/%" if char in value]


def subdomain_prefix(value: str) -> list[str]:
    """A text that becomes a subdomain when something is appended, so it may end in a dash."""
    # The server replaces the last two characters, not one.
    masked = value[:-2] + "a" if len(value) > 1 and value.endswith("-") else value
    return dns1123_subdomain(masked)
