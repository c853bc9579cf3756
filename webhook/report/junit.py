"""One JUnit XML document for CI servers: a test suite for each file, a test case for each test point (`points`).

The elements and attributes are those of Jenkins' schema, which other servers read too: ``failure`` for failures, ``error`` for unreadable
input, ``skipped`` with its reason, and ``system-out`` with the text of warnings that don't fail. An object's time is how long judging it
took, divided equally among its cases.
"""

from __future__ import annotations

from collections import Counter
from html import escape
from typing import Final, TextIO

from weighbridge.webhook.cache.inputs import not_repeatable
from weighbridge.webhook.report.parts.opening import Opening
from weighbridge.webhook.report.parts.points import Point, PointOutcome, points_of
from weighbridge.webhook.report.parts.results import Result, Summary
from weighbridge.webhook.texts.escapes import shown
from weighbridge.webhook.texts.streams import in_utf_8
from weighbridge.webhook.texts.style import Style

#: The type of a failure about a text, not an object in it, as in SARIF.
_INPUT: Final = "input"


class JUnitReport:
    """Writes one JUnit XML document, for CI servers."""

    def __init__(self, stream: TextIO, style: Style) -> None:
        self._stream = in_utf_8(stream)
        self._with_notes = style.verbose
        self._opening = Opening('<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="weighbridge">\n')
        self._source = ""
        self._points: list[tuple[Point, float]] = []
        # Times differ from run to run.
        not_repeatable()

    def write(self, result: Result) -> None:
        """Collect the points of one result. A suite begins with its counts, so it is written only when the next file begins."""
        if result.source != self._source:
            self._write_suite()
            self._source = result.source
        points = list(points_of(result, with_notes=self._with_notes))
        self._points += ((point, result.seconds / len(points)) for point in points)

    def finish(self, summary: Summary) -> None:
        """Write the last suite and close the document. Its counts are in the suites."""
        del summary
        self._write_suite()
        self._stream.write(f"{self._opening.take()}</testsuites>\n")

    def _write_suite(self) -> None:
        if not self._points:
            return
        source = escape(shown(self._source))
        counts = Counter(point.outcome for point, _ in self._points)
        told = {"tests": len(self._points)} | {
            name: counts[outcome]
            for name, outcome in (("failures", PointOutcome.FAILED), ("errors", PointOutcome.ERROR), ("skipped", PointOutcome.SKIPPED))
        }
        seconds = sum(time for _, time in self._points)
        attributes = " ".join(f'{name}="{count}"' for name, count in told.items()) + f' time="{seconds:.6f}"'
        self._stream.write(f'{self._opening.take()}  <testsuite name="{source}" {attributes}>\n')
        for point, time in self._points:
            self._stream.write(_case(point, source, time))
        self._stream.write("  </testsuite>\n")
        self._points.clear()


def _case(point: Point, source: str, time: float) -> str:
    opening = f'    <testcase classname="{source}" name="{escape(point.name)}" time="{time:.6f}"'
    if not point.message:
        return f"{opening}/>\n"
    return f"{opening}>\n      {_told(point)}\n    </testcase>\n"


def _told(point: Point) -> str:
    message = escape(point.message)
    details = (f"{name}: {text}" for name, text in point.details.items())
    text = escape("\n".join([f"{point.place}: {point.message}", *details]))
    if point.outcome is PointOutcome.SKIPPED:
        return f'<skipped message="{message}"/>'
    if point.outcome is PointOutcome.PASSED:
        return f"<system-out>{text}</system-out>"
    tag = "error" if point.outcome is PointOutcome.ERROR else "failure"
    return f'<{tag} type="{point.rule or _INPUT}" message="{message}">{text}</{tag}>'
