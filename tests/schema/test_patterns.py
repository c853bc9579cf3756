"""Patterns: they are searched for as by Go, and an invalid one has Go's message."""

from __future__ import annotations

import pytest

from weighbridge.policies.schema.patterns import compile_pattern, matched_texts


@pytest.mark.parametrize(
    ("pattern", "text", "matches"),
    [
        ("^a$", "a\n", False),
        (r"^\d$", "٣", False),
        (r"^\w$", "é", False),
        (r"^\s$", "\v", False),
        (r"^\s$", "\f", True),
        (r"^[^a]$", "é", True),
        ("^.$", "\n", False),
        ("^.$", "\U0001f600", True),
        ("^[]a]$", "]", True),
        ("^[a-]$", "-", True),
        ("^a{,2}$", "a{,2}", True),
        ("(?i)straße", "STRASSE", False),
        (r"\pL", "é", True),
        (r"^\Q*\E$", "*", True),
        ("b", "abc", True),
        ("^b", "abc", False),
        ("^$|^x", "", True),
        ("a{2}b", "xaab", True),
        ("^[^b]$", "\ud800", True),
        ("(?s)^.é?$", "\ud800", True),
        ("^.$", "\ud83d\ude00", True),
        ("", "anything", True),
        (r"^[0-9a-f]{64}$", "0f" * 32, True),
        (r"(?P<n>a)(?P<n>b)", "ab", True),
        (r"(?<n>a)\pL", "aé", True),
        (r"^\p{Lu}{2,1000}$", "ÉÉ", True),
        (r"\B", "1é1", False),
        (r"\B", "é1", True),
        (r"^(https?|file|pvc|hf|s3)://.*|^/[^\s]+$|^[a-zA-Z0-9][\w\-\.\/]+$", "/a b", False),
    ],
)
def test_a_pattern_means_what_it_means_in_go(pattern: str, text: str, matches: bool) -> None:
    assert bool(compile_pattern(pattern).matches(text)) == matches


@pytest.mark.parametrize(
    ("pattern", "error"),
    [
        ("*", "missing argument to repetition operator: `*`"),
        ("a**", "invalid nested repetition operator: `**`"),
        ("(", "missing closing ): `(`"),
        ("x(a", "missing closing ): `x(a`"),
        ("a)", "unexpected ): `a)`"),
        ("[", "missing closing ]: `[`"),
        ("[z-a]", "invalid character class range: `z-a`"),
        ("\\", "trailing backslash at end of expression: ``"),
        (r"\Z", r"invalid escape sequence: `\Z`"),
        (r"a\Cb", r"invalid escape sequence: `\C`"),
        (r"a**\C", "invalid nested repetition operator: `**`"),
        ("a{1001}?", "invalid repeat count: `{1001}`"),
        ("(?=a)", "invalid or unsupported Perl syntax: `(?=`"),
        ("(?P<n", "invalid named capture: `(?P<n`"),
        ("[[:foo:]]", "invalid character class range: `[:foo:]`"),
        ("[(?<é>]**", "invalid nested repetition operator: `**`"),
        (r"\Q(?<é>\E**", "invalid nested repetition operator: `**`"),
        ("(?P<é>a)**", "invalid named capture: `(?P<é>`"),
        ("(?<=a)**", "invalid named capture: `(?<=a)**`"),
        ("**(?<é>a)", "missing argument to repetition operator: `*`"),
        ("a{99999999999}?", "invalid repeat count: `{99999999999}`"),
        ("a{2,99999999999}", "invalid repeat count: `{2,99999999999}`"),
        ("a+{1001}", "invalid repeat count: `{1001}`"),
        ("(?{1001}", "invalid or unsupported Perl syntax: `(?{`"),
        (r"\p{L{99999999999}", r"invalid character class range: `\p{L{99999999999}`"),
    ],
)
def test_an_invalid_pattern_carries_gos_words(pattern: str, error: str) -> None:
    compiled = compile_pattern(pattern)
    assert compiled.error == f"error parsing regexp: {error}"
    assert not compiled.matches("anything")


@pytest.mark.parametrize(
    ("pattern", "text", "limit", "found"),
    [
        ("[a-c]+", "abc-cab-x", -1, ["abc", "cab"]),
        ("[a-c]+", "abc-cab-x", 1, ["abc"]),
        ("[a-c]+", "abc", 0, []),
        ("a*", "baac", -1, ["", "aa", ""]),
        (r"\B", "zß", -1, [""]),
    ],
)
def test_matches_are_those_that_go_finds(pattern: str, text: str, limit: int, found: list[str]) -> None:
    assert matched_texts(pattern, text, limit) == found
