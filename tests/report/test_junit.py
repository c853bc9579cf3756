"""The JUnit report."""

from __future__ import annotations

import io
from dataclasses import replace
from xml.etree import ElementTree as ET

from tests.report.objects import MODEL, NO_INVENTORY, NO_MEMORY, TOO_MANY, failing, result_of
from weighbridge.policies.ground.findings import Severity
from weighbridge.webhook.report import FORMATS, Result, Style, Summary


def _suites(*results: Result, verbose: bool = False) -> list[ET.Element]:
    stream = io.StringIO()
    report = FORMATS["junit"](stream, Style(full=True, color=True, verbose=verbose))
    for result in results:
        report.write(result)
    report.finish(Summary())
    root = ET.fromstring(stream.getvalue().encode())
    assert root.tag == "testsuites"
    return list(root)


def _case(result: Result) -> ET.Element:
    (suite,) = _suites(result)
    (case,) = suite
    return case


def _told(result: Result) -> list[tuple[str, str]]:
    """The name of each case in the report, with its element, if it has one."""
    (suite,) = _suites(result)
    return [(case.get("name", ""), next((element.tag for element in case), "")) for case in suite]


def test_a_run_over_nothing_is_a_whole_document() -> None:
    assert _suites() == []


def test_an_object_without_findings_is_a_case_that_passes() -> None:
    case = _case(result_of(MODEL))
    assert case.attrib == {"classname": "models/llama.yaml", "name": "Model shop/llama", "time": "0.000000"}
    assert list(case) == []


def test_a_finding_is_a_failure_with_its_place_and_details() -> None:
    case = _case(result_of(MODEL, TOO_MANY))
    assert case.get("name") == "Model shop/llama: LLMKUBE-003 spec.hardware.gpu.count"
    (failure,) = case
    assert (failure.tag, failure.attrib) == ("failure", {"type": "LLMKUBE-003", "message": "more GPUs than any node has"})
    assert (failure.text or "").splitlines() == [
        "models/llama.yaml:10:14: more GPUs than any node has",
        "severity: error",
        "found: 12",
        "expected: at most 8",
        "nearest: node gpu-1 with 8",
        f"help: {TOO_MANY.hint}",
    ]


def test_each_file_is_a_suite_with_its_counts() -> None:
    first = [result_of(MODEL, TOO_MANY, NO_MEMORY, source="a.yaml"), result_of(MODEL, source="a.yaml", unchecked=[NO_INVENTORY])]
    first[0] = replace(first[0], seconds=0.5)
    suites = _suites(*first, result_of("a: *x\n", source="b.yaml"))
    assert [suite.attrib for suite in suites] == [
        {"name": "a.yaml", "tests": "3", "failures": "1", "errors": "0", "skipped": "1", "time": "0.500000"},
        {"name": "b.yaml", "tests": "1", "failures": "0", "errors": "1", "skipped": "0", "time": "0.000000"},
    ]


def test_a_text_that_cannot_be_read_is_an_error() -> None:
    case = _case(result_of("a: *x\n", source="x.yaml"))
    assert case.get("name") == "document 1 can be read"
    (error,) = case
    assert (error.tag, error.get("type"), error.get("message")) == ("error", "input", "unknown anchor 'x'")
    assert (error.text or "").startswith("x.yaml:1:")


def test_what_was_not_checked_is_skipped_with_its_reason() -> None:
    (skipped,) = _case(result_of(MODEL, unchecked=[NO_INVENTORY, NO_INVENTORY]))
    assert (skipped.tag, skipped.get("message")) == ("skipped", "not checked: hardware: no inventory is known")
    (skipped,) = _case(replace(result_of(MODEL), skipped="built-in kind"))
    assert (skipped.tag, skipped.get("message")) == ("skipped", "built-in kind")


def test_a_warning_fails_only_where_the_exit_code_says_so() -> None:
    names = ["Model shop/llama: LLMKUBE-007 spec.hardware.gpu.memory", "Model shop/llama: LLMKUBE-003 spec.hardware.gpu.count"]
    warned = result_of(MODEL, NO_MEMORY)
    assert _told(warned) == [(names[0], "system-out")]
    assert _told(failing(warned, "warning")) == [(names[0], "failure")]
    refused = failing(result_of(MODEL, NO_MEMORY, TOO_MANY), "error")
    assert sorted(_told(refused)) == [(names[1], "failure"), (names[0], "system-out")]


def test_notes_are_there_for_those_who_ask() -> None:
    note = result_of(MODEL, replace(NO_MEMORY, severity=Severity.NOTE))
    assert _told(note) == [("Model shop/llama", "")]
    (suite,) = _suites(failing(note, "note"), verbose=True)
    assert [element.tag for element in suite[0]] == ["failure"]


def test_any_text_can_be_written() -> None:
    finding = replace(TOO_MANY, message='a <b> & "c"\x00\x1b[0m\ud800')
    (failure,) = _case(result_of(MODEL, finding, source="a\udcff&.yaml"))
    assert failure.get("message") == 'a <b> & "c"\\x00\\x1b[0m\\ud800'
    assert (failure.text or "").startswith("a\\xff&.yaml:10:14: a <b>")
