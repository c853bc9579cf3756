"""Addresses and prefixes at the edges of their ranges, as Go 1.26 and Kubernetes 1.36 read them."""

from __future__ import annotations

import pytest

from tests.cel.library_calls import said
from weighbridge.policies.cel.library import cidr, ip
from weighbridge.policies.cel.values.addresses import AddressError, parse_address, parse_prefix


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("1:2:3:4:5:6:1.2.3.4", "1:2:3:4:5:6:102:304"),
        ("::1:2:3:4:5:1.2.3.4", "0:1:2:3:4:5:102:304"),
        ("1::1.2.3.4", "1::102:304"),
        ("1:2:3:4:5:6:7::", "1:2:3:4:5:6:7:0"),
        ("::2:3:4:5:6:7:8", "0:2:3:4:5:6:7:8"),
        ("1::2:3:4:5:6:7", "1:0:2:3:4:5:6:7"),
        ("0:0:0:0:0:0:0:0", "::"),
        ("AbCd::0001", "abcd::1"),
        ("255.255.255.255", "255.255.255.255"),
        ("10.0.0.10", "10.0.0.10"),
    ],
)
def test_an_address_is_read_and_printed(text: str, canonical: str) -> None:
    assert str(parse_address(text)[0]) == canonical
    assert ip.is_canonical(text) == (text == canonical)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("1:2:3:4:5:6:7::1.2.3.4", 'too many hex fields to fit an embedded IPv4 at the end of the address (at "1.2.3.4")'),
        ("::1:2:3:4:5:6:7:1.2.3.4", 'too many hex fields to fit an embedded IPv4 at the end of the address (at "1.2.3.4")'),
        ("::1:2:3:4:5:6:1.2.3.4", "the :: must expand to at least one field of zeros"),
        ("1:2:3:4:5:1.2.3.4", 'embedded IPv4 address must replace the final 2 fields of the address (at "1.2.3.4")'),
        ("1:2:3:4:5:6:7:8:", 'colon must be followed by more characters (at ":")'),
        ("1:2:3:4:5:6:7", "address string too short"),
        ("1 :2", 'unexpected character, want colon (at " :2")'),
        ("%1", "missing IPv6 address"),
    ],
)
def test_what_is_no_address_is_told_with_its_place(text: str, problem: str) -> None:
    with pytest.raises(AddressError) as raised:
        parse_address(text)
    assert str(raised.value) == f'ParseAddr("{text}"): {problem}'


@pytest.mark.parametrize(
    ("text", "said_of_it"),
    [
        ("fe80::1%eth0", 'IP address "fe80::1%eth0" with zone value is not allowed'),
        ("::ffff:1.2.3.4", 'IPv4-mapped IPv6 address "::ffff:1.2.3.4" is not allowed'),
        ("1.2.3", 'IP Address "1.2.3" parse error during conversion from string: ParseAddr("1.2.3"): IPv4 address too short'),
    ],
)
def test_some_addresses_are_none_of_an_expression(text: str, said_of_it: str) -> None:
    assert said(ip.parse, text) == said_of_it
    assert not ip.is_ip(text)


