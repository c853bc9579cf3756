"""IP prefixes; host bits may be set, and count in comparisons.

cidr('10.0.0.0/8').containsIP('10.1.2.3')     -> true
cidr('10.0.0.0/8').containsCIDR('10.1.0.0/16') -> true
cidr('10.1.2.3/8').masked() == cidr('10.0.0.0/8') -> true
cidr('10.0.0.0/8').prefixLength()             -> 8
"""

from __future__ import annotations

import ipaddress
import math
from typing import ClassVar, Final

from weighbridge.policies.cel.library import ip
from weighbridge.policies.cel.library.errors import invalid_network, mapped_address
from weighbridge.policies.cel.library.ip import IpValue
from weighbridge.policies.cel.library.overload import (
    Cost,
    Estimate,
    EstimatedArguments,
    Library,
    one,
    one_estimated,
    traversal,
    traversal_estimated,
)
from weighbridge.policies.cel.library.ranges import STRING_FACTOR, CallEstimate, Range
from weighbridge.policies.cel.library.standard_logic import FLAT
from weighbridge.policies.cel.run_time_errors import NO_SUCH_OVERLOAD
from weighbridge.policies.cel.values.access import cost_size
from weighbridge.policies.cel.values.addresses import Address, AddressError, is_mapped, parse_prefix
from weighbridge.policies.cel.values.types import BOOL, INT, STRING, opaque
from weighbridge.policies.cel.values.values import CelError, Value
from weighbridge.policies.ground.records import dataclass


@dataclass(frozen=True, slots=True)
class CidrValue:
    """An IP prefix as a CEL value."""

    address: Address
    bits: int

    cel_type: ClassVar[str] = "net.CIDR"
    go_type: ClassVar[str] = "cel.CIDR"

    @property
    def printed(self) -> str:
        """Address and length."""
        return f"{self.address}/{self.bits}"

    def equals(self, other: object) -> bool | None:
        """Whether address and length are the same; `None` if the other isn't a prefix."""
        return (self.address, self.bits) == (other.address, other.bits) if isinstance(other, CidrValue) else None

    @property
    def cost_size(self) -> int:
        """The length of the prefix in bytes."""
        return (self.bits + 7) // 8

    @property
    def network(self) -> ipaddress.IPv4Network | ipaddress.IPv6Network:
        """The network, host bits cleared."""
        return ipaddress.ip_network((self.address, self.bits), strict=False)


def parse(text: str) -> CidrValue:
    """``cidr(text)``; upstream's error has its beginning twice."""
    try:
        address, bits = parse_prefix(text)
    except AddressError as error:
        raise CelError(invalid_network(invalid_network(error))) from None
    if is_mapped(address):
        raise CelError(invalid_network(mapped_address(text)))
    return CidrValue(address, bits)


def is_cidr(text: str) -> bool:
    """``isCIDR(text)``."""
    try:
        parse(text)
    except CelError:
        return False
    return True


def contains_ip(value: CidrValue, other: IpValue) -> bool:
    """Whether an address lies within."""
    return other.address.version == value.address.version and other.address in value.network


def contains_ip_text(value: CidrValue, text: str) -> bool:
    """Whether an address that is given as a text lies within."""
    try:
        return contains_ip(value, ip.parse(text))
    except CelError:
        raise CelError(NO_SUCH_OVERLOAD) from None


def contains_cidr(value: CidrValue, other: CidrValue) -> bool:
    """Whether a prefix lies within."""
    return value.address.version == other.address.version and value.network.overlaps(other.network) and value.bits <= other.bits


def contains_cidr_text(value: CidrValue, text: str) -> bool:
    """Whether a prefix that is given as a text lies within."""
    return contains_cidr(value, parse(text))


def address_of(value: CidrValue) -> IpValue:
    """The address, host bits included."""
    return IpValue(value.address)


def prefix_length(value: CidrValue) -> int:
    """How many bits are fixed."""
    return value.bits


def masked(value: CidrValue) -> CidrValue:
    """The prefix with its host bits cleared."""
    return CidrValue(value.network.network_address, value.bits)


def to_string(value: CidrValue) -> str:
    """Address and length."""
    return value.printed


def _tenths(size: int) -> int:
    return math.ceil(size * STRING_FACTOR)


def _contains_cost(*, network: bool, text: bool) -> Cost:
    def cost(_result: Value, value: Value, other: Value) -> int:
        size = cost_size(value)
        total = _tenths(2 * size)
        if network:
            total += _tenths(size) + 1
        return total + (_tenths(cost_size(other)) if text else 0)

    return cost


def _contains_estimate(*, network: bool, text: bool) -> Estimate:
    def estimate(args: EstimatedArguments) -> CallEstimate:
        size = Range(4, 16)
        total = (size + size).times(STRING_FACTOR)
        if network:
            total = total + size.times(STRING_FACTOR) + Range.of(1)
        return CallEstimate(total + args.size(1).times(STRING_FACTOR) if text else total)

    return estimate


TYPE: Final = opaque("net.CIDR")
FLAT.add(CidrValue)
LIBRARY: Final = Library(since=(1, 30))
LIBRARY.type(TYPE)
LIBRARY.function("cidr", "string_to_cidr", (STRING,), TYPE, parse, cost=traversal(0), estimate=traversal_estimated(0))
LIBRARY.function("isCIDR", "is_cidr", (STRING,), BOOL, is_cidr, cost=traversal(0), estimate=traversal_estimated(0))
# A call whose overload isn't known beforehand counts no text, even if it gets one.
LIBRARY.add("containsIP", unresolved_cost=_contains_cost(network=False, text=False))
LIBRARY.add("containsCIDR", unresolved_cost=_contains_cost(network=True, text=False))
for _name, _id, _other, _call, _network, _text in (
    ("containsIP", "cidr_contains_ip_string", STRING, contains_ip_text, False, True),
    ("containsIP", "cidr_contains_ip_ip", ip.TYPE, contains_ip, False, False),
    ("containsCIDR", "cidr_contains_cidr_string", STRING, contains_cidr_text, True, True),
    ("containsCIDR", "cidr_contains_cidr", TYPE, contains_cidr, True, False),
):
    LIBRARY.member(
        _name, _id, (TYPE, _other), BOOL, _call, cost=_contains_cost(network=_network, text=_text),
        estimate=_contains_estimate(network=_network, text=_text),
    )  # fmt: skip
LIBRARY.member("ip", "cidr_ip", (TYPE,), ip.TYPE, address_of, cost=one, estimate=one_estimated)
LIBRARY.member("prefixLength", "cidr_prefix_length", (TYPE,), INT, prefix_length, cost=one, estimate=one_estimated)
LIBRARY.member("masked", "cidr_masked", (TYPE,), TYPE, masked, cost=one, estimate=one_estimated)
LIBRARY.function("string", "cidr_to_string", (TYPE,), STRING, to_string)
