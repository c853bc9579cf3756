"""Formats at their edges, in cases that Go's parsers decide in unexpected ways."""

from __future__ import annotations

import pytest

from weighbridge.policies.schema.formats.predicates import is_of_format

ACCEPTED = {
    "date": ["0000-02-29", "2000-02-29", "2024-12-31"],
    "date-time": [
        "2020-01-01T00:00:00Z", "2020-01-01t00:00:00z", "2026-01-02T03:04:05,5Z", "2020-01-01T00:00:00+25:00", "2020-01-01T00:00:00ZT?",
    ],
    "duration": ["0", "-0", "1.s", ".5s", "1h30m", "P1D", "3 weeks", "9999999999h", "1µs", "1μs", "x 5 days x", "2562047h47m16.8s"],
    "ipv4": ["1.2.3.4", "01.002.3.4", "::ffff:1.2.3.4"],
    "ipv6": ["::", "1::", "::ffff:1.2.3.4", "1:2:3:4:5:6:7::"],
    "cidr": ["10.0.0.0/8", "010.0.0.0/08", "::/128", "00001::/1"],
    "mac": ["01:02:03:04:05:06", "01-02-03-04-05-06", "0102.0304.0506", "010203040506", "01:02:03:04:05:06:07:08"],
    "mac address": [":".join(["ab"] * 20), "a" * 16, "a" * 40],
    "uri": ["http://a", "/path", "*", "mailto:a", "a:b", "http://[::1]:80/", "http://[fe80::1%25en0]/", "http://u:p@h", "ftp://a:b:1"],
    "email": ["a@b", "A <a@b.c>", '"A B" <a@b>', "a@b (c)", "g: a@b;", "a@[1.2.3.4]", "<a@b>", " a@b ", "é@ü", "=?utf-8?q?A?= <a@b>"],
    "email words": ["=?utf-8?x??= <a@b>"],
    "email comments": ["a@b (c(d)e)", "a@b (c\\)d)", "A (x) <a@b>", "A <a@b> (c) (d)", "a@b (c)(d)", "A (x\\))y <a@b>", "g: a@b (c\\)d) ;"],
    "hostname": ["a", "a-", "a-b", "a.bc", "é.com", "☃.com", "A.COM"],
    "byte": ["YQ==", "YWJj"],
    "uuid": ["00000000-0000-0000-0000-000000000000", "ABCDEF00000000000000000000000000"],
    "uuid4": ["00000000-0000-4000-8000-000000000000"],
    "isbn": ["0-321-75104-3", "978-0321751041", "080442957X"],
    "creditcard": ["4111 1111 1111 1111", "3782-822463-10005"],
    "ssn": ["111-11-1111"],
    "hexcolor": ["#fff", "FFFFFF"],
    "rgbcolor": ["rgb( 1 ,2,\t3)"],
    "password": ["", "anything"],
    "bsonobjectid": ["507F1f77bcf86cd799439011"],
    "k8s-short-name": ["a", "a-1", "a" * 63],
    "k8s-long-name": ["a.b-c", "a" * 253],
}  # fmt: skip
REFUSED = {
    "date": ["1900-02-29", "2020-1-1", "2020-04-31", "2020-00-01", "２020-01-01", "2020-01-01\n"],
    "date-time": ["2020-01-01T24:00:00Z", "2020-01-01T23:59:60Z", "2020-01-01T00:00:00", "2020-01-01 00:00:00Z", "2020-01-01T00:00:00\n5Z"],
    "duration": ["", "-.s", "three weeks", "99999999999999999999s", "1x", "5", "a" * 5000 + "."],
    "ipv4": ["1.2.3", "1.2.3.256", "1.2.3.4.5", " 1.2.3.4", "1::1.2.3.4.5", "1.2.3.4::"],
    "ipv6": ["1.2.3.4", "::1::", ":::", "00001::", "fe80::1%eth0", "1:2:3:4:5:6:7:8::", "1:2:3:4:5:6:7"],
    "cidr": ["1.2.3.4", "1.2.3.4/33", "::/129", "1.2.3.4/", "1.2.3.4/+1", "/8"],
    "mac": ["01:02:03:04:05", "01-02:03-04:05-06", "0102.0304.05", "01020304050g", "a" * 14, "a" * 41],
    "uri": ["", "abc", ":a", "http://a b", "http://[1.2.3.4]", "http://a/%zz", "http://a:b", "http://a\n", "http://a:1:2", "http://a%20b"],
    "email": ["", "a", "a@", "@b", "a..b@c", ".a@b", "a@b.", "a@b, c@d", "g:;", '""@b', "a@[1.2.3]", "a@b (c", "a@b (=?x?q?a?=)", "A B"],
    "email words": ["=?utf-8?q??= <a@b>", "=?utf-8?B??= <a@b>"],
    "email comments": ["a@b (c\\", "a@b ((c)", "a@b ()x", "a@b (c) d", "A <a@b> (c", "(x) a@b", "a@b (", "A (x", "g:; (x", "A <a@b> (c) d"],
    "hostname": ["", "a_b", "a.b", "-a", "a-b-c", "a..com", "a" * 64, "a." + "b" * 64],
    "byte": ["", "YQ", "YQ=", "YQ==\n"],
    "uuid": ["0000", "g0000000-0000-0000-0000-000000000000"],
    "uuid4": ["00000000-0000-3000-8000-000000000000", "00000000-0000-4000-7000-000000000000"],
    "isbn": ["0321751044", "9780321751042", "080442957x"],
    "creditcard": ["4111111111111112", "1234"],
    "ssn": ["111111111", "111-11-111"],
    "hexcolor": ["#ffff", "ggg"],
    "rgbcolor": ["rgb(256,0,0)", "rgb(01,0,0)", "rgb(0,0)"],
    "bsonobjectid": ["507f1f77bcf86cd79943901"],
    "k8s-short-name": ["", "A", "a-", "a" * 64],
    "k8s-long-name": ["", "a..b", "a.-", "a" * 254],
}


@pytest.mark.parametrize(("name", "text"), [(name, text) for name, texts in ACCEPTED.items() for text in texts])
def test_a_text_is_of_its_format(name: str, text: str) -> None:
    assert is_of_format(name.partition(" ")[0], text)


@pytest.mark.parametrize(("name", "text"), [(name, text) for name, texts in REFUSED.items() for text in texts])
def test_a_text_is_not_of_its_format(name: str, text: str) -> None:
    assert not is_of_format(name.partition(" ")[0], text)


def test_dashes_in_a_formats_name_do_not_count() -> None:
    assert is_of_format("date-time", "2020-01-01T00:00:00Z")
    assert is_of_format("d-a-t-e-t-ime", "2020-01-01T00:00:00Z")
