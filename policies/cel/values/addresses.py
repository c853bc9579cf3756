"""IP addresses and prefixes as Go's `net/netip` reads them, with its error messages.

Stricter than most: no leading zeros, at most four hex digits a group. Source: Go 1.26 `net/netip/netip.go`.
"""

from __future__ import annotations

import ipaddress
from typing import TypeAlias

from weighbridge.policies.cel.values import errors

Address: TypeAlias = ipaddress.IPv4Address | ipaddress.IPv6Address

_HEX = frozenset("0123456789abcdefABCDEF")
_DIGITS = frozenset("0123456789")


class AddressError(ValueError):
    """The text isn't an address; the message is Go's."""


def _wrong(text: str, message: str, at: str = "") -> AddressError:
    return AddressError(errors.unreadable_address(text, message, at))


def parse_address(text: str) -> tuple[Address, str]:
    """An address and its zone (empty if there is none). Raises AddressError."""
    first = next((char for char in text if char in ".:%"), "")
    if first == ".":
        return ipaddress.IPv4Address(_ipv4(text, text)), ""
    if first == ":":
        return _ipv6(text)
    raise _wrong(text, errors.NO_IPV6_ADDRESS if first else errors.NO_ADDRESS)


def _ipv4(text: str, part: str) -> bytes:
    fields: list[int] = []
    value = digits = 0
    for position, char in enumerate(part):
        if char in _DIGITS:
            if digits == 1 and value == 0:
                raise _wrong(text, errors.LEADING_ZERO)
            value, digits = value * 10 + int(char), digits + 1
            if value > 255:
                raise _wrong(text, errors.OCTET_TOO_GREAT)
        elif char == ".":
            if position in (0, len(part) - 1) or part[position - 1] == ".":
                raise _wrong(text, errors.EMPTY_OCTET, part[position:])
            if len(fields) == 3:
                raise _wrong(text, errors.IPV4_TOO_LONG)
            fields.append(value)
            value = digits = 0
        else:
            raise _wrong(text, errors.UNEXPECTED_CHARACTER, part[position:])
    if len(fields) < 3:
        raise _wrong(text, errors.IPV4_TOO_SHORT)
    return bytes([*fields, value])


def _ipv6(text: str) -> tuple[Address, str]:
    body, percent, zone = text.partition("%")
    if percent and not zone:
        raise _wrong(text, errors.EMPTY_ZONE)
    packed = bytearray()
    ellipsis = -1
    rest = body
    if rest.startswith("::"):
        ellipsis, rest = 0, rest[2:]
        if not rest:
            return ipaddress.IPv6Address(0), zone
    while len(packed) < 16:
        size = _group_size(text, rest)
        if rest[size : size + 1] == ".":
            packed += _embedded(text, rest, len(packed), ellipsis)
            rest = ""
            break
        packed += int(rest[:size], 16).to_bytes(2)
        rest = rest[size:]
        if not rest:
            break
        rest = _after_colon(text, rest)
        if rest.startswith(":"):
            if ellipsis >= 0:
                raise _wrong(text, errors.SECOND_ELLIPSIS, rest)
            ellipsis, rest = len(packed), rest[1:]
            if not rest:
                break
    return ipaddress.IPv6Address(_expanded(text, rest, packed, ellipsis)), zone


def _group_size(text: str, rest: str) -> int:
    size = 0
    while size < len(rest) and rest[size] in _HEX:
        size += 1
        if size > 4:
            raise _wrong(text, errors.GROUP_TOO_LONG, rest)
    if size == 0:
        raise _wrong(text, errors.EMPTY_GROUP, rest)
    return size


def _embedded(text: str, rest: str, position: int, ellipsis: int) -> bytes:
    if ellipsis < 0 and position != 12:
        raise _wrong(text, errors.EMBEDDED_NOT_LAST, rest)
    if position + 4 > 16:
        raise _wrong(text, errors.NO_ROOM_FOR_EMBEDDED, rest)
    return _ipv4(text, rest)


def _after_colon(text: str, rest: str) -> str:
    if rest[0] != ":":
        raise _wrong(text, errors.NO_COLON, rest)
    if len(rest) == 1:
        raise _wrong(text, errors.ENDS_WITH_COLON, rest)
    return rest[1:]


def _expanded(text: str, rest: str, packed: bytearray, ellipsis: int) -> bytes:
    if rest:
        raise _wrong(text, errors.TRAILING_TEXT, rest)
    if len(packed) < 16:
        if ellipsis < 0:
            raise _wrong(text, errors.IPV6_TOO_SHORT)
        return bytes(packed[:ellipsis]) + bytes(16 - len(packed)) + bytes(packed[ellipsis:])
    if ellipsis >= 0:
        raise _wrong(text, errors.EMPTY_ELLIPSIS)
    return bytes(packed)


def is_mapped(address: Address) -> bool:
    """Whether this is an IPv4 address in IPv6 form."""
    return isinstance(address, ipaddress.IPv6Address) and address.ipv4_mapped is not None


def parse_prefix(text: str) -> tuple[Address, int]:
    """An address and a prefix length; host bits may be set. Raises AddressError."""
    head, slash, bits = text.rpartition("/")

    def wrong(message: str) -> AddressError:
        return AddressError(errors.unreadable_prefix(text, message))

    if not slash:
        raise wrong(errors.NO_PREFIX_LENGTH)
    try:
        address, zone = parse_address(head)
    except AddressError as error:
        raise wrong(str(error)) from None
    if zone:
        raise wrong(errors.ZONE_IN_PREFIX)
    if not bits or not set(bits) <= _DIGITS or len(bits) > 18 or (len(bits) > 1 and bits[0] == "0"):
        raise wrong(errors.invalid_prefix_length(bits))
    if int(bits) > address.max_prefixlen:
        raise wrong(errors.PREFIX_TOO_LONG)
    return address, int(bits)
