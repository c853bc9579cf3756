"""Two texts of a file as a unified diff that `git apply` and `patch` take: to the byte, whatever stands in the text."""

from __future__ import annotations

import difflib
import os
from collections.abc import Iterator
from typing import Final

#: How a name is written between quotes, as git does. Others that aren't printable are octal.
_ESCAPES: Final = {ord('"'): '\\"', ord("\\"): "\\\\", ord("\n"): "\\n", ord("\t"): "\\t", ord("\r"): "\\r"}
_UNENDED: Final = "\n\\ No newline at end of file\n"


def unified(before: str, after: str, path: str) -> Iterator[str]:
    """The lines of the diff, each with its line feed; nothing where the texts are the same."""
    name = _below_here(path)
    for line in difflib.unified_diff(_lines(before), _lines(after), _header(f"a/{name}"), _header(f"b/{name}")):
        yield line if line.endswith("\n") else f"{line}{_UNENDED}"


def _lines(text: str) -> list[str]:
    """The lines with their line feeds. Whatever else YAML takes for a line's end is none to those who read diffs."""
    lines = [f"{line}\n" for line in text.split("\n")]
    last = lines.pop().removesuffix("\n")
    return [*lines, last] if last else lines


def _below_here(path: str) -> str:
    """The file's name seen from the working directory, or from the root where it stands elsewhere; that of what a link leads to."""
    if not os.path.isfile(path):
        return path.lstrip("/")
    real = os.path.realpath(path)
    near = os.path.relpath(real, os.path.realpath(os.curdir))
    return real.lstrip("/") if near.startswith(f"{os.pardir}{os.sep}") else near


def _header(name: str) -> str:
    """A name as it stands in the diff's first lines: quoted where it must be, and with a tab to end one that has a space."""
    data = os.fsencode(name)
    if any(byte < 0x20 or byte == 0x7F or byte in b'"\\' for byte in data) or name.encode(errors="surrogateescape") != _utf8(data):
        return f'"{"".join(map(_quoted, data))}"'
    return f"{name}\t" if " " in name else name


def _utf8(data: bytes) -> bytes:
    """The bytes as far as they are UTF-8."""
    return data.decode(errors="ignore").encode()


def _quoted(byte: int) -> str:
    if byte in _ESCAPES:
        return _ESCAPES[byte]
    return chr(byte) if 0x20 <= byte < 0x7F else f"\\{byte:03o}"
