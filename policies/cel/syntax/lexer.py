"""Cuts an expression into tokens.

The lexical grammar is the CEL specification's (https://github.com/google/cel-spec/blob/master/doc/langdef.md#syntax) as cel-go reads it:
longest match first, escapes checked inside strings. Characters with which no token begins are reported and skipped. As by an ANTLR lexer,
the reported text is everything from the token's start to the first character that didn't fit.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from enum import Enum, auto
from typing import Final

from weighbridge.policies.cel.syntax import errors
from weighbridge.policies.ground.expressions import expression
from weighbridge.policies.ground.records import dataclass, field


class TokenKind(Enum):
    """The kinds of tokens that messages don't name by their text."""

    IDENTIFIER = auto()
    ESCAPED_IDENTIFIER = auto()
    INT = auto()
    UINT = auto()
    FLOAT = auto()
    STRING = auto()
    BYTES = auto()
    SYMBOL = auto()
    HIDDEN = auto()
    END = auto()


@dataclass(slots=True)
class Token:
    """A piece of the text; the words true, false, null and in are symbols. Messages call tokens of this kind `name`."""

    kind: TokenKind
    text: str
    offset: int
    name: str = field(init=False)

    def __post_init__(self) -> None:
        self.name = f"'{self.text}'" if self.kind is TokenKind.SYMBOL else _NAMES[self.kind]

    def is_symbol(self, *texts: str) -> bool:
        """Whether this is one of these symbols."""
        return self.kind is TokenKind.SYMBOL and self.text in texts


_NAMES: Final = {
    TokenKind.IDENTIFIER: "IDENTIFIER",
    TokenKind.ESCAPED_IDENTIFIER: "ESC_IDENTIFIER",
    TokenKind.INT: "NUM_INT",
    TokenKind.UINT: "NUM_UINT",
    TokenKind.FLOAT: "NUM_FLOAT",
    TokenKind.STRING: "STRING",
    TokenKind.BYTES: "BYTES",
    TokenKind.HIDDEN: "HIDDEN",
    TokenKind.END: "<EOF>",
}


_ESCAPE = r"""\\(?:[abfnrtv"'\\?`]|[0-3][0-7]{2}|[xX][0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8})"""
_STRING = (
    rf'"""(?:{_ESCAPE}|[^\\])*?"""'
    rf"|'''(?:{_ESCAPE}|[^\\])*?'''"
    rf'|"(?:{_ESCAPE}|[^\\"\n\r])*"'
    rf"|'(?:{_ESCAPE}|[^\\'\n\r])*'"
    r'|[rR]"""(?s:.*?)"""'
    r"|[rR]'''(?s:.*?)'''"
    r'|[rR]"[^"\n\r]*"'
    r"|[rR]'[^'\n\r]*'"
)
_TOKEN: Final = expression(
    rf"""(?P<hidden>[\t \r\n\f]+|//[^\n]*)
    |(?P<bytes>[bB](?:{_STRING}))
    |(?P<string>{_STRING})
    |(?P<float>[0-9]+\.[0-9]+(?:[eE][+-]?[0-9]+)?|[0-9]+[eE][+-]?[0-9]+|\.[0-9]+(?:[eE][+-]?[0-9]+)?)
    |(?P<uint>0x[0-9a-fA-F]+[uU]|[0-9]+[uU])
    |(?P<int>0x[0-9a-fA-F]+|[0-9]+)
    |(?P<identifier>[A-Za-z_][A-Za-z0-9_]*)
    |(?P<escaped>`[A-Za-z0-9_.\-/\ ]+`)
    |(?P<symbol>==|!=|<=|>=|&&|\|\||[\[\]{{}}().,\-!?:+*/%<>])
    """,
    re.VERBOSE,
)
_KINDS: Final = {
    "hidden": TokenKind.HIDDEN,
    "bytes": TokenKind.BYTES,
    "string": TokenKind.STRING,
    "float": TokenKind.FLOAT,
    "uint": TokenKind.UINT,
    "int": TokenKind.INT,
    "identifier": TokenKind.IDENTIFIER,
    "escaped": TokenKind.ESCAPED_IDENTIFIER,
    "symbol": TokenKind.SYMBOL,
}
_WORDS: Final = frozenset({"true", "false", "null", "in"})


def every_token(text: str, report: Callable[[int, str], None]) -> Iterator[Token]:
    """The tokens one by one, including hidden ones. Other text is reported when it is reached, and skipped."""
    position = 0
    while position < len(text):
        match = _TOKEN.match(text, position)
        if match is None:
            reached = _reach(text, position)
            report(position, errors.unrecognised(text[position : reached + 1]))
            position = reached + 1
        else:
            yield _token(match)
            position = match.end()
    yield Token(TokenKind.END, "<EOF>", len(text))


def _token(match: re.Match[str]) -> Token:
    word = match.group()
    kind = _KINDS[match.lastgroup or ""]
    return Token(TokenKind.SYMBOL if word in _WORDS else kind, word, match.start())


#: An incomplete escape.
_PART: Final = r"\\(?:[0-3][0-7]?|[xX][0-9a-fA-F]?|u[0-9a-fA-F]{0,3}|U[0-9a-fA-F]{0,7})?"
_OPEN: Final = {
    quote: expression(rf"{quote}(?:{_ESCAPE}|[^\\\n\r{quote}])*(?:{_PART})?") for quote in ("'", '"')
} | {"`": expression(r"`[A-Za-z0-9_.\-/ ]*")}  # fmt: skip


def _reach(text: str, start: int) -> int:
    """The index of the first character that doesn't fit the token that began at `start`."""
    opened = _OPEN.get(text[start])
    if opened is not None:
        match = opened.match(text, start)
        return match.end() if match else start
    if text[start] in "=&|" and start + 1 < len(text):
        return start + 1
    return start
