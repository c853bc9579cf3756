"""The position of the first error in a base64 text, as Go's decoder reports it.

Source: Go 1.26, encoding/base64, StdEncoding and URLEncoding: with padding, line breaks anywhere.
"""

from __future__ import annotations

from typing import Final

_LETTERS_AND_DIGITS: Final = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
#: The characters of the usual encoding, and of the one for URLs and file names.
STANDARD: Final = frozenset(_LETTERS_AND_DIGITS + b"+/")
URL_SAFE: Final = frozenset(_LETTERS_AND_DIGITS + b"-_")
_BREAKS: Final = frozenset(b"\r\n")
_PADDING: Final = ord("=")
#: Four characters make three bytes.
_QUANTUM: Final = 4


def base64_fault(text: str, alphabet: frozenset[int] = STANDARD) -> int | None:
    """The position of the first fault, in bytes; `None` if there is none."""
    # Line breaks are skipped but count in positions. The fault of an incomplete quantum at the end is placed by its number of characters,
    # without breaks.
    data = text.encode("utf-8", "surrogatepass")
    held = 0
    for index, char in enumerate(data):
        if char in alphabet:
            held = (held + 1) % _QUANTUM
        elif char == _PADDING:
            return _padding_fault(data, index, held)
        elif char not in _BREAKS:
            return index
    return len(data) - held if held else None


def _padding_fault(data: bytes, index: int, held: int) -> int | None:
    """The position of the first fault from the first padding on; `held` is the number of characters in that quantum."""
    if held < _QUANTUM - 2:
        return index
    after = _next(data, index + 1)
    if held == _QUANTUM - 2:
        if after == len(data):
            return after
        if data[after] != _PADDING:
            return after - 1
        after = _next(data, after + 1)
    return after if after < len(data) else None


def _next(data: bytes, index: int) -> int:
    """The next position that isn't a line break."""
    while index < len(data) and data[index] in _BREAKS:
        index += 1
    return index
