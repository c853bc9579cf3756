"""Texts for each string format: some valid ones, and many at its edges."""

from __future__ import annotations

from typing import Final

GOOD: Final[dict[str, tuple[str, ...]]] = {
    "bsonobjectid": ("507f1f77bcf86cd799439011",), "uri": ("https://example.com/a?b=c#d", "/path"), "email": ("a@b.example",),
    "hostname": ("example.com", "a"), "ipv4": ("10.0.0.1",), "ipv6": ("::1", "2001:db8::1"), "cidr": ("10.0.0.0/8", "fe80::/10"),
    "mac": ("01:23:45:67:89:ab",), "uuid": ("a987fbc9-4bed-3078-cf07-9141ba07c9f3",), "uuid3": ("a987fbc9-4bed-3078-cf07-9141ba07c9f3",),
    "uuid4": ("57b73598-8764-4ad0-a76a-679bb6640eb1",), "uuid5": ("987fbc97-4bed-5078-9f07-9141ba07c9f3",),
    "isbn": ("0-306-40615-2", "978-0-306-40615-7"), "isbn10": ("0306406152",), "isbn13": ("9780306406157",),
    "creditcard": ("4111-1111-1111-1111", "4111111111111111"), "ssn": ("111-22-3333",), "hexcolor": ("#fff", "#FFAA00"),
    "rgbcolor": ("rgb(1,2,3)",), "byte": ("YWJj", "YQ=="), "password": ("secret",), "date": ("2026-02-28",),
    "duration": ("1h30m", "5s", "3 days"), "datetime": ("2026-01-02T03:04:05Z", "2026-01-02T03:04:05.123456+02:00"),
    "k8sshortname": ("a-b",), "k8slongname": ("a.b-c.example",),
}  # fmt: skip
_TIMES: Final = (
    "2026-01-02t03:04:05z", "2026-01-02T03:04:05", "2026-01-02T03:04:60Z", "2026-01-02T24:00:00Z", "2026-02-30T00:00:00Z",
    "2026-1-2T03:04:05Z", "2026-01-02T03:04:05,5Z", "2026-01-02T03:04:05.Z", "2026-01-02 03:04:05Z", "2026-01-02T03:04:05+25:00",
    "2026-01-02T03:04:05+0200", "2026-01-02T03:04:05-00:00", "0000-01-01T00:00:00Z", "0001-01-01T00:00:00Z",
    "9999-12-31T23:59:59.999999999Z", "10000-01-01T00:00:00Z", "2024-02-29T00:00:00Z", "2023-02-29T00:00:00Z", "2026-01-02T03:04:05Z ",
    "2026-01-02T03:04Z", "2026-01-02", "03:04:05Z", "yesterday", "2026-00-10T00:00:00Z", "2026-13-01T00:00:00Z", "2026-01-02T03:60:00Z",
    "2026-01-02T03:04:05+24:00", "2026-01-02T03:04:05+02:60", "2026-01-02T03:04:05.1234567890123Z", "T", "2026-01-02TZ",
    "2026-01-02T03:04:05Z\n",
)  # fmt: skip
_DURATIONS: Final = (
    "0", "1", "-1s", "+5m", "1.5h", "1d", "1w", "P1D", "1h 30m", "1 hour", "5 minutes", "1y", "1ms1us1ns", "1µs", "1μs", ".5s", "1.s",
    "s", "9223372036854775807ns", "9223372036854775808ns", "2562047h47m16.854775807s", "2562048h", "1e3s", "infinite", "-", "", " 1s",
    "1s ", "3 d", "3days", "99999999999999 weeks", "1H", "1m1", "0.1ns", "--1s", "1 s 2", "1month",
)  # fmt: skip
_ADDRESSES: Final = (
    "1.2.3", "1.2.3.4.5", "256.1.1.1", "01.02.03.04", "1.2.3.4/33", "1.2.3.4/", "1.2.3.4/08", "10.0.0.1/8", "::", ":::", "1::2::3",
    "::1%eth0", "::ffff:1.2.3.4", "::ffff:1.2.3.4/96", "2001:db8::g", "12345::", "1:2:3:4:5:6:7:8", "1:2:3:4:5:6:7:8:9", "::1/129",
    "::1/128", "1.2.3.4 ", "01-23-45-67-89-ab", "0123.4567.89ab", "01:23:45:67:89", "01:23:45:67:89:ab:cd:ef", "01:23:45:67:89:AG",
    "0:1:2:3:4:5",
)  # fmt: skip
_NAMES: Final = (
    "a.b", "a_b", "a..b", ".a", "a.", "-a", "a-", "A", "a" * 63, "a" * 64, "a." * 126 + "a", "example.com.", "1", "1.2", "*.a.com",
    "xn--a", "é.com", "a b", "a@b.com", "localhost", "a.c0m", "a.co", "a.c",
)  # fmt: skip
_MAILS: Final = (
    "a", "@", "a@", "@b", "a@b", "A <a@b.c>", '"a b"@c.d', "a b@c.d", "a@b@c", "a@[1.2.3.4]", "<a@b>", "a..b@c", ".a@b", "a@b.", "é@b.c",
    "=?utf-8?q?a?= <a@b>", "a@b (x)", "a,b@c", "a@b,c@d", "group: a@b;", "\"\\\"\"@b", "a@b\n", " a@b ",
)  # fmt: skip
_URIS: Final = (
    "", "a", "a/b", "/", "//", "//host", "http:", "http://", "http:///a", "http://a b", "http://[::1", "http://[::1]:80/", "http://a:b",
    "http://a:99999", "http://a:", "mailto:a@b", "urn:a:b", "1http://a", ":a", "http://a/%zz", "http://a/%20", "/%2", "http://a/\x7f",
    "http://user:p@ss@h/", "http://é/é", "http://a?b c", "http://a#%zz", "*", "?a", "#a", "http://a\n", "HTTP://A", "a:b",
    "http://[fe80::1%25en0]/", "http://a%41/", "/a:b", "http://<a>",
)  # fmt: skip
_NUMBERS: Final = (
    "4111111111111112", "4111 1111 1111 1111", "0", "378282246310005", "0306406153", "030640615X", "080442957X", "9780306406158",
    "978030640615", "111223333", "111 22 3333", "000-00-0000", "111-22-333", "507f1f77bcf86cd79943901", "507F1F77BCF86CD799439011",
    "zzzf1f77bcf86cd799439011",
)  # fmt: skip
_UUIDS: Final = (
    "a987fbc94bed3078cf079141ba07c9f3", "A987FBC9-4BED-3078-CF07-9141BA07C9F3", "a987fbc9-4bed-1078-cf07-9141ba07c9f3",
    "{a987fbc9-4bed-3078-cf07-9141ba07c9f3}", "a987fbc9-4bed-4078-0f07-9141ba07c9f3", "a987fbc9-4bed-5078-8f07-9141ba07c9f3",
    "a987fbc9-4bed-3078-cf07-9141ba07c9f", "urn:uuid:a987fbc9-4bed-3078-cf07-9141ba07c9f3", "a987fbc94bed-3078cf07-9141ba07c9f3",
    "g987fbc9-4bed-3078-cf07-9141ba07c9f3",
)  # fmt: skip
_COLOURS: Final = (
    "fff", "#ffff", "#ggg", "#12345", "rgb(256,0,0)", "rgb(1, 2, 3)", "rgb( 1,2,3 )", "RGB(1,2,3)", "rgb(1%,2%,3%)", "rgb(1,2)",
    "rgb(01,2,3)", "rgba(1,2,3,1)",
)  # fmt: skip
_BYTES: Final = ("YQ", "YQ=", "Y===", "YQ==\n", "Y Q==", "_-8=", "+/8=", "====", "YWJjZA==", "é", "YR==")
_DATES: Final = (
    "2026-2-3", "2026-02-30", "20260203", "2026-02-03T00:00:00Z", "0000-01-01", "0001-01-01", "9999-12-31", "2024-02-29", "02-03-2026",
    " 2026-02-03", "2026-02-03 ",
)  # fmt: skip
#: All texts: the edge of one format is a bad text of another.
EDGES: Final = (*_TIMES, *_DURATIONS, *_ADDRESSES, *_NAMES, *_MAILS, *_URIS, *_NUMBERS, *_UUIDS, *_COLOURS, *_BYTES, *_DATES)
_NEAREST: Final[dict[str, tuple[str, ...]]] = {
    "uri": _URIS, "email": _MAILS, "hostname": _NAMES, "ipv4": _ADDRESSES, "ipv6": _ADDRESSES, "cidr": _ADDRESSES, "mac": _ADDRESSES,
    "uuid": _UUIDS, "uuid3": _UUIDS, "uuid4": _UUIDS, "uuid5": _UUIDS, "isbn": _NUMBERS, "isbn10": _NUMBERS, "isbn13": _NUMBERS,
    "creditcard": _NUMBERS, "ssn": _NUMBERS, "bsonobjectid": _NUMBERS, "hexcolor": _COLOURS, "rgbcolor": _COLOURS, "byte": _BYTES,
    "date": _DATES, "duration": _DURATIONS, "datetime": _TIMES, "k8sshortname": _NAMES, "k8slongname": _NAMES,
}  # fmt: skip


def good(name: str) -> tuple[str, ...]:
    """Valid texts of a format; empty if the format has no meaning."""
    return GOOD.get(name.replace("-", ""), ())


def edges(name: str) -> tuple[str, ...]:
    """Texts near the edges of a format."""
    return _NEAREST.get(name.replace("-", ""), EDGES)
