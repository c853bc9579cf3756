"""One SARIF 2.1.0 document for code scanning: a result for each finding and each issue of a text, and their rules.

Columns count UTF-16 code units, as GitHub does. A finding has the level `error` if it makes the exit code 1. An excepted finding has a
suppression with the reason. GitHub refuses files with more than 25,000 results or, compressed, more than 10 MB. If there are more, only the
worst are written, and a notification says how many are left out. Source: GitHub's "SARIF support for code scanning".
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import PurePath
from typing import Final, TextIO
from urllib.parse import quote

from weighbridge import __version__
from weighbridge.policies.ground.expressions import expression
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.webhook.report.parts.entries import Entry, entries_of
from weighbridge.webhook.report.parts.fingerprints import Identities, LineHashes
from weighbridge.webhook.report.parts.repository import Repository
from weighbridge.webhook.report.parts.results import Result, Summary
from weighbridge.webhook.report.parts.rule_descriptions import descriptions_of
from weighbridge.webhook.texts.home import HOME
from weighbridge.webhook.texts.json_text import readable
from weighbridge.webhook.texts.streams import in_utf_8
from weighbridge.webhook.texts.style import Style

SCHEMA: Final = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
MOST_RESULTS: Final = 25_000
#: Bytes after compression, less some room for the rules.
MOST_BYTES: Final = 9_000_000
_BASE: Final = "%SRCROOT%"
_SEMANTIC: Final = expression(r"\d+\.\d+\.\d+")
#: The values of `by` for findings that are ignored in the file itself.
_IN_SOURCE: Final = frozenset({"annotation", "comment"})


class SARIFReport:
    """Writes one SARIF 2.1.0 document, for code scanning."""

    def __init__(self, stream: TextIO, style: Style) -> None:
        del style  # JSON doesn't depend on the style
        self._stream = in_utf_8(stream)
        self._repository, self._identities, self._hashes = Repository(), Identities(), LineHashes()
        self._results: list[tuple[int, str, str]] = []
        self._left_out = 0

    def write(self, result: Result) -> None:
        """Take the findings and issues of one object or text."""
        for entry in entries_of(result):
            self._results.append((entry.rank, entry.rule, readable(self._result(entry))))
        if len(self._results) > 2 * MOST_RESULTS:
            self._keep(MOST_RESULTS)

    def finish(self, summary: Summary) -> None:
        """Write the document. SARIF has no counts."""
        if len(self._results) > MOST_RESULTS:
            self._keep(MOST_RESULTS)
        if sum(len(text) for *_, text in self._results) > MOST_BYTES:
            self._keep(_fitting([text for *_, text in self._worst_first()]))
        rules = descriptions_of(sorted({rule for _, rule, _ in self._results}), summary.policies)
        driver = {
            "name": "weighbridge",
            "fullName": f"Weighbridge {__version__}",
            "version": __version__,
            **({"semanticVersion": version[0]} if (version := _SEMANTIC.match(__version__)) else {}),
            "informationUri": HOME,
            "rules": rules,
        }
        run = {
            "tool": {"driver": driver},
            "invocations": [self._invocation(summary)],
            "originalUriBaseIds": {_BASE: {"description": {"text": "The repository, or the working folder where there is none."}}},
            "columnKind": "utf16CodeUnits",
        }
        self._stream.write(f'{{"$schema":"{SCHEMA}","version":"2.1.0","runs":[{readable(run).removesuffix("}")},"results":[')
        for number, (*_, text) in enumerate(self._results):
            self._stream.write(f"{',' if number else ''}\n{text}")
        self._stream.write("\n]}]}\n")

    def _worst_first(self) -> list[tuple[int, str, str]]:
        return sorted(self._results, key=lambda found: found[0])

    def _keep(self, count: int) -> None:
        """Keep the worst entries, in their original order."""
        order = sorted(range(len(self._results)), key=lambda number: self._results[number][0])
        self._left_out += len(self._results) - min(count, len(self._results))
        self._results = [self._results[number] for number in sorted(order[:count])]

    def _invocation(self, summary: Summary) -> JSONObject:
        out: JSONObject = {"executionSuccessful": not summary.errors}
        if self._left_out:
            text = f"{self._left_out} more results aren't in this file: GitHub takes {MOST_RESULTS} and 10 MB at most; lint fewer folders"
            out["toolExecutionNotifications"] = [{"level": "warning", "message": {"text": text}}]
        return out

    def _result(self, entry: Entry) -> JSONObject:
        path = self._repository.path(entry.source)
        name = f"{entry.object} {entry.field}".strip()
        location = _location(path, entry)
        if name:
            location["logicalLocations"] = [{"fullyQualifiedName": name}]
        line_hash = self._hashes.of(entry.lines, entry.span.start.line or 1)
        out: JSONObject = {
            "ruleId": entry.rule,
            "level": str(entry.level),
            "message": {"text": _text(entry)},
            "locations": [location],
            "partialFingerprints": {
                **({"primaryLocationLineHash": line_hash} if line_hash else {}),
                "weighbridgeFinding/v1": self._identities.of(entry, path),
            },
        }
        if entry.exempted:
            kind = "inSource" if entry.by in _IN_SOURCE else "external"
            out["suppressions"] = [{"kind": kind, "justification": entry.exempted}]
        return out


def _fitting(texts: Sequence[str]) -> int:
    """How many of the texts fit into the bytes that GitHub accepts, compressed as in the upload."""
    import zlib

    packer, size, count = zlib.compressobj(), 0, 0
    for start in range(0, len(texts), 100):
        part = texts[start : start + 100]
        size += len(packer.compress("\n".join(part).encode())) + len(packer.flush(zlib.Z_SYNC_FLUSH))
        if size > MOST_BYTES:
            return count
        count += len(part)
    return count


def _location(path: str, entry: Entry) -> JSONObject:
    whole = PurePath(path)
    artifact: JSONObject = {"uri": whole.as_uri()} if whole.is_absolute() else {"uri": quote(os.fsencode(path)), "uriBaseId": _BASE}
    physical: JSONObject = {"artifactLocation": artifact}
    if entry.span.start.line:
        physical["region"] = dict(_region(entry))
    return {"physicalLocation": physical}


def _region(entry: Entry) -> Iterator[tuple[str, int]]:
    for name, place in (("start", entry.span.start), ("end", entry.span.end)):
        yield f"{name}Line", place.line
        yield f"{name}Column", _in_units(entry.lines, place.line, place.column)


def _in_units(lines: Sequence[str], line: int, column: int) -> int:
    """A column in UTF-16 code units instead of characters."""
    before = lines[line - 1][: column - 1] if 1 <= line <= len(lines) else ""
    return column + sum(1 for char in before if char > "\uffff")


def _text(entry: Entry) -> str:
    parts = [entry.text]
    parts += [f"{label}: {entry.details[label]}" for label in ("found", "expected", "nearest") if label in entry.details]
    parts += [f"hint: {entry.details['help']}"] if "help" in entry.details else []
    return "\n".join(parts)
