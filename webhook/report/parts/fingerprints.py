"""Identifies a finding from run to run, also after lines have moved.

GitHub recognizes an alert by a hash of the text from the beginning of its line on, and its upload action warns if a file has another hash
than the one it computes itself. So the same hash is computed here. Source: github/codeql-action v3, src/fingerprints.ts, hash.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Sequence
from typing import Final

from weighbridge.webhook.report.parts.entries import INPUT, Entry

_BLOCK: Final = 100
_FACTOR: Final = 37
_BITS: Final = (1 << 64) - 1
_END: Final = "\uffff"
_SKIPPED: Final = str.maketrans("", "", " \t")


class Identities:
    """The identity of each entry: file, object, rule and field; the message if it is about a text. Equal ones are numbered."""

    def __init__(self) -> None:
        self._seen: Counter[str] = Counter()

    def of(self, entry: Entry, path: str) -> str:
        """A digest that is unique in the run."""
        what = entry.message if entry.rule == INPUT else entry.field
        name = _digest(path, entry.rule, entry.object, what)
        self._seen[name] += 1
        return name if self._seen[name] == 1 else _digest(name, str(self._seen[name]))


def _digest(*parts: str) -> str:
    return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:32]


class LineHashes:
    """Computes GitHub's hashes. All entries of a file have to come in a row."""

    def __init__(self) -> None:
        self._lines: Sequence[str] = ()
        self._text = ""
        self._starts: list[int] = []
        self._numbers: list[int] = []

    def of(self, lines: Sequence[str], line: int) -> str:
        """The hash of a line (from 1), with the number of lines up to it that have the same hash; empty if the text isn't known."""
        if not 1 <= line <= len(lines):
            return ""
        if lines is not self._lines:
            self._take(lines)
        start = self._starts[line - 1]
        window = self._text[start : start + _BLOCK]
        value = 0
        for char in window:
            value = value * _FACTOR + ord(char)
        value = value * _FACTOR ** (_BLOCK - len(window)) & _BITS
        return f"{value:x}:{self._numbers[line - 1]}"

    def _take(self, lines: Sequence[str]) -> None:
        """Count the lines with the same next hundred characters: without spaces and tabs, and across line ends."""
        written = [_in_units(line.translate(_SKIPPED)) for line in lines]
        self._lines, self._text = lines, "\n".join(written) + _END
        self._starts, self._numbers = [], []
        seen: Counter[int] = Counter()
        start = 0
        for line in written:
            name = hash(self._text[start : start + _BLOCK])
            seen[name] += 1
            self._starts.append(start)
            self._numbers.append(seen[name])
            start += len(line) + 1


def _in_units(text: str) -> str:
    """The text with one character per UTF-16 code unit, as in JavaScript."""
    if text.isascii() or max(text) <= _END:
        return text
    data = text.encode("utf-16-le", "surrogatepass")
    return "".join(chr(data[at] | data[at + 1] << 8) for at in range(0, len(data), 2))
