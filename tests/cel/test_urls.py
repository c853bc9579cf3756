"""Texts that are no URLs, with the errors of Go's net/url on each (Go 1.26.8)."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from weighbridge.policies.cel.values.urls import UrlError, parse_request_uri, parse_url

#: The text, the error of `url.Parse`, and the error of `url.ParseRequestURI`; empty if the text is accepted.
REFUSED = [
    (":a", 'parse ":a": missing protocol scheme', 'parse ":a": missing protocol scheme'),
    ("", "", 'parse "": empty url'),
    ("a\x7f", 'parse "a\\x7f": net/url: invalid control character in URL', 'parse "a\\x7f": net/url: invalid control character in URL'),
    ("1a:b", 'parse "1a:b": first path segment in URL cannot contain colon', 'parse "1a:b": invalid URI for request'),
    ("ht_tp://a", 'parse "ht_tp://a": first path segment in URL cannot contain colon', 'parse "ht_tp://a": invalid URI for request'),
    ("//[::1", "parse \"//[::1\": missing ']' in host", ""),
    ("http://a%zz/", 'parse "http://a%zz/": invalid URL escape "%zz"', 'parse "http://a%zz/": invalid URL escape "%zz"'),
    (
        "http://[a]/",
        'parse "http://[a]/": invalid host: ParseAddr("a"): unable to parse IP',
        'parse "http://[a]/": invalid host: ParseAddr("a"): unable to parse IP',
    ),
    ("http://a:b/", 'parse "http://a:b/": invalid port ":b" after host', 'parse "http://a:b/": invalid port ":b" after host'),
    ("//a b@c/", 'parse "//a b@c/": net/url: invalid userinfo', ""),
    ("//[::1]x/", 'parse "//[::1]x/": invalid port "x" after host', ""),
    (
        "//[fe80::1%25]/",
        'parse "//[fe80::1%25]/": invalid host: ParseAddr("fe80::1%"): zone must be a non-empty string',
        "",
    ),
    ("a:b c", "", ""),
    ("//[::1#f", "parse \"//[::1\": missing ']' in host", ""),
    ("//a b#f", 'parse "//a b": invalid character " " in host name', ""),
    ("//a#%zz", 'parse "//a#%zz": invalid URL escape "%zz"', 'parse "//a#%zz": invalid URL escape "%zz"'),
]


@pytest.mark.parametrize(("text", "as_url", "as_request"), REFUSED)
def test_what_go_says_of_a_text(text: str, as_url: str, as_request: str) -> None:
    assert said(parse_url, text) == as_url
    assert said(parse_request_uri, text) == as_request


def said(parsed: Callable[[str], object], text: str) -> str:
    """The error of a text; empty if it is accepted."""
    try:
        parsed(text)
    except UrlError as error:
        return str(error)
    return ""
