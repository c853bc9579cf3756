r"""Lines of ignore files as expressions of RE2, which match what Git matches.

A path is matched as bytes, relative to the folder of the file, and with a null byte at its end if it is a folder. A search goes down folder
by folder and doesn't enter excluded folders, so an expression matches only the path itself, not paths below it. The library `pathspec`
matches paths below a folder too, so that a folder can't be included again. Source: git 2.47, dir.c (add_patterns_from_buffer,
parse_path_pattern) and wildmatch.c.
"""

from __future__ import annotations

import string
from typing import Final

_CLASSES: Final = {
    b"alnum": string.ascii_letters + string.digits,
    b"alpha": string.ascii_letters,
    b"blank": " \t",
    b"cntrl": "".join(map(chr, (*range(32), 127))),
    b"digit": string.digits,
    b"graph": string.ascii_letters + string.digits + string.punctuation,
    b"lower": string.ascii_lowercase,
    b"print": string.ascii_letters + string.digits + string.punctuation + " ",
    b"punct": string.punctuation,
    b"space": string.whitespace,
    b"upper": string.ascii_uppercase,
    b"xdigit": string.hexdigits,
}
_SLASH: Final = ord("/")
#: The end of a folder's path.
FOLDER: Final = b"\0"


class _UnfinishedError(ValueError):
    """A line matches nothing, for example because it ends within a bracket."""


def translated(line: bytes) -> tuple[str, bool] | None:
    """The expression of a line, and whether it excludes (else it includes again); `None` if it matches nothing."""
    pattern = _without_spaces(line.removesuffix(b"\r"))
    if not pattern or pattern.startswith(b"#"):
        return None
    leaves_out = not pattern.startswith(b"!")
    pattern = pattern.removeprefix(b"!")
    is_folder = pattern.endswith(b"/")
    pattern = pattern[: len(pattern) - is_folder]
    if not pattern:
        return None
    is_name = b"/" not in pattern
    try:
        text = _expression(pattern.removeprefix(b"/"), is_name=is_name)
    except _UnfinishedError:
        return None
    end = r"\x00" if is_folder else r"\x00?"
    return rf"(?s)\A{'(?:.*/)?' * is_name}{text}{end}\z", leaves_out


def _without_spaces(line: bytes) -> bytes:
    """A line without trailing spaces, except one that a backslash escapes."""
    end = len(line)
    while end and line[end - 1 : end] == b" ":
        end -= 1
    backslashes = end - len(line[:end].rstrip(b"\\"))
    return line[: end + 1] if backslashes % 2 and end < len(line) else line[:end]


def _expression(pattern: bytes, *, is_name: bool) -> str:
    """The expression of a pattern without slashes at its ends; in the pattern of a name a star matches everything."""
    out, at = [], 0
    while at < len(pattern):
        sign = pattern[at : at + 1]
        if sign == b"*":
            text, at = _stars(pattern, at, is_name=is_name)
        elif sign == b"?":
            text, at = r"[^/\x00]", at + 1
        elif sign == b"[":
            members, at = _bracket(pattern, at + 1)
            text = f"[{''.join(map(_byte, sorted(members)))}]"
        else:
            at += sign == b"\\"
            if at == len(pattern):
                raise _UnfinishedError
            text, at = _byte(pattern[at]), at + 1
        out.append(text)
    return "".join(out)


def _byte(value: int) -> str:
    return f"\\x{value:02x}"


def _stars(pattern: bytes, at: int, *, is_name: bool) -> tuple[str, int]:
    """The expression of one or more stars: two alone between slashes match folders, others match text without a slash."""
    end = at
    while pattern[end : end + 1] == b"*":
        end += 1
    rest = pattern[end:]
    if is_name or end - at < 2 or (at and pattern[at - 1] != _SLASH) or not (not rest or rest.startswith((b"/", b"\\/"))):
        return "[^/]*", end
    return ("(?:.*/)?", end + 1) if rest.startswith(b"/") else (".*", end)


def _bracket(pattern: bytes, at: int) -> tuple[set[int], int]:
    """The bytes that a bracket matches, never a slash, and where the pattern continues."""
    is_negated = pattern[at : at + 1] in {b"!", b"^"}
    at += is_negated
    found: set[int] = set()
    before, is_first = 0, True
    while is_first or pattern[at : at + 1] != b"]":
        is_first = False
        one, at, is_literal = _member(pattern, at)
        if is_literal and one == {ord("-")} and before and pattern[at : at + 1] not in {b"", b"]"}:
            end, at = _escaped(pattern, at)
            found.update(range(before, end + 1))
            before = 0
            continue
        found |= one
        before = min(one) if len(one) == 1 else 0
    members = (set(range(1, 256)) - found if is_negated else found) - {_SLASH}
    if not members:
        raise _UnfinishedError
    return members, at + 1


def _member(pattern: bytes, at: int) -> tuple[set[int], int, bool]:
    """One member of a bracket, where the next one is, and whether it is written without a backslash."""
    if pattern[at : at + 2] == b"[:":
        end = pattern.find(b"]", at + 2)
        if end < 0:
            raise _UnfinishedError
        if pattern[end - 1 : end] == b":" and end > at + 2:
            name = pattern[at + 2 : end - 1]
            if name not in _CLASSES:
                raise _UnfinishedError
            return set(_CLASSES[name].encode()), end + 1, False
    value, after = _escaped(pattern, at)
    return {value}, after, after == at + 1


def _escaped(pattern: bytes, at: int) -> tuple[int, int]:
    """A byte of a bracket, and where the next one is."""
    at += pattern[at : at + 1] == b"\\"
    if at >= len(pattern):
        raise _UnfinishedError
    return pattern[at], at + 1
