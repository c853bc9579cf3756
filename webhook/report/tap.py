"""The Test Anything Protocol, version 13: a line for each test point (`points`), with a YAML block for its message and details.

The plan comes last, since each result is written at once.
"""

from __future__ import annotations

from typing import Final, TextIO

from weighbridge.policies.ground.expressions import expression
from weighbridge.webhook.report.parts.opening import Opening
from weighbridge.webhook.report.parts.points import Point, PointOutcome, points_of
from weighbridge.webhook.report.parts.results import Result, Summary
from weighbridge.webhook.texts.json_text import readable
from weighbridge.webhook.texts.streams import in_utf_8
from weighbridge.webhook.texts.style import Style

#: Characters that have to be replaced in a description: `#` begins a directive.
_SPECIAL: Final = expression(r"[\\#]")


class TAPReport:
    """Writes one line for each finding or object, in the Test Anything Protocol (TAP)."""

    def __init__(self, stream: TextIO, style: Style) -> None:
        self._stream = in_utf_8(stream)
        self._with_notes = style.verbose
        self._count = 0
        self._opening = Opening("TAP version 13\n")

    def write(self, result: Result) -> None:
        """Write the points of one object or text."""
        for point in points_of(result, with_notes=self._with_notes):
            self._count += 1
            self._stream.write(f"{self._opening.take()}{_line(point, self._count)}{_block(point)}")

    def finish(self, summary: Summary) -> None:
        """Write the plan. TAP has no other counts."""
        del summary
        self._stream.write(f"{self._opening.take()}1..{self._count}\n")


def _line(point: Point, number: int) -> str:
    verdict = "ok" if point.outcome in {PointOutcome.PASSED, PointOutcome.SKIPPED} else "not ok"
    directive = f" # SKIP {_escaped(point.message)}" if point.outcome is PointOutcome.SKIPPED else ""
    return f"{verdict} {number} - {_escaped(f'{point.place}: {point.name}')}{directive}\n"


def _block(point: Point) -> str:
    """The message and its details as a YAML block. The values are JSON strings, which YAML reads as strings."""
    if not point.message or point.outcome is PointOutcome.SKIPPED:
        return ""
    told = {"message": point.message, **point.details}
    lines = "".join(f"  {name}: {readable(text)}\n" for name, text in told.items())
    return f"  ---\n{lines}  ...\n"


def _escaped(text: str) -> str:
    return _SPECIAL.sub(r"\\\g<0>", text)
