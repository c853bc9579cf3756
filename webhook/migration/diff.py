"""Two texts of a file as a unified diff that `git apply` and `patch` accept, exact to the byte for any text."""

from __future__ import annotations

import difflib
import os
from collections.abc import Iterable, Iterator, Sequence
from typing import Final, Literal, TypeAlias

from weighbridge.policies.ground.records import dataclass
from weighbridge.webhook.migration.editor import Piece

#: The escapes of a name in quotes, as in git. Other unprintable characters are octal.
_ESCAPES: Final = {ord('"'): '\\"', ord("\\"): "\\\\", ord("\n"): "\\n", ord("\t"): "\\t", ord("\r"): "\\r"}
_Opcode: TypeAlias = tuple[Literal["replace", "delete", "insert", "equal"], int, int, int, int]
_UNENDED: Final = "\n\\ No newline at end of file\n"


@dataclass(frozen=True, slots=True)
class Lines:
    """A range of lines in the old text, and its replacement in the new text; counted from 0, without the ends."""

    start: int
    end: int
    new_start: int
    new_end: int


def changed_lines(text: str, pieces: Sequence[Piece]) -> list[Lines]:
    """The ranges of lines that pieces of a text change, in the same order."""
    found: list[Lines] = []
    line = done = more = 0
    for piece in pieces:
        line, done = line + text.count("\n", done, piece.start), piece.start
        start, new_start = line, line + more
        line, done = line + text.count("\n", done, piece.end), piece.end
        more += piece.text.count("\n") - (line - start)
        if found and start <= found[-1].end:
            start, new_start = found[-1].start, found[-1].new_start
            found.pop()
        found.append(Lines(start, line + 1, new_start, line + more + 1))
    return found


def unified(before: str, after: str, path: str, changed: Sequence[Lines]) -> Iterator[str]:
    """The lines of the diff, each with its line feed; none if the texts are equal.

    Only `changed` is compared, since difflib's time grows with the square of the lines.
    """
    if before == after:
        return
    old, new, name = _lines(before), _lines(after), _below_here(path)
    yield f"--- {_header(f'a/{name}')}\n"
    yield f"+++ {_header(f'b/{name}')}\n"
    for group in _Known(_opcodes(old, new, changed)).get_grouped_opcodes():
        (_, start, _, new_start, _), (_, _, end, _, new_end) = group[0], group[-1]
        yield f"@@ -{_stretch(start, end)} +{_stretch(new_start, new_end)} @@\n"
        for tag, first, last, new_first, new_last in group:
            if tag == "equal":
                yield from (_ended(f" {line}") for line in old[first:last])
            else:
                yield from (_ended(f"-{line}") for line in old[first:last])
                yield from (_ended(f"+{line}") for line in new[new_first:new_last])


class _Known(difflib.SequenceMatcher[str]):
    """Gives difflib's grouping the known differences."""

    def __init__(self, opcodes: Iterable[_Opcode]) -> None:
        super().__init__()
        self._known = list(opcodes)

    def get_opcodes(self) -> list[_Opcode]:
        """The given differences."""
        return self._known


def _opcodes(old: Sequence[str], new: Sequence[str], changed: Sequence[Lines]) -> Iterator[_Opcode]:
    """difflib's result for the changed lines, with the other lines as equal; equal ranges are joined."""
    done = new_done = 0
    for lines in changed:
        matcher = difflib.SequenceMatcher(None, old[lines.start : lines.end], new[lines.new_start : lines.new_end])
        for tag, first, last, new_first, new_last in matcher.get_opcodes():
            if tag == "equal":
                continue
            start, new_start = lines.start + first, lines.new_start + new_first
            if start > done:
                yield "equal", done, start, new_done, new_start
            done, new_done = lines.start + last, lines.new_start + new_last
            yield tag, start, done, new_start, new_done
    if done < len(old):
        yield "equal", done, len(old), new_done, len(new)


def _stretch(start: int, end: int) -> str:
    """A range of lines as a diff counts it: from 1, and an empty range from the line before it."""
    length = end - start
    return f"{start + 1 if length else start}{'' if length == 1 else f',{length}'}"


def _ended(line: str) -> str:
    return line if line.endswith("\n") else f"{line}{_UNENDED}"


def _lines(text: str) -> list[str]:
    """The lines with their line feeds. Other line ends of YAML don't count in diffs."""
    lines = [f"{line}\n" for line in text.split("\n")]
    last = lines.pop().removesuffix("\n")
    return [*lines, last] if last else lines


def _below_here(path: str) -> str:
    """The file's name relative to the working directory, or from the root if it is elsewhere; for a link, that of its target."""
    if not os.path.isfile(path):
        return path.lstrip("/")
    real = os.path.realpath(path)
    near = os.path.relpath(real, os.path.realpath(os.curdir))
    return real.lstrip("/") if near.startswith(f"{os.pardir}{os.sep}") else near


def _header(name: str) -> str:
    """A name in the form of the diff's first lines: quoted if needed, and with a tab at the end if it has a space."""
    data = os.fsencode(name)
    if any(byte < 0x20 or byte == 0x7F or byte in b'"\\' for byte in data) or name.encode(errors="surrogateescape") != _utf8(data):
        return f'"{"".join(map(_quoted, data))}"'
    return f"{name}\t" if " " in name else name


def _utf8(data: bytes) -> bytes:
    """The text's bytes, as far as they are UTF-8."""
    return data.decode(errors="ignore").encode()


def _quoted(byte: int) -> str:
    if byte in _ESCAPES:
        return _ESCAPES[byte]
    return chr(byte) if 0x20 <= byte < 0x7F else f"\\{byte:03o}"
