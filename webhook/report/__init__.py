"""The results of `lint` in the formats that people and tools read: one format per file, found by its name in one table."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from typing import Final, TextIO, cast

from weighbridge.webhook.report.parts.results import Located, Report, Result, Status, Summary, Tally
from weighbridge.webhook.texts.style import ColorChoice, Style

__all__ = ["FORMATS", "TABLE", "ColorChoice", "Located", "Report", "Result", "Status", "Style", "Summary", "Tally"]


#: Every format: its name (that of its module), the class that writes it, its readers and its contents, as docs/ci.md shows them. The first
#: is the default.
TABLE: Final = (
    ("text", "TextReport", "people",
     "on a terminal the source with carets; in a pipe or a file a line for each finding, with the object, and the advice below it"),
    ("concise", "ConciseReport", "editors, `grep`", "`path:line:column: RULE field: message`, a line for each finding"),
    ("json", "JSONReport", "programs",
     "every result, the program's version, and the skipped files, each with its reason"),
    ("jsonl", "JSONLinesReport", "programs", "the same, a line for each result, and a last line with the summary"),
    ("sarif", "SARIFReport", "code scanning",
     "SARIF 2.1.0: each rule with its page, levels, fingerprints, suppressions of ignored findings"),
    ("gitlab", "GitLabReport", "GitLab", "a code quality report"),
    ("junit", "JUnitReport", "CI servers",
     "JUnit XML: a suite for each file, with a test for each finding, or one for an object without findings; each test with its time"),
    ("tap", "TAPReport", "CI servers", "the Test Anything Protocol: a line for each of the same tests, without suites and times"),
    ("github", "GitHubReport", "GitHub Actions", "annotations at the lines of a change, and a summary on the page of the run"),
    ("markdown", "MarkdownReport", "pull requests",
     ("a table, the worst first, and [the picture](placement.md#a-picture) of the nodes if they are known; "
      "fewer than 65,536 characters")),
)  # fmt: skip


def _format(name: str, writer: str) -> Callable[[TextIO, Style], Report]:
    """A format by its module and class."""

    def opened(stream: TextIO, style: Style) -> Report:
        # Imported here, since a run needs only the chosen format.
        return cast("Report", getattr(importlib.import_module(f"{__name__}.{name}"), writer)(stream, style))

    return opened


#: The writer of each format, by its name for `--output`.
FORMATS: Final[Mapping[str, Callable[[TextIO, Style], Report]]] = {name: _format(name, writer) for name, writer, *_ in TABLE}
