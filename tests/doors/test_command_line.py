"""Every case through `weighbridge dry-run` and `weighbridge lint`: the same verdict in the same words."""

from __future__ import annotations

import json
import re
from typing import Any, Final

import pytest
from click.testing import CliRunner, Result

from tests.doors.cases import CASES, IDS, Case
from tests.doors.expectations import check
from weighbridge.webhook.cli.commands import cli
from weighbridge.webhook.dry_run_report.parts.record import verdict_record


def run(*arguments: str, text: str = "") -> Result:
    """One command in this process."""
    return CliRunner().invoke(cli, list(arguments), input=text, standalone_mode=False)


def around(case: Case) -> list[str]:
    """The options that give a command the same input as the engine gets from the case."""
    return [argument for part in ("cluster", "config") if (path := case.file(part)) for argument in (f"--{part}", str(path))]


#: The hint about a word that YAML doesn't read as a text.
_OF_YAML: Final = re.compile(r'\S+ is (?:a boolean|a number|null|the \S+ \S+ in YAML 1\.1); write "[^"]*"$')


def record_of(case: Case) -> dict[str, Any]:
    """The engine's own verdict."""
    return dict(verdict_record("case", case.decision))


@pytest.mark.parametrize("case", CASES, ids=IDS)
def test_dry_run_of_the_manifest_says_what_the_engine_says(case: Case) -> None:
    old = ["--old", str(case.file("old"))] if case.old is not None else []
    result = run("dry-run", str(case.file("object")), *old, *around(case), "--field-validation", str(case.field_validation), "-o", "jsonl")
    record = json.loads(result.stdout)
    check(case, record)
    for finding in record["findings"]:
        # How YAML reads a word is known only for a manifest.
        finding["hint"] = _OF_YAML.sub("", finding["hint"])
    assert {**record_of(case), "id": record["id"]} == {key: value for key, value in record.items() if key not in {"source", "document"}}
    assert result.return_value == int("neverRuns" in record or not case.expect["allowed"])


@pytest.mark.parametrize("case", CASES, ids=IDS)
def test_dry_run_of_the_recorded_review_says_what_the_engine_says(case: Case) -> None:
    request = {
        "uid": "case",
        "operation": str(case.operation),
        "object": case.object,
        "oldObject": case.old,
        "options": {"fieldValidation": str(case.field_validation)},
    }
    review = json.dumps({"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview", "request": request})
    result = run("dry-run", "--reviews", "-", *around(case), text=review + "\n")
    assert json.loads(result.stdout) == record_of(case)


@pytest.mark.parametrize(
    "case", [case for case in CASES if case.old is None and "fieldValidation" not in case.expect], ids=lambda case: case.id
)
def test_lint_finds_what_the_engine_finds_and_says_where(case: Case) -> None:
    result = run("lint", str(case.file("object")), *around(case), "-o", "json")
    told = json.loads(result.stdout)["results"][0]
    expected = case.decision
    found = [(finding["rule"], finding["field"], finding["message"]) for finding in told["findings"]]
    assert sorted(found) == sorted((f.rule, f.field, f.message) for f in expected.findings)
    lines = (case.folder / "object.yaml").read_text().splitlines()
    for finding in told["findings"]:
        assert 1 <= finding["line"] <= len(lines)
        assert 1 <= finding["column"] <= len(lines[finding["line"] - 1]) + 1
    assert result.return_value == int(expected.never_runs or not case.expect["allowed"])
