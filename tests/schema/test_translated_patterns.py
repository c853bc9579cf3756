"""What a plain pattern of RE2 becomes for Python's engine, to the letter, and where plainness ends."""

from __future__ import annotations

import re

import pytest

from weighbridge.policies.schema.patterns import compile_pattern
from weighbridge.policies.schema.regex.syntax import Translation, translate

WORD = r"\x30-\x39\x41-\x5a\x5f-\x5f\x61-\x7a"


@pytest.mark.parametrize(
    ("pattern", "text", "anchored"),
    [
        ("", "", False),
        ("^", r"\A", True),
        ("$", r"\Z", False),
        ("^$", r"\A\Z", True),
        ("a", r"\x61", False),
        ("^a$", r"\A\x61\Z", True),
        ("ab", r"\x61\x62", False),
        ("a|^b", r"\x61|\A\x62", False),
        ("^a|^b$", r"\A\x61|\A\x62\Z", True),
        ("(ab)", r"\x61\x62", False),
        ("(?:ab)", r"\x61\x62", False),
        ("(a|b)", r"(?:\x61|\x62)", False),
        ("()", "", False),
        ("(a|)", r"(?:\x61|)", False),
        ("^a*", r"\A(?:\x61){0,}", True),
        ("^a+", r"\A(?:\x61){1,}", True),
        ("a?", r"(?:\x61){0,1}", False),
        ("^a*?", r"\A(?:\x61){0,}", True),
        ("^a+?b", r"\A(?:\x61){1,}\x62", True),
        ("a??", r"(?:\x61){0,1}", False),
        ("a{2}", r"(?:\x61){2,2}", False),
        ("a{2}?", r"(?:\x61){2,2}", False),
        ("a{0}", r"(?:\x61){0,0}", False),
        ("^a{2,}", r"\A(?:\x61){2,}", True),
        ("^a{0,}", r"\A(?:\x61){0,}", True),
        ("a{2,13}", r"(?:\x61){2,13}", False),
        ("^(ab|c)+$", r"\A(?:(?:\x61\x62|\x63)){1,}\Z", True),
        (".", r"[^\x0a-\x0a]", False),
        (r"\d", r"[\x30-\x39]", False),
        (r"\D", r"[^\x30-\x39]", False),
        (r"\w", rf"[{WORD}]", False),
        (r"\W", rf"[^{WORD}]", False),
        (r"\s", r"[\x09-\x0a\x0c-\x0d\x20-\x20]", False),
        (r"\S", r"[^\x09-\x0a\x0c-\x0d\x20-\x20]", False),
        (r"\t\n\r\f\v\a", r"\x09\x0a\x0d\x0c\x0b\x07", False),
        (r"\.\\\-\/\$", r"\x2e\x5c\x2d\x2f\x24", False),
        ("[a]", r"\x61", False),
        ("[ab]", r"[\x61-\x62]", False),
        ("[ba]", r"[\x61-\x62]", False),
        ("[abd]", r"[\x61-\x62\x64-\x64]", False),
        ("[a-c]", r"[\x61-\x63]", False),
        ("[a-ce]", r"[\x61-\x63\x65-\x65]", False),
        ("[a-a]", r"\x61", False),
        ("[^a]", r"[^\x61-\x61]", False),
        ("[^a-c]", r"[^\x61-\x63]", False),
        ("[a-]", r"[\x2d-\x2d\x61-\x61]", False),
        ("[-a]", r"[\x2d-\x2d\x61-\x61]", False),
        ("[a-c-]", r"[\x2d-\x2d\x61-\x63]", False),
        ("[+--]", r"[\x2b-\x2d]", False),
        ("[]a]", r"[\x5d-\x5d\x61-\x61]", False),
        ("[^]a]", r"[^\x5d-\x5d\x61-\x61]", False),
        (r"[\]]", r"\x5d", False),
        (r"[a\-z]", r"[\x2d-\x2d\x61-\x61\x7a-\x7a]", False),
        (r"[\w.-]", r"[\x2d-\x2e\x30-\x39\x41-\x5a\x5f-\x5f\x61-\x7a]", False),
        (r"[\d\D]", r"[\x00-\U0010ffff]", False),
        (r"[^\d\D]", r"[^\x00-\U0010ffff]", False),
        (r"[^\D]", r"[\x30-\x39]", False),
        ("[.*+?(){}|$]", r"[\x24-\x24\x28-\x2b\x2e-\x2e\x3f-\x3f\x7b-\x7d]", False),
        ("[a^]", r"[\x5e-\x5e\x61-\x61]", False),
        ("a-b", r"\x61\x2d\x62", False),
    ],
)
def test_a_plain_pattern_is_written_anew(pattern: str, text: str, anchored: bool) -> None:
    assert translate(pattern) == Translation(text, anchored)
    re.compile(text)


