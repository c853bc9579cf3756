"""The formats of strings that kube-apiserver 1.36 checks, each as a predicate.

A format's name is compared without its dashes. Sources: k8s.io/apiextensions-apiserver ``pkg/apiserver/validation/formats.go`` (which
names count), k8s.io/kube-openapi ``pkg/validation/strfmt`` and its copy of govalidator (what they mean).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from weighbridge.policies.ground.expressions import expression
from weighbridge.policies.schema.formats.addresses import is_cidr, is_ipv4, is_ipv6, is_mac
from weighbridge.policies.schema.formats.mail_address import is_mail_address
from weighbridge.policies.schema.formats.request_uri import is_request_uri
from weighbridge.policies.schema.formats.times import is_date, is_date_time, is_duration
from weighbridge.policies.schema.patterns import compile_pattern

_HEX_COLOR: Final = expression(r"#?(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})")
_RGB_PART: Final = r"[\t\n\f\r ]*(?:0|[1-9][0-9]?|1[0-9][0-9]?|2[0-4][0-9]|25[0-5])[\t\n\f\r ]*"
_RGB_COLOR: Final = expression(rf"rgb\({_RGB_PART},{_RGB_PART},{_RGB_PART}\)")
_BASE64: Final = expression(r"(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{4})")
_SSN: Final = expression(r"[0-9]{3}[- ]?[0-9]{2}[- ]?[0-9]{4}")
_OBJECT_ID: Final = expression(r"[0-9a-fA-F]{24}")
_ISBN_SEPARATORS: Final = expression(r"[\t\n\f\r \-]+")
_ISBN10: Final = expression(r"[0-9]{9}[0-9X]")
_ISBN13: Final = expression(r"[0-9]{13}")
_NOT_DIGITS: Final = expression(r"[^0-9]+")
_CREDIT_CARD: Final = expression(
    r"4[0-9]{12}(?:[0-9]{3})?|5[1-5][0-9]{14}|6(?:011|5[0-9][0-9])[0-9]{12}|3[47][0-9]{13}"
    r"|3(?:0[0-5]|[68][0-9])[0-9]{11}|(?:2131|1800|35[0-9]{3})[0-9]{11}",
)
_LABEL: Final = r"[a-z0-9](?:[-a-z0-9]*[a-z0-9])?"
_SHORT_NAME: Final = expression(_LABEL)
_LONG_NAME: Final = expression(rf"{_LABEL}(?:\.{_LABEL})*")

_HOST_CHAR: Final = r"a-zA-Z0-9\p{S}\p{L}"
#: A single label with at most one hyphen, after its first character, or several labels of which the last has only letters.
_HOSTNAME: Final = (
    rf"^([{_HOST_CHAR}]((-?[{_HOST_CHAR}]{{0,62}})?)"
    rf"|([{_HOST_CHAR}](([-{_HOST_CHAR}]{{0,61}}[{_HOST_CHAR}])?)(\.)){{1,}}([a-zA-Z\p{{L}}]){{2,63}})$"
)


def _uuid(third: str = "[0-9a-f]", fourth: str = "[0-9a-f]") -> Callable[[str], bool]:
    pattern = expression(
        rf"[0-9a-f]{{8}}-?[0-9a-f]{{4}}-?{third}[0-9a-f]{{3}}-?{fourth}[0-9a-f]{{3}}-?[0-9a-f]{{12}}",
        re.IGNORECASE | re.ASCII,
    )
    return _whole(pattern)


def _whole(pattern: re.Pattern[str]) -> Callable[[str], bool]:
    return lambda text: pattern.fullmatch(text) is not None


def _size(text: str) -> int:
    """The size in bytes, which the server counts here."""
    return len(text) if text.isascii() else len(text.encode(errors="replace"))


def is_hostname(text: str) -> bool:
    """A single label, or several of which the last has only letters. Symbols and letters of any script are accepted."""
    return bool(compile_pattern(_HOSTNAME).matches(text)) and _size(text) <= 255 and all(_size(label) <= 63 for label in text.split("."))


def is_short_name(text: str) -> bool:
    """A DNS label in lower case."""
    return len(text) <= 63 and _SHORT_NAME.fullmatch(text) is not None


def is_long_name(text: str) -> bool:
    """DNS labels in lower case, each of any length, 253 characters in all."""
    return len(text) <= 253 and _LONG_NAME.fullmatch(text) is not None


def is_isbn10(text: str) -> bool:
    """Ten digits with their checksum; the last may be X."""
    digits = _ISBN_SEPARATORS.sub("", text)
    if not _ISBN10.fullmatch(digits):
        return False
    return sum(weight * (10 if digit == "X" else int(digit)) for weight, digit in enumerate(digits, 1)) % 11 == 0


def is_isbn13(text: str) -> bool:
    """Thirteen digits with their checksum."""
    digits = _ISBN_SEPARATORS.sub("", text)
    return (
        _ISBN13.fullmatch(digits) is not None and sum(int(digit) * (3 if index % 2 else 1) for index, digit in enumerate(digits)) % 10 == 0
    )


def is_credit_card(text: str) -> bool:
    """A number of one of the known issuers with its checksum; everything but digits is ignored."""
    digits = _NOT_DIGITS.sub("", text)
    if not _CREDIT_CARD.fullmatch(digits):
        return False
    doubled = (int(digit) * (2 if index % 2 else 1) for index, digit in enumerate(reversed(digits)))
    return sum(number // 10 + number % 10 for number in doubled) % 10 == 0


def _always(_text: str) -> bool:
    return True


_PREDICATES: Final[dict[str, Callable[[str], bool]]] = {
    "bsonobjectid": _whole(_OBJECT_ID),
    "uri": is_request_uri,
    "email": is_mail_address,
    "hostname": is_hostname,
    "ipv4": is_ipv4,
    "ipv6": is_ipv6,
    "cidr": is_cidr,
    "mac": is_mac,
    "uuid": _uuid(),
    "uuid3": _uuid("3"),
    "uuid4": _uuid("4", "[89ab]"),
    "uuid5": _uuid("5", "[89ab]"),
    "isbn": lambda text: is_isbn10(text) or is_isbn13(text),
    "isbn10": is_isbn10,
    "isbn13": is_isbn13,
    "creditcard": is_credit_card,
    "ssn": lambda text: len(text) == 11 and _SSN.fullmatch(text) is not None,
    "hexcolor": _whole(_HEX_COLOR),
    "rgbcolor": _whole(_RGB_COLOR),
    "byte": _whole(_BASE64),
    "password": _always,
    "date": is_date,
    "duration": is_duration,
    "datetime": is_date_time,
    "k8sshortname": is_short_name,
    "k8slongname": is_long_name,
}


def predicate(format_name: str) -> Callable[[str], bool]:
    """The check of a known format; KeyError for any other."""
    return _PREDICATES[format_name.replace("-", "")]


def is_of_format(format_name: str, text: str) -> bool:
    """Whether `text` is of a known format."""
    return predicate(format_name)(text)
