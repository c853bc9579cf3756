"""Reads JSON exactly like Go's decoder: texts that faster readers refuse, any depth that Go allows, and errors with Go's messages.

Bytes that aren't UTF-8 and lone surrogates become U+FFFD, the last of equal keys wins, a number too large for a float is an error, and
nesting may have 10,000 levels. Source: Go's encoding/json/{scanner,decode}.go, sigs.k8s.io/json.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from typing import Any, Final

from weighbridge.policies.ground.expressions import expression
from weighbridge.policies.ground.go_text import quote
from weighbridge.policies.ground.objects import JSONValue
from weighbridge.policies.ground.records import dataclass, field

MAX_DEPTH: Final = 10_000
#: Go's message if the text ends too early.
_END: Final = "unexpected end of JSON input"

_SPACE: Final = expression(rb"[ \t\r\n]*")
_STRING: Final = expression(rb'"[^"\\\x00-\x1f]*+(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\x00-\x1f]*+)*+"')
_NUMBER: Final = expression(rb"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?")
_LITERALS: Final[dict[int, tuple[bytes, JSONValue]]] = {
    ord("t"): (b"true", True),
    ord("f"): (b"false", False),
    ord("n"): (b"null", None),
}
_SURROGATE: Final = expression("[\ud800-\udfff]")
_QUOTE, _BACKSLASH = ord('"'), ord("\\")

#: Converts the text of a number.
ReadNumber = Callable[[str], "int | float"]


class JSONSyntaxError(ValueError):
    """The text isn't JSON. `offset` counts the bytes up to and including the wrong one; `is_cut` says that the text ends too early."""

    def __init__(self, message: str, offset: int, *, is_cut: bool = False) -> None:
        super().__init__(message)
        self.offset = offset
        self.is_cut = is_cut


class NumberOverflowError(ValueError):
    """A number is too large for a float; the message is Go's."""

    def __init__(self, text: str) -> None:
        super().__init__(f"json: cannot unmarshal number {text} into Go value of type float64")
        self.text = text


def go_number(text: str) -> int | float:
    """A number as Kubernetes keeps it: an integer up to 64 bits, else a float. Raises NumberOverflowError."""
    if text.lstrip("-").isdecimal() and len(text) < 32:
        whole = int(text)
        if -(1 << 63) <= whole < 1 << 63:
            return whole
    value = float(text)
    if math.isinf(value):
        raise NumberOverflowError(text)
    return value


@dataclass(frozen=True, slots=True)
class JSONRead:
    """A value, the offset of its end, and whether a map in it had two equal keys."""

    value: JSONValue
    end: int
    has_duplicates: bool


def read_json_value(data: bytes, start: int = 0, *, read_number: ReadNumber = go_number) -> JSONRead:
    """Read the value that begins at or after an offset, whatever follows it. Raises JSONSyntaxError and NumberOverflowError."""
    return _Reader(data, start, read_number).read()


def read_json_text(data: bytes) -> JSONValue:
    """Read a text that is one JSON value. Raises JSONSyntaxError, also for anything after the value, and NumberOverflowError."""
    overflow: NumberOverflowError | None = None

    def read_number(text: str) -> int | float:
        # Syntax errors take precedence, wherever they are.
        nonlocal overflow
        try:
            return go_number(text)
        except NumberOverflowError as error:
            overflow = overflow or error
            return 0

    found = read_json_value(data, read_number=read_number)
    rest = _skip_space(data, found.end)
    if rest < len(data):
        raise _wrong(data, rest, "after top-level value")
    if overflow is not None:
        raise overflow
    return found.value


@dataclass(slots=True)
class _Level:
    """A map or list that is being read; in a map, the key whose value comes next."""

    container: Any
    key: str = ""


