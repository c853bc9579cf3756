"""The patterns of an ignore file, or of an option, matched in one pass; the last one that matches decides (gitignore(5))."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from weighbridge.policies.ground.records import dataclass
from weighbridge.webhook.selection.wildmatch import translated


@dataclass(frozen=True, slots=True)
class Pattern:
    """One line: the expression that it means, whether it leaves out (else it takes in again), and its number."""

    expression: str
    leaves_out: bool
    line: int


class Patterns:
    """Patterns in their order."""

    def __init__(self, patterns: Sequence[Pattern]) -> None:
        self._patterns = patterns
        self._set: Any = None

    def last_match(self, path: bytes) -> Pattern | None:
        """The pattern that decides on a path; `None` if none speaks of it."""
        if not self._patterns:
            return None
        if self._set is None:
            self._set = _compiled(self._patterns)
        found = self._set.Match(path)
        return self._patterns[max(found)] if found else None

    def without_those_of(self, folders: Iterable[bytes]) -> Patterns:
        """The patterns that leave out none of some folders."""
        left = list(self._patterns)
        for folder in folders:
            matching = (_compiled(left).Match(folder) or ()) if left else ()
            left = [pattern for number, pattern in enumerate(left) if number not in matching or not pattern.leaves_out]
        return Patterns(left)


def _compiled(patterns: Sequence[Pattern]) -> Any:
    import re2

    options = re2.Options()
    options.encoding = re2.Options.Encoding.LATIN1
    options.log_errors = False
    found = re2.Set.SearchSet(options)
    for pattern in patterns:
        found.Add(pattern.expression)
    found.Compile()
    return found


def patterns_of(data: bytes) -> Patterns:
    """The patterns of a text, one a line; a line that is no pattern means nothing, as for Git."""
    lines = data.removeprefix(b"\xef\xbb\xbf").split(b"\n")
    found = ((number, translated(line)) for number, line in enumerate(lines, 1))
    return Patterns([Pattern(*pattern, number) for number, pattern in found if pattern is not None])
