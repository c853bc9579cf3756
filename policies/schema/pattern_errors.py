"""What Go says against a regular expression that RE2 refuses.

RE2 has other words, so each of its errors is replaced by Go's. Source: Go's regexp/syntax/parse.go.
"""

from __future__ import annotations

from typing import Final

ESCAPE: Final = "invalid escape sequence"
REPEAT_COUNT: Final = "invalid repeat count"
CAPTURE: Final = "invalid named capture"
#: How RE2's errors begin, and what Go says instead. A phrase with a colon is followed by the faulty piece.
_GO_WORDS: Final = (
    (ESCAPE, ESCAPE),
    ("invalid character class range", "invalid character class range"),
    ("invalid character class", "invalid character class"),
    ("missing ]", "missing closing ]"),
    ("missing )", "missing closing )"),
    ("unexpected )", "unexpected )"),
    ("trailing \\", "trailing backslash at end of expression"),
    ("no argument for repetition operator", "missing argument to repetition operator"),
    ("invalid repetition size", REPEAT_COUNT),
    ("bad repetition operator", "invalid nested repetition operator"),
    ("invalid perl operator", "invalid or unsupported Perl syntax"),
    ("invalid UTF-8", "invalid UTF-8"),
    ("invalid named capture group", CAPTURE),
)
_WITHOUT_PIECE: Final = ("trailing backslash at end of expression",)
#: Errors that name the whole expression in Go, but only a part or nothing in RE2.
_WHOLE_PIECE: Final = ("missing closing )", "unexpected )")


def go_error(words: str, piece: str) -> str:
    """Go's error: its words, and the faulty piece of the pattern."""
    return f"error parsing regexp: {words}: `{piece}`"


def invalid_pattern(message: str, pattern: str) -> str:
    """Go's error for a pattern that RE2 refuses with `message`."""
    for prefix, words in _GO_WORDS:
        if message.startswith(prefix):
            if words in _WITHOUT_PIECE:
                return go_error(words, "")
            piece = message[len(prefix) :].removeprefix(": ")
            if words == REPEAT_COUNT:
                piece = piece.removesuffix("?")
            return go_error(words, pattern if words in _WHOLE_PIECE else piece)
    return go_error("expression too large", pattern)
