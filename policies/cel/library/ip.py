"""IP addresses.

ip('192.168.0.1').family()              -> 4
isIP('::1')                             -> true
ip.isCanonical('2001:DB8::1')           -> false
ip('127.0.0.1').isLoopback()            -> true
string(ip('2001:db8:0:0::1'))           -> '2001:db8::1'
"""

from __future__ import annotations

from typing import ClassVar, Final

from weighbridge.policies.cel.library.errors import address_with_zone, invalid_address, mapped_address
from weighbridge.policies.cel.library.overload import Library, one, one_estimated, traversal, traversal_estimated
from weighbridge.policies.cel.library.ranges import STRING_FACTOR
from weighbridge.policies.cel.library.standard_logic import FLAT
from weighbridge.policies.cel.values.addresses import Address, AddressError, is_mapped, parse_address
from weighbridge.policies.cel.values.types import BOOL, INT, STRING, opaque
from weighbridge.policies.cel.values.values import CelError
from weighbridge.policies.ground.records import dataclass


@dataclass(frozen=True, slots=True)
class IpValue:
    """An IP address as a CEL value."""

    address: Address

    cel_type: ClassVar[str] = "net.IP"
    go_type: ClassVar[str] = "cel.IP"

    @property
    def printed(self) -> str:
        """The canonical text."""
        return str(self.address)

    def equals(self, other: object) -> bool | None:
        """Whether the addresses are the same; `None` if the other isn't an address."""
        return self.address == other.address if isinstance(other, IpValue) else None

    @property
    def cost_size(self) -> int:
        """The bytes of the address."""
        return len(self.address.packed)


def parse(text: str) -> IpValue:
    """``ip(text)``."""
    try:
        address, zone = parse_address(text)
    except AddressError as error:
        raise CelError(invalid_address(text, error)) from None
    if zone:
        raise CelError(address_with_zone(text))
    if is_mapped(address):
        raise CelError(mapped_address(text))
    return IpValue(address)


def is_ip(text: str) -> bool:
    """``isIP(text)``."""
    try:
        parse(text)
    except CelError:
        return False
    return True


def to_string(value: IpValue) -> str:
    """The canonical text."""
    return value.printed


def is_canonical(text: str) -> bool:
    """``ip.isCanonical(text)``; an error for a text that isn't an address."""
    return to_string(parse(text)) == text


def family(value: IpValue) -> int:
    """4 or 6."""
    return value.address.version


def is_unspecified(value: IpValue) -> bool:
    """``0.0.0.0`` or ``::``."""
    return value.address.is_unspecified


def is_loopback(value: IpValue) -> bool:
    """``127.0.0.0/8`` or ``::1``."""
    return value.address.is_loopback


def is_link_local_multicast(value: IpValue) -> bool:
    """``224.0.0.0/24`` or ``ff?2::/16``."""
    packed = value.address.packed
    if len(packed) == 4:
        return packed[:3] == b"\xe0\x00\x00"
    return packed[0] == 0xFF and packed[1] & 0x0F == 0x02


def is_link_local_unicast(value: IpValue) -> bool:
    """``169.254.0.0/16`` or ``fe80::/10``."""
    packed = value.address.packed
    return packed[:2] == b"\xa9\xfe" if len(packed) == 4 else packed[0] == 0xFE and packed[1] & 0xC0 == 0x80


def is_global_unicast(value: IpValue) -> bool:
    """None of the special ones; private addresses count as global."""
    address = value.address
    if address.packed == b"\xff\xff\xff\xff":
        return False
    return not (address.is_unspecified or address.is_loopback or address.is_multicast or is_link_local_unicast(value))


TYPE: Final = opaque("net.IP")
FLAT.add(IpValue)
LIBRARY: Final = Library(since=(1, 30))
LIBRARY.type(TYPE)
LIBRARY.function("ip", "string_to_ip", (STRING,), TYPE, parse, cost=traversal(0), estimate=traversal_estimated(0))
LIBRARY.function("isIP", "is_ip", (STRING,), BOOL, is_ip, cost=traversal(0), estimate=traversal_estimated(0))
LIBRARY.function(
    "ip.isCanonical", "ip_is_canonical", (STRING,), BOOL, is_canonical, cost=traversal(0, 2 * STRING_FACTOR),
    estimate=traversal_estimated(0, 2 * STRING_FACTOR),
)  # fmt: skip
LIBRARY.function("string", "ip_to_string", (TYPE,), STRING, to_string)
LIBRARY.member("family", "ip_family", (TYPE,), INT, family, cost=one, estimate=one_estimated)
for _name, _id, _call in (
    ("isUnspecified", "ip_is_unspecified", is_unspecified),
    ("isLoopback", "ip_is_loopback", is_loopback),
    ("isLinkLocalMulticast", "ip_is_link_local_multicast", is_link_local_multicast),
    ("isLinkLocalUnicast", "ip_is_link_local_unicast", is_link_local_unicast),
    ("isGlobalUnicast", "ip_is_global_unicast", is_global_unicast),
):
    LIBRARY.member(_name, _id, (TYPE,), BOOL, _call, cost=one, estimate=one_estimated)
