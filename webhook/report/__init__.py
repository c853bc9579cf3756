"""What a linter has to say, in the formats that people and tools read: one format per file, found by its name in one table."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final, TextIO

from weighbridge.webhook.report.github import GitHubReport
from weighbridge.webhook.report.json import JSONReport
from weighbridge.webhook.report.junit import JUnitReport
from weighbridge.webhook.report.results import Located, Report, Result, Status, Summary, Tally
from weighbridge.webhook.report.sarif import SARIFReport
from weighbridge.webhook.report.tap import TAPReport
from weighbridge.webhook.report.text import TextReport
from weighbridge.webhook.texts.style import ColorChoice, Style

__all__ = ["FORMATS", "ColorChoice", "JSONReport", "Located", "Report", "Result", "Status", "Style", "Summary", "Tally", "TextReport"]

#: Every format by the name that `--output` takes; the class's first sentence is its help.
FORMATS: Final[Mapping[str, Callable[[TextIO, Style], Report]]] = MappingProxyType(
    {"text": TextReport, "json": JSONReport, "sarif": SARIFReport, "junit": JUnitReport, "tap": TAPReport, "github": GitHubReport}
)
