"""Mail addresses and URIs at the edges of their grammars: which Go's parsers accept, and which they don't."""

from __future__ import annotations

import pytest

from weighbridge.policies.schema.formats.mail_address import is_mail_address
from weighbridge.policies.schema.formats.request_uri import is_http_url, is_request_uri

MAIL_TAKEN = [
    " <a@b>", "\t<a@b>", "A B <a@b>", 'A "B" C <a@b>', '"A" <a@b>', '"" <a@b>', '"a"@b', '"a b"@c', '"a\\"b"@c', "a@ b", "a.b.c@d.e",
    "a@[1.2.3.4]", "a@[::1]", "g:a@b;", "g:a@b;(c)", "g: A <a@b>;", "g h:a@b;", "a@b (c)", "a@b ()", "a@b (c) (d)", "A (c) <a@b>",
    "A(c)B <a@b>", "a@b (c\\))", "a@b(c)", "<a@b>(c)", "\u00e9@b", "a@\u00e9", "\u00c9 <a@b>", "=?utf-8?q?A?= <a@b>",
    "=?utf-8?b?QQ==?= <a@b>", "=?iso-8859-1?Q?A?= <a@b>", "=?UTF-8?B?QQ==?= <a@b>", "=?utf-8?b?!?= <a@b>", "=?utf-8?q?=ZZ?= <a@b>",
    "=?utf-8?q??= A <a@b>", "A =?utf-8?q??= <a@b>", "=?x?z?A?= <a@b>", "=?x?b?!?= <a@b>", "=?x?q?=4?= <a@b>",
    "=?us-ascii?q?A?= <a@b>", "a@b (=?utf-8?q?A?=)", "<a@b> (=?x?q?A?=)", "a<a@b>", "A.B <a@b>", "A. <a@b>", '"A"B <a@b>',
    'A"B" <a@b>', "a!#$%&'*+-/=?^_`{|}~@b", "a@b\t", "\ta@b ", "A <\ta@b>", "A < a@b>", "=??q?A?= <a@b>", "=?a?q?A <a@b>",
    "=?x?q?A?=B <a@b>",
]  # fmt: skip
MAIL_REFUSED = [
    "  ", "<a@b", "A <a@b", "<a@b x>", "<a@b>>", "A <a@b>x", '"A', '"a\\', '"a\nb"@c', "a@", "@a", "a", "a b@c", "a@b c", "a @b",
    "a. b@c", ".a@b", "a.@b", "a..b@c", "a@.b", "a@b.", "a@b..c", "a@[IPv6:::1]", "a@[]", "a@[1.2.3.4", "a@[x]", "a@[1.2.3.4]x",
    "g:;", "g: a@b, c@d;", "g: a@b,;", "g: a@b", "g:a@b; x", "g: h: a@b;;", ":a@b;", "g:;(c", "a@b,", "a@b;", "a@b (c", "a@b (",
    "a@b (c)x", "(c) a@b", "(c)<a@b>", "A (c <a@b>", "a@b (c\\)", "a@b (\\", "<a@b> (c) (d", "A", "A <", "A <>", "A <@b>", "A <a>",
    "a\u0000@b", "a\u007f@b", "A\u0001 <a@b>", "=?x?q?A?= <a@b>", "=?utf-8?q??= <a@b>", "=?x?q?=41?= <a@b>", "a@b (=?x?q?A?=)",
    "a@b (a =?x?q?A?= b)", "A,B <a@b>", "A@B <a@b>", "[a]@b", "a;@b", "\\a@b", "a@b\n", "\na@b", "a\t@b", "", "A <a@b >",
]  # fmt: skip
URI_TAKEN = [
    "/", "/a", "*", "/?", "/a?b%zz", "/%41", "/ a", "/a b", "/\u00e9", "a:", "a1:", "a+b-c.d:/x", "a:/", "a://", "a:///x", "a://h",
    "a://h/", "a://h:", "a://h:80", "a://h:80:90", "http://h:", "http://:80", "http://", "http:///x", "http:x", "http:", "http:?",
    "http://u@h", "http://u:p@h", "http://u:p:q@h", "http://u@v@h", "http://u%41@h", "http://u/h@x", "http://u@", "http://h%c3",
    "http://h%25", 'http://h<>"', "http://\u00e9", "http://[::1]", "http://[::1]:", "http://[::1]:80", "http://[::1%25en0]",
    "http://[::1%25%41]", "http://[::1%25%20]", "http://[::ffff:1.2.3.4]", "//h/x", "//h:a/x", "http://h?%zz", "http://h/a?b#c%zz",
    "a:b c", "a:%zz", "a:?x", "ftp://h:1:2", "a://[::1]:1", "/a:b", "http://[::1%25e%6e0]:80", "http://a/b c", "mailto:a@b", "a:*",
]  # fmt: skip
URI_REFUSED = [
    "", "a", "**", "*/", "?", "#", "/%zz", "/%4", "/\u007f", "/\u001f", ":", "1a:", "a_b:/x", "-a:", "a://h:8a", "http://h:80:90",
    "http://u%zz@h", "http://u[@h", "http://\u00fc@h", "http://h%41", "http://h%zz", "http://h%", "http://h{", "http://h|",
    "http://h^", "http://h`", "http://h\\", "http://[::1]80", "http://[::1]:8a", "http://[::1", "http://::1]", "http://[::1]]",
    "http://x[::1]", "http://[]", "http://[1.2.3.4]", "http://[::1%25]", "http://[::1%25%00]", "http://[::1%25%c3]",
    "http://[::1%25%zz]", "http://[::1%en0]", "http://[%3a:1]", "http://[::g]", "http://[v1.x]", "http://h/%zz", "a:/%zz",
    "HTTP://h:1:2", "HTTPS://h:1:2", "a/b:c", "http://h#f", "http://a b", "http://h:+80", "http://h: 80", "http://h\t",
]  # fmt: skip
HTTP_TAKEN = [
    "http://h", "https://h", "HTTP://h", "http://:80", "http://u@h", "http://h#f", "http://h#%41", "http://h?q", "http://[::1]",
    "http://h/a@b", "http://h?a@b", "http://h#a#b", "http://h/#",
]  # fmt: skip
HTTP_REFUSED = [
    "ftp://h", "http://", "http:///x", "http://u@", "http://h#%zz", "http://?q", "http://#f", "http://u@#f", "h", "//h", "http:h",
    "http:/h", "http://h:a", "http://[::1", "https://h/%zz", "http://?a@b", "http://u@/x", "http://@", "#http://h", "http://h\n",
]  # fmt: skip


@pytest.mark.parametrize(("text", "taken"), [*((text, True) for text in MAIL_TAKEN), *((text, False) for text in MAIL_REFUSED)])
def test_a_mail_address_is_read_as_go_reads_it(text: str, taken: bool) -> None:
    assert is_mail_address(text) is taken


@pytest.mark.parametrize(("text", "taken"), [*((text, True) for text in URI_TAKEN), *((text, False) for text in URI_REFUSED)])
def test_a_request_uri_is_read_as_go_reads_it(text: str, taken: bool) -> None:
    assert is_request_uri(text) is taken


@pytest.mark.parametrize(("text", "taken"), [*((text, True) for text in HTTP_TAKEN), *((text, False) for text in HTTP_REFUSED)])
def test_a_url_for_http_is_read_as_go_reads_it(text: str, taken: bool) -> None:
    assert is_http_url(text) is taken