@pytest.mark.parametrize(
    "pattern",
    [
        "*", "+a", "?", "^*", "a**", "a+*", "a?{2}", "a{2}{3}", "a*??", "|*", "(*)", "a)", "(a", "((a)", "]", "}", "{", "a{", "a{}", "a{2",
        "a{2,1}", "a{,2}", "a{02}", "a{x}", "a{2,x}", "a^b", "a$b", "(a$)", "(^a)", "[", "[]", "[^]", "[a", "[a-", "[b-a]", r"[\w-z]",
        r"[a-\d]", "[a-[]", "[[:digit:]]", "[a-c-e]", "\\", r"\b", r"\A", r"\z", r"\x41", r"\0", r"\_", "\\\n", "(?i)a", "(?=a)",
        "(?P<a>b)", "(?", "é",
    ],
)  # fmt: skip
def test_what_is_beyond_the_plain_subset_is_left_alone(pattern: str) -> None:
    assert translate(pattern) is None


@pytest.mark.parametrize(
    ("last", "first_beyond"),
    [
        ("^[" + "a" * 997 + "]", "^[" + "a" * 998 + "]"),
        ("^a{160}$", "^a{161}$"),
        ("^a{80,160}$", "^a{80,161}$"),
        ("^a{159,}$", "^a{161,}$"),
        ("^(ab){0,80}$", "^(ab){0,81}$"),
        ("a{64}", "a{65}"),
        ("a{1,64}", "a{1,65}"),
        ("(ab){32}", "(ab){33}"),
        ("a{63}b", "a{64}b"),
        ("a|b{64}", "a|b{65}"),
        ("(a|bc){32}", "(a|bc){33}"),
        ("(" * 20 + "a" + ")" * 20, "(" * 21 + "a" + ")" * 21),
        ("(a)" * 21, "(" * 21 + ")" * 21),
        ("^a+", "a+"),
        ("^a{1,}", "a{1,}"),
        ("^a*|^b", "^a*|b"),
    ],
)
def test_plainness_ends_with_the_size_of_a_pattern(last: str, first_beyond: str) -> None:
    assert translate(last) is not None
    assert translate(first_beyond) is None


@pytest.mark.parametrize(
    ("plain", "ambiguous"),
    [
        ("^(a|b)*$", "^(a|[ab])*$"),
        ("^(ab|ac)*$", "^(ab|ab)*$"),
        ("^a*b*$", "^a*a*$"),
        ("^[a-b]*[c-d]*$", "^[a-b]*[b-c]*$"),
        ("^a?b?c?$", "^a?a?a?$"),
        ("^(a|b)c$", "^(a|a)c$"),
        ("^a+b$", "^(a+)+b$"),
        ("^(ab)*$", "^(a*)*$"),
        ("^(a|)$", "^(a||b|)$"),
        ("^(ab?c)*$", "^(ab?b?b?c)*$"),
        ("^x(ab)*y$", "^x(a|ab|b)*y$"),
        ("^a{0,3}b$", "^a{0,3}a{0,3}b$"),
        ("^aa*c|^ab*a*c", "^(aa*c|ab*a*c)d$"),
        ("^(a.b){2}$", "^(.*a.*){2}$"),
    ],
)
def test_two_ways_through_a_pattern_leave_it_to_re2(plain: str, ambiguous: str) -> None:
    assert translate(plain) is not None
    assert translate(ambiguous) is None
    assert not compile_pattern(ambiguous).error
