"""Compares a verdict, as a record of the dry run, with what a case expects."""

from __future__ import annotations

from typing import Any

from tests.doors.cases import Case


def _contains(whole: Any, part: Any) -> bool:
    if isinstance(part, dict):
        return isinstance(whole, dict) and all(key in whole and _contains(whole[key], value) for key, value in part.items())
    return bool(whole == part)


def _noted(record: dict[str, Any]) -> list[str]:
    """The ids of the notes of rules; those of the API server aren't counted, as among the findings."""
    return [finding["rule"] for finding in record["findings"] if finding["severity"] == "note" and not finding["rule"].startswith("K8S-")]


def check(case: Case, record: dict[str, Any]) -> None:
    """Fail with what differs."""
    expect = case.expect
    told = [finding for finding in record["findings"] if finding["severity"] != "note" and not finding["rule"].startswith("K8S-")]
    assert record["allowed"] is expect["allowed"], record["message"]
    assert [finding["rule"] for finding in told] == expect.get("findings", [])
    assert sorted(_noted(record)) == expect.get("notes", [])
    rules = [entry["subject"].split()[0] for entry in record["unchecked"] if "-" in entry["subject"].split()[0]]
    assert sorted(rules) == expect.get("unchecked", [])
    for key in ("code", "message", "causes", "warnings", "patch"):
        if key in expect:
            assert record[key] == expect[key]
    if "nearest" in expect:
        assert [finding["nearest"] for finding in told if "nearest" in finding] == expect["nearest"]
    if "object" in expect:
        assert _contains(record["object"], expect["object"]), record["object"]
    if not expect["allowed"]:
        assert record["message"]
