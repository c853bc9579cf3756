"""Annotations of GitHub."""

from __future__ import annotations

import io
from dataclasses import replace

from tests.report.objects import MODEL, TOO_MANY, failing, result_of
from weighbridge.policies.ground.findings import Severity
from weighbridge.webhook.report import FORMATS, Result, Style, Summary


def _lines(*results: Result, verbose: bool = True) -> list[str]:
    stream = io.StringIO()
    report = FORMATS["github"](stream, Style(full=True, color=True, verbose=verbose))
    for result in results:
        report.write(result)
    report.finish(Summary(files=1, objects=1, failed=1))
    return stream.getvalue().splitlines()


def test_a_finding_is_a_command_and_the_counts_are_text() -> None:
    command, counts = _lines(result_of(MODEL, TOO_MANY))
    place = "file=models/llama.yaml,line=10,endLine=10,col=14,endColumn=16,title=LLMKUBE-003 Model shop/llama"
    message = f"spec.hardware.gpu.count: more GPUs than any node has%0A{TOO_MANY.hint}"
    assert command == f"::error {place}::{message}"
    assert counts.startswith("checked 1 object in 1 file: 1 failed")


def test_severities_have_the_words_of_github() -> None:
    findings = [replace(TOO_MANY, severity=severity) for severity in Severity]
    assert [line.split()[0] for line in _lines(result_of(MODEL, *findings))[:-1]] == ["::error", "::warning", "::notice"]


def test_nothing_in_a_name_or_message_ends_the_command() -> None:
    finding = replace(TOO_MANY, message="100% of a:b,c\r\n::error::x\x1b[0m", hint="")
    command, _ = _lines(result_of(MODEL, finding, source="a,b:c%.yaml"))
    assert command.startswith("::error file=a%2Cb%3Ac%25.yaml,")
    assert command.endswith("::spec.hardware.gpu.count: 100%25 of a:b,c%0A::error::x\\x1b[0m")


def test_a_text_that_cannot_be_read_is_an_error() -> None:
    command, _ = _lines(result_of("a: *x\n", source="x.yaml"))
    assert command.startswith("::error file=x.yaml,line=1,")


def test_notes_are_there_for_those_who_ask() -> None:
    note = result_of(MODEL, replace(TOO_MANY, severity=Severity.NOTE))
    assert len(_lines(note)) == 2
    assert len(_lines(note, verbose=False)) == 1


def test_no_more_is_written_than_is_shown_and_the_worst_comes_first() -> None:
    warnings = [result_of(MODEL, replace(TOO_MANY, severity=Severity.WARNING), source=f"{number}.yaml") for number in range(12)]
    *commands, left, counts = _lines(*warnings, result_of(MODEL, TOO_MANY))
    assert [command.split()[0] for command in commands] == ["::error"] + ["::warning"] * 10
    assert left == "not annotated: 2 warnings; GitHub shows 10 of a kind in a step"
    assert counts.startswith("checked ")


def test_what_makes_the_exit_code_1_is_an_error() -> None:
    warned = result_of(MODEL, replace(TOO_MANY, severity=Severity.WARNING))
    assert _lines(failing(warned, "warning"))[0].startswith("::error ")
