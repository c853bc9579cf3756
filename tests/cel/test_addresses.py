"""Texts that are no addresses, with the error of Go's net/netip on each (Go 1.26)."""

from __future__ import annotations

import pytest

from weighbridge.policies.cel.values.addresses import AddressError, parse_address


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (".1.2.3", 'ParseAddr(".1.2.3"): IPv4 field must have at least one digit (at ".1.2.3")'),
        ("1.2.3.", 'ParseAddr("1.2.3."): IPv4 field must have at least one digit (at ".")'),
        ("1..2.3", 'ParseAddr("1..2.3"): IPv4 field must have at least one digit (at ".2.3")'),
        ("1.2.3.4.5", 'ParseAddr("1.2.3.4.5"): IPv4 address too long'),
        ("1.2.3", 'ParseAddr("1.2.3"): IPv4 address too short'),
        ("01.2.3.4", 'ParseAddr("01.2.3.4"): IPv4 field has octet with leading zero'),
        ("256.1.1.1", 'ParseAddr("256.1.1.1"): IPv4 field has value >255'),
        ("1.2.3.x", 'ParseAddr("1.2.3.x"): unexpected character (at "x")'),
        ("", 'ParseAddr(""): unable to parse IP'),
        ("x", 'ParseAddr("x"): unable to parse IP'),
        ("1", 'ParseAddr("1"): unable to parse IP'),
        ("::1%", 'ParseAddr("::1%"): zone must be a non-empty string'),
        ("1:2:3", 'ParseAddr("1:2:3"): address string too short'),
        ("1:2:3:4:5:6:7:8:9", 'ParseAddr("1:2:3:4:5:6:7:8:9"): trailing garbage after address (at "9")'),
        ("::1::", 'ParseAddr("::1::"): multiple :: in address (at ":")'),
        ("12345::", 'ParseAddr("12345::"): each group must have 4 or less digits (at "12345::")'),
        (
            "1:2:3:4:5:6:7:1.2.3.4",
            'ParseAddr("1:2:3:4:5:6:7:1.2.3.4"): embedded IPv4 address must replace the final 2 fields of the address (at "1.2.3.4")',
        ),
        (":1", 'ParseAddr(":1"): each colon-separated field must have at least one digit (at ":1")'),
        ("1:", 'ParseAddr("1:"): colon must be followed by more characters (at ":")'),
        (":::", 'ParseAddr(":::"): each colon-separated field must have at least one digit (at ":")'),
        ("g::", 'ParseAddr("g::"): each colon-separated field must have at least one digit (at "g::")'),
        ("1.2.3.4%a", 'ParseAddr("1.2.3.4%a"): unexpected character (at "%a")'),
        ("::ffff:1.2.3", 'ParseAddr("::ffff:1.2.3"): IPv4 address too short'),
        ("::256.1.1.1", 'ParseAddr("::256.1.1.1"): IPv4 field has value >255'),
        ("1::2:3:4:5:6:7:8", 'ParseAddr("1::2:3:4:5:6:7:8"): the :: must expand to at least one field of zeros'),
        ("fe80::1%", 'ParseAddr("fe80::1%"): zone must be a non-empty string'),
    ],
)
def test_a_text_that_is_no_address_is_told_as_go_does(text: str, message: str) -> None:
    with pytest.raises(AddressError) as raised:
        parse_address(text)
    assert str(raised.value) == message


@pytest.mark.parametrize(
    ("text", "zone"), [("::1%eth0", "eth0"), ("1.2.3.4", ""), ("::1.2.3.4", ""), ("1:2:3:4:5:6:1.2.3.4", ""), ("::%a", "a")]
)
def test_an_address_may_have_a_zone(text: str, zone: str) -> None:
    assert parse_address(text)[1] == zone
