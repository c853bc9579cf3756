"""Network addresses in text: ``ipv4``, ``ipv6``, ``cidr`` and ``mac``.

The server reads IP addresses in two ways. For ``ipv4`` and ``cidr`` it reads loosely, as Go before 1.17 did, and accepts leading zeros. For
``ipv6`` it reads strictly, as Go does today. Sources: k8s.io/utils ``net`` (ParseIPSloppy), Go's ``net`` package.
"""

from __future__ import annotations

import ipaddress
from typing import Final

from weighbridge.policies.ground.expressions import expression

_DECIMAL: Final = expression(r"[0-9]+")
_HEX_GROUP: Final = expression(r"0*[0-9a-fA-F]{1,4}")
_MAC_PARTS: Final = expression(r"[0-9a-fA-F]+")
#: How many bytes a hardware address may have: EUI-48, EUI-64, IP over InfiniBand.
_MAC_SIZES: Final = (6, 8, 20)
_IPV6_GROUPS: Final = 8


def _is_sloppy_ipv4(text: str) -> bool:
    parts = text.split(".")
    return len(parts) == 4 and all(_DECIMAL.fullmatch(part) and len(part.lstrip("0")) <= 3 and int(part[-9:]) <= 255 for part in parts)


def _group_count(text: str, *, ends: bool) -> int | None:
    """How many 16-bit groups `text` holds, or `None` if it isn't groups; an IPv4 address may come last where the address `ends`."""
    if not text:
        return 0
    groups = text.split(":")
    count = len(groups)
    if ends and "." in groups[-1]:
        if not _is_sloppy_ipv4(groups.pop()):
            return None
        count += 1
    return count if all(map(_HEX_GROUP.fullmatch, groups)) else None


def _is_sloppy_ipv6(text: str) -> bool:
    head, ellipsis, tail = text.partition("::")
    before, after = _group_count(head, ends=not ellipsis), _group_count(tail, ends=True)
    if before is None or after is None:
        return False
    return before + after < _IPV6_GROUPS if ellipsis else before == _IPV6_GROUPS


def is_ipv4(text: str) -> bool:
    """An address with a dot in it, so ``::ffff:1.2.3.4`` is one too."""
    if "." not in text:
        return False
    colon, dot = text.find(":"), text.find(".")
    return _is_sloppy_ipv4(text) if colon < 0 or dot < colon else _is_sloppy_ipv6(text)


def is_strict_ip(text: str) -> bool:
    """An IPv4 or IPv6 address without leading zeros and without a zone."""
    if "%" in text or not text.isascii():
        return False
    try:
        ipaddress.ip_address(text)
    except ValueError:
        return False
    return True


def is_ipv6(text: str) -> bool:
    """An address with a colon in it."""
    return ":" in text and is_strict_ip(text)


def is_cidr(text: str) -> bool:
    """An address, a slash and the length of a prefix."""
    address, slash, mask = text.partition("/")
    if not slash or not _DECIMAL.fullmatch(mask):
        return False
    bits = 32 if _is_sloppy_ipv4(address) else 128 if _is_sloppy_ipv6(address) else -1
    return len(mask.lstrip("0")) <= 3 and int(mask[-9:]) <= bits


def is_mac(text: str) -> bool:
    """A hardware address: pairs with colons or hyphens, fours with dots, or digits alone."""
    for separator, width in ((":", 2), ("-", 2), (".", 4)):
        if separator in text:
            parts = text.split(separator)
            return len(parts) * width // 2 in _MAC_SIZES and all(len(part) == width and _MAC_PARTS.fullmatch(part) for part in parts)
    return len(text) in (12, 16, 40) and _MAC_PARTS.fullmatch(text) is not None
