"""Regular expressions that Go and the RE2 library read differently.

Go and RE2 read a pattern from the left, and stop at the first error. So Go's own errors count only if RE2 accepts everything before them.
Source: Go's regexp/syntax/parse.go.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from weighbridge.policies.ground.expressions import expression
from weighbridge.policies.ground.records import dataclass
from weighbridge.policies.schema.pattern_errors import CAPTURE, ESCAPE, REPEAT_COUNT, go_error

#: The pieces of a pattern: a byte, a named group and a count are what Go and RE2 read differently. Literal text and
#: classes are pieces as wholes, because a group in them isn't one.
_PIECE: Final = expression(
    r"\\Q.*?(?:\\E|\Z)"
    r"|(?P<byte>\\C)"
    r"|\\[pP](?P<open>\{)[^}]*(?P<shut>\})?"
    r"|\\."
    r"|(?P<opened>\[)\^?\]?(?>\[:.*?:\]|\\.|[^\]\\])*+(?P<closed>\])?"
    r"|\((?P<group>\?P<(?=.)|\?<(?=.))(?P<name>[^>]*)(?P<end>>)?"
    r"|(?P<count>\{(?!0[0-9])(?P<least>[0-9]+)(?:,(?!0[0-9])(?P<most>[0-9]*))?\})",
    re.DOTALL,
)
_NAME: Final = expression(r"[A-Za-z0-9_]+")
_LARGEST: Final = 1000
#: Escapes that are errors. One that the pattern lacks is used.
_PROBES: Final = (r"\8", r"\9", r"\g", r"\h")


@dataclass(frozen=True, slots=True)
class Fault:
    """An error of Go's: what comes before it in the pattern, the words, and the piece that the error names."""

    before: str
    words: str
    piece: str

    @property
    def error(self) -> str:
        """Go's whole error."""
        return go_error(self.words, self.piece)

    @property
    def probe(self) -> str:
        """What comes before the error, and an escape that RE2 refuses. If RE2 names that escape, it accepts all that comes before it."""
        return self.before + self.probe_escape

    @property
    def probe_escape(self) -> str:
        """An escape that RE2 refuses and that isn't in the pattern."""
        return next((one for one in _PROBES if one not in self.before), _PROBES[-1])


def first_fault(pattern: str) -> Fault | None:
    """The first error of Go's that RE2 may not report."""
    for found in _pieces(pattern):
        if found["byte"]:
            return Fault(pattern[: found.start()], ESCAPE, found["byte"])
        if found["group"] and not (found["end"] and _NAME.fullmatch(found["name"])):
            piece = found[0] if found["end"] else pattern[found.start() :]
            return Fault(pattern[: found.start()], CAPTURE, piece)
        if found["count"] and _is_out_of_range(found["least"], found["most"]):
            return Fault(pattern[: found.start()], REPEAT_COUNT, found["count"])
    return None


def _is_out_of_range(least: str, most: str | None) -> bool:
    return any(len(bound) > len(str(_LARGEST)) or int(bound) > _LARGEST for bound in (least, most) if bound) or (
        bool(most) and int(least) > int(most or 0)
    )


def without_names(pattern: str) -> str:
    """The pattern with unnamed groups: in RE2 two groups may not have the same name."""
    copied, written = 0, []
    for found in _pieces(pattern):
        if found["group"]:
            written += [pattern[copied : found.start()], "("]
            copied = found.end()
    return "".join([*written, pattern[copied:]]) if written else pattern


def _pieces(pattern: str) -> Iterator[re.Match[str]]:
    for found in _PIECE.finditer(pattern):
        if (found["opened"] or found["open"]) and not (found["closed"] or found["shut"]):
            # The rest is inside a class that doesn't end.
            return
        yield found
