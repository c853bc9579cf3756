"""The tokens of a well-formed text, read one after the other; the first that doesn't fit ends the reading."""

from __future__ import annotations

from weighbridge.policies.cel.syntax.lexer import Kind, Token


class NotPlainError(Exception):
    """The text isn't well formed, or nests too deeply to be read by recursive descent."""


class TokenStream:
    """The tokens and how far reading has come; the last one is of the kind END and never taken."""

    def __init__(self, found: list[Token]) -> None:
        self._tokens = found
        self._next = 0

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
        return token

    def takes(self, symbol: str) -> bool:
        """Read `symbol` if it is there."""
        found = self.current.is_symbol(symbol)
        if found:
            self._next += 1
        return found

    def expect(self, symbol: str) -> Token:
        """Read `symbol`; raises NotPlainError where it isn't there."""
        token = self.current
        if not token.is_symbol(symbol):
            raise NotPlainError
        self._next += 1
        return token

    def identifier(self) -> Token:
        """Read a name; raises NotPlainError where there is none."""
        token = self.current
        if token.kind is not Kind.IDENTIFIER:
            raise NotPlainError
        self._next += 1
        return token

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
