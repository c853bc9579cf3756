"""The patterns of an ignore file, or of an option, matched in one pass; the last one that matches decides (gitignore(5))."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from weighbridge.policies.ground.records import dataclass
from weighbridge.webhook.selection.wildmatch import translated


@dataclass(frozen=True, slots=True)
class Pattern:
    """One line: its expression, whether it excludes (else it includes again), and its number."""

    expression: str
    leaves_out: bool
    line: int


class Patterns:
    """Patterns in their order."""

    def __init__(self, patterns: Sequence[Pattern]) -> None:
        self._patterns = patterns
        self._matching: Callable[[bytes], Sequence[int]] | None = None

    def last_match(self, path: bytes) -> Pattern | None:
        """The pattern that decides about a path; `None` if none matches."""
        found = self._matches(path)
        return self._patterns[max(found)] if found else None

    def without_those_of(self, folders: Iterable[bytes]) -> Patterns:
        """The patterns that don't exclude any of these folders."""
        gone = {number for folder in folders for number in self._matches(folder) if self._patterns[number].leaves_out}
        return Patterns([pattern for number, pattern in enumerate(self._patterns) if number not in gone]) if gone else self

    def _matches(self, path: bytes) -> Sequence[int]:
        if not self._patterns:
            return ()
        if self._matching is None:
            from weighbridge.policies.schema.patterns import matching

            self._matching = matching([pattern.expression for pattern in self._patterns])
        return self._matching(path)


def patterns_of(data: bytes) -> Patterns:
    """The patterns of a text, one a line; as in Git, a line that isn't a pattern is ignored."""
    lines = data.removeprefix(b"\xef\xbb\xbf").split(b"\n")
    found = ((number, translated(line)) for number, line in enumerate(lines, 1))
    return Patterns([Pattern(*pattern, number) for number, pattern in found if pattern is not None])
