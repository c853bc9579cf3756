"""Cuts an expression into tokens.

The lexical grammar is the CEL specification's (https://github.com/google/cel-spec/blob/master/doc/langdef.md#syntax) as cel-go reads it:
longest match first, escapes checked inside strings. Characters that begin no token are reported and skipped, with the text that an
ANTLR lexer would name: everything from the token's start up to and including the character it could not use.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum, auto
from typing import Final

from policies.cel import errors
from policies.cel.errors import Issues


class Kind(Enum):
    """The kinds of tokens that aren't their own text."""

    IDENTIFIER = auto()
    ESCAPED_IDENTIFIER = auto()
    INT = auto()
    UINT = auto()
    FLOAT = auto()
    STRING = auto()
    BYTES = auto()
    SYMBOL = auto()
    END = auto()


@dataclass(slots=True)
class Token:
    """A piece of the text; the words true, false, null and in are symbols."""

    kind: Kind
    text: str
    offset: int

    def is_symbol(self, *texts: str) -> bool:
        """Whether this is one of these symbols."""
        return self.kind is Kind.SYMBOL and self.text in texts


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
_TOKEN: Final = re.compile(
    rf"""(?P<space>[\t \r\n\f]+|//[^\n]*)
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
    "bytes": Kind.BYTES,
    "string": Kind.STRING,
    "float": Kind.FLOAT,
    "uint": Kind.UINT,
    "int": Kind.INT,
    "identifier": Kind.IDENTIFIER,
    "escaped": Kind.ESCAPED_IDENTIFIER,
    "symbol": Kind.SYMBOL,
}
_WORDS: Final = frozenset({"true", "false", "null", "in"})


def tokens(text: str, issues: Issues) -> list[Token]:
    """The tokens of `text`, the last one being the end; spaces and comments are left out."""
    found: list[Token] = []
    position = 0
    while position < len(text):
        match = _TOKEN.match(text, position)
        if match is None:
            position = _skip(text, position, issues)
            continue
        group = match.lastgroup
        if group is not None and group != "space":
            kind = _KINDS[group]
            word = match.group()
            found.append(Token(Kind.SYMBOL if word in _WORDS else kind, word, position))
        position = match.end()
    found.append(Token(Kind.END, "<EOF>", len(text)))
    return found


def _skip(text: str, start: int, issues: Issues) -> int:
    """Report what begins no token at `start`; where to go on."""
    reached = _reach(text, start)
    issues.report(start, errors.unrecognised(text[start : reached + 1]))
    return reached + 1


#: An escape that isn't whole.
_PART: Final = r"\\(?:[0-3][0-7]?|[xX][0-9a-fA-F]?|u[0-9a-fA-F]{0,3}|U[0-9a-fA-F]{0,7})?"
_OPEN_STRING: Final = re.compile(rf"""["'](?:{_ESCAPE}|[^\\\n\r])*(?:{_PART})?""")


def _reach(text: str, start: int) -> int:
    """The index of the first character that no longer fits what began at `start`."""
    if text[start] in "\"'":
        match = _OPEN_STRING.match(text, start)
        return match.end() if match else start
    if text[start] in "=&|" and start + 1 < len(text):
        return start + 1
    return start
