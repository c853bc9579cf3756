"""What Go says against a text that it can't read as a URL, an IP address or a network: every wording.

Expressions pass these on as the reason of an error of their own, whose wordings are in `cel.library.errors`. Source: Go 1.26
`net/url/url.go` and `net/netip/netip.go`.
"""

from __future__ import annotations

from typing import Final

from weighbridge.policies.ground.go_text import quote

# --- URLs ---

CONTROL_CHARACTER: Final = "net/url: invalid control character in URL"
EMPTY_URL: Final = "empty url"
NO_SCHEME: Final = "missing protocol scheme"
NO_REQUEST_URI: Final = "invalid URI for request"
COLON_IN_FIRST_SEGMENT: Final = "first path segment in URL cannot contain colon"
INVALID_USER: Final = "net/url: invalid userinfo"
INVALID_LITERAL: Final = "invalid IP-literal"
NO_CLOSING_BRACKET: Final = "missing ']' in host"


def unreadable_url(text: str, why: object) -> str:
    """The whole error of a URL."""
    return f"parse {quote(text)}: {why}"


def invalid_port(port: str) -> str:
    """The text after the host isn't a colon with digits."""
    return f"invalid port {quote(port)} after host"


def invalid_host(why: object) -> str:
    """The address in brackets can't be read."""
    return f"invalid host: {why}"


def invalid_escape(found: str) -> str:
    """A percent sign isn't followed by two hexadecimal digits, or its character may not be escaped there."""
    return f"invalid URL escape {quote(found)}"


def invalid_in_host(char: str) -> str:
    """The host has a character that no host may have."""
    return f"invalid character {quote(char)} in host name"


# --- addresses ---

NO_ADDRESS: Final = "unable to parse IP"
NO_IPV6_ADDRESS: Final = "missing IPv6 address"
UNEXPECTED_CHARACTER: Final = "unexpected character"
LEADING_ZERO: Final = "IPv4 field has octet with leading zero"
OCTET_TOO_GREAT: Final = "IPv4 field has value >255"
EMPTY_OCTET: Final = "IPv4 field must have at least one digit"
IPV4_TOO_LONG: Final = "IPv4 address too long"
IPV4_TOO_SHORT: Final = "IPv4 address too short"
EMPTY_ZONE: Final = "zone must be a non-empty string"
SECOND_ELLIPSIS: Final = "multiple :: in address"
GROUP_TOO_LONG: Final = "each group must have 4 or less digits"
EMPTY_GROUP: Final = "each colon-separated field must have at least one digit"
EMBEDDED_NOT_LAST: Final = "embedded IPv4 address must replace the final 2 fields of the address"
NO_ROOM_FOR_EMBEDDED: Final = "too many hex fields to fit an embedded IPv4 at the end of the address"
NO_COLON: Final = "unexpected character, want colon"
ENDS_WITH_COLON: Final = "colon must be followed by more characters"
TRAILING_TEXT: Final = "trailing garbage after address"
IPV6_TOO_SHORT: Final = "address string too short"
EMPTY_ELLIPSIS: Final = "the :: must expand to at least one field of zeros"


def unreadable_address(text: str, why: str, at: str) -> str:
    """The whole error of an address; `at` is the rest of the text from the fault on, or empty."""
    place = f" (at {quote(at)})" if at else ""
    return f"ParseAddr({quote(text)}): {why}{place}"


# --- networks ---

NO_PREFIX_LENGTH: Final = "no '/'"
ZONE_IN_PREFIX: Final = "IPv6 zones cannot be present in a prefix"
PREFIX_TOO_LONG: Final = "prefix length out of range"


def unreadable_prefix(text: str, why: str) -> str:
    """The whole error of a network."""
    return f"netip.ParsePrefix({quote(text)}): {why}"


def invalid_prefix_length(bits: str) -> str:
    """The text after the slash isn't a number."""
    return f"bad bits after slash: {quote(bits)}"
