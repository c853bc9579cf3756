"""One SARIF 2.1.0 document for code scanning: a result for each finding and each issue of a text, written as they come.

Shape: ``{"version": "2.1.0", "runs": [{"tool": {...}, "results": [...]}]}`` as OASIS' standard has it. Columns count characters. A finding
that an exception covers is there with its reason as a suppression.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import PurePath
from typing import Final, TextIO
from urllib.parse import quote

from weighbridge.policies.ground.findings import Finding
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.webhook.manifests import InputIssue, IssueKind
from weighbridge.webhook.report.opening import Opening
from weighbridge.webhook.report.results import Located, Result, Summary
from weighbridge.webhook.texts.json_text import readable
from weighbridge.webhook.texts.rule_addresses import address_of
from weighbridge.webhook.texts.streams import in_utf_8
from weighbridge.webhook.texts.style import Style

SCHEMA: Final = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
#: The rule of what is wrong with a text rather than with an object in it.
INPUT: Final = "input"
#: What ignores a finding where the object is written.
_IN_SOURCE: Final = frozenset({"annotation", "comment"})
_LEVELS: Final = {IssueKind.ERROR: "error", IssueKind.FINDING: "warning"}


class SARIFReport:
    """One SARIF 2.1.0 document, for code scanning."""

    def __init__(self, stream: TextIO, style: Style) -> None:
        del style  # JSON looks the same everywhere
        self._stream = in_utf_8(stream)
        self._separator = ""
        driver = readable({"name": "weighbridge"})
        run = f'{{"tool":{{"driver":{driver}}},"columnKind":"unicodeCodePoints","results":['
        self._opening = Opening(f'{{"$schema":"{SCHEMA}","version":"2.1.0","runs":[{run}')

    def write(self, result: Result) -> None:
        """Write what is said of one object or text."""
        for entry in _entries(result):
            self._stream.write(f"{self._opening.take()}{self._separator}\n{readable(entry)}")
            self._separator = ","

    def finish(self, summary: Summary) -> None:
        """Close the document; SARIF has no place for the counts."""
        del summary
        self._stream.write(f"{self._opening.take()}\n]}}]}}\n")


def _entries(result: Result) -> Iterator[JSONObject]:
    for issue in result.issues:
        yield _issue(issue)
    for located in result.findings:
        yield _finding(result, located)


def _finding(result: Result, located: Located) -> JSONObject:
    finding, span = located.finding, located.span
    region = {"startLine": span.start.line, "startColumn": span.start.column, "endLine": span.end.line, "endColumn": span.end.column}
    name = f"{result.object} {finding.field}".strip()
    out: JSONObject = {
        "ruleId": finding.rule,
        "level": str(finding.severity),
        "message": {"text": _text(finding)},
        "locations": [_location(result.source, region) | {"logicalLocations": [{"fullyQualifiedName": name}]}],
    }
    if page := address_of(finding.rule):
        out["properties"] = {"page": page}
    if finding.exempted:
        kind = "inSource" if located.by in _IN_SOURCE else "external"
        out["suppressions"] = [{"kind": kind, "justification": finding.exempted}]
    return out


def _issue(issue: InputIssue) -> JSONObject:
    region = {"startLine": issue.line, "startColumn": max(issue.column, 1)} if issue.line else {}
    return {
        "ruleId": INPUT,
        "level": _LEVELS.get(issue.kind, "note"),
        "message": {"text": issue.message},
        "locations": [_location(issue.source, region)],
    }


def _location(source: str, region: JSONObject) -> JSONObject:
    path = PurePath(source)
    uri = path.as_uri() if path.is_absolute() else quote(os.fsencode(source))
    return {"physicalLocation": {"artifactLocation": {"uri": uri}} | ({"region": region} if region else {})}


def _text(finding: Finding) -> str:
    parts = [str(finding)]
    parts += [
        f"{name}: {text}" for name, text in (("found", finding.found), ("expected", finding.expected), ("nearest", finding.nearest)) if text
    ]
    parts += [f"hint: {finding.hint}"] if finding.hint else []
    return "\n".join(parts)
