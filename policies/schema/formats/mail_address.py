"""One mail address in text, as Go's ``net/mail.ParseAddress`` reads RFC 5322: ``a@b.c``, ``A <a@b.c>``, ``"A" <a@b.c> (x)``.

The reader only accepts or refuses; it returns no parts. Characters beyond ASCII are letters (RFC 6532). Source: Go 1.26
``net/mail/message.go``.
"""

from __future__ import annotations

import re
from typing import Final

from weighbridge.policies.ground.expressions import expression
from weighbridge.policies.schema.formats.addresses import is_strict_ip

_SPACES: Final = expression(r"[ \t]*")
_ATOM: Final = expression(r"[^\x00-\x20\x7f()<>\[\]:;@\\,\"]+")
_QUOTED: Final = expression(r'"((?:[^\x00-\x08\x0a-\x1f\x7f"\\]|\\[^\x00-\x08\x0a-\x1f\x7f])*)"')
_DOMAIN_LITERAL: Final = expression(r"\[([^\x00-\x20\x7f\[\]\\]*)\]")
_ENCODED_WORD: Final = expression(r"=\?([^?]+)\?([^?])\?([^?]*)\?=")
_BASE64: Final = expression(r"(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?")
_QUOTED_PRINTABLE: Final = expression(r"(?:=[0-9a-fA-F]{2}|[\t\n\r\x20-<>-~])*")
_CHARSETS: Final = frozenset({"utf-8", "iso-8859-1", "us-ascii"})


class _UnreadableError(Exception):
    """The text isn't an address."""


def is_mail_address(text: str) -> bool:
    """Whether `text` is exactly one address, with or without a display name; a group counts if it holds one."""
    reader = _Reader(text)
    try:
        count = reader.address(in_group=False)
        reader.comments()
    except _UnreadableError:
        return False
    return reader.at_end and count == 1


def _is_foreign(word: str) -> bool:
    """Whether `word` is an RFC 2047 encoded word in a character set that the server doesn't read."""
    match = _ENCODED_WORD.fullmatch(word)
    if match is None or len(word.encode(errors="replace")) < 8:
        return False
    charset, encoding, text = match.groups()
    codec = {"b": _BASE64, "q": _QUOTED_PRINTABLE}.get(encoding.lower() if encoding.isascii() else "")
    return codec is not None and codec.fullmatch(text) is not None and charset.casefold() not in _CHARSETS


def _is_empty_encoded(word: str) -> bool:
    """Whether `word` is an encoded word without content, which doesn't count as a word of a phrase."""
    match = _ENCODED_WORD.fullmatch(word)
    return match is not None and match[2] in "bBqQ" and not match[3]


class _Reader:
    """A position in the text; each method reads one construct of the grammar or raises `_UnreadableError`."""

    __slots__ = ("at", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0

    @property
    def at_end(self) -> bool:
        return self.at >= len(self.text)

    @property
    def next(self) -> str:
        return self.text[self.at : self.at + 1]

    def _take(self, char: str) -> bool:
        found = self.next == char
        self.at += found
        return found

    def _match(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        match = pattern.match(self.text, self.at)
        if match is not None:
            self.at = match.end()
        return match

    def spaces(self) -> None:
        self._match(_SPACES)

    def address(self, *, in_group: bool) -> int:
        """Read an address or a group. Returns the number of its addresses."""
        self.spaces()
        if self.at_end:
            raise _UnreadableError
        start = self.at
        try:
            self._spec()
        except _UnreadableError:
            self.at = start
        else:
            self.spaces()
            if self.next == "(":
                self._display_comment()
            return 1
        if self.next != "<":
            self._phrase()
        self.spaces()
        if not in_group and self._take(":"):
            return self._group()
        if not self._take("<"):
            raise _UnreadableError
        self._spec()
        if not self._take(">"):
            raise _UnreadableError
        return 1

    def _group(self) -> int:
        self.spaces()
        if self._take(";"):
            self.comments()
            return 0
        count = 0
        while True:
            self.spaces()
            count += self.address(in_group=True)
            self.comments()
            if self._take(";"):
                self.comments()
                return count
            if not self._take(","):
                raise _UnreadableError

    def _spec(self) -> None:
        """``local@domain``."""
        self.spaces()
        if self.next == '"':
            quoted = self._match(_QUOTED)
            if quoted is None or not quoted[1]:
                raise _UnreadableError
        else:
            self._dot_atom()
        if not self._take("@"):
            raise _UnreadableError
        self.spaces()
        if self.next == "[":
            literal = self._match(_DOMAIN_LITERAL)
            if literal is None or not is_strict_ip(literal[1]):
                raise _UnreadableError
        else:
            self._dot_atom()

    def _dot_atom(self) -> None:
        atom = self._match(_ATOM)
        if atom is None or atom[0].startswith(".") or atom[0].endswith(".") or ".." in atom[0]:
            raise _UnreadableError

    def _phrase(self) -> None:
        """A display name: words, quoted strings and, after the first, comments. It ends before the first thing that can't be read."""
        plain, encoded = 0, False
        while True:
            if plain:
                self.comments()
            self.spaces()
            word = None if self.at_end else self._match(_QUOTED if self.next == '"' else _ATOM)
            if word is None:
                break
            if word[0].startswith('"'):
                plain += 1
            elif _is_foreign(word[0]):
                word = None
                break
            elif _ENCODED_WORD.fullmatch(word[0]):
                encoded = encoded or not _is_empty_encoded(word[0])
            else:
                plain += 1
        if not plain and not encoded and not self.at_end:
            raise _UnreadableError

    def comments(self) -> None:
        """Any number of comments in parentheses."""
        self.spaces()
        while self._take("("):
            self._comment()
            self.spaces()

    def _comment(self) -> str:
        """The rest of a comment whose parenthesis was taken; comments nest."""
        depth, kept = 1, []
        while not self.at_end and depth:
            if self.next == "\\" and self.at + 1 < len(self.text):
                self.at += 1
            elif self.next == "(":
                depth += 1
            elif self.next == ")":
                depth -= 1
            if depth:
                kept.append(self.next)
            self.at += 1
        if depth:
            raise _UnreadableError
        return "".join(kept)

    def _display_comment(self) -> None:
        """A comment after a bare address. The server takes it for the display name."""
        self._take("(")
        if any(map(_is_foreign, re.split(r"[ \t]+", self._comment()))):
            raise _UnreadableError
