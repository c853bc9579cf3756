"""One JSON document for tools, with one result per line, each written at once.

Shape: ``{"version": 1, "results": [...], "tool": {...}, "summary": {...}}``; `version` is that of the shape; the program's is in `tool`.

Keys are never renamed within a version; new ones may be added.
"""

from __future__ import annotations

from dataclasses import asdict
from typing import Final, TextIO

from weighbridge import __version__
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.policies.ground.records import replace
from weighbridge.webhook.manifests import InputIssue
from weighbridge.webhook.report.parts.opening import Opening
from weighbridge.webhook.report.parts.results import Located, Result, Summary
from weighbridge.webhook.texts.json_text import readable
from weighbridge.webhook.texts.rule_addresses import with_page
from weighbridge.webhook.texts.streams import in_utf_8
from weighbridge.webhook.texts.style import Style

VERSION: Final = 1


class JSONReport:
    """Writes one JSON document with all results and the summary."""

    def __init__(self, stream: TextIO, style: Style) -> None:
        del style  # JSON doesn't depend on the style
        self._stream = in_utf_8(stream)
        self._separator = ""
        self._opening = Opening(f'{{"version":{VERSION},"results":[')

    def write(self, result: Result) -> None:
        """Write one result."""
        self._stream.write(f"{self._opening.take()}{self._separator}\n{readable(result_record(result))}")
        self._separator = ","

    def finish(self, summary: Summary) -> None:
        """Write the summary and close the document."""
        self._stream.write(f"{self._opening.take()}\n],{readable(_ending(summary)).removeprefix('{')}\n")


def _ending(summary: Summary) -> JSONObject:
    counts = asdict(replace(summary, policies=()))
    for key in ("policies", "picture"):
        del counts[key]
    passed_over = [_passed_over(entry) for entry in counts.pop("passed_over")]
    return {"passedOver": passed_over, "tool": {"name": "weighbridge", "version": __version__}, "summary": counts}


def run_record(summary: Summary) -> JSONObject:
    """The parts about the whole run: tool and summary."""
    return {"version": VERSION, **_ending(summary)}


def result_record(result: Result) -> JSONObject:
    """The JSON of one result."""
    crd = {"crd": result.crd} if result.crd is not None else {}
    return {
        "source": result.source,
        "document": result.index,
        "object": result.object,
        "status": str(result.status),
        "findings": [_finding(located) for located in result.findings],
        "issues": [_issue(issue) for issue in result.issues],
        "unchecked": [entry.as_json() for entry in result.unchecked],
        **({"neverRuns": True} if result.never_runs else {}),
        **({"podsRefused": True} if result.never_runs and result.pods_refused else {}),
        **({"skipped": result.skipped} if result.skipped else {}),
        **({"olderForm": True} if result.older_form else {}),
        **({"bundled": result.bundled} if result.bundled else {}),
        **crd,
    }


def _passed_over(entry: JSONObject) -> JSONObject:
    return {key: value for key, value in entry.items() if value}


def _finding(located: Located) -> JSONObject:
    start, end = located.span.start, located.span.end
    place = {"line": start.line, "column": start.column, "endLine": end.line, "endColumn": end.column}
    return with_page(located.finding) | ({"exemptedBy": located.by} if located.by else {}) | place


def _issue(issue: InputIssue) -> JSONObject:
    out: JSONObject = {"kind": str(issue.kind), "message": issue.message, "line": issue.line, "column": issue.column}
    return out | {"kubectl": issue.kubectl} if issue.kubectl else out
