"""Reads literals: numbers and their ranges, the quotes, raw prefixes and escapes of strings and bytes.

In a string `\\x`, `\\u`, `\\U` and octal escapes are code points; in bytes `\\x` and octal escapes are single bytes. Line breaks are
normalised to ``\\n`` first. Source: cel-go's `parser/unescape.go`, which follows GoogleSQL.
"""

from __future__ import annotations

import re
from typing import Final

from weighbridge.policies.cel.syntax import errors
from weighbridge.policies.cel.syntax.errors import Issues
from weighbridge.policies.cel.syntax.lexer import Token, TokenKind
from weighbridge.policies.cel.syntax.nodes import Expr, Literal, Missing
from weighbridge.policies.cel.values.values import Uint
from weighbridge.policies.ground.expressions import expression


class LiteralError(Exception):
    """A literal that can't be decoded; the text says why."""


_SIMPLE: Final = {
    "a": "\a", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v", "\\": "\\", "'": "'", '"': '"', "`": "`", "?": "?",
}  # fmt: skip
_ESCAPE: Final = expression(r"\\(?:([xX][0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8})|([0-3][0-7]{2})|(.))", re.DOTALL)


def _body(token: str) -> tuple[str, bool]:
    """The text between the quotes, and whether it is raw."""
    text = token.replace("\r\n", "\n").replace("\r", "\n")
    raw = text[0] in "rR"
    if raw:
        text = text[1:]
    quotes = 3 if len(text) >= 6 and text[:3] in ('"""', "'''") else 1
    return text[quotes:-quotes], raw


def string_value(token: str) -> str:
    """The value of a string literal; raises LiteralError for an escape that isn't a code point."""
    body, raw = _body(token)
    if raw or "\\" not in body:
        return body
    return _ESCAPE.sub(_character, body)


def _character(match: re.Match[str]) -> str:
    hexadecimal, octal, simple = match.groups()
    if simple is not None:
        return _SIMPLE[simple]
    code = int(hexadecimal[1:], 16) if hexadecimal else int(octal, 8)
    if code > 0x10FFFF or 0xD800 <= code <= 0xDFFF:
        raise LiteralError(errors.INVALID_CODE_POINT)
    return chr(code)


def bytes_value(token: str) -> bytes:
    """The value of a bytes literal (with its prefix); raises LiteralError for `\\u` and `\\U`."""
    body, raw = _body(token[1:])
    if raw or "\\" not in body:
        return body.encode("utf-8", "surrogatepass")
    out = bytearray()
    position = 0
    for match in _ESCAPE.finditer(body):
        out += body[position : match.start()].encode("utf-8", "surrogatepass")
        out += _byte(match)
        position = match.end()
    out += body[position:].encode("utf-8", "surrogatepass")
    return bytes(out)


def _byte(match: re.Match[str]) -> bytes:
    hexadecimal, octal, simple = match.groups()
    if simple is not None:
        return _SIMPLE[simple].encode()
    if hexadecimal and hexadecimal[0] in "uU":
        raise LiteralError(errors.ESCAPE_IN_BYTES)
    return bytes([int(hexadecimal[1:], 16) if hexadecimal else int(octal, 8)])


def read_literal(token: Token, sign: str, issues: Issues, start: int | None = None) -> Expr:
    """The node of a literal; `sign` and `start` are those of a minus before a number. Errors are reported."""
    offset = token.offset if start is None else start
    try:
        if token.kind is TokenKind.STRING:
            return Literal(offset, string_value(token.text))
        if token.kind is TokenKind.BYTES:
            return Literal(offset, bytes_value(token.text))
    except LiteralError as error:
        issues.report(offset, str(error))
        return Missing(offset)
    return _number(token, sign, offset, issues)


def _number(token: Token, sign: str, offset: int, issues: Issues) -> Expr:
    if token.kind is TokenKind.FLOAT:
        value = float(sign + token.text)
        if value in (float("inf"), float("-inf")):
            issues.report(offset, errors.invalid_literal("double"))
        return Literal(offset, value)
    text = token.text
    unsigned = token.kind is TokenKind.UINT
    digits = text[:-1] if unsigned else text
    significant = digits.removeprefix("0x").lstrip("0") or "0"
    number = int(sign + significant, 16 if digits.startswith("0x") else 10) if len(significant) < 100 else 1 << 70
    lowest, highest = (0, (1 << 64) - 1) if unsigned else (-(1 << 63), (1 << 63) - 1)
    if not lowest <= number <= highest:
        issues.report(offset, errors.invalid_literal("uint" if unsigned else "int"))
    return Literal(offset, Uint(number) if unsigned and number <= highest else number)
