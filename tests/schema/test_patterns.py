"""Patterns: Go's meaning whichever engine runs them, and only harmless ones run on Python's."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from weighbridge.policies.schema.patterns import compile_pattern, matched_texts
from weighbridge.policies.schema.regex.syntax import translate

LABEL = "[a-z0-9]([-a-z0-9]*[a-z0-9])?"


@pytest.mark.parametrize(
    "pattern",
    [
        rf"^{LABEL}$",
        rf"^{LABEL}(\.{LABEL})*$",
        rf"^$|^{LABEL}(\.{LABEL})*$",
        r"^(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$",
        r"^(\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))))?$",
        r"^([0-9]+(s|m|h))+$",
        r"^(https?|file|pvc|hf|s3)://.*|^/[^\s]+$|^[a-zA-Z0-9][\w\-\.\/]+$",
        r"^[0-9a-f]{64}$",
        r"[a-f]{3}x?",
        r"",
    ],
)
def test_patterns_of_real_schemas_run_on_pythons_engine(pattern: str) -> None:
    assert translate(pattern) is not None


@pytest.mark.parametrize(
    "pattern",
    [
        "^(a+)+$", "^(a|a)*$", "^(a*)*$", "^(a|ab|b)*$", "^a?a?a?$", "^(a{1,3}){2,}$", "^.*a.*b$", "[a-z]+$", "a*b", "^(x|y|)?$",
    ],
)  # fmt: skip
def test_patterns_with_two_ways_to_match_or_no_anchor_are_left_to_re2(pattern: str) -> None:
    assert translate(pattern) is None
    assert not compile_pattern(pattern).error


@pytest.mark.parametrize(
    "pattern",
    [
        "(?i)a", r"\pL", r"\bword", "é", "[[:alpha:]]", "(?P<n>a)", "a{,2}", r"\x41", "^a$b", "(^a)", "a{1001}", "(?=a)", "x**", "[",
        "(", r"\1", "[a-z-9]", "[z-a]", "a" * 1001, "(" * 30 + "a" + ")" * 30,
    ],
)  # fmt: skip
def test_syntax_beyond_the_plain_subset_is_left_to_re2(pattern: str) -> None:
    assert translate(pattern) is None


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
    ],
)
def test_an_invalid_pattern_carries_gos_words(pattern: str, error: str) -> None:
    compiled = compile_pattern(pattern)
    assert compiled.error == f"error parsing regexp: {error}"
    assert not compiled.matches("anything")


def _combine(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    repeated = st.tuples(inner, st.sampled_from(["*", "+", "?", "{2}", "{0,2}", "{1,}", "*?"])).map(lambda pair: f"(?:{pair[0]}){pair[1]}")
    choice = st.lists(inner, min_size=2, max_size=3).map(lambda parts: f"({'|'.join(parts)})")
    return repeated | choice | st.lists(inner, min_size=2, max_size=3).map("".join)


PLAIN = st.recursive(st.sampled_from(["a", "b", "-", ".", "[ab]", "[^a]", r"\d", r"\s", r"[\w.]", r"\."]), _combine, max_leaves=8)


@given(PLAIN, st.booleans(), st.booleans(), st.lists(st.text("ab-.1 \n\u00e9_", max_size=8), max_size=8))
def test_both_engines_agree(body: str, anchored: bool, ended: bool, texts: list[str]) -> None:
    pattern = f"{'^' * anchored}{body}{'$' * ended}"
    if translate(pattern) is None:
        return
    # The flag group keeps the pattern's meaning and its subset out of reach.
    ours, theirs = compile_pattern(pattern), compile_pattern(f"(?:){pattern}" if not anchored else f"(?-i){pattern}")
    assert translate(f"(?-i){pattern}") is None
    for text in texts:
        assert bool(ours.matches(text)) == bool(theirs.matches(text)), (pattern, text)


@pytest.mark.parametrize(
    ("pattern", "text", "limit", "found"),
    [
        ("[a-c]+", "abc-cab-x", -1, ["abc", "cab"]),
        ("[a-c]+", "abc-cab-x", 1, ["abc"]),
        ("[a-c]+", "abc", 0, []),
        ("a*", "baac", -1, ["", "aa", ""]),
    ],
)
def test_matches_are_those_that_go_finds(pattern: str, text: str, limit: int, found: list[str]) -> None:
    assert matched_texts(pattern, text, limit) == found
