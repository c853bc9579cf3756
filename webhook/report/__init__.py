"""The results of `lint` in the formats that people and tools read: one format per file, found by its name in one table."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, TextIO, cast

from weighbridge.policies.ground.records import dataclass
from weighbridge.webhook.report.results import Located, Report, Result, Status, Summary, Tally
from weighbridge.webhook.texts.style import ColorChoice, Style

__all__ = ["FORMATS", "ColorChoice", "Format", "Located", "Report", "Result", "Status", "Style", "Summary", "Tally"]


@dataclass(frozen=True, slots=True)
class Format:
    """A format: the class that writes it, in the module of its name; for whom it is, and what it holds, as docs/ci.md shows them."""

    name: str
    writer: str
    readers: str
    holds: str

    def __call__(self, stream: TextIO, style: Style) -> Report:
        """A report in this format. It is imported now, when it is chosen."""
        return cast("Report", getattr(importlib.import_module(f"{__name__}.{self.name}"), self.writer)(stream, style))


#: Every format by the name that `--output` takes; the first is the default.
FORMATS: Final[Mapping[str, Format]] = MappingProxyType({
    name: Format(name, writer, readers, holds)
    for name, writer, readers, holds in (
        ("text", "TextReport", "people",
         "on a terminal the source with carets; in a pipe or a file a line for each finding, with the object, and below it what would do"),
        ("concise", "ConciseReport", "editors, `grep`", "`path:line:column: RULE field: message`, a line for each finding"),
        ("json", "JSONReport", "programs",
         "every result, the program's version, and the files that were passed over, each with its reason"),
        ("jsonl", "JSONLinesReport", "programs", "the same, a line for each result, and a last line with the summary"),
        ("sarif", "SARIFReport", "code scanning",
         "SARIF 2.1.0: each rule with its page, levels, fingerprints, suppressions of ignored findings"),
        ("gitlab", "GitLabReport", "GitLab", "a code quality report"),
        ("junit", "JUnitReport", "CI servers", "a test for each finding or object, with the time that it took"),
        ("tap", "TAPReport", "CI servers", "a test for each finding or object"),
        ("github", "GitHubReport", "GitHub Actions", "annotations at the lines of a change, and a summary on the page of the run"),
        ("markdown", "MarkdownReport", "pull requests",
         ("a table, the worst first, and [the picture](placement.md#a-picture) of the nodes if they are known; "
          "fewer than 65,536 characters")),
    )
})  # fmt: skip
