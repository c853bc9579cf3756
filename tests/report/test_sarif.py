"""The SARIF report."""

from __future__ import annotations

import gzip
import io
import json
import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.report.objects import MODEL, TOO_MANY, failing, result_of
from weighbridge.policies.families import families
from weighbridge.policies.ground.findings import Severity
from weighbridge.webhook.manifests.lines import SourceText
from weighbridge.webhook.report import FORMATS, Result, Style, Summary, sarif
from weighbridge.webhook.report.parts.fingerprints import LineHashes
from weighbridge.webhook.report.parts.rule_descriptions import descriptions_of


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
        "artifactLocation": {"uri": "models/llama.yaml", "uriBaseId": "%SRCROOT%"},
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


def test_what_makes_the_exit_code_1_has_the_level_error() -> None:
    warned = result_of(MODEL, replace(TOO_MANY, severity=Severity.WARNING))
    assert [_run(result)["results"][0]["level"] for result in (warned, failing(warned, "warning"))] == ["warning", "error"]


def test_a_column_counts_units_of_utf_16() -> None:
    text = MODEL.replace("      count: 12\n      vendor: nvidia\n", "").replace("    gpu:\n", '    gpu: {"𝄞𝄞": 1, count: 12}\n')
    (found,) = _run(result_of(text, TOO_MANY))["results"]
    region = found["locations"][0]["physicalLocation"]["region"]
    line = text.splitlines()[region["startLine"] - 1].encode("utf-16-le")
    assert line[2 * (region["startColumn"] - 1) : 2 * (region["endColumn"] - 1)].decode("utf-16-le") == "12"


def test_fingerprints_stay_where_lines_move_and_differ_between_objects() -> None:
    def fingerprints(*texts: str) -> list[dict[str, str]]:
        return [found["partialFingerprints"] for text in texts for found in _run(result_of(text, TOO_MANY))["results"]]

    here, moved, other = fingerprints(MODEL, "# one\n# two\n" + MODEL, MODEL.replace("llama", "other"))
    assert here == moved
    assert here["weighbridgeFinding/v1"] != other["weighbridgeFinding/v1"]


def test_the_same_finding_twice_has_two_fingerprints() -> None:
    first, second = (found["partialFingerprints"] for found in _run(result_of(MODEL, TOO_MANY, TOO_MANY))["results"])
    assert first["weighbridgeFinding/v1"] != second["weighbridgeFinding/v1"]


def test_a_line_has_githubs_hash() -> None:
    # Computed by github/codeql-action v3 (src/fingerprints.ts) with Node.js 20.
    text = 'a: 1\n\tb: "é𝄞 x"\r\nsame\nsame\n\nlong: ' + "abc " * 90 + "\nsame\n"
    hashes = LineHashes()
    lines = SourceText("", text.encode()).lines
    assert [hashes.of(lines, line + 1) for line in range(len(lines))] == [
        "a2ee033a3afa8d90:1",
        "aae57947577863a7:1",
        "1780fe5477635d54:1",
        "c0d185507ca18a99:1",
        "ac15188041589df7:1",
        "e6ec648372ae42ab:1",
        "930af01a65e2307f:1",
        "c129715d7a2bc9a3:1",
    ]


def test_of_more_results_than_github_takes_the_worst_are_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sarif, "MOST_RESULTS", 3)
    warned = replace(TOO_MANY, severity=Severity.WARNING)
    run = _run(*(result_of(MODEL, warned, source=f"{number}.yaml") for number in range(7)), result_of(MODEL, TOO_MANY))
    assert [found["level"] for found in run["results"]] == ["warning", "warning", "error"]
    (said,) = run["invocations"][0]["toolExecutionNotifications"]
    assert said["message"]["text"].startswith("5 more results aren't in this file")


def test_a_file_is_no_larger_than_github_takes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sarif, "MOST_BYTES", 20_000)
    chance = random.Random(1)
    noise = ("".join(chance.choices("0123456789abcdef", k=1000)) for _ in range(300))
    run = _run(*(result_of(MODEL, replace(TOO_MANY, message=text), source=f"{number}.yaml") for number, text in enumerate(noise)))
    assert len(gzip.compress(json.dumps(run["results"]).encode())) < 20_000
    assert 0 <= len(run["results"]) < 300
    assert run["invocations"][0]["toolExecutionNotifications"]


def test_a_file_is_named_by_its_path_in_the_repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "charts").mkdir()
    monkeypatch.chdir(tmp_path / "charts")
    sources = ["a.yaml", "./a.yaml", "../b.yaml", str(tmp_path / "b.yaml"), "/elsewhere/c.yaml", "-"]
    found = _run(*(result_of(MODEL, TOO_MANY, source=source) for source in sources))["results"]
    uris = [entry["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for entry in found]
    assert uris == ["charts/a.yaml", "charts/a.yaml", "b.yaml", "b.yaml", "file:///elsewhere/c.yaml", "-"]


@pytest.mark.parametrize("rule_id", [rule.id for family in families() for rule in family.rules()] + ["K8S-003", "WB-002", "input"])
def test_each_rule_can_be_described(rule_id: str) -> None:
    (found,) = descriptions_of([rule_id])
    assert found["id"] == rule_id
    assert found["name"]
    assert len(found["properties"]["tags"]) <= 10
