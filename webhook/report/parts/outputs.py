"""Several reports of one run: at most one on standard output, the others in files, each written at the end, whole or not at all."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Mapping, Sequence
from typing import Final

from weighbridge.webhook.cache.inputs import not_repeatable
from weighbridge.webhook.report import FORMATS
from weighbridge.webhook.report.parts.results import Report, Result, Summary
from weighbridge.webhook.texts.errors import InputError
from weighbridge.webhook.texts.streams import OutputError
from weighbridge.webhook.texts.style import UNBROKEN, Style

#: Means standard output, in place of a file.
STDOUT: Final = "-"
#: The variable with the file to which a step of GitHub Actions adds Markdown for the page of its run.
_STEP_SUMMARY: Final = "GITHUB_STEP_SUMMARY"


def divided(output: str) -> tuple[str, str]:
    """Divide an output such as ``sarif=out.sarif`` into format and file; without a file it is standard output."""
    form, _, file = output.partition("=")
    return form, file or STDOUT


def opened(outputs: Sequence[str], style: Style, environ: Mapping[str, str]) -> Report:
    """Open a report that writes all outputs; `style` is that of standard output. Raises InputError."""
    named = [divided(output) for output in outputs]
    _check(named)
    summary = environ.get(_STEP_SUMMARY, "") if any(form == "github" for form, _ in named) else ""
    if summary:
        not_repeatable()
    if len(named) == 1 and named[0][1] == STDOUT and not summary:
        return FORMATS[named[0][0]](sys.stdout, style)
    plain = Style(width=UNBROKEN, verbose=style.verbose)
    reports = _Reports()
    for form, file in named:
        if file == STDOUT:
            reports.add(FORMATS[form](sys.stdout, style))
        else:
            not_repeatable()
            stream = io.StringIO()
            reports.add(FORMATS[form](stream, plain), stream, file)
    if summary:
        stream = io.StringIO()
        reports.add(FORMATS["markdown"](stream, plain), stream, summary, appends=True)
    return reports


def _check(named: Sequence[tuple[str, str]]) -> None:
    """Refuse two outputs to the same place."""
    taken: dict[str, str] = {}
    for form, file in named:
        place = file if file == STDOUT else os.path.realpath(file)
        if other := taken.get(place):
            where = "standard output" if file == STDOUT else file
            raise InputError(f"-o {other} and -o {form} both go to {where}; give one a file of its own, as in -o {form}=FILE")
        taken[place] = form


class _Reports:
    """Passes results to several reports."""

    def __init__(self) -> None:
        self._reports: list[Report] = []
        self._files: list[tuple[io.StringIO, str, bool]] = []
        self._broken: OutputError | None = None

    def add(self, report: Report, stream: io.StringIO | None = None, file: str = "", *, appends: bool = False) -> None:
        """Add a report; `stream` collects the text of one that goes into a file."""
        self._reports.append(report)
        if stream is not None:
            self._files.append((stream, file, appends))

    def write(self, result: Result) -> None:
        """Pass the result to each report."""
        for report in list(self._reports):
            try:
                report.write(result)
            except OutputError as error:
                self._give_up(report, error)

    def finish(self, summary: Summary) -> None:
        """Finish each report, and write the files. Raises WriteError; raises OutputError only after the files are written."""
        for report in list(self._reports):
            try:
                report.finish(summary)
            except OutputError as error:
                self._give_up(report, error)
        for stream, file, appends in self._files:
            _write(file, stream.getvalue().encode(errors="backslashreplace"), appends=appends)
        if self._broken is not None:
            raise self._broken

    def _give_up(self, report: Report, error: OutputError) -> None:
        """Give up standard output after it has failed; the files are still written."""
        self._reports.remove(report)
        self._broken = error


def _write(file: str, data: bytes, *, appends: bool) -> None:
    from weighbridge.certs.atomicfile import WriteError, write

    before = b""
    if appends:
        # Other commands of the step may already have written to this file.
        try:
            with open(file, "rb") as stream:
                before = stream.read()
        except FileNotFoundError:
            pass
        except OSError as error:
            raise WriteError.of(file, error) from None
    write(file, before + data)
