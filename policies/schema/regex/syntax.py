"""Which RE2 patterns Python's `re` may run: parses a plain subset of the syntax and writes it anew.

A pattern is translated only if its meaning is certain (ASCII text, classes, groups, alternation, greedy or lazy repeats, ``^`` first and
``$`` last) and a backtracking search of it is certainly linear (`regex_ambiguity`). Everything else is left to RE2.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from weighbridge.policies.schema.regex.ambiguity import require_unambiguous
from weighbridge.policies.schema.regex.nodes import Chars, Choice, Node, NotPlainError, Repeat, Sequence

_DIGITS: Final = frozenset(map(ord, "0123456789"))
_WORD: Final = _DIGITS | frozenset(range(ord("a"), ord("z") + 1)) | frozenset(range(ord("A"), ord("Z") + 1)) | {ord("_")}
_SPACE: Final = frozenset(map(ord, "\t\n\f\r "))
#: ASCII, and one number that stands for every character beyond it.
_BEYOND: Final = 128
_ALL: Final = frozenset(range(_BEYOND + 1))
_CLASS_ESCAPES: Final = {"d": _DIGITS, "D": _ALL - _DIGITS, "w": _WORD, "W": _ALL - _WORD, "s": _SPACE, "S": _ALL - _SPACE}
_CONTROL_ESCAPES: Final = {"t": "\t", "n": "\n", "r": "\r", "f": "\f", "v": "\v", "a": "\a"}
_SPECIAL: Final = frozenset("\\.+*?()|[]{}^$")
_REPEATS: Final = {"*": (0, None), "+": (1, None), "?": (0, 1)}
_MAX_UNANCHORED: Final = 64
_MAX_PATTERN: Final = 1_000
_MAX_GROUPS: Final = 20


@dataclass(frozen=True, slots=True)
class Branch:
    """An alternative at the top, the only place where anchors may stand."""

    anchored: bool
    body: Node
    ended: bool


@dataclass(frozen=True, slots=True)
class Translation:
    """A pattern for `re` with the ASCII flag; one that is `anchored` can only match at the beginning."""

    text: str
    anchored: bool


def translate(pattern: str) -> Translation | None:
    """The pattern for Python's `re`, or `None` where RE2 must run it."""
    if not pattern.isascii() or len(pattern) > _MAX_PATTERN:
        return None
    try:
        branches = _Parser(pattern).top()
        anchored = all(branch.anchored for branch in branches)
        if not anchored:
            _require_bounded(branches)
        require_unambiguous([branch.body for branch in branches])
    except NotPlainError:
        return None
    return Translation("|".join(map(_write_branch, branches)), anchored)