@dataclass(slots=True)
class _Reader:
    """Reads one value. An instance is used once."""

    data: bytes
    at: int
    read_number: ReadNumber
    has_duplicates: bool = False
    stack: list[_Level] = field(default_factory=list)

    def read(self) -> JSONRead:
        root: list[JSONValue] = []
        self._value(root)
        while self.stack:
            level = self.stack[-1]
            self.at = _skip_space(self.data, self.at)
            if isinstance(level.container, dict):
                self._next_field(level)
            else:
                self._next_item(level)
        return JSONRead(root[0], self.at, self.has_duplicates)

    def _next_field(self, level: _Level) -> None:
        sign = self._sign()
        if sign == "}":
            self._close()
            return
        if level.container:
            if sign != ",":
                raise _wrong(self.data, self.at, "after object key:value pair")
            self.at = _skip_space(self.data, self.at + 1)
            sign = self._sign()
        if sign != '"':
            raise _wrong(self.data, self.at, "looking for beginning of object key string")
        level.key = self._string()
        self.has_duplicates = self.has_duplicates or level.key in level.container
        self.at = _skip_space(self.data, self.at)
        if self._sign() != ":":
            raise _wrong(self.data, self.at, "after object key")
        self.at += 1
        self._value(level)

    def _next_item(self, level: _Level) -> None:
        sign = self._sign()
        if sign == "]":
            self._close()
            return
        if level.container:
            if sign != ",":
                raise _wrong(self.data, self.at, "after array element")
            self.at += 1
        self._value(level)

    def _close(self) -> None:
        self.stack.pop()
        self.at += 1

    def _sign(self) -> str:
        return chr(self.data[self.at]) if self.at < len(self.data) else ""

    def _value(self, holder: _Level | list[JSONValue]) -> None:
        self.at = _skip_space(self.data, self.at)
        sign = self._sign()
        value: JSONValue
        if sign in {"{", "["}:
            value = {} if sign == "{" else []
            if len(self.stack) >= MAX_DEPTH:
                raise _wrong(self.data, self.at, "exceeded max depth")
            self.stack.append(_Level(value))
            self.at += 1
        elif sign == '"':
            value = self._string()
        elif sign and sign in "-0123456789":
            value = self._number()
        else:
            value = self._literal()
        if isinstance(holder, list):
            holder.append(value)
        elif isinstance(holder.container, dict):
            holder.container[holder.key] = value
        else:
            holder.container.append(value)

    def _string(self) -> str:
        match = _STRING.match(self.data, self.at)
        if match is None:
            raise _broken_string(self.data, self.at)
        self.at = match.end()
        # Each byte that isn't UTF-8 becomes one U+FFFD.
        text = match[0].decode(errors="surrogateescape")
        text = json.loads(text) if "\\" in text else text[1:-1]
        return text if text.isascii() else _SURROGATE.sub("\ufffd", text)

    def _number(self) -> int | float:
        match = _NUMBER.match(self.data, self.at)
        if match is None:
            raise _wrong(self.data, self.at + 1, "in numeric literal")
        after = self.data[match.end() : match.end() + 2]
        if after[:1] == b"." and b"." not in match[0] and b"e" not in match[0].lower():
            raise _wrong(self.data, match.end() + 1, "after decimal point in numeric literal")
        if after[:1] in {b"e", b"E"} and b"e" not in match[0].lower():
            raise _wrong(self.data, match.end() + 1 + (after[1:] in {b"+", b"-"}), "in exponent of numeric literal")
        self.at = match.end()
        return self.read_number(match[0].decode())

    def _literal(self) -> JSONValue:
        word, value = _LITERALS.get(self.data[self.at] if self.at < len(self.data) else 0, (b"", None))
        if not word:
            raise _wrong(self.data, self.at, "looking for beginning of value")
        for index in range(1, len(word)):
            if self.data[self.at + index : self.at + index + 1] != word[index : index + 1]:
                raise _wrong(self.data, self.at + index, f"in literal {word.decode()} (expecting '{chr(word[index])}')", ends_in_space=True)
        self.at += len(word)
        return value


def _skip_space(data: bytes, at: int) -> int:
    match = _SPACE.match(data, at)
    return at if match is None else match.end()


def _wrong(data: bytes, at: int, context: str, *, ends_in_space: bool | None = None) -> JSONSyntaxError:
    """The error at an offset. At the end of a text, Go tries a space, which inside a word or number is itself the wrong character."""
    if at < len(data):
        return JSONSyntaxError(f"invalid character {_shown(data[at])} {context}", at + 1)
    in_token = "literal" in context or "escape" in context if ends_in_space is None else ends_in_space
    return JSONSyntaxError(f"invalid character ' ' {context}" if in_token else _END, len(data), is_cut=True)


def _broken_string(data: bytes, start: int) -> JSONSyntaxError:
    at = start + 1
    while at < len(data) and data[at] != _QUOTE:
        if data[at] < 0x20:
            return _wrong(data, at, "in string literal")
        if data[at] == _BACKSLASH:
            at += 1
            if data[at : at + 1] not in {bytes([char]) for char in b'"\\/bfnrtu'}:
                return _wrong(data, at, "in string escape code")
            if data[at : at + 1] == b"u":
                for _ in range(4):
                    at += 1
                    if data[at : at + 1] not in {bytes([char]) for char in b"0123456789abcdefABCDEF"}:
                        return _wrong(data, at, r"in \u hexadecimal character escape")
        at += 1
    return JSONSyntaxError(_END, len(data), is_cut=True)


def _shown(byte: int) -> str:
    """A byte as in Go's messages: shown by itself, not as part of a character."""
    if byte == _QUOTE:
        return "'\"'"
    return r"'\''" if byte == ord("'") else f"'{quote(chr(byte))[1:-1]}'"