_TESTS = (ip.is_unspecified, ip.is_loopback, ip.is_link_local_multicast, ip.is_link_local_unicast, ip.is_global_unicast)


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("0.0.0.0", "u"), ("::", "u"), ("0.0.0.1", "g"), ("127.0.0.1", "l"), ("127.255.255.255", "l"), ("128.0.0.0", "g"), ("::1", "l"),
        ("::2", "g"), ("224.0.0.0", "m"), ("224.0.0.255", "m"), ("224.0.1.0", ""), ("223.255.255.255", "g"), ("240.0.0.0", "g"),
        ("255.255.255.255", ""), ("255.255.255.254", "g"), ("ff02::1", "m"), ("ff12::1", "m"), ("ff03::1", ""), ("ff22::", "m"),
        ("fe02::1", "g"), ("169.254.0.0", "s"), ("169.254.255.255", "s"), ("169.253.0.0", "g"), ("169.255.0.0", "g"), ("fe80::", "s"),
        ("febf::1", "s"), ("fec0::", "g"), ("fe7f::", "g"), ("10.0.0.1", "g"), ("fd80::1", "g"),
    ],
)  # fmt: skip
def test_the_kinds_of_addresses(text: str, holds: str) -> None:
    address = ip.parse(text)
    assert "".join(letter for letter, test in zip("ulmsg", _TESTS, strict=True) if test(address)) == holds
    assert ip.family(address) == (6 if ":" in text else 4)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("10.0.0.0", "no '/'"),
        ("10.0.0/8", 'ParseAddr("10.0.0"): IPv4 address too short'),
        ("fe80::1%a/8", "IPv6 zones cannot be present in a prefix"),
        ("10.0.0.0/", 'bad bits after slash: ""'),
        ("10.0.0.0/08", 'bad bits after slash: "08"'),
        ("10.0.0.0/+8", 'bad bits after slash: "+8"'),
        ("10.0.0.0/33", "prefix length out of range"),
        ("::/129", "prefix length out of range"),
        ("::/1234567890", "prefix length out of range"),
        ("::/999999999999999999", "prefix length out of range"),
        ("::/" + "9" * 30, f'bad bits after slash: "{"9" * 30}"'),
    ],
)
def test_what_is_no_prefix_is_told_as_go_does(text: str, problem: str) -> None:
    with pytest.raises(AddressError) as raised:
        parse_prefix(text)
    assert str(raised.value) == f'netip.ParsePrefix("{text}"): {problem}'
    assert not cidr.is_cidr(text)
    beginning = "network address parse error during conversion from string: "
    assert said(cidr.parse, text) == f'{beginning}{beginning}netip.ParsePrefix("{text}"): {problem}'


@pytest.mark.parametrize(
    ("text", "bits", "masked"),
    [
        ("10.1.2.3/8", 8, "10.0.0.0/8"),
        ("0.0.0.0/0", 0, "0.0.0.0/0"),
        ("10.1.2.3/32", 32, "10.1.2.3/32"),
        ("::1/128", 128, "::1/128"),
    ],
)
def test_a_prefix_keeps_its_host_bits_until_it_is_masked(text: str, bits: int, masked: str) -> None:
    value = cidr.parse(text)
    assert (cidr.to_string(value), cidr.prefix_length(value), cidr.to_string(cidr.masked(value))) == (text, bits, masked)
    assert ip.to_string(cidr.address_of(value)) == text.partition("/")[0]
    assert (value.equals(cidr.parse(text)), value.equals(cidr.masked(value)), value.equals(text)) == (True, text == masked, None)
    assert cidr.is_cidr(text)


@pytest.mark.parametrize(
    ("prefix", "inner", "within"),
    [
        ("10.0.0.0/8", "10.255.255.255", True),
        ("10.0.0.0/8", "11.0.0.0", False),
        ("10.9.9.9/8", "10.0.0.0", True),
        ("::/0", "10.0.0.1", False),
        ("0.0.0.0/0", "::1", False),
        ("10.0.0.0/8", "10.1.0.0/16", True),
        ("10.0.0.0/8", "10.0.0.0/8", True),
        ("10.1.0.0/16", "10.0.0.0/8", False),
        ("10.0.0.0/8", "11.0.0.0/16", False),
        ("::/0", "10.0.0.0/8", False),
    ],
)
def test_what_lies_within_a_prefix(prefix: str, inner: str, within: bool) -> None:
    value = cidr.parse(prefix)
    if "/" in inner:
        assert cidr.contains_cidr(value, cidr.parse(inner)) is cidr.contains_cidr_text(value, inner) is within
    else:
        assert cidr.contains_ip(value, ip.parse(inner)) is cidr.contains_ip_text(value, inner) is within


@pytest.mark.parametrize("text", ["x", "::ffff:1.2.3.4", "10.0.0.0/8"])
def test_a_text_that_is_no_address_lies_nowhere(text: str) -> None:
    assert said(cidr.contains_ip_text, cidr.parse("::/0"), text) == "no such overload"


def test_a_mapped_prefix_is_none_of_an_expression() -> None:
    said_of_it = 'network address parse error during conversion from string: IPv4-mapped IPv6 address "::ffff:1.2.3.4/96" is not allowed'
    assert said(cidr.parse, "::ffff:1.2.3.4/96") == said_of_it
