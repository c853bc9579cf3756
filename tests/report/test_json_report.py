"""The JSON report."""

from __future__ import annotations

import io
import json

from tests.report.objects import MODEL, NO_INVENTORY, TOO_MANY, result_of
from weighbridge import __version__
from weighbridge.webhook.report import Result, Style, Summary
from weighbridge.webhook.report.json import JSONReport


def _written(*results: Result, summary: Summary) -> str:
    stream = io.StringIO()
    report = JSONReport(stream, Style(full=True, color=True))
    for result in results:
        report.write(result)
    report.finish(summary)
    return stream.getvalue()


def test_run_without_results_is_a_whole_document() -> None:
    assert _written(summary=Summary()) == (
        f'{{"version":1,"results":[\n],"passedOver":[],"tool":{{"name":"weighbridge","version":"{__version__}"}},"summary":'
        '{"files":0,"objects":0,"passed":0,"failed":0,"warned":0,"not_checked":0,'
        '"errors":0,"never_runs":0,"skipped":0,"notes":0,"excepted":0,"templates":0,"others":0,"unknown":0,'
        '"pods_refused":0,"not_fully_checked":0,"kubernetes":"","left_out":0,"ignored":0,"baselined":0,"settings":"","chosen":false,"bundled":[]}}\n'
    )


def test_results_hold_findings_issues_and_what_was_not_checked() -> None:
    failed = result_of(MODEL + "kind: Model\n", TOO_MANY, unchecked=[NO_INVENTORY])
    broken = result_of("a: *é\n", source="é.yaml")
    text = _written(failed, broken, summary=Summary(files=2, objects=1, failed=1, errors=1))
    assert text.count("\n") == 4
    assert json.loads(text)["results"] == [
        {
            "source": "models/llama.yaml",
            "document": 0,
            "object": "Model shop/llama",
            "status": "failed",
            "findings": [
                {
                    "rule": "LLMKUBE-003",
                    "severity": "error",
                    "field": "spec.hardware.gpu.count",
                    "message": "more GPUs than any node has",
                    "hint": TOO_MANY.hint,
                    "found": "12",
                    "expected": "at most 8",
                    "nearest": "node gpu-1 with 8",
                    "page": "docs/rules/llmkube.md#llmkube-003-runtime-without-amd",
                    "line": 10,
                    "column": 14,
                    "endLine": 10,
                    "endColumn": 16,
                },
            ],
            "issues": [
                {
                    "kind": "finding",
                    "message": 'duplicate field "kind": the last one wins and kubectl doesn\'t say so',
                    "line": 13,
                    "column": 1,
                },
            ],
            "unchecked": [{"subject": "hardware", "reason": "no inventory is known"}],
        },
        {
            "source": "é.yaml",
            "document": 0,
            "object": "",
            "status": "error",
            "findings": [],
            "issues": [
                {
                    "kind": "error",
                    "message": "invalid YAML: did not find expected alphabetic or numeric character",
                    "line": 1,
                    "column": 5,
                    "kubectl": "error converting YAML to JSON: yaml: did not find expected alphabetic or numeric character",
                },
            ],
            "unchecked": [],
        },
    ]


def test_results_are_written_as_they_come() -> None:
    stream = io.StringIO()
    report = JSONReport(stream, Style())
    report.write(result_of(MODEL))
    first = stream.getvalue()
    report.write(result_of(MODEL))
    assert first.startswith('{"version":1,"results":[\n{"source":')
    assert stream.getvalue().removeprefix(first).startswith(",\n{")
