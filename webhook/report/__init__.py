"""The results of `lint` in the formats that people and tools read: one format per file, found by its name in one table."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final, TextIO

from weighbridge.webhook.report.results import Located, Report, Result, Status, Summary, Tally
from weighbridge.webhook.texts.style import ColorChoice, Style

__all__ = ["FORMATS", "ColorChoice", "Located", "Report", "Result", "Status", "Style", "Summary", "Tally"]

# A format is imported when it is chosen.


def _text(stream: TextIO, style: Style) -> Report:
    from weighbridge.webhook.report.text import TextReport

    return TextReport(stream, style)


def _concise(stream: TextIO, style: Style) -> Report:
    from weighbridge.webhook.report.concise import ConciseReport

    return ConciseReport(stream, style)


def _json(stream: TextIO, style: Style) -> Report:
    from weighbridge.webhook.report.json import JSONReport

    return JSONReport(stream, style)


def _jsonl(stream: TextIO, style: Style) -> Report:
    from weighbridge.webhook.report.jsonl import JSONLinesReport

    return JSONLinesReport(stream, style)


def _sarif(stream: TextIO, style: Style) -> Report:
    from weighbridge.webhook.report.sarif import SARIFReport

    return SARIFReport(stream, style)


def _gitlab(stream: TextIO, style: Style) -> Report:
    from weighbridge.webhook.report.gitlab import GitLabReport

    return GitLabReport(stream, style)


def _junit(stream: TextIO, style: Style) -> Report:
    from weighbridge.webhook.report.junit import JUnitReport

    return JUnitReport(stream, style)


def _tap(stream: TextIO, style: Style) -> Report:
    from weighbridge.webhook.report.tap import TAPReport

    return TAPReport(stream, style)


def _github(stream: TextIO, style: Style) -> Report:
    from weighbridge.webhook.report.github import GitHubReport

    return GitHubReport(stream, style)


def _markdown(stream: TextIO, style: Style) -> Report:
    from weighbridge.webhook.report.markdown import MarkdownReport

    return MarkdownReport(stream, style)


#: Every format by the name that `--output` takes.
FORMATS: Final[Mapping[str, Callable[[TextIO, Style], Report]]] = MappingProxyType(
    {
        "text": _text,
        "concise": _concise,
        "json": _json,
        "jsonl": _jsonl,
        "sarif": _sarif,
        "gitlab": _gitlab,
        "junit": _junit,
        "tap": _tap,
        "github": _github,
        "markdown": _markdown,
    }
)
