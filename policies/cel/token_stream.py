"""The tokens of one text, read one after the other, with the recovery from errors that an ANTLR parser has.

Where a token is missing, one extraneous token is dropped if the wanted one follows; else the wanted one is taken for granted if what is
there could stand after it; else reading goes on at the next token that can stand after an expression. Between an error and the next token
taken no further error is reported.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from policies.cel import errors
from policies.cel.errors import Issues
from policies.cel.lexer import Kind, Token

#: What may come after an operand, whatever it stands in.
_AFTER_OPERAND: Final = frozenset(
    {"<", "<=", ">", ">=", "==", "!=", "in", "+", "-", "*", "/", "%", "||", "&&", "?", ".", "["},
)  # fmt: skip
#: What an expression can begin with.
STARTS: Final = frozenset({"[", "{", "(", ".", "-", "!", "true", "false", "null"})
#: What may come after an expression: where reading goes on after an error.
_FOLLOW: Final = frozenset(
    {
        "<", "<=", ">", ">=", "==", "!=", "in", "+", "-", "*", "/", "%", "||", "&&", "?", ":", ",", ")", "]", "}", ".", "[",
    },
)  # fmt: skip


class TokenStream:
    """The tokens and how far reading has come; the last one is of the kind END and never taken."""

    def __init__(self, found: list[Token], issues: Issues) -> None:
        self._tokens = found
        self._next = 0
        self._issues = issues
        #: Whether an error has been reported, and no token taken since.
        self.is_recovering = False
        #: Whether any error has been reported.
        self.has_failed = False
        self._closers: list[frozenset[str]] = [frozenset()]

    @property
    def current(self) -> Token:
        """The token to be read next."""
        return self._tokens[self._next]

    def peek(self) -> Token:
        """The token after the current one, or the end."""
        return self._tokens[min(self._next + 1, len(self._tokens) - 1)]

    def take(self) -> Token:
        """Read the current token."""
        token = self.current
        if token.kind is not Kind.END:
            self._next += 1
        self.is_recovering = False
        return token

    def since_last(self, token: Token) -> str:
        """The text from the token just read up to and with the current one, which is `token`."""
        last = self._tokens[self._next - 1]
        if token.kind is Kind.END:
            return last.text
        return last.text + " " * (token.offset - last.offset - len(last.text)) + token.text

    def drop(self) -> None:
        """Skip the current token as part of an error; it must not be the end."""
        self._next += 1

    def syntax_error(self, token: Token, message: str) -> None:
        """Report an error at a token, unless one has just been reported."""
        if not self.is_recovering:
            self._issues.report(token.offset, message)
        self.is_recovering = self.has_failed = True

    def recover(self) -> None:
        """Skip to what can stand after an expression."""
        while self.current.kind is not Kind.END and not self.current.is_symbol(*_FOLLOW):
            self._next += 1

    @contextmanager
    def inside(self, *closers: str) -> Iterator[None]:
        """Reading an expression which one of `closers` ends."""
        self._closers.append(frozenset(closers))
        yield
        self._closers.pop()

    def begins_expression(self, token: Token) -> bool:
        """Whether an expression can begin with a token."""
        return token.is_symbol(*STARTS) or token.kind not in (Kind.SYMBOL, Kind.END, Kind.ESCAPED_IDENTIFIER)

    def _can_follow(self, symbol: str, token: Token) -> bool:
        """Whether a token can stand after `symbol`, given what is being read."""
        if symbol == ":":
            return self.begins_expression(token)
        closers = self._closers[-1]
        return token.is_symbol(*_AFTER_OPERAND, *closers) or (token.kind is Kind.END and not closers)

    def expect(self, symbol: str, wanted: str = "") -> Token | None:
        """Take `symbol`; where it is missing, report it, go on as well as possible, and return it only if it was found after all.

        `wanted` is the text of what could stand there, where that is more than the symbol; then nothing is taken for granted.
        """
        token = self.current
        if token.is_symbol(symbol):
            return self.take()
        listed = wanted or f"'{symbol}'"
        if self.peek().is_symbol(symbol) and token.kind is not Kind.END:
            self.syntax_error(token, errors.wanted_token(token.text, listed, extraneous=True))
            self._next += 1
            return self.take()
        if not wanted and self._can_follow(symbol, token):
            self.syntax_error(token, errors.missing_token(token.text, listed))
            return None
        self.syntax_error(token, errors.wanted_token(token.text, listed))
        self.recover()
        if self.current.is_symbol(symbol):
            return self.take()
        return None

    def message_name(self, first: str) -> str | None:
        """The dotted name before a ``{``, `first` being read already; taken only where a message literal follows."""
        ahead = self._next
        parts = [first]
        while self._tokens[ahead].is_symbol(".") and self._tokens[ahead + 1].kind is Kind.IDENTIFIER:
            parts.append(self._tokens[ahead + 1].text)
            ahead += 2
        if not self._tokens[ahead].is_symbol("{"):
            return None
        self._next = ahead
        return ".".join(parts)
