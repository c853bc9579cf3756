"""The SARIF report."""

from __future__ import annotations

import io
import json
from dataclasses import replace
from typing import Any

from tests.report.objects import MODEL, TOO_MANY, result_of
from weighbridge.webhook.report import FORMATS, Result, Style, Summary


def _run(*results: Result) -> Any:
    stream = io.StringIO()
    report = FORMATS["sarif"](stream, Style(full=True, color=True))
    for result in results:
        report.write(result)
    report.finish(Summary())
    document = json.loads(stream.getvalue())
    assert document["version"] == "2.1.0"
    (run,) = document["runs"]
    assert run["tool"]["driver"]["name"] == "weighbridge"
    return run


def test_a_run_without_findings_is_a_whole_document() -> None:
    assert _run()["results"] == []
    assert _run(result_of(MODEL))["results"] == []


def test_each_finding_is_a_result_with_its_place() -> None:
    (found,) = _run(result_of(MODEL, TOO_MANY))["results"]
    assert (found["ruleId"], found["level"]) == ("LLMKUBE-003", "error")
    assert found["message"]["text"].splitlines()[0] == "spec.hardware.gpu.count: more GPUs than any node has"
    assert "found: 12" in found["message"]["text"]
    (location,) = found["locations"]
    assert location["physicalLocation"] == {
        "artifactLocation": {"uri": "models/llama.yaml"},
        "region": {"startLine": 10, "startColumn": 14, "endLine": 10, "endColumn": 16},
    }
    assert location["logicalLocations"] == [{"fullyQualifiedName": "Model shop/llama spec.hardware.gpu.count"}]


def test_a_text_that_cannot_be_read_is_a_result() -> None:
    (found,) = _run(result_of("a: *é\n", source="é e.yaml"))["results"]
    assert (found["ruleId"], found["level"]) == ("input", "error")
    place = found["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == "%C3%A9%20e.yaml"
    assert place["region"]["startLine"] == 1


def test_a_file_elsewhere_has_a_whole_address_and_any_name_can_be_written() -> None:
    found = _run(result_of(MODEL, TOO_MANY, source="/srv/a b.yaml"), result_of(MODEL, TOO_MANY, source="a\udcff.yaml"))["results"]
    uris = [entry["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for entry in found]
    assert uris == ["file:///srv/a%20b.yaml", "a%FF.yaml"]


def test_an_exception_is_a_suppression_with_its_reason() -> None:
    (found,) = _run(result_of(MODEL, replace(TOO_MANY, exempted="until the new nodes are here")))["results"]
    assert found["suppressions"] == [{"kind": "external", "justification": "until the new nodes are here"}]
