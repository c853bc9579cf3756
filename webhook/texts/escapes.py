r"""Makes text from any source safe to write: nothing in it can control a terminal, hide, reverse the writing direction or end a comment.

Characters that aren't printable (Unicode's control, format, separator, surrogate, private and unassigned ones, as in Go's `%q`) become
escapes: `\x1b`, `\u202e`. Every output format passes foreign text through this module. In JSON and YAML, the escapes are read back as the
original characters.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

#: Also allowed in a text of several lines.
_LINE_BREAK: Final = {ord("\n"): "\n"}


class _Escapes(dict[int, str]):
    """A table for `str.translate` that is filled in as characters are met."""

    def __init__(self, escape: Callable[[int], str], known: dict[int, str]) -> None:
        super().__init__(known)
        self._escape = escape

    def __missing__(self, code: int) -> str:
        char = chr(code)
        self[code] = char if char.isprintable() else self._escape(code)
        return self[code]


def _yaml_escape(code: int) -> str:
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def _text_escape(code: int) -> str:
    # A byte that isn't UTF-8, kept by `surrogateescape`.
    return _yaml_escape(code - 0xDC00 if 0xDC80 <= code <= 0xDCFF else code)


def _json_escape(code: int) -> str:
    units = chr(code).encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[at : at + 2].hex()}" for at in range(0, len(units), 2))


_TEXT: Final = _Escapes(_text_escape, {ord("\n"): r"\n", ord("\r"): r"\r", ord("\t"): " "})
_JSON: Final = _Escapes(_json_escape, _LINE_BREAK)
_YAML: Final = _Escapes(_yaml_escape, _LINE_BREAK)


def shown(text: str) -> str:
    """The text on one line, for a terminal or a comment. Unprintable characters are escaped; a tab becomes a space."""
    return text if text.isprintable() else text.translate(_TEXT)


def comment(text: str) -> Iterator[str]:
    """The text as lines of a comment in YAML or in a diff."""
    return (f"# {shown(line)}" for line in text.splitlines() or [""])


def in_json(text: str) -> str:
    """The JSON text with unprintable characters escaped; it is read as the same value."""
    return text if text.isprintable() else text.translate(_JSON)


def in_yaml(text: str) -> str:
    """The YAML text with unprintable characters escaped; strings that have any must be in double quotes."""
    return text if text.isprintable() else text.translate(_YAML)
