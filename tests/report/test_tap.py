"""The report in the Test Anything Protocol."""

from __future__ import annotations

import io
from dataclasses import replace

from tests.report.objects import MODEL, NO_INVENTORY, NO_MEMORY, TOO_MANY, failing, result_of
from tests.yaml_documents import read
from weighbridge.webhook.report import FORMATS, Result, Style, Summary


def _lines(*results: Result) -> list[str]:
    stream = io.StringIO()
    report = FORMATS["tap"](stream, Style(full=True, color=True))
    for result in results:
        report.write(result)
    report.finish(Summary())
    first, *others = stream.getvalue().splitlines()
    assert first == "TAP version 13"
    return others


def test_a_run_over_nothing_has_an_empty_plan() -> None:
    assert _lines() == ["1..0"]


def test_each_finding_and_each_object_without_one_is_a_point() -> None:
    lines = _lines(result_of(MODEL, source="a.yaml"), result_of(MODEL, TOO_MANY), result_of(MODEL, unchecked=[NO_INVENTORY]))
    assert [line for line in lines if not line.startswith(" ")] == [
        "ok 1 - a.yaml: Model shop/llama",
        "not ok 2 - models/llama.yaml:10:14: Model shop/llama: LLMKUBE-003 spec.hardware.gpu.count",
        "ok 3 - models/llama.yaml: Model shop/llama # SKIP not checked: hardware: no inventory is known",
        "1..3",
    ]


def test_what_is_said_of_a_point_is_yaml() -> None:
    lines = _lines(result_of(MODEL, replace(TOO_MANY, message="no: #1 \x1b[0m")))
    assert (lines[1], lines[-2]) == ("  ---", "  ...")
    assert read("\n".join(lines[2:-2])) == {
        "message": "no: #1 \\x1b[0m",
        "severity": "error",
        "found": "12",
        "expected": "at most 8",
        "nearest": "node gpu-1 with 8",
        "help": TOO_MANY.hint,
    }


def test_a_warning_fails_only_where_the_exit_code_says_so() -> None:
    warned = result_of(MODEL, NO_MEMORY)
    assert _lines(warned)[0].startswith("ok 1 - ")
    assert '  message: "no memory is set"' in _lines(warned)
    assert _lines(failing(warned, "warning"))[0].startswith("not ok 1 - ")


def test_a_text_that_cannot_be_read_is_no_pass() -> None:
    assert _lines(result_of("a: *x\n", source="x.yaml"))[0].startswith("not ok 1 - x.yaml:1:")


def test_a_name_cannot_make_a_directive() -> None:
    assert _lines(result_of(MODEL, source="a # SKIP\\.yaml"))[0] == r"ok 1 - a \# SKIP\\.yaml: Model shop/llama"