class _Parser:
    """Recursive descent over the subset."""

    __slots__ = ("at", "depth", "pattern")

    def __init__(self, pattern: str) -> None:
        self.pattern = pattern
        self.at = 0
        self.depth = 0

    @property
    def next(self) -> str:
        return self.pattern[self.at : self.at + 1]

    def take(self, text: str) -> bool:
        """Step over `text` if it comes next."""
        found = self.pattern.startswith(text, self.at)
        self.at += len(text) * found
        return found

    def top(self) -> list[Branch]:
        """The whole pattern."""
        branches = [self._branch()]
        while self.take("|"):
            branches.append(self._branch())
        if self.at < len(self.pattern):
            raise NotPlainError
        return branches

    def _branch(self) -> Branch:
        anchored = self.take("^")
        body = self._sequence()
        return Branch(anchored, body, self.take("$"))

    def _sequence(self) -> Node:
        parts: list[Node] = []
        while self.next and self.next not in "|)$":
            parts.append(self._repeated(self._atom()))
        return Sequence(tuple(parts))

    def _atom(self) -> Node:
        if self.take("("):
            return self._group()
        if self.take("["):
            return Chars(self._class())
        if self.take("."):
            return Chars(_ALL - {ord("\n")})
        if self.take("\\"):
            return Chars(self._escape())
        if self.next in _SPECIAL:
            raise NotPlainError
        self.at += 1
        return Chars(frozenset({ord(self.pattern[self.at - 1])}))

    def _group(self) -> Node:
        if self.next == "?" and not self.take("?:"):
            raise NotPlainError
        self.depth += 1
        if self.depth > _MAX_GROUPS:
            raise NotPlainError
        branches = [self._sequence()]
        while self.take("|"):
            branches.append(self._sequence())
        if not self.take(")"):
            raise NotPlainError
        self.depth -= 1
        return branches[0] if len(branches) == 1 else Choice(tuple(branches))

    def _repeated(self, node: Node) -> Node:
        bounds = self._bounds()
        if bounds is None:
            return node
        # Whether a repeat is lazy changes what it captures, not whether it matches.
        self.take("?")
        if self.next in ("*", "+", "?", "{") and self.next:
            raise NotPlainError
        return Repeat(node, *bounds)

    def _bounds(self) -> tuple[int, int | None] | None:
        if self.next and self.next in _REPEATS:
            self.at += 1
            return _REPEATS[self.pattern[self.at - 1]]
        if not self.take("{"):
            return None
        least = self._number()
        most: int | None = least
        if self.take(","):
            most = None if self.next == "}" else self._number()
        if not self.take("}") or least > 1000 or (most is not None and not least <= most <= 1000):
            raise NotPlainError
        return least, most

    def _number(self) -> int:
        start = self.at
        while self.next and self.next in "0123456789":
            self.at += 1
        digits = self.pattern[start : self.at]
        if not 1 <= len(digits) <= 4 or (len(digits) > 1 and digits.startswith("0")):
            raise NotPlainError
        return int(digits)

    def _escape(self) -> frozenset[int]:
        char = self.next
        self.at += 1
        if char in _CLASS_ESCAPES:
            return _CLASS_ESCAPES[char]
        if char in _CONTROL_ESCAPES:
            return frozenset({ord(_CONTROL_ESCAPES[char])})
        if not char or char.isalnum() or char == "_" or not char.isprintable():
            raise NotPlainError
        return frozenset({ord(char)})

    def _class(self) -> frozenset[int]:
        negated = self.take("^")
        chars: frozenset[int] = frozenset()
        first = True
        while first or self.next != "]":
            if not self.next or self.pattern.startswith("[:", self.at):
                raise NotPlainError
            low = self._class_member(first=first)
            first = False
            if self.next == "-" and self.pattern[self.at + 1 : self.at + 2] != "]":
                self.at += 1
                low = self._range(low)
            chars |= low
        self.at += 1
        return _ALL - chars if negated else chars

    def _class_member(self, *, first: bool) -> frozenset[int]:
        if self.take("\\"):
            return self._escape()
        char = self.next
        # Go takes a hyphen for itself only at an end of the class; Perl's leniency in the middle isn't its own.
        if char == "-" and not first and self.pattern[self.at + 1 : self.at + 2] != "]":
            raise NotPlainError
        self.at += 1
        return frozenset({ord(char)})

    def _range(self, low: frozenset[int]) -> frozenset[int]:
        if not self.next or self.next == "[":
            raise NotPlainError
        high = self._class_member(first=True)
        if len(low) != 1 or len(high) != 1 or min(low) > min(high):
            raise NotPlainError
        return frozenset(range(min(low), min(high) + 1))


def _longest(node: Node) -> int:
    """How many characters `node` can match; raises where there is no limit."""
    match node:
        case Chars():
            return 1
        case Sequence(parts):
            return sum(map(_longest, parts))
        case Choice(branches):
            return max(map(_longest, branches))
        case Repeat(body, _, most):
            if most is None:
                raise NotPlainError
            return most * _longest(body)


def _require_bounded(branches: list[Branch]) -> None:
    """A search that may start anywhere must soon end."""
    if max(_longest(branch.body) for branch in branches) > _MAX_UNANCHORED:
        raise NotPlainError


def _write_branch(branch: Branch) -> str:
    start, end = (r"\A" if branch.anchored else ""), (r"\Z" if branch.ended else "")
    return f"{start}{_write(branch.body)}{end}"


def _write(node: Node) -> str:
    match node:
        case Chars(chars):
            return _write_chars(chars)
        case Sequence(parts):
            return "".join(map(_write, parts))
        case Choice(branches):
            return f"(?:{'|'.join(map(_write, branches))})"
        case Repeat(body, least, most):
            return f"(?:{_write(body)}){{{least},{'' if most is None else most}}}"


def _write_chars(chars: frozenset[int]) -> str:
    if not chars:
        return r"[^\x00-\U0010ffff]"
    negated = _BEYOND in chars
    members = sorted((_ALL - chars if negated else chars) - {_BEYOND})
    if negated and not members:
        return r"[\x00-\U0010ffff]"
    ranges: list[list[int]] = []
    for code in members:
        if ranges and ranges[-1][1] == code - 1:
            ranges[-1][1] = code
        else:
            ranges.append([code, code])
    if not negated and len(members) == 1:
        return rf"\x{members[0]:02x}"
    inner = "".join(rf"\x{low:02x}-\x{high:02x}" for low, high in ranges)
    return f"[{'^' if negated else ''}{inner}]"
