"""The parts of URLs and the errors on texts that are none, from `url()` of Kubernetes 1.36."""

from __future__ import annotations

import pytest

from tests.cel.library_calls import said
from weighbridge.policies.cel.library.url import is_url, parse
from weighbridge.policies.cel.values.urls import parse_url


@pytest.mark.parametrize(
    ("text", "scheme", "host", "hostname", "port", "path"),
    [
        ("http://a%ff/", "http", "a\ufffd", "a\ufffd", "", "/"),
        ("http://a%80b/", "http", "a\ufffdb", "a\ufffdb", "", "/"),
        ("http://[fe80::1%25a%20b]/", "http", "[fe80::1%a b]", "fe80::1%a b", "", "/"),
        ("http://[fe80::1%25a%41b]/", "http", "[fe80::1%aAb]", "fe80::1%aAb", "", "/"),
        ("http://[fe80::1%25a%25b]/", "http", "[fe80::1%a%b]", "fe80::1%a%b", "", "/"),
        ("http://a]/", "http", "a]", "a]", "", "/"),
        ("http://a]:80/", "http", "a]:80", "a]", "80", "/"),
        ("http://[::1]:80/", "http", "[::1]:80", "::1", "80", "/"),
        ("http://[::1]", "http", "[::1]", "::1", "", ""),
        ("http://[::1]:/", "http", "[::1]:", "::1", "", "/"),
        ("http://u:p@h:1/", "http", "h:1", "h", "1", "/"),
        ("http://u@v@h/", "http", "h", "h", "", "/"),
        ("http://u%20@h/", "http", "h", "h", "", "/"),
        ("x://h:80:90/", "x", "h:80:90", "h:80", "90", "/"),
        ("x://h:8a:9/", "x", "h:8a:9", "h:8a", "9", "/"),
        ("HTTP://H/", "http", "H", "H", "", "/"),
        ("a+b-c.1://h/", "a+b-c.1", "h", "h", "", "/"),
        ("a:b", "a", "", "", "", ""),
        ("a:/b", "a", "", "", "", "/b"),
        ("a://", "a", "", "", "", ""),
        ("http://h?x=1", "http", "h", "h", "", ""),
        ("http://:80/", "http", ":80", "", "80", "/"),
        ("http://h:/", "http", "h:", "h", "", "/"),
        ("http://a<b/", "http", "a<b", "a<b", "", "/"),
        ("http://é/", "http", "é", "é", "", "/"),
        ("//h/a", "", "h", "h", "", "/a"),
        ("///a", "", "", "", "", "///a"),
        ("*", "", "", "", "", "*"),
        ("/a?b?c", "", "", "", "", "/a"),
        ("/a b", "", "", "", "", "/a%20b"),
        ("/a%20b%2Fc%e9", "", "", "", "", "/a%20b%2Fc%e9"),
        ("/é", "", "", "", "", "/%C3%A9"),
        ('/a^b"', "", "", "", "", "/a%5Eb%22"),
        ("/a;b,c'd[e]", "", "", "", "", "/a;b,c'd[e]"),
        ("/a#b", "", "", "", "", "/a"),
    ],
)
def test_a_url_has_parts(text: str, scheme: str, host: str, hostname: str, port: str, path: str) -> None:
    url = parse(text).url
    assert (url.scheme, url.host, url.hostname, url.port, url.path) == (scheme, host, hostname, port, path)
    assert is_url(text)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("http://a%41/", 'invalid URL escape "%41"'),
        ("http://[fe80::1%25a%23b]/", 'invalid URL escape "%23"'),
        ("http://[fe80::1%25a b]/", 'invalid character " " in host name'),
        ("http://[1.2.3.4]/", "invalid IP-literal"),
        ("http://a[::1]/", "invalid IP-literal"),
        ("http://[::1/", "missing ']' in host"),
        ("http://u %@h/", "net/url: invalid userinfo"),
        ("http://h:80:90/", 'invalid port ":80:90" after host'),
        ("http://h:8a/", 'invalid port ":8a" after host'),
        ("1a://h/", "invalid URI for request"),
        ("/a%2", 'invalid URL escape "%2"'),
        ("/a%zz", 'invalid URL escape "%zz"'),
        ("http://h#f", 'invalid character "#" in host name'),
        ("http://a b/", 'invalid character " " in host name'),
    ],
)
def test_what_is_no_url_is_told_as_go_does(text: str, problem: str) -> None:
    assert said(parse, text) == f'URL parse error during conversion from string: parse "{text}": {problem}'
    assert not is_url(text)


@pytest.mark.parametrize(
    ("query", "parameters"),
    [
        ("x=1&y=2&x=3", {"x": ["1", "3"], "y": ["2"]}),
        ("x=%41&y=+&z=%zz&;a=1&=v&k", {"x": ["A"], "y": [" "], "": ["v"], "k": [""]}),
        ("a=b=c", {"a": ["b=c"]}),
        ("a=1;b=2&c=3", {"c": ["3"]}),
        ("%zz=1", {}),
        ("a%20b=c%2Bd", {"a b": ["c+d"]}),
        ("&&a", {"a": [""]}),
        ("a=%", {}),
        ("%e9=1", {"\ufffd": ["1"]}),
        ("", {}),
    ],
)
def test_a_query_has_parameters_but_for_the_malformed_ones(query: str, parameters: dict[str, list[str]]) -> None:
    assert parse(f"/?{query}").url.parameters() == parameters


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("http://h", "http://h/"),
        ("http://h?", "http://h"),
        ("http://u@h/", "http://h/"),
        ("http://@h/", "http://h/"),
        ("/a%41", "/aA"),
        ("//h", "/h"),
        ("a:b", "a:c"),
        ("http://h/?a", "http://h/?b"),
        ("http://h:80", "http://h"),
        ("/a", "/b"),
    ],
)
def test_urls_are_equal_where_they_print_the_same(left: str, right: str) -> None:
    one, other = parse(left), parse(right)
    assert (one.equals(other), one.equals(parse(left)), one.equals(left)) == (False, True, None)


def test_a_fragment_counts_and_is_escaped() -> None:
    assert parse_url("/a#b c").identity == parse_url("/a#b%20c").identity != parse_url("/a#b").identity
    assert parse("HTTP://h/").equals(parse("http://h/"))
